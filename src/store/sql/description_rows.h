// store/sql/description_rows.h: what files beside the media say of items, as rows (0013_descriptions.sql,
// 0020_names.sql), written and read in sets. Used by item_rows, SqlScanStore and SqlCatalog inside their transactions.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/case_folder.h"
#include "core/ids.h"
#include "model/item.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

/// Bits of items.beside: which rows an item has. Nobody asks the tables for items that have none.
namespace beside {
inline constexpr std::int64_t description = 1, images = 2, external = 4, names = 8;
}  // namespace beside

[[nodiscard]] std::int64_t beside_of(const model::Item& item) noexcept;

/// Puts in what `items` have, each named once, in place of what there was. Call it before items.beside is written: it
/// says what there was.
[[nodiscard]] core::Result<void> write_beside(Session& session, const std::vector<const model::Item*>& items,
                                              const core::CaseFolder& folder);
/// Call it before the items are deleted.
[[nodiscard]] core::Result<void> delete_beside(Session& session, const std::vector<core::ItemId>& ids);

/// An item that was read, and its items.beside.
struct ReadItem {
    model::Item* item = nullptr;
    std::int64_t beside = 0;
};
/// At most a query each, none where no item has any.
[[nodiscard]] core::Result<void> load_descriptions(Session& session, std::span<const ReadItem> items);
[[nodiscard]] core::Result<void> load_external(Session& session, std::span<const ReadItem> items);  ///< after sources
/// Pictures of these, in their order.
using ImagesByItem = std::unordered_map<core::ItemId, std::vector<model::ItemImage>>;
[[nodiscard]] core::Result<ImagesByItem> read_images(Session& session, const std::vector<core::ItemId>& ids);
[[nodiscard]] core::Result<void> load_images(Session& session, std::span<const ReadItem> items);

}  // namespace understudy::store::sql
