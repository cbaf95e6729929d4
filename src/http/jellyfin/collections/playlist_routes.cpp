// /Playlists.
#include <optional>
#include <utility>

#include "http/jellyfin/items/item_pages.h"
#include "http/jellyfin/requests/collection_edits.h"
#include "http/jellyfin/requests/user_requests.h"
#include "http/json_body.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

core::Result<store::Collection> requested_playlist(const Services& services, const Request& request) {
    auto playlist = requested_collection(services, path_id<core::ItemId>(request), model::ItemKind::playlist);
    if (playlist && !playlist->is_public && !may_act_for(request, playlist->owner))
        return core::fail(core::Errc::not_found, "There is no playlist " + playlist->id.str() + ".");
    return playlist;
}

/// What everybody may see its owner alone may change; an answer: the caller is another one.
std::optional<Response> refuse_others(const Request& request, const store::Collection& playlist) {
    if (may_act_for(request, playlist.owner)) return std::nullopt;
    return text_answer(403, "The playlist '" + printable(playlist.name) + "' is somebody else's.");
}

core::Result<store::Collection> editable_playlist(const Services& services, const Request& request) {
    auto playlist = requested_playlist(services, request);
    if (!playlist) return playlist;
    if (const auto free = check_editable(*playlist); !free) return tl::unexpected(free.error());
    return playlist;
}

/// Sharing with single users is not kept: who asks for it must not believe that it is.
core::Result<void> refuse_shares(const JsonBody& body) {
    const auto users = body.objects("Users");
    if (!users) return tl::unexpected(users.error());
    if (users->empty()) return {};
    return core::fail(core::Errc::invalid, "Users: playlists cannot be shared with single users yet; use IsPublic");
}

/// Body and query say the same things in two spellings; the body goes first.
struct NewPlaylist {
    std::string name, user;
    std::vector<std::string> ids;
    bool is_public = true;
};

core::Result<NewPlaylist> read_new_playlist(const Request& request) {
    const auto body = JsonBody::parse(request.body);
    if (!body) return tl::unexpected(body.error());
    NewPlaylist wanted;
    const auto name = body->text("Name");
    if (!name) return tl::unexpected(name.error());
    const auto checked = checked_name("Name", *name ? **name : request.query.text("name"));
    if (!checked) return tl::unexpected(checked.error());
    wanted.name = *checked;
    const auto user = body->text("UserId");
    if (!user) return tl::unexpected(user.error());
    wanted.user = user->value_or("");
    const auto ids = body->texts("Ids");
    if (!ids) return tl::unexpected(ids.error());
    wanted.ids = ids->value_or(std::vector<std::string>{});
    if (wanted.ids.empty()) wanted.ids = request.query.list("ids");
    const auto is_public = body->boolean("IsPublic");
    if (!is_public) return tl::unexpected(is_public.error());
    wanted.is_public = is_public->value_or(true);
    if (const auto none = refuse_shares(*body); !none) return tl::unexpected(none.error());
    return wanted;
}

Response add_playlist(const Services& services, const Request& request) {
    const auto wanted = read_new_playlist(request);
    if (!wanted) return binding_problem(wanted.error());
    const auto owner = requested_user(services, request, wanted->user);
    if (!owner) return binding_problem(owner.error());
    if (!may_act_for(request, owner->id))
        return text_answer(403, "UserId: only an administrator may name another user.");
    std::vector<core::ItemId> items;
    if (!wanted->ids.empty()) {
        auto found = members_from(services, "Ids", wanted->ids, true, viewer_of(request));
        if (!found) return binding_problem(found.error());
        items = std::move(*found);
    }
    store::Collection made;
    made.id = core::ItemId::make(services.random);
    made.kind = model::ItemKind::playlist;
    made.name = wanted->name;
    made.owner = owner->id;
    made.is_public = wanted->is_public;
    made.created_at = services.clock.utc_now();
    const auto added = services.users.collections->create(made, items);
    if (!added) return problem(added.error());
    tell_collection(services, made.id, "added");
    JsonWriter out(request.spelling);
    out.begin_object().field("Id", made.id).end_object();
    return json_answer(out.take());
}

