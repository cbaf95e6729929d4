// /Items, /Items/{id} and the extras of an item: what is in the libraries.
#include <algorithm>

#include "http/jellyfin/dto/description_dto.h"
#include "http/jellyfin/items/item_pages.h"
#include "http/jellyfin/items/name_pages.h"
#include "http/jellyfin/items/user_views.h"
#include "http/jellyfin/requests/user_requests.h"
#include "http/library_lookup.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

void end_page(JsonWriter& out, std::size_t total, std::size_t start) {
    out.end_array().field("TotalRecordCount", total).field("StartIndex", start).end_object();
}

JsonWriter begin_page(Spelling spelling) {
    JsonWriter out(spelling);
    out.begin_object().name("Items").begin_array();
    return out;
}

Response library_page(const Services& services, const Request& request, const ItemRequest& wanted,
                      const std::vector<model::Library>& libraries) {
    const auto start = std::min(wanted.query.start_index, libraries.size());
    const auto end = std::min(start + wanted.query.limit, libraries.size());
    auto out = begin_page(request.spelling);
    for (auto i = start; i < end; ++i) write_library(out, libraries[i], wanted.fields, services.info.server_id);
    end_page(out, libraries.size(), wanted.query.start_index);
    return json_answer(out.take());
}

/// Whose data the request looks at: whom it names; where it asks what a user did, the only user.
core::Result<std::optional<store::User>> user_of(const Services& services, const Request& request,
                                                 const ItemRequest& wanted) {
    if (!wanted.needs_user) return named_user(services, request);
    auto user = requested_user(services, request);
    if (!user) return tl::unexpected(user.error());
    return std::optional(std::move(*user));
}

/// A private playlist of another user than the one who looks.
bool hidden(const Request& request, const store::Collection& collection) {
    return collection.kind == model::ItemKind::playlist && !collection.is_public &&
           !may_act_for(request, collection.owner);
}

core::Result<bool> may_see(const Services& services, const Request& request, const model::Item& item) {
    if (item.kind != model::ItemKind::playlist || !services.users.collections) return may_see(request, item.library);
    const auto playlist = services.users.collections->find(item.id);
    if (!playlist) return tl::unexpected(playlist.error());
    return !*playlist || !hidden(request, **playlist);
}

/// Errors: not_found where the item is not there, or is nothing for the caller's eyes.
core::Result<void> check_there(const Services& services, const Request& request, core::ItemId id) {
    const auto item = services.catalog.find(id);
    if (!item) return tl::unexpected(item.error());
    if (!*item) return tl::unexpected(no_item(id));
    const auto seen = may_see(services, request, (*item)->item);
    if (!seen) return tl::unexpected(seen.error());
    return *seen ? core::Result<void>{} : tl::unexpected(no_item(id));
}

core::Result<ItemsFound> find_items(const Services& services, const Request& request, const ItemRequest& wanted) {
    if (wanted.nothing) return ItemsFound{};
    if (wanted.query.parent && services.users.collections) {
        const auto collection = services.users.collections->find(*wanted.query.parent);
        if (!collection) return tl::unexpected(collection.error());
        if (*collection && hidden(request, **collection)) return tl::unexpected(no_item(*wanted.query.parent));
        if (*collection) return members_page(services, (*collection)->id, wanted);
    }
    auto page = services.catalog.list(wanted.query);
    if (!page) return tl::unexpected(page.error());
    ItemsFound found;
    found.total = page->total;
    for (auto& listed : page->items) found.items.push_back({std::move(listed), {}});
    return found;
}

/// `adjacentTo` without a place means among its siblings, in their order.
core::Result<void> place_adjacent(const Services& services, ItemRequest& wanted) {
    const auto& id = wanted.query.filters.adjacent_to;
    if (!id) return {};
    if (!wanted.sorted) wanted.query.sort_by = {store::ItemSort::index_number, store::ItemSort::name};
    wanted.sorted = true;
    if (wanted.parent) return {};
    const auto item = requested_item(services, *id, wanted.query.viewer);
    if (!item) return tl::unexpected(item.error());
    wanted.query.recursive = false;
    if (!item->item.parent.empty())
        wanted.query.parent = item->item.parent;
    else
        wanted.query.library = item->item.library;
    return {};
}

