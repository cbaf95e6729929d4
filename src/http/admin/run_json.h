// http/admin/run_json.h: runs and waiting work as /cluster/runs shows them. Used by the run and pod handlers.
#pragma once

#include <string>
#include <vector>

#include "http/json_writer.h"
#include "tasks/run_ledger.h"

namespace understudy::http {

/// A due slot or kept request that no run has taken yet.
struct WaitingRow {
    tasks::TaskScope task;
    tasks::RunKind kind = tasks::RunKind::timer;
    std::optional<core::UtcTime> slot;
    std::string waiting_for;  ///< key of the task that keeps it waiting; empty: only its turn
};

/// What waits in the tasks of `overview`, due longest first.
[[nodiscard]] std::vector<WaitingRow> waiting_rows(const tasks::RunLedger::Overview& overview);

void write_run(JsonWriter& out, const tasks::RunRow& run);
void write_waiting(JsonWriter& out, const WaitingRow& row);

}  // namespace understudy::http
