// store/sql/item_rows.h: items with all that is under them as rows (0004_library.sql), written and read in
// sets. Used by SqlScanStore, SqlCatalog and SqlLibraryStore inside their transactions.
#pragma once

#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/case_folder.h"
#include "core/ids.h"
#include "model/item.h"
#include "store/sql/bulk_rows.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

/// The 16 bytes of an id; empty where the column was NULL.
template <class Id>
[[nodiscard]] Id id_from_bytes(const std::string& bytes) {
    core::IdBytes raw{};
    if (bytes.size() == raw.size()) std::copy(bytes.begin(), bytes.end(), raw.begin());
    return Id(raw);
}
template <class Id>
[[nodiscard]] Value id_value(const Id& id) {
    if (id.empty()) return Null{};
    return Bytes{{reinterpret_cast<const char*>(id.bytes().data()), id.bytes().size()}};
}
/// An inode or device number in a signed column, and back: the same bits.
[[nodiscard]] constexpr std::int64_t as_signed(std::uint64_t number) noexcept {
    return static_cast<std::int64_t>(number);
}
[[nodiscard]] constexpr std::uint64_t as_unsigned(std::int64_t number) noexcept {
    return static_cast<std::uint64_t>(number);
}

/// The columns that read_item reads, of a table named `i`, in its order.
[[nodiscard]] std::string_view item_columns() noexcept;
inline constexpr std::size_t item_column_count = 25;
[[nodiscard]] model::Item read_item(const Row& row, std::size_t first_column = 0);
[[nodiscard]] std::int64_t read_beside(const Row& row, std::size_t first_column = 0);  ///< description_rows.h
[[nodiscard]] core::UtcTime read_saved(const Row& row, std::size_t first_column = 0);  ///< when it was last written

/// media_streams.flags and .kind.
[[nodiscard]] std::int64_t flags_of(const model::MediaStream& stream) noexcept;
void set_flags(model::MediaStream& stream, std::int64_t flags) noexcept;
[[nodiscard]] model::StreamKind stream_kind(std::int64_t number) noexcept;

/// Adds sources with streams and chapters to items, three queries for all of them.
[[nodiscard]] core::Result<void> load_sources(Session& session, std::span<model::Item*> items);

/// Adds or replaces; what is under an item is replaced whole. `created_at` of an item that is there stays.
/// Takes over what users said of a vanished item that comes back (vanished_items.h).
[[nodiscard]] core::Result<void> write_items(Session& session, const std::vector<model::Item>& items,
                                             const core::CaseFolder& folder);
/// Those of `ids` that are there, held until the end of the transaction: they may change but not go. Call it before
/// writing rows under items that a scan may be removing.
[[nodiscard]] core::Result<std::unordered_set<core::ItemId>> hold_items(Session& session,
                                                                        const std::vector<core::ItemId>& ids);
/// With all that is under them; what users and collections say of them is kept aside (vanished_items.h). Unknown ids
/// are fine.
[[nodiscard]] core::Result<std::int64_t> delete_items(Session& session, const std::vector<core::ItemId>& ids);

}  // namespace understudy::store::sql