Response list_items(const Services& services, const Request& request) {
    auto wanted = read_item_request(request.query);
    if (!wanted) return binding_problem(wanted.error());
    const auto user = user_of(services, request, *wanted);
    if (!user) return binding_problem(user.error());
    if (*user) wanted->query.user = (*user)->id;
    wanted->query.viewer = viewer_of(request);
    if (wanted->libraries_wanted || wanted->parent) {
        auto libraries = services.libraries.all();
        if (!libraries) return problem(libraries.error());
        std::erase_if(*libraries, [&](const model::Library& library) { return !may_see(request, library.id); });
        if (const auto set = set_parent(*wanted, *libraries); !set) return binding_problem(set.error());
        if (wanted->libraries_wanted) return library_page(services, request, *wanted, *libraries);
    }
    if (const auto set = set_ratings(services, *wanted); !set) return problem(set.error());
    if (const auto placed = place_adjacent(services, *wanted); !placed) return problem(placed.error());
    const auto found = find_items(services, request, *wanted);
    if (!found) return problem(found.error());
    if (found->total == 0 && found->items.empty() &&
        wanted->query.parent) {  // is it empty, or is it not there? Asked only where it matters
        const auto there = check_there(services, request, *wanted->query.parent);
        if (!there) return problem(there.error());
    }
    return write_page(services, request, *wanted, *user, *found);
}

/// The libraries that a user wants neither among what is new nor among what goes on.
void leave_out(const std::vector<core::LibraryId>& excluded, const std::vector<model::Library>& libraries,
               std::optional<store::Viewer>& viewer) {
    if (excluded.empty()) return;
    if (!viewer) viewer.emplace();
    if (!viewer->libraries) {
        viewer->libraries.emplace();
        for (const auto& library : libraries) viewer->libraries->push_back(library.id);
    }
    std::erase_if(*viewer->libraries,
                  [&](core::LibraryId id) { return std::ranges::find(excluded, id) != excluded.end(); });
}

/// `GET /UserItems/Resume`: what a user has begun, last played first.
Response list_resumable(const Services& services, const Request& request) {
    auto wanted = read_item_request(request.query);
    if (!wanted) return binding_problem(wanted.error());
    const auto user = requested_user(services, request);
    if (!user) return binding_problem(user.error());
    auto& query = wanted->query;
    query.user = user->id;
    query.viewer = viewer_of(request);
    // Nobody is known to play anything yet, so there is nothing for it to leave out.
    if (const auto active = request.query.boolean("excludeActiveSessions"); !active)
        return binding_problem(active.error());
    query.in_progress = true;
    query.recursive = true;
    query.sort_by = {store::ItemSort::date_played};
    query.descending = true;
    query.directions.clear();
    if (query.kinds.empty()) query.kinds = {model::ItemKind::movie, model::ItemKind::episode, model::ItemKind::track};
    const auto libraries = services.libraries.all();
    if (!libraries) return problem(libraries.error());
    if (const auto set = set_parent(*wanted, *libraries); !set) return binding_problem(set.error());
    if (!wanted->parent) leave_out(home_settings(*user).not_in_latest, *libraries, query.viewer);
    wanted->sorted = wanted->needs_user = true;
    const auto found = find_items(services, request, *wanted);
    if (!found) return problem(found.error());
    return write_page(services, request, *wanted, *user, *found);
}

