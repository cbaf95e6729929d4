#include "app/cli/completion.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>

#include "core/text.h"

namespace understudy::app {
namespace {

using Paths = Completion::Paths;

const CLI::App* subcommand(const CLI::App& command, const std::string& name) {
    for (const auto* one : command.get_subcommands([](const CLI::App*) { return true; })) {
        if (one->get_name() == name) return one;
    }
    return nullptr;
}

/// Of the command or, as all common ones may, of what it is part of.
const CLI::Option* option_named(const CLI::App* command, const std::string& name) {
    for (; command != nullptr; command = command->get_parent()) {
        for (const auto* option : command->get_options()) {
            if (option->check_name(name)) return option;
        }
    }
    return nullptr;
}

bool takes_value(const CLI::Option& option) {
    return option.get_type_size() != 0;
}

struct Choices {
    std::vector<std::string> words;
    bool several = false;  ///< with commas between
};

/// Those of CLI::IsMember, as its type name lists them: `TEXT:{movies,tvshows}`; of several words:
/// `TEXT:{Name,Album},...`.
Choices choices_of(const CLI::Option& option) {
    const auto text = option.get_type_name();
    const auto from = text.find('{'), to = text.rfind('}');
    if (from == std::string::npos || to == std::string::npos || to < from) return {};
    return {core::split_trimmed(text.substr(from + 1, to - from - 1), ','), text.ends_with("},...")};
}

/// By the words that the tree itself uses for values.
struct Place {
    const char* command;  ///< its last word; empty: any
    const char* value;    ///< option or positional
    std::optional<NameKind> names;
    Paths paths;
};
constexpr Place places[] = {
    {"add", "NAME", std::nullopt, Paths::none},  // a new name
    {"", "KEY", NameKind::task, Paths::none},
    {"password", "NAME", NameKind::user, Paths::none},
    {"", "DIR", std::nullopt, Paths::folders},
    {"", "FILE", std::nullopt, Paths::files},
    {"", "--data-dir", std::nullopt, Paths::folders},
    {"", "--webdir", std::nullopt, Paths::folders},
    {"", "--media", std::nullopt, Paths::folders},
    {"", "--config", std::nullopt, Paths::files},
    {"", "--password-file", std::nullopt, Paths::files},
    {"triggers", "--set", std::nullopt, Paths::files},
};

class Completer {
public:
    Completer(const CLI::App& root, const NameLookup& lookup) : command_(&root), lookup_(lookup) {}

    Completion run(const std::vector<std::string>& words) {
        for (std::size_t i = 0; i + 1 < words.size(); ++i) {
            if (words[i] == "--" && !pending_) return behind_dashes(words.size() - i - 1);
            step(words[i]);
        }
        const auto last = words.empty() ? std::string{} : words.back();
        const auto equals = last.find('=');
        if (pending_ != nullptr) {
            values_of(*pending_, pending_->get_name(), last, {});
        } else if (last.starts_with("--") && equals != std::string::npos) {
            const auto name = last.substr(0, equals);
            if (const auto* option = option_named(command_, name))
                values_of(*option, name, last.substr(equals + 1), name + "=");
        } else if (last.starts_with('-')) {
            options(last);
        } else {
            subcommands(last);
            positional(last);
        }
        return std::move(found_);
    }

private:
    void step(const std::string& word) {
        if (pending_ != nullptr) {
            pending_ = nullptr;
            return;
        }
        if (word.starts_with('-')) {
            const auto* option = option_named(command_, word.substr(0, word.find('=')));
            const bool open = option != nullptr && takes_value(*option) && word.find('=') == std::string::npos;
            if (open) pending_ = option;
            return;
        }
        if (const auto* below = subcommand(*command_, word)) {
            command_ = below;
            position_ = 0;
        } else {
            ++position_;
        }
    }

    /// Of exec: a program and what it takes, which is its own affair.
    Completion behind_dashes(std::size_t at) {
        Completion completion;
        if (command_->get_name() == "exec") completion.paths = at == 1 ? Paths::programs : Paths::files;
        return completion;
    }

    void add(const std::string& word, const std::string& description, const std::string& typed,
             const std::string& before = {}) {
        if (word.starts_with(typed)) found_.candidates.push_back({before + word, description});
    }

    void options(const std::string& typed) {
        for (const auto* at = command_; at != nullptr; at = at->get_parent()) {
            for (const auto* option : at->get_options()) {
                const bool again = option->get_name() == "--help" && at != command_;
                if (option->get_group().empty() || again) continue;
                for (const auto& name : option->get_lnames()) add("--" + name, option->get_description(), typed);
            }
        }
    }

