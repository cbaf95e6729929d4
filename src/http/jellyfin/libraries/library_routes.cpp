// /Library/VirtualFolders, /Library/Refresh and /Library/Media/Updated.
#include <algorithm>
#include <utility>

#include "http/jellyfin/events/library_events.h"
#include "http/jellyfin/libraries/library_options.h"
#include "http/jellyfin/libraries/library_rules.h"
#include "http/json_body.h"
#include "http/library_lookup.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"
#include "library/scan_options.h"
#include "library/walk.h"

namespace understudy::http {
namespace {

Response list_folders(const Services& services, const Request& request) {
    const auto libraries = services.libraries.all();
    if (!libraries) return problem(libraries.error());
    // One look for all; a task that cannot be asked right now must not hide the libraries.
    const auto refresh = services.tasks.task(refresh_task);
    const bool active = refresh && refresh->state.live;
    const bool queued = refresh && !active && refresh->state.pending;
    JsonWriter out(request.spelling);
    out.begin_array();
    for (const auto& library : *libraries) {
        out.begin_object();
        out.field("Name", library.name).field("Locations", library.paths);
        out.field("CollectionType", model::to_string(library.kind));
        out.name("LibraryOptions");
        write_library_options(out, library.options, library.paths);
        out.field("ItemId", library.id);
        if (active) out.field("RefreshProgress", refresh->state.live->progress);
        out.field("RefreshStatus", active ? "Active" : queued ? "Queued" : "Idle");
        out.end_object();
    }
    out.end_array();
    return json_answer(out.take());
}

Response add_folder(const Services& services, const Request& request) {
    const auto refresh = request.query.boolean("refreshLibrary");
    if (!refresh) return binding_problem(refresh.error());
    model::Library library;
    library.name = trim(request.query.text("name"));
    if (library.name.empty()) return binding_problem("name", "name: missing; name the library");
    if (printable(library.name) != library.name) {
        return binding_problem("name", "name: must be at most 200 bytes of UTF-8 without control characters");
    }
    const auto kind = check_kind(request.query.text("collectionType"));
    if (!kind) return binding_problem(kind.error());
    library.kind = *kind;

    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    const auto options = body->object("LibraryOptions");
    if (!options) return binding_problem(options.error());
    const auto strict = request.query.boolean("strict");
    if (!strict) return binding_problem(strict.error());
    LibraryOptionsInput input;
    if (*options) {
        if (strict->value_or(false)) {
            if (const auto known = check_option_names(**options); !known) return binding_problem(known.error());
        }
        auto read = read_library_options(**options);
        if (!read) return binding_problem(read.error());
        input = std::move(*read);
    }
    library.options = input.json;
    library.remove_missing_after = input.remove_missing_after;

    const auto libraries = services.libraries.all();
    if (!libraries) return problem(libraries.error());
    for (const auto& other : *libraries) {
        if (!iequals(other.name, library.name)) continue;
        return problem({core::Errc::conflict, "There is a library '" + other.name + "' already; choose another name."});
    }
    auto paths = request.query.list("paths");
    if (paths.empty()) paths = input.paths;
    auto checked = check_paths(paths, *libraries, services.info.data_dir);
    if (!checked) return binding_problem(checked.error());
    library.paths = std::move(*checked);

    library.id = core::LibraryId::make(services.random);
    library.created_at = services.clock.utc_now();
    const auto added = services.libraries.add(library);
    if (!added) return problem(added.error());
    services.log.info("a library was added",
                      {{"library", library.name}, {"kind", std::string(model::to_string(library.kind))}});
    note_library(services, request, "LibraryCreated", "Library " + library.name + " was added");
    tell_change(services, library, "added");
    if (refresh->value_or(false)) ask_for_refresh(services);
    return no_content();
}

Response remove_folder(const Services& services, const Request& request) {
    const auto refresh = request.query.boolean("refreshLibrary");
    if (!refresh) return binding_problem(refresh.error());
    const auto name = request.query.text("name");
    if (trim(name).empty()) return binding_problem("name", "name: missing; name the library");
    const auto libraries = services.libraries.all();
    if (!libraries) return problem(libraries.error());
    const auto* library = find_library(*libraries, name);
    if (!library) return problem(no_library(*libraries, name));
    const auto removed = services.libraries.remove(library->id);
    if (!removed) return problem(removed.error());
    services.log.info("a library was removed", {{"library", library->name}});
    note_library(services, request, "LibraryRemoved", "Library " + library->name + " was removed");
    tell_change(services, *library, "removed");
    if (refresh->value_or(false)) ask_for_refresh(services);
    return no_content();
}

Response refresh_all(const Services& services, const Request&) {
    const auto asked = services.tasks.queue(refresh_task, "{}");
    return asked ? no_content() : problem(asked.error());
}

/// Sonarr and Radarr say here what they have changed, with paths as they see them.
Response media_updated(const Services& services, const Request& request) {
    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    const auto updates = body->objects("Updates");
    if (!updates) return binding_problem(updates.error());
    const auto libraries = services.libraries.all();
    if (!libraries) return problem(libraries.error());
    library::ScanOptions wanted;
    std::string stray;
    for (const auto& update : *updates) {
        auto path = update.text("Path");
        if (!path) return binding_problem(path.error());
        if (!*path || (*path)->empty()) continue;
        while ((*path)->size() > 1 && (*path)->ends_with('/')) (*path)->pop_back();
        const bool ours = std::ranges::any_of(*libraries, [&](const model::Library& library) {
            return std::ranges::any_of(library.paths,
                                       [&](const std::string& root) { return library::is_within(**path, root); });
        });
        if (ours)
            wanted.paths.insert(std::move(**path));
        else
            stray = std::move(**path);
    }
    if (!stray.empty()) {
        services.log.warning("a changed file that was reported is in no library: both sides must see the same paths",
                             {{"path", printable(stray)}});
    }
    if (wanted.paths.empty()) return no_content();
    const auto asked = services.tasks.queue(refresh_task, wanted.json());  // joins what is asked for already
    return asked ? no_content() : problem(asked.error());
}

}  // namespace

void add_library_routes(Router& router, const Services& services) {
    add_route(router, services, Method::get, "/Library/VirtualFolders", list_folders, Access::wizard);
    add_route(router, services, Method::post, "/Library/VirtualFolders", add_folder, Access::wizard);
    add_route(router, services, Method::del, "/Library/VirtualFolders", remove_folder, Access::wizard);
    add_route(router, services, Method::post, "/Library/Refresh", refresh_all);
    add_route(router, services, Method::post, "/Library/Media/Updated", media_updated, Access::user);
}

}  // namespace understudy::http