Response one_item(const Services& services, const Request& request) {
    const auto id = path_id<core::ItemId>(request);
    ItemFields fields;
    fields.all = true;
    JsonWriter out(request.spelling);
    const auto user = named_user(services, request);
    if (!user) return binding_problem(user.error());
    const auto item = services.catalog.find(id);
    if (!item) return problem(item.error());
    if (*item) {
        const auto seen = may_see(services, request, (*item)->item);
        if (!seen) return problem(seen.error());
        if (!*seen) return problem(no_item(id));
        if (auto written = write_items(out, services, request, {{**item, {}}}, fields, *user); !written)
            return problem(written.error());
        return json_answer(out.take());
    }
    const auto libraries = services.libraries.all();
    if (!libraries) return problem(libraries.error());
    const auto* library = find_library(*libraries, core::LibraryId(id.bytes()));
    if (library && may_see(request, library->id)) {
        write_library(out, *library, fields, services.info.server_id);
        return json_answer(out.take());
    }
    if (write_top_level(out, id, fields, services.info.server_id)) return json_answer(out.take());
    if (services.people != nullptr) {
        const auto people = services.people->find({core::PersonId(id.bytes())}, viewer_of(request));
        if (!people) return problem(people.error());
        if (!people->empty()) {
            if (auto written = write_people_of(out, services, *people, fields, *user); !written)
                return problem(written.error());
            return json_answer(out.take());
        }
    }
    return one_by_name(services, request, id);
}

/// The extras of an item that `chosen` takes, as a bare array.
Response list_extras(const Services& services, const Request& request, bool (*chosen)(std::string_view)) {
    const auto id = path_id<core::ItemId>(request);
    const auto user = named_user(services, request);
    if (!user) return binding_problem(user.error());
    store::ItemQuery query;
    query.parent = id;
    query.viewer = viewer_of(request);
    query.kinds = {model::ItemKind::extra};
    query.limit = largest_page;
    query.with_sources = true;
    auto found = services.catalog.list(query);
    if (!found) return problem(found.error());
    if (found->items.empty()) {  // has it none, or is it not there?
        if (const auto there = check_there(services, request, id); !there) return problem(there.error());
    }
    std::erase_if(found->items, [&](const store::ListedItem& listed) { return !chosen(listed.item.extra_type); });
    ItemFields fields;
    fields.all = true;
    JsonWriter out(request.spelling);
    out.begin_array();
    std::vector<PageItem> items;
    for (auto& listed : found->items) items.push_back({std::move(listed), {}});
    if (auto written = write_items(out, services, request, items, fields, *user); !written)
        return problem(written.error());
    out.end_array();
    return json_answer(out.take());
}

Response special_features(const Services& services, const Request& request) {
    return list_extras(services, request, [](std::string_view type) { return is_special_feature(type); });
}

Response local_trailers(const Services& services, const Request& request) {
    return list_extras(services, request, [](std::string_view type) { return is_trailer(type); });
}

}  // namespace

void add_item_routes(Router& router, const Services& services) {
    add_route(router, services, Method::get, "/Items", list_items, Access::user);
    add_route(router, services, Method::get, "/Items/{id}", one_item, Access::user);
    add_route(router, services, Method::get, "/UserItems/Resume", list_resumable, Access::user);
    add_route(router, services, Method::get, "/Items/{id}/SpecialFeatures", special_features, Access::user);
    add_route(router, services, Method::get, "/Items/{id}/LocalTrailers", local_trailers, Access::user);
    // As clients asked before 10.9.
    add_route(router, services, Method::get, "/Users/{userId}/Items", list_items, Access::user);
    add_route(router, services, Method::get, "/Users/{userId}/Items/{id}", one_item, Access::user);
    add_route(router, services, Method::get, "/Users/{userId}/Items/Resume", list_resumable, Access::user);
    add_route(router, services, Method::get, "/Users/{userId}/Items/{id}/SpecialFeatures", special_features,
              Access::user);
    add_route(router, services, Method::get, "/Users/{userId}/Items/{id}/LocalTrailers", local_trailers, Access::user);
}

}  // namespace understudy::http
