// /ScheduledTasks: Jellyfin's five operations on tasks.
#include <algorithm>

#include "http/json_writer.h"
#include "http/problem.h"
#include "http/routes.h"
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

void write_result(JsonWriter& out, const tasks::CatalogueEntry& entry, const tasks::RunRow& run) {
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
        write_result(out, entry, *state.last_result);
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

Response list_tasks(const Services& services, const Request& request) {
    const auto hidden = request.query.boolean("isHidden");
    if (!hidden) return binding_problem(hidden.error());
    const auto enabled = request.query.boolean("isEnabled");
    if (!enabled) return binding_problem(enabled.error());
    auto views = services.tasks.tasks();
    if (!views) return problem(views.error());
    std::erase_if(*views, [&](const tasks::TaskView& view) {
        return hidden->value_or(false) || (*enabled && **enabled != view.state.enabled);  // no task of ours is hidden
    });
    std::ranges::stable_sort(*views, {}, [](const tasks::TaskView& view) { return to_lower(view.entry->name); });
    JsonWriter out(request.spelling);
    out.begin_array();
    for (const auto& view : *views) write_task(out, view);
    out.end_array();
    return json_answer(out.take());
}

Response one_task(const Services& services, const Request& request) {
    const auto view = services.tasks.task(request.param("task"));
    if (!view) return problem(view.error());
    JsonWriter out(request.spelling);
    write_task(out, *view);
    return json_answer(out.take());
}

Response start_task(const Services& services, const Request& request) {
    const auto started = services.tasks.run_now(request.param("task"), "{}");
    auto response = no_content();
    if (!started) {
        // Its group is taken: the request is kept and runs when it can, which is what the client asked for.
        if (started.error().code != core::Errc::conflict) return problem(started.error());
        response.with("X-Understudy-Waiting", started.error().context);
        return response;
    }
    response.with("X-Understudy-Run", started->run.id.str()).with("X-Understudy-Pod", started->run.pod);
    if (started->joined) {
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(started->beat_age).count();
        response.with("X-Understudy-Beat-Age", std::to_string(seconds));
    }
    return response;
}

Response stop_task(const Services& services, const Request& request) {
    const auto who = request.caller ? request.caller->name : std::string("the API");
    const auto stopped = services.tasks.cancel(request.param("task"), who + " from " + request.peer);
    return stopped ? no_content() : problem(stopped.error());
}

Response set_triggers(const Services& services, const Request& request) {
    const auto known = services.tasks.task(request.param("task"));
    if (!known) return problem(known.error());
    if (trim(request.body).empty()) {
        return binding_problem("triggers", "triggers: missing; send an array of triggers, [] for none");
    }
    const auto triggers = tasks::triggers_from_json(request.body);
    if (!triggers) return binding_problem(triggers.error());
    const auto stored = services.tasks.set_triggers(request.param("task"), *triggers);
    return stored ? no_content() : binding_problem(stored.error());
}

}  // namespace

void add_task_routes(Router& router, const Services& services) {
    add_route(router, services, Method::get, "/ScheduledTasks", list_tasks);
    add_route(router, services, Method::get, "/ScheduledTasks/{task}", one_task);
    add_route(router, services, Method::post, "/ScheduledTasks/Running/{task}", start_task);
    add_route(router, services, Method::del, "/ScheduledTasks/Running/{task}", stop_task);
    add_route(router, services, Method::post, "/ScheduledTasks/{task}/Triggers", set_triggers);
}

}  // namespace understudy::http
