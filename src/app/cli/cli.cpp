#include "app/cli/cli.h"

#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "app/cli/command_tree.h"
#include "app/cli/completion.h"
#include "core/text.h"

namespace understudy::app {
namespace {

std::pair<std::string, std::string> split_setting(const std::string& text) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
        throw CommandFailure{Exit::usage,
                             "--set '" + text + "' must be KEY=VALUE, as in --set Jellyfin:Log:Level=debug"};
    }
    return {text.substr(0, equals), text.substr(equals + 1)};
}

/// `exec`'s words behind `--` are its command's: nothing here looks at them.
int cut_at_dashes(int argc, char** argv, CommonOptions& common) {
    constexpr std::string_view with_value[] = {"--url", "--key", "--data-dir", "--config", "--set"};
    bool exec = false, command_seen = false;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--" && exec) {
            common.behind_dashes.assign(argv + i + 1, argv + argc);
            return i;
        }
        if (command_seen) continue;
        if (std::ranges::find(with_value, word) != std::end(with_value)) {
            ++i;
        } else if (!word.starts_with('-')) {
            command_seen = true;
            exec = word == "exec";
        }
    }
    return argc;
}

/// .NET's form, `--Jellyfin:Http:Listen=…` or with the value as the next word: taken out before the parser sees it.
std::vector<std::string> take_dotnet_settings(int argc, char** argv, CommonOptions& common) {
    constexpr std::string_view prefix = "--jellyfin:";
    std::vector<std::string> rest;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (!core::to_lower_ascii(word).starts_with(prefix)) {
            rest.push_back(word);
            continue;
        }
        auto setting = word.substr(2);
        if (setting.find('=') == std::string::npos) {
            if (i + 1 >= argc) throw CommandFailure{Exit::usage, word + " needs a value, as in " + word + "=VALUE"};
            setting += std::string("=") + argv[++i];
        }
        common.settings.push_back(split_setting(setting));
    }
    return rest;
}

/// Where the parser stopped: the command that was chosen so far, with all its words.
struct Place {
    const CLI::App* command;
    std::string words = "understudy";
    explicit Place(const CLI::App& root) : command(&root) {
        for (auto chosen = root.get_subcommands(); !chosen.empty(); chosen = command->get_subcommands()) {
            command = chosen.front();
            words += " " + command->get_name();
        }
    }
    [[nodiscard]] std::vector<std::string> commands() const {
        std::vector<std::string> names;
        for (const auto* one : command->get_subcommands([](const CLI::App*) { return true; }))
            names.push_back(one->get_name());
        return names;
    }
    /// Its own and those of all commands.
    [[nodiscard]] std::vector<std::string> options() const {
        std::vector<std::string> names;
        for (const auto* at = command; at != nullptr; at = at->get_parent()) {
            for (const auto* option : at->get_options()) {
                for (const auto& name : option->get_lnames()) names.push_back("--" + name);
            }
        }
        return names;
    }
};

/// What is wrong with the words and what to write instead: the nearest command or option, and what there is.
std::string wrong_words(const CLI::App& root, const CLI::ParseError& error) {
    const Place place(root);
    const auto commands = place.commands();
    const auto rest = root.remaining(true);
    const auto help = "\n`" + place.words + " --help` says more.";
    const auto is_option = [](const std::string& word) { return word.starts_with('-'); };
    const auto option = std::ranges::find_if(rest, is_option);
    const auto word = std::ranges::find_if_not(rest, is_option);
    if (!commands.empty() && word != rest.end()) {
        const auto near = core::nearest(*word, commands);
        std::string all;
        for (const auto& name : commands) all += (all.empty() ? "" : ", ") + name;
        return "'" + printable(*word) + "' is no command of `" + place.words + "`" +
               (near ? "; did you mean `" + place.words + " " + *near + "`?" : ".") + " There are: " + all + help;
    }
    if (option != rest.end()) {
        const auto name = option->substr(0, option->find('='));
        const auto near = core::nearest(name, place.options());
        return "'" + printable(name) + "' is no option of `" + place.words + "`" +
               (near ? "; did you mean " + *near + "?" : ".") + help;
    }
    if (word != rest.end()) return "'" + printable(*word) + "' is one word too many for `" + place.words + "`." + help;
    return "`" + place.words + "`: " + printable(error.what()) + core::choices("", commands) + help;
}

}  // namespace

int run_cli(int argc, char** argv, std::ostream& out, std::ostream& err) {
    // Folders 0750, files 0640, the admin key 0600: media folders, keys of others and people's habits stand in the
    // database. The group may read, for backups and log shippers of a pod; what is there already stays as it is.
    const auto inherited = ::umask(077);
    ::umask(inherited | 027);
    CommonOptions common;
    common.inherited_umask = inherited;
    Action chosen;
    try {
        std::vector<std::string> sets;
        CLI::App root{"Understudy: a media-library server that runs as several pods.", "understudy"};
        add_command_tree(root, common, sets, chosen);
        constexpr int asked_by_shell = 3;  // completion words -- …
        if (argc > asked_by_shell && std::string_view(argv[1]) == "completion" &&
            std::string_view(argv[2]) == "words" && std::string_view(argv[3]) == "--") {
            const std::vector<std::string> typed(argv + asked_by_shell + 1, argv + argc);
            print_completion(out, complete(root, typed, ask_server_for_names(typed, common)));
            return 0;
        }
        auto words = take_dotnet_settings(cut_at_dashes(argc, argv, common), argv, common);
        try {
            std::ranges::reverse(words);  // CLI11 takes a vector from its end
            root.parse(words);
        } catch (const CLI::ParseError& error) {
            if (error.get_exit_code() != 0) throw CommandFailure{Exit::usage, wrong_words(root, error)};
            return root.exit(error, out, err);  // --help, --version
        }
        for (const auto& set : sets) common.settings.push_back(split_setting(set));
        Command command(common, out, err);
        return chosen ? chosen(command) : static_cast<int>(Exit::usage);
    } catch (const CommandFailure& failure) {
        err << "understudy: " << failure.message << '\n';
        return static_cast<int>(failure.code);
    }
}

}  // namespace understudy::app
