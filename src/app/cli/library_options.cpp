#include "app/cli/library_options.h"

#include <CLI/CLI.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <ostream>

#include "app/cli/command.h"
#include "core/text.h"

namespace understudy::app {
namespace {

namespace json = boost::json;

struct ChangedOptions {
    std::string name;
    std::vector<std::string> sets;
};

json::object read_options(const std::string& given) {
    std::string text = given;
    if (given.starts_with('@')) {
        std::ifstream in(given.substr(1));
        std::error_code ignored;
        if (!in || std::filesystem::is_directory(given.substr(1), ignored))
            throw CommandFailure{Exit::usage, "--options: " + printable(given.substr(1)) + " cannot be read"};
        text.assign(std::istreambuf_iterator<char>(in), {});
    }
    boost::system::error_code error;
    auto value = json::parse(text, error);
    if (!error && value.is_object()) return std::move(value.get_object());
    throw CommandFailure{
        Exit::usage,
        "--options: a JSON object is wanted, as in {\"EnableLUFSScan\":false}, or @FILE "
        "with one; " +
            (error ? "this is no JSON: " + error.message() : std::string("this is JSON of another kind"))};
}

json::array words(const std::string& text) {
    json::array list;
    for (const auto& word : core::split_trimmed(text, ',')) list.emplace_back(word);
    return list;
}

/// By name (any case) or id, as /Library/VirtualFolders has it.
json::value find_library(Command& command, const std::string& name) {
    const auto libraries = command.get("/Library/VirtualFolders");
    std::vector<std::string> all;
    if (const auto* list = libraries.if_array()) {
        for (const auto& library : *list) {
            if (core::equals_ignoring_case(text_of(library, "Name"), name) || text_of(library, "ItemId") == name)
                return library;
            all.push_back(printable(text_of(library, "Name")));
        }
    }
    throw CommandFailure{Exit::not_found, "there is no library " + printable(name) +
                                              (all.empty() ? "; there is none at all yet" : core::choices(name, all))};
}

/// JSON where it is some (true, 7, ["edl"], null), else a text.
json::value value_of(const std::string& text) {
    boost::system::error_code error;
    auto value = json::parse(text, error);
    return error ? json::value(json::string(text)) : value;
}

int show_or_change(Command& command, const ChangedOptions& options) {
    auto library = find_library(command, options.name);
    if (!options.sets.empty()) {
        json::object changes;
        for (const auto& set : options.sets) {
            const auto equals = set.find('=');
            if (equals == std::string::npos || equals == 0) {
                throw CommandFailure{
                    Exit::usage, "--set '" + printable(set) + "' must be KEY=VALUE, as in --set EnableLUFSScan=false"};
            }
            const auto key = set.substr(0, equals), value = set.substr(equals + 1);
            const auto twice = std::ranges::find_if(
                changes, [&](const auto& member) { return core::equals_ignoring_case(member.key(), key); });
            if (twice != changes.end()) {
                throw CommandFailure{Exit::usage, "--set '" + printable(set) +
                                                      "': that option is given twice; the other is '" +
                                                      std::string(twice->key()) + "=" +
                                                      printable(json::serialize(twice->value())) + "'; leave one"};
            }
            changes[key] = value_of(value);
        }
        command.call("POST", "/Library/VirtualFolders/LibraryOptions?partial=true",
                     json::serialize(json::object{{"Id", text_of(library, "ItemId")}, {"LibraryOptions", changes}}));
        library = find_library(command, text_of(library, "ItemId"));
    }
    const auto& shown = library.at("LibraryOptions");
    if (command.options().json) {
        command.print_json(shown);
        return 0;
    }
    std::vector<std::vector<std::string>> rows;
    if (const auto* members = shown.if_object()) {
        for (const auto& member : *members)
            rows.push_back({std::string(member.key()), json::serialize(member.value())});
    }
    command.print_table({"OPTION", "VALUE"}, rows);
    return 0;
}

}  // namespace

void add_library_option_flags(CLI::App& command, NewLibraryOptions& wanted) {
    command.add_option("--options", wanted.json, "Jellyfin's LibraryOptions: a JSON object, or @FILE with one");
    command.add_flag("--chapter-images", wanted.chapter_images,
                     "make pictures of chapters (EnableChapterImageExtraction)");
    command.add_flag("--no-loudness", wanted.no_loudness, "do not measure loudness (EnableLUFSScan=false)");
    command.add_option("--no-segments", wanted.no_segments,
                       "find no intros and credits by these, with commas between: chapters, edl, fingerprint "
                       "(DisabledMediaSegmentProviders)");
    command
        .add_option("--remove-missing-after", wanted.remove_missing_after,
                    "days after which items of an emptied folder go (RemoveMissingAfterDays; default: never)")
        ->check(CLI::Range(0, 3650));
}

json::object library_options_json(const NewLibraryOptions& wanted) {
    json::object options;
    if (!wanted.json.empty()) options = read_options(wanted.json);
    if (wanted.chapter_images) options["EnableChapterImageExtraction"] = true;
    if (wanted.no_loudness) options["EnableLUFSScan"] = false;
    if (!wanted.no_segments.empty()) {
        for (const auto& word : core::split_trimmed(wanted.no_segments, ',')) {
            if (word == "chapters" || word == "edl" || word == "fingerprint") continue;
            throw CommandFailure{Exit::usage,
                                 "--no-segments: '" + printable(word) +
                                     "' is no provider of segments. There are: chapters, edl, fingerprint"};
        }
        options["DisabledMediaSegmentProviders"] = words(wanted.no_segments);
    }
    if (wanted.remove_missing_after) options["RemoveMissingAfterDays"] = *wanted.remove_missing_after;
    return options;
}

void add_library_options_command(CLI::App& library, Action& chosen) {
    auto options = std::make_shared<ChangedOptions>();
    auto* sub = library.add_subcommand("options", "show what a library is set to, or change it");
    sub->add_option("NAME", options->name, "as `library list` shows, or its id")->required();
    sub->add_option("--set", options->sets, "KEY=VALUE; may be repeated. VALUE is JSON or a text; null: the default")
        ->allow_extra_args(false);
    sub->footer(
        "Examples:\n  understudy library options Films\n"
        "  understudy library options Films --set EnableChapterImageExtraction=true\n"
        "  understudy library options Series --set 'DisabledMediaSegmentProviders=[\"edl\"]'");
    sub->callback([&chosen, options] { chosen = [options](Command& c) { return show_or_change(c, *options); }; });
}

}  // namespace understudy::app
