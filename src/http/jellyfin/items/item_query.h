// http/jellyfin/items/item_query.h: what a request for /Items means, as pure data. Used by the item handlers.
#pragma once

#include <optional>

#include "http/jellyfin/dto/item_dto.h"
#include "http/message.h"
#include "store/catalog.h"

namespace understudy::http {

struct ItemRequest {
    std::optional<std::string> parent;  ///< id as sent: of a library or an item
    bool libraries_wanted = false;      ///< the top level itself: neither parent, nor recursion, nor search, nor ids
    bool nothing = false;               ///< asks only for kinds that do not exist here
    bool sorted = false;                ///< `sortBy` says how
    bool needs_user = false;            ///< asks for what a user did
    bool user_data = true;              ///< `enableUserData`
    store::ItemQuery query;             ///< library and parent still open
    std::optional<int> least_age, most_age;  ///< of official ratings; those that do not fit are still open
    ItemFields fields;
};

/// A page without `limit` is cut at this many items; TotalRecordCount says how many there are.
inline constexpr std::size_t largest_page = 50'000;

/// List members that do not parse are dropped. Errors: invalid, starting with the parameter's name.
[[nodiscard]] core::Result<ItemRequest> read_item_request(const Query& query);

}  // namespace understudy::http
