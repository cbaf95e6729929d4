// tasks/database/sql_ledger_rows.h: between the ledger's rows and SQL values: column lists, readers, writers. Used by
// sql_ledger_tables.cpp alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "store/sql/session.h"
#include "tasks/ledger_tables.h"

namespace understudy::tasks::database {

using store::sql::Row;
using store::sql::Value;

/// SELECT … FROM of runs with their beats: columns as read_run reads them. Aliases: r the run, b its beat.
extern const std::string_view select_runs;
extern const std::string_view select_scopes;  ///< alias s
extern const std::string_view select_tasks;

/// Errors: corrupt, naming the row and the column.
[[nodiscard]] core::Result<RunRow> read_run(const Row& row);
[[nodiscard]] core::Result<ScopeRecord> read_scope(const Row& row);
[[nodiscard]] core::Result<TaskRecord> read_task(const Row& row);
[[nodiscard]] SkipRow read_skip(const Row& row);

[[nodiscard]] Value time_value(core::UtcTime at);
[[nodiscard]] Value time_value(const std::optional<core::UtcTime>& at);
[[nodiscard]] Value id_value(const core::RunId& id);
/// Text for people (errors, warnings, labels) as both databases take it: what is not UTF-8, and NUL, becomes U+FFFD. A
/// file's odd name in a warning must not keep a run from ending.
[[nodiscard]] std::string storable(std::string_view text);
[[nodiscard]] std::string counts_to_json(const Counts& counts);
[[nodiscard]] std::string group_name(Group group);

/// In the order of the INSERT and UPDATE statements of sql_ledger_tables.cpp.
[[nodiscard]] std::vector<Value> run_values(const RunRow& run);
[[nodiscard]] std::vector<Value> scope_values(const ScopeRecord& scope);

}  // namespace understudy::tasks::database
