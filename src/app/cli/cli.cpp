#include "app/cli/cli.h"

#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "app/cli/command.h"
#include "app/version.h"
#include "core/text.h"

namespace understudy::app {
namespace {

constexpr const char* footer = R"(Examples:
  understudy serve --data-dir ./data --media movies=/media/films
  understudy tasks run RefreshLibrary --wait
  understudy leader status --url http://127.0.0.1:8097
  understudy items --types Episode --json

Any setting of docs/configuration.md can be given as --set KEY=VALUE or --KEY=VALUE
(--Jellyfin:ScanLeader:Enabled=true), as environment KEY with __ for : or in --config FILE.
The command line goes before the environment, that before the file; one setting twice in one of them is refused.

Exit codes: 0 done, 1 failed, 2 wrong words or settings, 3 no server there,
4 not found, 5 key missing or wrong, 6 refused in this state.)";

std::pair<std::string, std::string> split_setting(const std::string& text) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
        throw CommandFailure{Exit::usage,
                             "--set '" + text + "' must be KEY=VALUE, as in --set Jellyfin:Log:Level=debug"};
    }
    return {text.substr(0, equals), text.substr(equals + 1)};
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

/// A command's own help shows its own options alone.
void name_common_options(CLI::App& command) {
    for (auto* sub : command.get_subcommands([](CLI::App*) { return true; })) {
        name_common_options(*sub);
        if (!sub->get_subcommands([](CLI::App*) { return true; }).empty()) continue;
        const auto own = sub->get_footer();
        sub->footer(
            own + (own.empty() ? "" : "\n") +
            "Options of all commands (--url, --key, --data-dir, --config, --set, --json): `understudy --help`.");
    }
}

}  // namespace

int run_cli(int argc, char** argv, std::ostream& out, std::ostream& err) {
    // Folders 0750, files 0640, the admin key 0600: media folders, keys of others and people's habits stand in the
    // database. The group may read, for backups and log shippers of a pod; what is there already stays as it is.
    ::umask(::umask(077) | 027);
    CommonOptions common;
    Action chosen;
    try {
        auto words = take_dotnet_settings(argc, argv, common);
        CLI::App root{"Understudy: a media-library server that runs as several pods.", "understudy"};
        root.set_version_flag("--version", std::string(version_text()));
        root.require_subcommand(1);
        root.fallthrough();  // common options may stand behind the command too
        root.add_option(
                "--url", common.urls,
                "the server to talk to (default: http://127.0.0.1:8096); repeated, or with commas between: pods "
                "of one cluster, of which the first that answers is asked")
            ->envname("UNDERSTUDY_URL")
            ->allow_extra_args(false);
        root.add_option("--key", common.key, "admin key (default: UNDERSTUDY_KEY, else <data dir>/admin.key)");
        root.add_option_function<std::string>(
            "--data-dir",
            [&common](const std::string& folder) {
                if (folder.empty())
                    throw CLI::ValidationError("--data-dir",
                                               "is empty; name a folder, or leave it out for the default");
                common.data_dir = folder;
            },
            "= Jellyfin:DataDir (default: /var/lib/understudy for root, else below $XDG_DATA_HOME)");
        root.add_option("--config", common.config_file, "settings file (JSON)");
        std::vector<std::string> sets;
        root.add_option("--set", sets, "a setting, KEY=VALUE; may be repeated, but not for one setting")
            ->allow_extra_args(false);
        root.add_flag("--json", common.json, "print JSON instead of text");

        add_serve_command(root, chosen);
        add_tasks_commands(root, chosen);
        add_leader_commands(root, chosen);
        add_library_commands(root, chosen);
        add_items_command(root, chosen);
        add_users_commands(root, chosen);
        add_config_commands(root, chosen);
        add_db_commands(root, chosen);
        root.footer(footer);  // last: commands that were added before it do not take it over
        name_common_options(root);
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
