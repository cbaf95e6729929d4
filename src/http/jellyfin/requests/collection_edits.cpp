#include "http/jellyfin/requests/collection_edits.h"

#include <utility>

#include "http/jellyfin/requests/user_requests.h"
#include "http/json_writer.h"
#include "http/text.h"

namespace understudy::http {
namespace {

std::string_view noun(std::optional<model::ItemKind> kind) {
    if (kind == model::ItemKind::playlist) return "playlist";
    return "collection";
}

}  // namespace

core::Result<store::Collection> requested_collection(const Services& services, core::ItemId id,
                                                     std::optional<model::ItemKind> kind) {
    auto found = services.users.collections->find(id);
    if (!found) return tl::unexpected(found.error());
    if (!*found || (kind && (*found)->kind != *kind))
        return core::fail(core::Errc::not_found, "There is no " + std::string(noun(kind)) + " " + id.str() + ".");
    return std::move(**found);
}

core::Result<void> check_editable(const store::Collection& collection) {
    if (collection.origin.empty()) return {};
    constexpr std::string_view set_prefix = "set:";
    const auto what = "The " + std::string(noun(collection.kind)) + " '" + printable(collection.name) + "' ";
    std::string_view origin = collection.origin;
    if (origin.starts_with(set_prefix)) {
        origin.remove_prefix(set_prefix.size());
        return core::fail(core::Errc::conflict,
                          what + "holds the films whose NFO files name the set '" + printable(origin) +
                              "' and follows them: change those, or make a collection of your own.");
    }
    return core::fail(core::Errc::conflict, what + "is made from the file " + printable(origin) +
                                                " and follows it: change the file, or make a playlist of your own "
                                                "from its items.");
}

bool may_remove(const Request& request, const store::Collection& collection) {
    if (request.caller && request.caller->admin) return true;
    return collection.kind == model::ItemKind::playlist && may_act_for(request, collection.owner);
}

core::Result<std::vector<core::ItemId>> members_from(const Services& services, std::string_view field,
                                                     const std::vector<std::string>& ids, bool playable,
                                                     const std::optional<store::Viewer>& viewer) {
    const auto items = requested_items(services, field, ids, viewer);
    if (!items) return tl::unexpected(items.error());
    if (!playable) {
        std::vector<core::ItemId> members;
        for (const auto& listed : *items) members.push_back(listed.item.id);
        return members;
    }
    auto members = playable_items(services, *items, viewer, most_items + 1);
    if (members && members->size() > most_items) {
        return core::fail(core::Errc::invalid, std::string(field) + ": what can be played there is more than " +
                                                   std::to_string(most_items) +
                                                   " items, too many for one request; name less of it");
    }
    return members;
}

core::Error too_many_members(const store::Collection& collection) {
    return {core::Errc::conflict, "'" + printable(collection.name) + "' has " + std::to_string(collection.members) +
                                      " members already; more than " + std::to_string(most_members) +
                                      " are not kept in one. Make another."};
}

void give_name(store::Collection& collection, const std::string& name) {
    collection.name = name;
    collection.sort_name.clear();
}

void tell_collection(const Services& services, core::ItemId id, const char* change) {
    JsonWriter out(Spelling::camel);
    out.begin_object().field("Library", store::collections_library).field("Change", change).field("Item", id);
    const auto told = services.events.publish("library.changed", out.end_object().take());
    if (!told) services.log.debug("an event was not published", {{"cause", told.error().context}});
}

}  // namespace understudy::http
