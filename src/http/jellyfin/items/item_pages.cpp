#include "http/jellyfin/items/item_pages.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "http/jellyfin/dto/description_dto.h"
#include "http/jellyfin/dto/user_data_dto.h"
#include "http/jellyfin/items/user_views.h"
#include "http/jellyfin/requests/collection_edits.h"
#include "http/jellyfin/requests/user_requests.h"
#include "http/library_lookup.h"
#include "http/official_ratings.h"
#include "http/problem.h"
#include "http/text.h"

namespace understudy::http {
namespace {

bool filters(const ItemRequest& wanted) {
    const auto& query = wanted.query;
    return !query.kinds.empty() || !query.ids.empty() || !query.search.empty() || wanted.needs_user ||
           query.filters != store::ItemFilters{};
}

/// What is there of `ids`, which may name an item twice.
core::Result<std::unordered_map<core::ItemId, store::ListedItem>> listed_by_id(const Services& services,
                                                                               store::ItemQuery query,
                                                                               std::vector<core::ItemId> ids) {
    std::unordered_map<core::ItemId, store::ListedItem> found;
    if (ids.empty()) return found;
    query.limit = ids.size() + 1;
    query.start_index = 0;
    query.ids = std::move(ids);
    auto page = services.catalog.list(query);
    if (!page) return tl::unexpected(page.error());
    for (auto& listed : page->items) {
        const auto id = listed.item.id;
        found.emplace(id, std::move(listed));
    }
    return found;
}

/// In the order that `sortBy` asks for.
core::Result<ItemsFound> sorted_members(const Services& services, const store::ItemQuery& query,
                                        const std::vector<store::Member>& members) {
    auto page = services.catalog.list(query);
    if (!page) return tl::unexpected(page.error());
    std::unordered_map<core::ItemId, core::EntryId> entries;
    for (const auto& member : members) entries.emplace(member.item, member.entry);
    ItemsFound found;
    found.total = page->total;
    for (auto& listed : page->items) {
        const auto entry = entries[listed.item.id];
        found.items.push_back({std::move(listed), entry});
    }
    return found;
}

/// Those of `items` that the caller may remove, where `fields` asks for them: a look at all collections there are, for
/// a page that shows some.
core::Result<std::unordered_set<core::ItemId>> removable_of(const Services& services, const Request& request,
                                                            const std::vector<PageItem>& items,
                                                            const ItemFields& fields) {
    std::unordered_set<core::ItemId> removable;
    if (!fields.wants("candelete") || !services.users.collections) return removable;
    const auto shown = [](const PageItem& one) { return is_collection(one.listed.item.kind); };
    if (std::ranges::none_of(items, shown)) return removable;
    const auto all = services.users.collections->all(std::nullopt);
    if (!all) return tl::unexpected(all.error());
    for (const auto& collection : *all) {
        if (may_remove(request, collection) && check_editable(collection)) removable.insert(collection.id);
    }
    return removable;
}

}  // namespace

core::Result<void> set_parent(ItemRequest& wanted, const std::vector<model::Library>& libraries) {
    if (!wanted.parent) return {};
    const auto id = core::ItemId::parse(*wanted.parent);
    if (!id) return tl::unexpected(wrong_id("parentId", *wanted.parent));
    const core::LibraryId library(id->bytes());
    if (*id == root_folder) {
        wanted.libraries_wanted = !wanted.query.recursive;
    } else if (library == box_sets_view || library == playlists_view) {
        const auto kind = library == box_sets_view ? model::ItemKind::box_set : model::ItemKind::playlist;
        auto& kinds = wanted.query.kinds;
        wanted.query.library = store::collections_library;
        wanted.nothing = wanted.nothing || (!kinds.empty() && std::ranges::find(kinds, kind) == kinds.end());
        kinds = {kind};
    } else if (find_library(libraries, library) || library == store::collections_library) {
        wanted.query.library = library;
    } else {
        wanted.query.parent = *id;
    }
    return {};
}

core::Result<void> set_ratings(const Services& services, ItemRequest& wanted) {
    if ((!wanted.least_age && !wanted.most_age) || services.names == nullptr) return {};
    const auto ratings = services.names->official_ratings();
    if (!ratings) return tl::unexpected(ratings.error());
    for (const auto& rating : *ratings) {
        const auto age = rating_age(rating);
        if (age && ((wanted.least_age && *age < *wanted.least_age) || (wanted.most_age && *age > *wanted.most_age)))
            wanted.query.filters.unfit_ratings.push_back(rating);
    }
    return {};
}

core::Result<std::vector<PageItem>> items_by_id(const Services& services, const ItemRequest& wanted,
                                                const std::vector<core::ItemId>& ids,
                                                const std::optional<store::Viewer>& viewer) {
    store::ItemQuery query;
    query.viewer = viewer;
    query.recursive = true;
    query.with_sources = wanted.query.with_sources;
    query.with_extra_counts = wanted.query.with_extra_counts;
    auto found = listed_by_id(services, std::move(query), ids);
    if (!found) return tl::unexpected(found.error());
    std::vector<PageItem> items;
    for (const auto& id : ids) {
        if (const auto at = found->find(id); at != found->end()) items.push_back({at->second, {}});
    }
    return items;
}

core::Result<ItemsFound> members_page(const Services& services, core::ItemId collection, const ItemRequest& wanted) {
    auto members = services.users.collections->members(collection, 0, 0, wanted.query.viewer);
    if (!members) return tl::unexpected(members.error());
    std::erase_if(*members, [](const store::Member& member) { return !member.there; });
    auto query = wanted.query;
    query.parent.reset();
    query.library.reset();
    query.recursive = true;
    query.collapse_box_sets = false;
    std::unordered_set<core::ItemId> asked(query.ids.begin(), query.ids.end()), seen;
    query.ids.clear();
    for (const auto& member : *members) {
        const bool fits = asked.empty() || asked.contains(member.item);
        if (fits && seen.insert(member.item).second) query.ids.push_back(member.item);
    }
    if (query.ids.empty()) return ItemsFound{};
    if (wanted.sorted) return sorted_members(services, query, *members);

    if (filters(wanted)) {  // which members fit is one look, what the page shows of them another
        auto cheap = query;
        cheap.with_sources = false;
        const auto fitting = listed_by_id(services, cheap, query.ids);
        if (!fitting) return tl::unexpected(fitting.error());
        std::erase_if(*members, [&](const store::Member& member) { return !fitting->contains(member.item); });
    }
    ItemsFound found;
    found.total = members->size();
    const auto start = std::min(query.start_index, members->size());
    const auto end = start + std::min(query.limit, members->size() - start);
    std::vector<core::ItemId> shown;
    seen.clear();
    for (auto i = start; i < end; ++i) {
        if (seen.insert((*members)[i].item).second) shown.push_back((*members)[i].item);
    }
    const auto items = listed_by_id(services, query, std::move(shown));
    if (!items) return tl::unexpected(items.error());
    for (auto i = start; i < end; ++i) {
        const auto at = items->find((*members)[i].item);
        if (at != items->end()) found.items.push_back({at->second, (*members)[i].entry});
    }
    return found;
}

core::Result<void> write_items(JsonWriter& out, const Services& services, const Request& request,
                               const std::vector<PageItem>& items, const ItemFields& fields,
                               const std::optional<store::User>& user) {
    std::map<core::ItemId, UserView> views;
    if (user) {
        std::vector<const model::Item*> shown;
        shown.reserve(items.size());
        for (const auto& one : items) shown.push_back(&one.listed.item);
        auto got = user_views(services, user->id, shown, viewer_of(request));
        if (!got) return tl::unexpected(got.error());
        views = std::move(*got);
    }
    const bool wants_people = fields.wants("people");
    std::map<core::ItemId, std::vector<store::ListedCredit>> credits;
    if (wants_people && services.people != nullptr && !items.empty()) {
        std::vector<core::ItemId> ids;
        ids.reserve(items.size());
        for (const auto& one : items) ids.push_back(one.listed.item.id);
        auto got = services.people->credits(ids);
        if (!got) return tl::unexpected(got.error());
        credits = std::move(*got);
    }
    const auto removable = removable_of(services, request, items, fields);
    if (!removable) return tl::unexpected(removable.error());
    for (const auto& one : items) {
        ItemContext context;
        const auto id = one.listed.item.id;
        if (const auto view = views.find(id); view != views.end()) context.user = &view->second;
        context.entry = one.entry;
        context.can_delete = removable->contains(id);
        context.child_count = one.child_count;
        if (wants_people) context.credits = &credits[id];
        write_item(out, one.listed, fields, services.info.server_id, context);
    }
    return {};
}

core::Result<void> write_people_of(JsonWriter& out, const Services& services, const std::vector<store::Person>& people,
                                   const ItemFields& fields, const std::optional<store::User>& user) {
    std::map<core::ItemId, store::UserItemData> data;
    if (user) {
        std::vector<core::ItemId> ids;
        ids.reserve(people.size());
        for (const auto& person : people) ids.emplace_back(person.id.bytes());
        auto got = named_data(services, user->id, ids);
        if (!got) return tl::unexpected(got.error());
        data = std::move(*got);
    }
    for (const auto& person : people) {
        const auto own = data.find(core::ItemId(person.id.bytes()));
        write_person(out, person, fields, services.info.server_id, own == data.end() ? nullptr : &own->second);
    }
    return {};
}

Response write_page(const Services& services, const Request& request, const ItemRequest& wanted,
                    const std::optional<store::User>& user, const ItemsFound& found) {
    JsonWriter out(request.spelling);
    out.begin_object().name("Items").begin_array();
    const auto written =
        write_items(out, services, request, found.items, wanted.fields, wanted.user_data ? user : std::nullopt);
    if (!written) return problem(written.error());
    const auto total = wanted.query.with_total ? found.total : 0;  // as the reference
    out.end_array().field("TotalRecordCount", total).field("StartIndex", wanted.query.start_index).end_object();
    return json_answer(out.take());
}

}  // namespace understudy::http
