// store/sql/user_data_subjects.h: what a user may have data of: items, names, years and people. Used by SqlUserData
// inside its transactions.
#pragma once

#include <unordered_set>
#include <vector>

#include "core/ids.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

/// Those of `ids` that are there. Items and people are held until the end of the transaction; the data of names
/// outlives them. One query where all are items.
[[nodiscard]] core::Result<std::unordered_set<core::ItemId>> hold_subjects(Session& session,
                                                                           const std::vector<core::ItemId>& ids);

}  // namespace understudy::store::sql
