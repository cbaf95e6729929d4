// /UserViews, /Items/Root and /Items/Latest: where clients begin.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "http/jellyfin/items/item_pages.h"
#include "http/jellyfin/items/user_views.h"
#include "http/jellyfin/requests/user_requests.h"
#include "http/library_lookup.h"
#include "http/problem.h"
#include "http/routes.h"
#include "store/discovery.h"

namespace understudy::http {
namespace {

/// The libraries that the caller may see, by name.
core::Result<std::vector<model::Library>> open_to(const Services& services, const Request& request) {
    auto libraries = services.libraries.all();
    if (libraries)
        std::erase_if(*libraries, [&](const model::Library& library) { return !may_see(request, library.id); });
    return libraries;
}

/// `GET /UserViews?userId&includeHidden`: presetViews and includeExternalContent have nothing to change here.
Response list_views(const Services& services, const Request& request) {
    const auto hidden = request.query.boolean("includeHidden");
    if (!hidden) return binding_problem(hidden.error());
    const auto user = named_user(services, request);
    if (!user) return binding_problem(user.error());
    auto libraries = open_to(services, request);
    if (!libraries) return problem(libraries.error());
    const auto views =
        views_of(services, std::move(*libraries), home_settings(*user), viewer_of(request), hidden->value_or(false));
    if (!views) return problem(views.error());
    ItemFields fields;
    fields.all = true;
    JsonWriter out(request.spelling);
    out.begin_object().name("Items").begin_array();
    for (const auto& view : *views) write_view(out, view, fields, services.info.server_id);
    out.end_array().field("TotalRecordCount", views->size()).field("StartIndex", 0).end_object();
    return json_answer(out.take());
}

/// Which libraries could be shown as one: the reference takes films and shows.
Response list_grouping_options(const Services& services, const Request& request) {
    const auto libraries = open_to(services, request);
    if (!libraries) return problem(libraries.error());
    JsonWriter out(request.spelling);
    out.begin_array();
    for (const auto& library : *libraries) {
        if (library.kind == model::LibraryKind::music) continue;
        out.begin_object().field("Name", library.name).field("Id", library.id).end_object();
    }
    out.end_array();
    return json_answer(out.take());
}

Response get_root(const Services& services, const Request& request) {
    JsonWriter out(request.spelling);
    write_root(out, services.info.server_id);
    return json_answer(out.take());
}

std::vector<model::ItemKind> played_kinds(model::LibraryKind kind) {
    switch (kind) {
        case model::LibraryKind::movies:
            return {model::ItemKind::movie};
        case model::LibraryKind::tvshows:
            return {model::ItemKind::episode};
        case model::LibraryKind::music:
            return {model::ItemKind::track};
    }
    return {};
}

/// Where the request looks for what is new. Errors: invalid, not_found for a parent that is not there.
core::Result<void> read_places(const Services& services, const Request& request, const ItemRequest& wanted,
                               const HomeSettings& settings, store::LatestQuery& query) {
    auto libraries = open_to(services, request);
    if (!libraries) return tl::unexpected(libraries.error());
    ItemRequest where = wanted;
    if (auto set = set_parent(where, *libraries); !set) return set;
    auto only = where.query.library;
    if (where.query.parent) {
        const auto parent = requested_item(services, *where.query.parent, viewer_of(request));
        if (!parent) return tl::unexpected(parent.error());
        query.parent = parent->item.id;
        only = parent->item.library;
    }
    const bool wants_all = !only;
    if (only == store::collections_library) {
        query.places.push_back({*only, where.query.kinds, std::nullopt});
        if (where.query.kinds.empty())
            query.places.back().kinds = {model::ItemKind::box_set, model::ItemKind::playlist};
        return {};
    }
    for (const auto& library : *libraries) {
        const bool left_out = std::ranges::find(settings.not_in_latest, library.id) != settings.not_in_latest.end();
        if (wants_all ? left_out : library.id != *only) continue;
        store::NewIn place{library.id, wanted.query.kinds, wanted.query.played};
        if (place.kinds.empty()) place.kinds = played_kinds(library.kind);
        if (!place.played && settings.hide_played && !query.user.empty()) place.played = false;
        if (library.kind == model::LibraryKind::music) place.played.reset();  // as in the reference
        query.places.push_back(std::move(place));
    }
    return {};
}

Response list_latest(const Services& services, const Request& request) {
    if (!services.discovery) return problem({core::Errc::unsupported, "What is new is not kept here."});
    const auto wanted = read_item_request(request.query);
    if (!wanted) return binding_problem(wanted.error());
    const auto grouped = request.query.boolean("groupItems");
    if (!grouped) return binding_problem(grouped.error());
    const auto user = named_user(services, request);
    if (!user) return binding_problem(user.error());
    const auto settings = home_settings(*user);
    constexpr std::size_t usual = 20;
    store::LatestQuery query;
    query.limit = request.query.has("limit") ? wanted->query.limit : usual;
    query.grouped = grouped->value_or(true);
    if (*user) query.user = (*user)->id;
    if (const auto read = read_places(services, request, *wanted, settings, query); !read)
        return binding_problem(read.error());
    if (wanted->nothing) query.places.clear();
    const auto latest = services.discovery->latest(query);
    if (!latest) return problem(latest.error());

    std::vector<core::ItemId> ids;
    for (const auto& one : *latest) ids.push_back(one.shown);
    auto items = items_by_id(services, *wanted, ids, viewer_of(request));
    if (!items) return problem(items.error());
    std::unordered_map<core::ItemId, std::int64_t> counts;
    for (const auto& one : *latest) counts[one.shown] = one.items;
    for (auto& one : *items) one.child_count = counts[one.listed.item.id];
    JsonWriter out(request.spelling);
    out.begin_array();
    const auto written =
        write_items(out, services, request, *items, wanted->fields, wanted->user_data ? *user : std::nullopt);
    if (!written) return problem(written.error());
    out.end_array();
    return json_answer(out.take());
}

}  // namespace

void add_home_routes(Router& router, const Services& services) {
    const auto add = [&](const char* path, Handler handler) {
        add_route(router, services, Method::get, path, handler, Access::user);
    };
    add("/UserViews", list_views);
    add("/UserViews/GroupingOptions", list_grouping_options);
    add("/Items/Root", get_root);
    add("/Items/Latest", list_latest);
    // As clients asked before 10.9.
    add("/Users/{userId}/Views", list_views);
    add("/Users/{userId}/GroupingOptions", list_grouping_options);
    add("/Users/{userId}/Items/Root", get_root);
    add("/Users/{userId}/Items/Latest", list_latest);
}

}  // namespace understudy::http
