#include "http/jellyfin/dto/task_dto.h"

#include <algorithm>
#include <array>
#include <utility>

#include "http/text.h"

namespace understudy::http {
namespace {

std::string_view day_name(std::chrono::weekday day) {
    constexpr std::array<std::string_view, 7> names{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                    "Thursday", "Friday", "Saturday"};
    return names[day.c_encoding() % names.size()];
}

struct TriggerFields {
    JsonWriter& out;
    void operator()(const tasks::DailyTrigger& daily) const {
        out.field("Type", "DailyTrigger").field("TimeOfDayTicks", to_ticks(daily.time_of_day));
    }
    void operator()(const tasks::WeeklyTrigger& weekly) const {
        out.field("Type", "WeeklyTrigger").field("TimeOfDayTicks", to_ticks(weekly.time_of_day));
        out.field("DayOfWeek", day_name(weekly.day));
    }
    void operator()(const tasks::IntervalTrigger& interval) const {
        out.field("Type", "IntervalTrigger").field("IntervalTicks", to_ticks(interval.every));
    }
    void operator()(const tasks::StartupTrigger&) const { out.field("Type", "StartupTrigger"); }
};

/// Jellyfin knows four results; a yielded run was stopped before its end, as an aborted one.
std::string_view status_name(tasks::RunState state) {
    switch (state) {
        case tasks::RunState::completed:
            return "Completed";
        case tasks::RunState::failed:
            return "Failed";
        case tasks::RunState::cancelled:
            return "Cancelled";
        case tasks::RunState::aborted:
        case tasks::RunState::yielded:
        case tasks::RunState::running:
        case tasks::RunState::cancelling:
            return "Aborted";
    }
    return "Aborted";
}

}  // namespace

void write_task_result(JsonWriter& out, const tasks::CatalogueEntry& entry, const tasks::RunRow& run) {
    out.begin_object();
    out.field("StartTimeUtc", to_jellyfin_time(run.started_at));
    out.field("EndTimeUtc", to_jellyfin_time(run.ended_at.value_or(run.heartbeat_at.value_or(run.started_at))));
    out.field("Status", status_name(run.state));
    out.field("Name", entry.name).field("Key", entry.key).field("Id", entry.id);
    out.text_if_any("ErrorMessage", run.error);
    out.end_object();
}

void write_task(JsonWriter& out, const tasks::TaskView& view) {
    const auto& entry = *view.entry;
    const auto& state = view.state;
    out.begin_object().field("Name", entry.name);
    if (!state.live) {
        out.field("State", "Idle");
    } else {
        const bool cancelling = state.live->state == tasks::RunState::cancelling || state.live->cancel_requested;
        out.field("State", cancelling ? "Cancelling" : "Running")
            .field("CurrentProgressPercentage", state.live->progress);
    }
    out.field("Id", entry.id);
    if (state.last_result) {
        out.name("LastExecutionResult");
        write_task_result(out, entry, *state.last_result);
    }
    out.name("Triggers").begin_array();
    for (const auto& trigger : state.triggers) {
        out.begin_object();
        std::visit(TriggerFields{out}, trigger.when);
        if (trigger.max_runtime) out.field("MaxRuntimeTicks", to_ticks(*trigger.max_runtime));
        out.end_object();
    }
    out.end_array();
    out.field("Description", entry.description).field("Category", entry.category);
    out.field("IsHidden", false).field("Key", entry.key).end_object();
}

void write_tasks(JsonWriter& out, std::vector<tasks::TaskView> views) {
    std::ranges::stable_sort(views, {}, [](const tasks::TaskView& view) { return to_lower(view.entry->name); });
    out.begin_array();
    for (const auto& view : views) write_task(out, view);
    out.end_array();
}

}  // namespace understudy::http
