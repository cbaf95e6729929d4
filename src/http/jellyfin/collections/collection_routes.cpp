// /Collections, and what may be changed of /Items/{id}: names and removal of collections and playlists, nothing else.
#include <algorithm>

#include "http/jellyfin/requests/collection_edits.h"
#include "http/jellyfin/requests/user_requests.h"
#include "http/json_body.h"
#include "http/json_writer.h"
#include "http/library_lookup.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

Response forbidden(std::string reason) {
    return text_answer(403, std::move(reason));
}

/// An edit that the store refuses: what is invalid there are the items that `field` names.
Response refused(std::string_view field, const core::Error& error) {
    if (error.code != core::Errc::invalid) return problem(error);
    return binding_problem(field, std::string(field) + ": " + error.context);
}

Response add_collection(const Services& services, const Request& request) {
    const auto name = checked_name("name", request.query.text("name"));
    if (!name) return binding_problem(name.error());
    const auto locked = request.query.boolean("isLocked");  // nothing here would overwrite it
    if (!locked) return binding_problem(locked.error());
    std::vector<core::ItemId> items;
    if (const auto ids = request.query.list("ids"); !ids.empty()) {
        auto found = members_from(services, "ids", ids, false);
        if (!found) return binding_problem(found.error());
        items = std::move(*found);
    }
    store::Collection made;
    made.id = core::ItemId::make(services.random);
    made.kind = model::ItemKind::box_set;
    made.name = *name;
    made.created_at = services.clock.utc_now();
    const auto added = services.users.collections->create(made, items);
    if (!added) return refused("ids", added.error());
    tell_collection(services, made.id, "added");
    JsonWriter out(request.spelling);
    out.begin_object().field("Id", made.id).end_object();
    return json_answer(out.take());
}

/// POST adds, DELETE removes.
Response edit_members(const Services& services, const Request& request) {
    const auto collection = requested_collection(services, path_id<core::ItemId>(request), model::ItemKind::box_set);
    if (!collection) return problem(collection.error());
    if (const auto free = check_editable(*collection); !free) return problem(free.error());
    const auto ids = request.query.list("ids");
    core::Result<std::int64_t> changed = 0;
    if (request.method == Method::post) {
        const auto items = members_from(services, "ids", ids, false);
        if (!items) return binding_problem(items.error());
        if (items->size() + static_cast<std::size_t>(collection->members) > most_members)
            return problem(too_many_members(*collection));
        changed = services.users.collections->add(collection->id, *items, std::nullopt);
    } else {
        std::vector<core::ItemId> items;  // a member may be gone from its library
        for (const auto& text : ids) {
            if (const auto id = core::ItemId::parse(text)) items.push_back(*id);
        }
        if (items.empty()) return binding_problem("ids", "ids: missing; name at least one item by its id");
        changed = services.users.collections->remove_items(collection->id, items);
    }
    if (!changed) return refused("ids", changed.error());
    if (*changed > 0) tell_collection(services, collection->id, "updated");
    return no_content();
}

/// Why the item of a request is none that may be removed or changed.
Response not_ours_to_change(const Services& services, const Request& request, core::ItemId id, const char* what) {
    const auto item = requested_item(services, id, viewer_of(request));
    if (item) {
        return forbidden("'" + printable(item->item.name) + "' comes from files, and this server never " + what +
                         " files: only collections and playlists can be. Change the files; the next scan follows.");
    }
    if (item.error().code != core::Errc::not_found) return problem(item.error());
    const auto libraries = services.libraries.all();
    if (!libraries) return problem(libraries.error());
    if (find_library(*libraries, core::LibraryId(id.bytes())))
        return forbidden("This is a library: DELETE /Library/VirtualFolders?name= forgets one, and leaves its files.");
    return problem(item.error());
}

core::Result<void> remove_collection(const Services& services, const store::Collection& collection) {
    auto removed = services.users.collections->remove(collection.id);
    if (removed) tell_collection(services, collection.id, "removed");
    return removed;
}

/// `DELETE /Items/{id}` and `DELETE /Items?ids=`: all that are named are looked at before the first one goes.
Response remove_items(const Services& services, const Request& request) {
    const auto& one = request.param("id");
    const auto ids = one.empty() ? request.query.list("ids") : std::vector<std::string>{one};
    if (ids.empty()) return binding_problem("ids", "ids: missing; name collections or playlists by their ids");
    std::vector<store::Collection> going;
    for (const auto& text : ids) {
        const auto id = core::ItemId::parse(text);
        if (!id) return binding_problem(wrong_id("ids", text));
        auto collection = requested_collection(services, *id, std::nullopt);
        if (!collection) {
            if (collection.error().code != core::Errc::not_found) return problem(collection.error());
            return not_ours_to_change(services, request, *id, "deletes");
        }
        const bool playlist = collection->kind == model::ItemKind::playlist;
        const bool own = may_remove(request, *collection);
        if (!own && playlist && !collection->is_public) return problem(no_item(*id));
        if (!own) return forbidden("'" + printable(collection->name) + "' is not yours to remove.");
        if (const auto free = check_editable(*collection); !free) return problem(free.error());
        going.push_back(std::move(*collection));
    }
    for (const auto& collection : going) {
        const auto removed = remove_collection(services, collection);
        if (!removed && removed.error().code != core::Errc::not_found) return problem(removed.error());
    }
    return no_content();
}

/// The name of a collection or playlist; the rest of BaseItemDto is not kept.
Response rename_item(const Services& services, const Request& request) {
    const auto id = path_id<core::ItemId>(request);
    auto collection = requested_collection(services, id, std::nullopt);
    if (!collection) {
        if (collection.error().code != core::Errc::not_found) return problem(collection.error());
        return not_ours_to_change(services, request, id, "changes");
    }
    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    const auto given = body->text("Name");
    if (!given) return binding_problem(given.error());
    const auto name = checked_name("Name", given->value_or(""));
    if (!name) return binding_problem(name.error());
    if (*name == collection->name) return no_content();
    if (const auto free = check_editable(*collection); !free) return problem(free.error());
    give_name(*collection, *name);
    const auto updated = services.users.collections->update(*collection);
    if (!updated) return problem(updated.error());
    tell_collection(services, collection->id, "updated");
    return no_content();
}

}  // namespace

void add_collection_routes(Router& router, const Services& services) {
    add_user_route(router, services, Method::post, "/Collections", add_collection);
    add_user_route(router, services, Method::post, "/Collections/{id}/Items", edit_members);
    add_user_route(router, services, Method::del, "/Collections/{id}/Items", edit_members);
    add_user_route(router, services, Method::del, "/Items", remove_items, Access::user);
    add_user_route(router, services, Method::del, "/Items/{id}", remove_items, Access::user);
    add_user_route(router, services, Method::post, "/Items/{id}", rename_item);
}

}  // namespace understudy::http
