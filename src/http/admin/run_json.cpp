#include "http/admin/run_json.h"

#include <optional>

namespace understudy::http {
namespace {

void write_time(JsonWriter& out, std::string_view name, const std::optional<core::UtcTime>& at) {
    out.name(name);
    at ? out.value(core::to_iso8601(*at)) : out.null();
}

}  // namespace

void write_run(JsonWriter& out, const tasks::RunRow& run) {
    const bool waiting = run.waiting();
    // A slot of a pod's own task is that pod's: nobody else takes it.
    const bool of_one_pod = waiting && run.task.scope != tasks::cluster_scope;
    out.begin_object().name("RunId");
    waiting ? out.null() : out.value(run.id);
    out.field("Task", run.task.task).field("Kind", tasks::to_string(run.kind));
    write_time(out, "Slot", run.slot);
    out.text_or_null("Pod", of_one_pod ? run.task.scope : run.pod).name("Epoch");
    waiting ? out.null() : out.value(run.epoch);
    out.field("State", waiting ? std::string_view("waiting") : tasks::to_string(run.state));
    out.field("Progress", run.progress);
    out.name("Rate");
    if (run.pace.unit.empty()) {
        out.null();
    } else {
        out.begin_object().field("Unit", run.pace.unit).field("PerSecond", run.pace.per_second).end_object();
    }
    out.name("LeftMs");
    run.pace.left ? out.value(std::int64_t{run.pace.left->count()}) : out.null();
    write_time(out, "StartedAt", waiting ? std::nullopt : std::optional(run.started_at));
    write_time(out, "HeartbeatAt", run.heartbeat_at);
    write_time(out, "EndedAt", run.ended_at);
    out.name("Counts").begin_object();
    for (const auto& [name, value] : run.counts) out.key(name).value(value);
    out.end_object();
    out.field("Warnings", run.warnings);
    out.text_or_null("Error", run.error).text_or_null("WaitingFor", run.waiting_for);
    write_time(out, "NotBefore", run.not_before);
    out.field_or_null("ResumedFrom", run.resumed_from);
    out.end_object();
}

}  // namespace understudy::http
