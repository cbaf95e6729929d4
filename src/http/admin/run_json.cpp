#include "http/admin/run_json.h"

#include <algorithm>

namespace understudy::http {
namespace {

void write_time(JsonWriter& out, std::string_view name, const std::optional<core::UtcTime>& at) {
    out.name(name);
    at ? out.value(core::to_iso8601(*at)) : out.null();
}

}  // namespace

std::vector<WaitingRow> waiting_rows(const tasks::RunLedger::Overview& overview) {
    std::vector<WaitingRow> rows;
    for (const auto& task : overview.tasks) {
        // A live run keeps its own task's next work waiting.
        const auto waiting_for = task.live ? task.task.task : task.waiting_for;
        if (task.pending) rows.push_back({task.task, tasks::RunKind::manual, std::nullopt, waiting_for});
        const bool due = task.next_slot && *task.next_slot <= overview.now;
        if (due && task.enabled && !overview.timers_paused && !task.open) {
            rows.push_back({task.task, tasks::RunKind::timer, task.next_slot, waiting_for});
        }
    }
    std::ranges::stable_sort(rows, [](const WaitingRow& a, const WaitingRow& b) {
        return a.slot.value_or(core::UtcTime::max()) < b.slot.value_or(core::UtcTime::max());
    });
    return rows;
}

void write_run(JsonWriter& out, const tasks::RunRow& run) {
    out.begin_object();
    out.field("RunId", run.id).field("Task", run.task.task).field("Kind", tasks::to_string(run.kind));
    write_time(out, "Slot", run.slot);
    out.text_or_null("Pod", run.pod);
    out.field("Epoch", run.epoch).field("State", tasks::to_string(run.state)).field("Progress", run.progress);
    write_time(out, "StartedAt", run.started_at);
    write_time(out, "HeartbeatAt", run.heartbeat_at);
    write_time(out, "EndedAt", run.ended_at);
    out.name("Counts").begin_object();
    for (const auto& [name, value] : run.counts) out.key(name).value(value);
    out.end_object();
    out.field("Warnings", run.warnings);
    out.text_or_null("Error", run.error);
    out.name("WaitingFor").null();
    out.field_or_null("ResumedFrom", run.resumed_from);
    out.end_object();
}

void write_waiting(JsonWriter& out, const WaitingRow& row) {
    out.begin_object();
    out.name("RunId").null();
    out.field("Task", row.task.task).field("Kind", tasks::to_string(row.kind));
    write_time(out, "Slot", row.slot);
    // Work of a pod task waits for that pod; anybody may take the rest.
    out.text_or_null("Pod",
                     row.task.scope == tasks::cluster_scope ? std::string_view() : std::string_view(row.task.scope));
    out.name("Epoch").null();
    out.field("State", "waiting").field("Progress", 0);
    for (const char* name : {"StartedAt", "HeartbeatAt", "EndedAt"}) out.name(name).null();
    out.name("Counts").begin_object().end_object();
    out.name("Warnings").begin_array().end_array();
    out.name("Error").null();
    out.text_or_null("WaitingFor", row.waiting_for);
    out.name("ResumedFrom").null();
    out.end_object();
}

}  // namespace understudy::http
