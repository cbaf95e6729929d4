// store/sql/table_walk.h: a large table cleaned by walking its key, some thousands of rows a transaction, so that
// nobody waits long for a lock or for SQLite's one writer. Used by the SQL adapters that clean.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/fence.h"
#include "store/clean_step.h"
#include "store/sql/bulk_rows.h"
#include "store/sql/session.h"
#include "store/sql/statement.h"

namespace understudy::store::sql {

struct WalkedTable {
    std::string table;
    std::vector<BulkColumn> key;  ///< a unique index: the order of the walk
    std::string gone;             ///< the condition under which a row of the table (named t) goes
    /// Rows are locked before the condition counts: for rows that others hold ({for_key_share}) while they write what
    /// refers to them. PostgreSQL would not look at the condition again after it waited for such a lock.
    bool lock_first = false;
    /// What one step looks at. More where rows are small: SQLite writes a page of an index anew for each step that
    /// removes something from it.
    std::int64_t rows_a_step = 5'000;
    /// Asked in the same transaction before rows go: `gone` is `FROM table AS t WHERE …`, which chooses them.
    std::function<core::Result<void>(Session&, const Statement& gone)> before{};
};

/// One step over `tables`, one after the other, under the fence. Errors: invalid for a cursor that is none of these
/// tables'.
[[nodiscard]] core::Result<CleanStep> walk_step(Database& database, const std::vector<WalkedTable>& tables,
                                                const std::string& cursor, const core::Fence& fence);

}  // namespace understudy::store::sql
