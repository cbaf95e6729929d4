// store/sql/catalog_filters.h: what a user did with items and may see of them, as parts of queries. Used by SqlCatalog,
// SqlCollections, SqlPeople and SqlUserData.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/ids.h"
#include "store/catalog.h"

namespace understudy::store::sql {

/// Kinds that are played themselves, for `kind IN (…)`.
inline constexpr std::string_view playable_kinds = "'movie', 'episode', 'track'";

/// ` AND …` for what the query asks of its user's data, of a table of items named `i`; empty where it asks nothing. No
/// parameters: ids are written out.
[[nodiscard]] std::string user_data_conditions(const ItemQuery& query);
/// ` AND …` for what `viewer` may see of a table of items named `items`; empty where that is all. No parameters.
[[nodiscard]] std::string viewer_conditions(const std::optional<Viewer>& viewer, const std::string& items);
/// Of those the one on libraries: enough for what cannot be a playlist.
[[nodiscard]] std::string library_conditions(const std::optional<Viewer>& viewer, const std::string& items);
/// A column of the user's data of `i`, 0 where there is none.
[[nodiscard]] std::string user_data_value(core::UserId user, std::string_view column);

}  // namespace understudy::store::sql