Response one_playlist(const Services& services, const Request& request) {
    const auto playlist = requested_playlist(services, request);
    if (!playlist) return problem(playlist.error());
    const auto members = services.users.collections->members(playlist->id, 0, 0, viewer_of(request));
    if (!members) return problem(members.error());
    JsonWriter out(request.spelling);
    out.begin_object().field("OpenAccess", playlist->is_public);
    out.name("Shares").begin_array().end_array();
    out.name("ItemIds").begin_array();
    for (const auto& member : *members) {
        if (member.there) out.value(member.item);
    }
    out.end_array().end_object();
    return json_answer(out.take());
}

Response update_playlist(const Services& services, const Request& request) {
    auto playlist = requested_playlist(services, request);
    if (!playlist) return problem(playlist.error());
    if (const auto refusal = refuse_others(request, *playlist)) return *refusal;
    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    const auto name = body->text("Name");
    if (!name) return binding_problem(name.error());
    const auto ids = body->texts("Ids");
    if (!ids) return binding_problem(ids.error());
    const auto is_public = body->boolean("IsPublic");
    if (!is_public) return binding_problem(is_public.error());
    if (const auto none = refuse_shares(*body); !none) return binding_problem(none.error());
    if (*name || *ids) {  // who may see it is not the file's to say
        if (const auto free = check_editable(*playlist); !free) return problem(free.error());
    }
    std::vector<core::ItemId> items;
    if (*ids && !(*ids)->empty()) {
        auto found = members_from(services, "Ids", **ids, true, viewer_of(request));
        if (!found) return binding_problem(found.error());
        items = std::move(*found);
    }
    if (*name) {
        const auto checked = checked_name("Name", **name);
        if (!checked) return binding_problem(checked.error());
        give_name(*playlist, *checked);
    }
    playlist->is_public = is_public->value_or(playlist->is_public);
    if (*name || *is_public) {
        const auto updated = services.users.collections->update(*playlist);
        if (!updated) return problem(updated.error());
    }
    if (*ids) {
        const auto replaced = services.users.collections->replace(playlist->id, items);
        if (!replaced) return problem(replaced.error());
    }
    tell_collection(services, playlist->id, "updated");
    return no_content();
}

Response list_entries(const Services& services, const Request& request) {
    auto read = read_item_request(request.query);
    if (!read) return binding_problem(read.error());
    const auto user = named_user(services, request);
    if (!user) return binding_problem(user.error());
    const auto playlist = requested_playlist(services, request);
    if (!playlist) return problem(playlist.error());
    ItemRequest wanted;  // pages and fields; a playlist is shown whole and in its order
    wanted.fields = read->fields;
    wanted.user_data = read->user_data;
    wanted.query.start_index = read->query.start_index;
    wanted.query.limit = read->query.limit;
    wanted.query.viewer = viewer_of(request);
    wanted.query.with_sources = read->query.with_sources;
    const auto found = members_page(services, playlist->id, wanted);
    if (!found) return problem(found.error());
    return write_page(services, request, wanted, *user, *found);
}

Response add_entries(const Services& services, const Request& request) {
    const auto position = request.query.count("position");
    if (!position) return binding_problem(position.error());
    if (const auto user = named_user(services, request); !user) return binding_problem(user.error());
    const auto playlist = editable_playlist(services, request);
    if (!playlist) return problem(playlist.error());
    if (const auto refusal = refuse_others(request, *playlist)) return *refusal;
    const auto items = members_from(services, "ids", request.query.list("ids"), true, viewer_of(request));
    if (!items) return binding_problem(items.error());
    if (items->size() + static_cast<std::size_t>(playlist->members) > most_members)
        return problem(too_many_members(*playlist));
    const auto added = services.users.collections->add(playlist->id, *items, *position);
    if (!added) return problem(added.error());
    tell_collection(services, playlist->id, "updated");
    return no_content();
}

