// http/jellyfin/items/item_filters.h: the filters of /Items, as clients send them. Used by item_query.
#pragma once

#include <string_view>
#include <vector>

#include "http/jellyfin/dto/item_dto.h"
#include "http/query.h"
#include "store/item_filters.h"

namespace understudy::http {

struct ReadFilters {
    store::ItemFilters filters;
    bool nothing = false;                    ///< asks for what no item here is: missing, locked, in three dimensions
    std::optional<int> least_age, most_age;  ///< `minOfficialRating`, `maxOfficialRating`
};

/// List members that do not parse are dropped. Errors: invalid, naming the parameter.
[[nodiscard]] core::Result<ReadFilters> read_item_filters(const Query& query);
/// `enableImages`, `enableImageTypes` and `imageTypeLimit`, into `fields`. Errors: as above.
[[nodiscard]] core::Result<void> read_image_wishes(const Query& query, ItemFields& fields);
/// A list of ids or names whose members may stand behind `|` or, where none does, behind commas.
[[nodiscard]] std::vector<std::string> piped_list(const Query& query, std::string_view key, bool commas);
/// Jellyfin's PersonKinds that we know.
[[nodiscard]] std::vector<model::CreditKind> read_credit_kinds(const Query& query, std::string_view key);

}  // namespace understudy::http
