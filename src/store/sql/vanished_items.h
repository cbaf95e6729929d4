// store/sql/vanished_items.h: what users and collections say of an item outlives it, and is taken over by the item
// under which its file comes back. Called by item_rows when items go and come, inside their transactions.
#pragma once

#include <string>
#include <vector>

#include "core/ids.h"
#include "model/item.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

/// How a file is known again, the surest first: `content:KIND:SAMPLE` for each source; `id:KIND:PROVIDER:ID` for the
/// ids that belong to the item itself (not a track's album); `name:…` for what has no file (a series, an album), from
/// the library and the keys of the item and its parent.
[[nodiscard]] std::vector<std::string> identities_of(const model::Item& item, const std::string& parent_key);

/// Before the rows of `ids` are deleted: locks them, and remembers those that somebody's data or a collection names.
/// Where another item has the same bytes, it takes over at once.
[[nodiscard]] core::Result<void> note_vanishing(Session& session, const std::vector<core::ItemId>& ids);

/// By what is longer nothing is found again: an index of PostgreSQL takes 2,704 bytes. A path as long as that, or an id
/// of a provider that is none.
inline constexpr std::size_t longest_identity = 2'000;

/// After `items` were written: each takes over from at most one vanished item. One look where nothing is vanished.
[[nodiscard]] core::Result<void> welcome_back(Session& session, const std::vector<model::Item>& items);

/// Moves data and memberships from the first of each pair to the second (each at most once), which keeps what it has:
/// played and favourite add up, the position is the later player's. Forgets the first.
[[nodiscard]] core::Result<void> take_over(Session& session,
                                           const std::vector<std::pair<core::ItemId, core::ItemId>>& pairs);

}  // namespace understudy::store::sql
