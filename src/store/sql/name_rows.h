// store/sql/name_rows.h: what items share by name, as rows (0020_names.sql), written in sets. Used by description_rows
// inside its transactions, by the migration, and for the keys of names by the queries.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/case_folder.h"
#include "model/item.h"
#include "store/names.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

/// item_names.role.
namespace role {
inline constexpr std::int64_t genre = 0, studio = 1, tag = 2, artist = 3, album_artist = 4, itself = 5;
}  // namespace role

/// Has it a row in item_names?
[[nodiscard]] bool has_names(const model::Item& item) noexcept;
/// Adds the rows of `items`, each named once, which have none yet.
[[nodiscard]] core::Result<void> insert_names(Session& session, const std::vector<const model::Item*>& items,
                                              const core::CaseFolder& folder);
/// Adds the rows of all items that are there, a thousand at a time: once, with the migration that makes the tables.
[[nodiscard]] core::Result<void> fill_names(Session& session);
/// Of artists by name those that are items which the viewer may see; of several the one with the least id.
[[nodiscard]] core::Result<std::map<core::ItemId, core::ItemId>> artists_of(Session& session,
                                                                            const std::optional<Viewer>& viewer,
                                                                            const std::vector<core::ItemId>& names);

}  // namespace understudy::store::sql
