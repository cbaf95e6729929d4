// http/jellyfin/items/item_pages.h: pages of items with what a user did with them, of the catalogue or of one
// collection. Used by the handlers of items, user data and playlists.
#pragma once

#include <optional>
#include <vector>

#include "http/jellyfin/items/item_query.h"
#include "http/services.h"
#include "store/collections.h"

namespace understudy::http {

struct PageItem {
    store::ListedItem listed;
    core::EntryId entry;                        ///< of a collection's member; else none
    std::optional<std::int64_t> child_count{};  ///< of what stands for several: said also where nobody asks for it
};

struct ItemsFound {
    std::vector<PageItem> items;
    std::size_t total = 0;
};

/// Where the request looks: sets its query's library or parent. Errors: invalid for what is no id.
[[nodiscard]] core::Result<void> set_parent(ItemRequest& wanted, const std::vector<model::Library>& libraries);

/// What `minOfficialRating` and `maxOfficialRating` mean of the ratings that are here: one query where they are asked.
/// Errors: unavailable, timed_out.
[[nodiscard]] core::Result<void> set_ratings(const Services& services, ItemRequest& wanted);

/// Those of `ids` that are there for the viewer, in this order, with the fields that the request wants; nothing else of
/// its query counts.
[[nodiscard]] core::Result<std::vector<PageItem>> items_by_id(const Services& services, const ItemRequest& wanted,
                                                              const std::vector<core::ItemId>& ids,
                                                              const std::optional<store::Viewer>& viewer);

/// The members of a collection that fit the request, in the collection's own order where `sortBy` says no other one
/// (an item that a playlist has twice then stands there twice). Members whose item is gone are left out, and neither
/// shown nor counted is what the query's viewer may not see. Errors: not_found for the collection.
[[nodiscard]] core::Result<ItemsFound> members_page(const Services& services, core::ItemId collection,
                                                    const ItemRequest& wanted);

/// BaseItemDtos one behind the other; who made them where `fields` asks for people and, with `user`, UserData: a query
/// each for all of them, as one is for CanDelete of collections. Below folders and of collections only what the caller
/// may see counts.
[[nodiscard]] core::Result<void> write_items(JsonWriter& out, const Services& services, const Request& request,
                                             const std::vector<PageItem>& items, const ItemFields& fields,
                                             const std::optional<store::User>& user);

/// The same of people: one query for the data of `user`.
[[nodiscard]] core::Result<void> write_people_of(JsonWriter& out, const Services& services,
                                                 const std::vector<store::Person>& people, const ItemFields& fields,
                                                 const std::optional<store::User>& user);

/// BaseItemDtoQueryResult; with `user` and where the request wants it, UserData in each item.
[[nodiscard]] Response write_page(const Services& services, const Request& request, const ItemRequest& wanted,
                                  const std::optional<store::User>& user, const ItemsFound& found);

}  // namespace understudy::http
