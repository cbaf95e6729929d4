// store/sql/row_sets.h: whole sets of rows put in or taken out, a statement each. Used by item_rows and
// description_rows.
#pragma once

#include <string>
#include <vector>

#include "core/ids.h"
#include "store/sql/bulk_rows.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

[[nodiscard]] std::string names_of(const std::vector<BulkColumn>& columns);  ///< `a, b, c`
/// Nothing is asked where there are no rows.
[[nodiscard]] core::Result<void> insert_rows(Session& session, const std::string& table,
                                             const std::vector<BulkColumn>& columns, BulkRows& rows);
/// Returns how many rows went.
[[nodiscard]] core::Result<std::int64_t> delete_where_in(Session& session, const std::string& table,
                                                         const std::string& column,
                                                         const std::vector<core::ItemId>& ids);

}  // namespace understudy::store::sql
