// store/sql/member_rows.h: the members of one collection as rows with gaps between their positions. Used by
// SqlCollections inside its transactions, with the collection's row locked.
#pragma once

#include <optional>
#include <vector>

#include "core/ids.h"
#include "core/random.h"
#include "core/result.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

struct MemberRow {
    core::EntryId entry;
    core::ItemId item;
    core::LibraryId library;
};

/// Entries for those of `items` that are there, in their order; held until the end of the transaction.
[[nodiscard]] core::Result<std::vector<MemberRow>> make_entries(Session& session,
                                                                const std::vector<core::ItemId>& items,
                                                                core::Random& random);
/// Would one of `wanted` be the collection itself, or hold it at whatever depth? Other edits that put collections into
/// collections wait until the end of the transaction. Errors: invalid, naming both.
[[nodiscard]] core::Result<void> refuse_loops(Session& session, core::ItemId collection,
                                              const std::vector<MemberRow>& wanted);
[[nodiscard]] core::Result<std::vector<MemberRow>> read_members(Session& session, core::ItemId collection);
/// Before the `index`th; nullopt or beyond: at the end.
[[nodiscard]] core::Result<void> insert_members(Session& session, core::ItemId collection,
                                                const std::vector<MemberRow>& members,
                                                std::optional<std::size_t> index);
/// Not_found where there is no such entry in it.
[[nodiscard]] core::Result<void> move_member(Session& session, core::ItemId collection, core::EntryId entry,
                                             std::size_t index);
/// All of them, in this order.
[[nodiscard]] core::Result<void> replace_members(Session& session, core::ItemId collection,
                                                 const std::vector<MemberRow>& members);

}  // namespace understudy::store::sql
