// understudy library …, understudy items.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/json/serialize.hpp>
#include <filesystem>
#include <set>

#include "app/cli/command.h"
#include "app/cli/library_options.h"
#include "core/text.h"
#include "library/file_system.h"
#include "library/kind_guess.h"
#include "model/library.h"

namespace understudy::app {
namespace {

namespace json = boost::json;

struct LibraryOptions {
    std::string name, kind;
    std::vector<std::string> paths;
    bool no_scan = false;
    NewLibraryOptions wanted;
};

/// Library folders that were away when they were last looked at.
std::set<std::string> offline_folders(Command& command) {
    std::set<std::string> folders;
    const auto found = command.get("/cluster/problems");
    for (const auto& problem : array_of(found, "items")) {
        if (text_of(problem, "reason").starts_with("the library folder is offline"))
            folders.insert(text_of(problem, "path"));
    }
    return folders;
}

int list_libraries(Command& command) {
    const auto libraries = command.get("/Library/VirtualFolders");
    if (command.options().json) {
        command.print_json(libraries);
        return 0;
    }
    const auto away = offline_folders(command);
    std::vector<std::vector<std::string>> rows;
    if (const auto* list = libraries.if_array()) {
        for (const auto& library : *list) {
            std::string paths;
            std::size_t offline = 0, all = 0;
            for (const auto& path : array_of(library, "Locations")) {
                const auto text = path.is_string() ? std::string(path.get_string()) : std::string{};
                const bool is_away = away.contains(text);
                paths += (paths.empty() ? "" : ", ") + text;
                offline += is_away ? 1 : 0;
                ++all;
            }
            auto status = text_of(library, "RefreshStatus");
            if (offline > 0 && offline == all)
                status = status == "Idle" ? "Offline" : "Offline, " + status;
            else if (offline > 0)
                status += fmt::format(", {} of {} folders offline", offline, all);
            rows.push_back({text_of(library, "Name"), text_of(library, "CollectionType"), status, paths});
        }
    }
    command.print_table({"NAME", "KIND", "STATUS", "PATHS"}, rows);
    return 0;
}

int add_library(Command& command, const LibraryOptions& options) {
    std::string query;
    std::string kind = options.kind;
    for (const auto& given : options.paths) {
        std::error_code error;
        const auto path = std::filesystem::absolute(given, error).lexically_normal().string();
        if (kind.empty()) kind = model::to_string(library::guess_kind(path));
        query += "&paths=" + percent_encode(path);
    }
    auto name = options.name;
    if (name.empty()) {
        auto folder = std::filesystem::absolute(options.paths.front()).lexically_normal();
        if (!folder.has_filename()) folder = folder.parent_path();
        name = folder.filename().string();
    }
    const auto wanted = library_options_json(options.wanted);
    command.call("POST",
                 "/Library/VirtualFolders?name=" + percent_encode(name) + "&collectionType=" + percent_encode(kind) +
                     query + "&refreshLibrary=" + (options.no_scan ? "false" : "true") + "&strict=true",
                 wanted.empty() ? std::string{} : json::serialize(json::object{{"LibraryOptions", wanted}}));
    if (command.options().json) {
        json::array paths;
        for (const auto& given : options.paths)
            paths.emplace_back(std::filesystem::absolute(given).lexically_normal().string());
        command.print_json(json::object{
            {"name", name}, {"kind", kind}, {"paths", std::move(paths)}, {"scanQueued", !options.no_scan}});
    } else
        command.out() << "library " << printable(name) << " (" << kind << ")"
                      << (options.no_scan ? "" : ", scan queued") << '\n';
    return 0;
}

int problems(Command& command, const LibraryOptions& options) {
    const auto found =
        command.get("/cluster/problems" + (options.name.empty() ? "" : "?library=" + percent_encode(options.name)));
    if (command.options().json) {
        command.print_json(found);
        return 0;
    }
    std::vector<std::vector<std::string>> rows;
    for (const auto& problem : array_of(found, "items")) {
        rows.push_back({text_of(problem, "reason"), text_of(problem, "since"), text_of(problem, "path")});
    }
    if (rows.empty())
        command.out() << "no problems\n";
    else
        command.print_table({"REASON", "SINCE", "PATH"}, rows);
    return 0;
}

struct ItemOptions {
    std::string parent, types, search, sort = "SortName", order = "Ascending";
    long start = 0, limit = 0;
};

std::string item_detail(const json::value& item) {
    const auto type = text_of(item, "Type");
    if (type == "Episode") {
        return fmt::format("{} S{:02.0f}E{:02.0f}", text_of(item, "SeriesName"), number_of(item, "ParentIndexNumber"),
                           number_of(item, "IndexNumber"));
    }
    if (type == "Season") return text_of(item, "SeriesName");
    if (type == "Audio")
        return text_of(item, "AlbumArtist") + " / " + text_of(item, "Album") +
               fmt::format(" #{:.0f}", number_of(item, "IndexNumber"));
    const auto year = text_of(item, "ProductionYear");
    return year.empty() ? "" : year;
}

const std::vector<std::string> item_types{"Movie",      "Series", "Season", "Episode", "MusicArtist",
                                          "MusicAlbum", "Audio",  "BoxSet", "Playlist"};
const std::vector<std::string> item_sorts{
    "SortName",          "Name",  "DateCreated", "ProductionYear", "PremiereDate", "IndexNumber", "ParentIndexNumber",
    "AiredEpisodeOrder", "Album", "Runtime",     "Random"};

/// One of `known`, or several with commas between. The server ignores words it does not know, as Jellyfin's clients
/// send many; a person who mistyped one must hear it. Help and completion read the words from the description.
CLI::Validator words_of(const std::vector<std::string>& known) {
    return {[known](const std::string& given) {
                for (const auto& word : core::split_trimmed(given, ',')) {
                    const auto same = [&](const auto& one) { return core::equals_ignoring_case(one, word); };
                    if (std::ranges::none_of(known, same))
                        return "'" + printable(word) + "' is not known" + core::choices(word, known);
                }
                return std::string{};
            },
            fmt::format("{{{}}},...", fmt::join(known, ","))};
}

int items(Command& command, const ItemOptions& options) {
    constexpr long page = 1000;
    json::object whole;
    json::array all;
    std::string total = "0";
    for (long start = options.start;; start += page) {
        const auto wanted = options.limit == 0 ? page : std::min(page, options.limit - static_cast<long>(all.size()));
        auto target =
            fmt::format("/Items?recursive=true&startIndex={}&limit={}&fields=Path,ProviderIds&sortBy={}&sortOrder={}",
                        start, wanted, percent_encode(options.sort), percent_encode(options.order));
        if (!options.parent.empty()) target += "&parentId=" + percent_encode(options.parent);
        if (!options.types.empty()) target += "&includeItemTypes=" + percent_encode(options.types);
        if (!options.search.empty()) target += "&searchTerm=" + percent_encode(options.search);
        const auto answer = command.get(target);
        const auto& got = array_of(answer, "Items");
        all.insert(all.end(), got.begin(), got.end());
        total = text_of(answer, "TotalRecordCount");
        if (got.size() < static_cast<std::size_t>(wanted) ||
            (options.limit > 0 && static_cast<long>(all.size()) >= options.limit))
            break;
    }
    if (command.options().json) {
        whole["TotalRecordCount"] = std::stol(total);
        whole["StartIndex"] = options.start;
        whole["Items"] = std::move(all);
        command.print_json(whole);
        return 0;
    }
    std::vector<std::vector<std::string>> rows;
    for (const auto& item : all) {
        rows.push_back({text_of(item, "Type"), text_of(item, "Name"), item_detail(item),
                        text_of(item, "LocationType") == "Offline" ? "offline" : "", text_of(item, "Id")});
    }
    command.print_table({"TYPE", "NAME", "DETAIL", "", "ID"}, rows);
    command.out() << rows.size() << " of " << total << '\n';
    return 0;
}

}  // namespace

void add_library_commands(CLI::App& root, Action& chosen) {
    auto* library = root.add_subcommand("library", "libraries: which folders are kept, and how they do");
    library->require_subcommand(1);
    library->footer(
        "Exit codes: 0 done, 2 wrong words, 3 no server there, 4 no such library, 5 key missing or wrong, 6 refused: "
        "it exists\nalready, or the server is starting or stopping.");
    auto options = std::make_shared<LibraryOptions>();
    library->add_subcommand("list", "all libraries")->callback([&chosen] { chosen = list_libraries; });

    auto* add = library->add_subcommand("add", "a new library over one or more folders");
    add->add_option("DIR", options->paths, "folders, at the same path on all pods")->required();
    add->add_option("--name", options->name, "what it is called (default: the first folder's name)");
    add->add_option("--kind", options->kind, "movies, tvshows or music (default: guessed from what is in the folder)")
        ->check(CLI::IsMember({"movies", "tvshows", "music"}, CLI::ignore_case));
    add->add_flag("--no-scan", options->no_scan, "do not scan it now");
    add_library_option_flags(*add, options->wanted);
    add->footer(
        "Examples:\n  understudy library add --kind movies --name Films /media/films\n"
        "  understudy library add --chapter-images --no-segments fingerprint /media/series\n"
        "`understudy library options NAME` shows them afterwards, and changes them.");
    add->callback([&chosen, options] { chosen = [options](Command& c) { return add_library(c, *options); }; });

    auto* remove = library->add_subcommand("remove", "forget a library and its items; files are never touched");
    remove->add_option("NAME", options->name, "as `library list` shows, in any case, or its id")->required();
    remove->footer(
        "Example: understudy library remove Films\nWhat people played and liked there is kept for "
        "Jellyfin:UserData:KeepDays and comes back with the files.");
    remove->callback([&chosen, options] {
        chosen = [options](Command& c) {
            c.call("DELETE", "/Library/VirtualFolders?name=" + percent_encode(options->name));
            if (c.options().json)
                c.print_json(json::object{{"name", options->name}, {"removed", true}});
            else
                c.out() << "library " << printable(options->name) << " removed; its files are untouched\n";
            return 0;
        };
    });
    add_library_options_command(*library, chosen);
    library->add_subcommand("scan", "scan all libraries once more, after the scan that may be running")
        ->callback([&chosen] {
            chosen = [](Command& c) {
                c.call("POST", "/Library/Refresh");
                if (c.options().json)
                    c.print_json(json::object{{"scanQueued", true}});
                else
                    c.out() << "scan queued; `understudy tasks run RefreshLibrary --wait` joins it\n";
                return 0;
            };
        });
    auto* bad = library->add_subcommand("problems", "files, links and folders that could not be used, and why");
    bad->add_option("NAME", options->name, "only this library, by name or id");
    bad->footer(
        "Example: understudy library problems Films\nA problem goes away by itself when a scan finds it mended.");
    bad->callback([&chosen, options] { chosen = [options](Command& c) { return problems(c, *options); }; });
}

void add_items_command(CLI::App& root, Action& chosen) {
    auto* sub = root.add_subcommand("items", "films, series, episodes, albums and tracks");
    auto options = std::make_shared<ItemOptions>();
    sub->add_option("--parent", options->parent,
                    "only below this item (id, as `items` shows) or library (id: ItemId of `library list --json`)");
    sub->add_option("--types", options->types, "only these, with commas between")->check(words_of(item_types));
    sub->add_option("--search", options->search, "part of the name");
    sub->add_option("--sort", options->sort, "by this; several with commas between: where the first is the same")
        ->check(words_of(item_sorts))
        ->capture_default_str();
    sub->add_option("--order", options->order, "which comes first")
        ->check(CLI::IsMember({"Ascending", "Descending"}, CLI::ignore_case))
        ->capture_default_str();
    const CLI::Validator whole(
        [](const std::string& text) {
            const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
            return digits && text.size() <= 9 ? std::string{} : "must be a whole number from 0 on, not '" + text + "'";
        },
        "NUMBER", "whole");
    sub->add_option("--start", options->start, "skip so many")->check(whole);
    sub->add_option("--limit", options->limit, "at most so many (0: all)")->check(whole);
    sub->footer("Example: understudy items --types Episode --json | jq '.Items[].Name'");
    sub->callback([&chosen, options] { chosen = [options](Command& command) { return items(command, *options); }; });
}

}  // namespace understudy::app
