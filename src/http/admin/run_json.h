// http/admin/run_json.h: runs and waiting work as /cluster/runs shows them. Used by the run and pod handlers.
#pragma once

#include "http/json_writer.h"
#include "tasks/run_ledger.h"

namespace understudy::http {

/// Waiting rows (no run yet) have neither id nor epoch nor start.
void write_run(JsonWriter& out, const tasks::RunRow& run);

}  // namespace understudy::http
