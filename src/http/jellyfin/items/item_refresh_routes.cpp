// /Items/{id}/Refresh, /Items/Counts and /Library/MediaFolders: items looked at again, and how many there are.
#include <cstddef>
#include <utility>

#include "http/jellyfin/dto/item_dto.h"
#include "http/jellyfin/events/library_events.h"
#include "http/jellyfin/requests/user_requests.h"
#include "http/json_writer.h"
#include "http/library_lookup.h"
#include "http/problem.h"
#include "http/routes.h"
#include "library/scan_options.h"

namespace understudy::http {
namespace {

/// Where a scan has to look for it: its folder, or its files. Empty: it has none (a collection).
library::ScanOptions places_of(const model::Item& item) {
    library::ScanOptions wanted;
    if (!item.folder.empty()) wanted.paths.insert(item.folder);
    for (const auto& source : item.sources) wanted.paths.insert(source.file.path);
    return wanted;
}

/// A scan of what the item is made from. A scan reads anew what has changed, so the modes that would fetch or replace
/// something are accepted and mean the same.
Response refresh_item(const Services& services, const Request& request) {
    const auto id = path_id<core::ItemId>(request);
    const auto item = services.catalog.find(id);
    if (!item) return problem(item.error());
    library::ScanOptions wanted;
    if (*item) {
        wanted = places_of((*item)->item);
        if (wanted.paths.empty()) return no_content();
    } else {
        const auto libraries = services.libraries.all();
        if (!libraries) return problem(libraries.error());
        const auto* library = find_library(*libraries, core::LibraryId(id.bytes()));
        if (!library) return problem(no_item(id));
        wanted.libraries.insert(library->id);
    }
    const auto asked = services.tasks.queue(refresh_task, wanted.json());
    return asked ? no_content() : problem(asked.error());
}

struct Counted {
    const char* name;
    std::optional<model::ItemKind> kind;  ///< nullopt: there is none of it here
};
constexpr Counted counted[] = {
    {"MovieCount", model::ItemKind::movie},
    {"SeriesCount", model::ItemKind::series},
    {"EpisodeCount", model::ItemKind::episode},
    {"ArtistCount", model::ItemKind::artist},
    {"ProgramCount", std::nullopt},
    {"TrailerCount", std::nullopt},
    {"SongCount", model::ItemKind::track},
    {"AlbumCount", model::ItemKind::album},
    {"MusicVideoCount", std::nullopt},
    {"BoxSetCount", model::ItemKind::box_set},
    {"BookCount", std::nullopt},
};

/// What the caller may see; with isFavorite of whom the request names.
Response item_counts(const Services& services, const Request& request) {
    const auto favourite = request.query.boolean("isFavorite");
    if (!favourite) return binding_problem(favourite.error());
    store::ItemQuery query;
    query.viewer = viewer_of(request);
    query.recursive = true;
    query.limit = 0;
    if (*favourite) {
        const auto user = requested_user(services, request);
        if (!user) return binding_problem(user.error());
        query.user = user->id;
        query.favourite = **favourite;
    }
    JsonWriter out(request.spelling);
    out.begin_object();
    std::size_t all = 0;
    for (const auto& [name, kind] : counted) {
        std::size_t count = 0;
        if (kind) {
            query.kinds = {*kind};
            const auto page = services.catalog.list(query);
            if (!page) return problem(page.error());
            count = page->total;
        }
        all += count;
        out.field(name, count);
    }
    out.field("ItemCount", all).end_object();
    return json_answer(out.take());
}

Response media_folders(const Services& services, const Request& request) {
    const auto hidden = request.query.boolean("isHidden");
    if (!hidden) return binding_problem(hidden.error());
    const auto libraries = services.libraries.all();
    if (!libraries) return problem(libraries.error());
    std::size_t shown = 0;
    JsonWriter out(request.spelling);
    out.begin_object().name("Items").begin_array();
    for (const auto& library : *libraries) {
        if (hidden->value_or(false)) break;  // none is
        write_library(out, library, {}, services.info.server_id);
        ++shown;
    }
    out.end_array().field("TotalRecordCount", shown).field("StartIndex", 0).end_object();
    return json_answer(out.take());
}

}  // namespace

void add_item_refresh_routes(Router& router, const Services& services) {
    add_route(router, services, Method::post, "/Items/{id}/Refresh", refresh_item);
    add_route(router, services, Method::get, "/Items/Counts", item_counts, Access::user);
    add_route(router, services, Method::get, "/Library/MediaFolders", media_folders);
}

}  // namespace understudy::http