    void subcommands(const std::string& typed) {
        for (const auto* one : command_->get_subcommands([](const CLI::App*) { return true; })) {
            if (!one->get_group().empty()) add(one->get_name(), one->get_description(), typed);
        }
    }

    void positional(const std::string& typed) {
        std::size_t at = 0;
        for (const auto* option : command_->get_options([](const CLI::Option* o) { return o->get_positional(); })) {
            const bool many = option->get_items_expected_max() > 1;
            if (at++ == position_ || many) {
                values_of(*option, option->get_name(true), typed, {});
                return;
            }
        }
    }

    void add_choices(const Choices& choices, const std::string& typed, const std::string& before) {
        const auto comma = choices.several ? typed.rfind(',') : std::string::npos;
        const auto done = comma == std::string::npos ? std::string{} : typed.substr(0, comma + 1);
        const auto given = core::split_trimmed(done, ',');
        for (const auto& word : choices.words) {
            if (std::ranges::find(given, word) == given.end()) add(word, {}, typed.substr(done.size()), before + done);
        }
    }

    void values_of(const CLI::Option& option, const std::string& name, const std::string& typed,
                   const std::string& before) {
        add_choices(choices_of(option), typed, before);
        const auto here = command_->get_name();
        const bool in_library = command_->get_parent() != nullptr && command_->get_parent()->get_name() == "library";
        const auto* place = std::ranges::find_if(places, [&](const Place& one) {
            return (*one.command == '\0' || here == one.command) && name == one.value;
        });
        auto names = place == std::end(places) ? std::nullopt : place->names;
        if (place != std::end(places))
            found_.paths = place->paths;
        else if (name == "NAME")
            names = in_library ? NameKind::library : NameKind::user;
        if (!names) return;
        for (const auto& one : lookup_(*names)) add(one.word, one.description, typed, before);
    }

    const CLI::App* command_;
    const NameLookup& lookup_;
    const CLI::Option* pending_ = nullptr;
    std::size_t position_ = 0;
    Completion found_;
};

void read_common(const std::vector<std::string>& words, CommonOptions& common) {
    std::vector<std::string> urls;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        auto name = words[i];
        std::string value;
        if (const auto equals = name.find('='); equals != std::string::npos) {
            value = name.substr(equals + 1);
            name.resize(equals);
        } else if (i + 2 < words.size()) {
            value = words[i + 1];
        }
        if (name == "--url") urls.push_back(value);
        if (name == "--key") common.key = value;
        if (name == "--data-dir") common.data_dir = value;
        if (name == "--config") common.config_file = value;
    }
    if (urls.empty()) {
        if (const char* given = std::getenv("UNDERSTUDY_URL"); given != nullptr && *given != '\0') urls = {given};
    }
    if (!urls.empty()) common.urls = urls;
}

std::vector<Candidate> names_in(const boost::json::value& answer, NameKind kind) {
    std::vector<Candidate> names;
    const auto* list = answer.if_array();
    if (list == nullptr) return names;
    for (const auto& one : *list) {
        switch (kind) {
            case NameKind::task:
                names.push_back({text_of(one, "Key"), text_of(one, "Name")});
                break;
            case NameKind::library:
                names.push_back({text_of(one, "Name"), text_of(one, "CollectionType")});
                break;
            case NameKind::user:
                names.push_back({text_of(one, "Name"), {}});
                break;
        }
    }
    return names;
}

}  // namespace

Completion complete(const CLI::App& root, const std::vector<std::string>& words, const NameLookup& lookup) {
    return Completer(root, lookup).run(words);
}

NameLookup ask_server_for_names(const std::vector<std::string>& words, CommonOptions common) {
    read_common(words, common);
    return [common](NameKind kind) -> std::vector<Candidate> {
        const auto* target = kind == NameKind::task      ? "/ScheduledTasks"
                             : kind == NameKind::library ? "/Library/VirtualFolders"
                                                         : "/Users";
        try {
            std::size_t tried = 0;
            for (const auto& client : clients_of(common)) {
                if (tried++ == 2) break;
                const auto reply = client.request("GET", target, {}, std::chrono::seconds{1});
                if (reply && reply->ok()) return names_in(reply->json(), kind);
            }
        } catch (const CommandFailure&) {  // wrong words so far: the command itself will say so
        }
        return {};
    };
}

void print_completion(std::ostream& out, const Completion& completion) {
    for (const auto& one : completion.candidates) {
        out << printable(one.word);
        if (!one.description.empty()) out << '\t' << printable(one.description);
        out << '\n';
    }
    switch (completion.paths) {
        case Paths::none:
            break;
        case Paths::files:
            out << ":files\n";
            break;
        case Paths::folders:
            out << ":folders\n";
            break;
        case Paths::programs:
            out << ":programs\n";
            break;
    }
}

}  // namespace understudy::app
