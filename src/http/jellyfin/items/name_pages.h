// http/jellyfin/items/name_pages.h: pages of genres, studios and artists, and one of them. Used by the handlers of
// names and items.
#pragma once

#include <optional>
#include <vector>

#include "http/jellyfin/dto/item_dto.h"
#include "http/services.h"
#include "store/names.h"
#include "store/users.h"

namespace understudy::http {

struct NameRequest {
    store::NameQuery query;
    ItemFields fields;
    bool nothing = false;             ///< asks only for kinds that do not exist here
    bool user_data = true;            ///< `enableUserData`
    std::optional<store::User> user;  ///< whom it names
};

/// What a request for a list of names means; `kinds` are still open. Errors: invalid, not_found.
[[nodiscard]] core::Result<NameRequest> read_name_request(const Services& services, const Request& request);
/// BaseItemDtoQueryResult. Artists that are items are written as items: one more query for the page, and one for what
/// the user did with them.
[[nodiscard]] Response name_page(const Services& services, const Request& request, const NameRequest& wanted);
/// BaseItemDtoQueryResult of those of `years` that the request asks for, in its order; one query for what its user did
/// with them, one more where it asks for favourites.
[[nodiscard]] Response year_page(const Services& services, const Request& request, const NameRequest& wanted,
                                 std::vector<store::YearCount> years);
/// BaseItemDto of what has this id by name, years too; 404 where nothing that the caller may see has the name.
[[nodiscard]] Response one_by_name(const Services& services, const Request& request, core::ItemId id);
/// Everything in the libraries that the caller may see.
[[nodiscard]] store::ItemQuery all_items(const Request& request);

}  // namespace understudy::http