Response remove_entries(const Services& services, const Request& request) {
    const auto playlist = editable_playlist(services, request);
    if (!playlist) return problem(playlist.error());
    if (const auto refusal = refuse_others(request, *playlist)) return *refusal;
    std::vector<core::EntryId> entries;
    for (const auto& text : request.query.list("entryIds")) {
        if (const auto id = core::EntryId::parse(text)) entries.push_back(*id);
    }
    if (entries.empty()) {
        return binding_problem("entryIds",
                               "entryIds: missing; name entries by their PlaylistItemId (GET /Playlists/{id}/Items)");
    }
    const auto removed = services.users.collections->remove_entries(playlist->id, entries);
    if (!removed) return problem(removed.error());
    if (*removed > 0) tell_collection(services, playlist->id, "updated");
    return no_content();
}

Response move_entry(const Services& services, const Request& request) {
    const auto playlist = editable_playlist(services, request);
    if (!playlist) return problem(playlist.error());
    if (const auto refusal = refuse_others(request, *playlist)) return *refusal;
    const auto& text = request.param("newIndex");
    const auto index = parse_int(text);
    if (!index || *index < 0)
        return binding_problem("newIndex", "newIndex: '" + printable(text) + "' is not valid; use 0 or more");
    const auto entry = path_id<core::EntryId>(request, "itemId");
    const core::Error unknown{core::Errc::not_found,
                              "The playlist has no entry " + entry.str() + "; the PlaylistItemId of an item is meant."};
    const auto moved = services.users.collections->move(playlist->id, entry, static_cast<std::size_t>(*index));
    if (!moved) return problem(moved.error().code == core::Errc::not_found ? unknown : moved.error());
    tell_collection(services, playlist->id, "updated");
    return no_content();
}

void write_permission(JsonWriter& out, core::UserId user, bool can_edit) {
    out.begin_object().field("UserId", user).field("CanEdit", can_edit).end_object();
}

/// Nobody has shares; the reference does not list the owner either.
Response list_shares(const Services& services, const Request& request) {
    const auto playlist = requested_playlist(services, request);
    if (!playlist) return problem(playlist.error());
    JsonWriter out(request.spelling);
    out.begin_array().end_array();
    return json_answer(out.take());
}

Response one_permission(const Services& services, const Request& request) {
    const auto playlist = requested_playlist(services, request);
    if (!playlist) return problem(playlist.error());
    const auto user = requested_user(services, request);
    if (!user) return binding_problem(user.error());
    const bool owner = playlist->owner == user->id;
    if (!owner && !playlist->is_public) {
        return problem(
            {core::Errc::not_found, "The playlist is private, and not of the user '" + printable(user->name) + "'."});
    }
    JsonWriter out(request.spelling);
    write_permission(out, user->id, owner);
    return json_answer(out.take());
}

}  // namespace

void add_playlist_routes(Router& router, const Services& services) {
    add_user_route(router, services, Method::post, "/Playlists", add_playlist, Access::user);
    add_user_route(router, services, Method::get, "/Playlists/{id}", one_playlist, Access::user);
    add_user_route(router, services, Method::post, "/Playlists/{id}", update_playlist, Access::user);
    add_user_route(router, services, Method::get, "/Playlists/{id}/Items", list_entries, Access::user);
    add_user_route(router, services, Method::post, "/Playlists/{id}/Items", add_entries, Access::user);
    add_user_route(router, services, Method::del, "/Playlists/{id}/Items", remove_entries, Access::user);
    add_user_route(router, services, Method::post, "/Playlists/{id}/Items/{itemId}/Move/{newIndex}", move_entry,
                   Access::user);
    add_user_route(router, services, Method::get, "/Playlists/{id}/Users", list_shares, Access::user);
    add_user_route(router, services, Method::get, "/Playlists/{id}/Users/{userId}", one_permission, Access::user);
}

}  // namespace understudy::http
