// /cluster/schedule and /cluster/schedule/preview: what is due next, and what would be.
#include <algorithm>

#include "http/admin/run_query.h"
#include "http/json_writer.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"
#include "tasks/schedule.h"

namespace understudy::http {
namespace {

std::string_view type_of(const tasks::Trigger& trigger) {
    struct Name {
        std::string_view operator()(const tasks::DailyTrigger&) const { return "DailyTrigger"; }
        std::string_view operator()(const tasks::WeeklyTrigger&) const { return "WeeklyTrigger"; }
        std::string_view operator()(const tasks::IntervalTrigger&) const { return "IntervalTrigger"; }
        std::string_view operator()(const tasks::StartupTrigger&) const { return "StartupTrigger"; }
    };
    return std::visit(Name{}, trigger.when);
}

struct PlannedSlot {
    std::string task;
    core::UtcTime at{};
    std::string_view trigger;
};

/// The stored next slot is the truth; the ones behind it are worked out, as if each run ended when it starts.
std::vector<PlannedSlot> planned(const tasks::TaskStateRow& state, const tasks::Zone& zone, core::UtcTime now,
                                 std::size_t count) {
    std::vector<PlannedSlot> slots;
    if (!state.enabled || !state.next_slot) return slots;
    const auto trigger_name = [&](std::size_t index) {
        return index < state.triggers.size() ? type_of(state.triggers[index]) : std::string_view();
    };
    slots.push_back(
        {state.task.task, *state.next_slot, trigger_name(state.next_trigger.value_or(state.triggers.size()))});
    tasks::ScheduleFacts facts;
    facts.now = std::max(now, *state.next_slot);
    facts.cluster_started = facts.now;
    facts.last_end = facts.now;
    facts.after = *state.next_slot;
    for (const auto& next : tasks::upcoming(state.triggers, facts, zone, count)) {
        if (slots.size() < count) slots.push_back({state.task.task, next.at, trigger_name(next.trigger)});
    }
    return slots;
}

Response schedule(const Services& services, const Request& request) {
    const auto count = limit_of(request, "count", 5);
    if (!count) return binding_problem(count.error());
    const auto task = task_of(request);
    if (!task) return problem(task.error());
    const auto overview = services.ledger.overview(services.info.pod);
    if (!overview) return problem(overview.error());
    std::vector<PlannedSlot> slots;
    for (const auto& state : overview->tasks) {
        if (!task->empty() && state.task.task != *task) continue;
        const auto own = planned(state, services.info.zone, overview->now, *count);
        slots.insert(slots.end(), own.begin(), own.end());
    }
    std::ranges::stable_sort(slots, {}, &PlannedSlot::at);
    JsonWriter out(Spelling::camel);
    out.begin_object().field("TimersPaused", overview->timers_paused).name("Items").begin_array();
    for (const auto& slot : slots) {
        out.begin_object().field("Task", slot.task).field("Slot", core::to_iso8601(slot.at));
        out.text_or_null("Trigger", slot.trigger).end_object();
    }
    out.end_array().end_object();
    return json_answer(out.take());
}

/// Triggers that are not stored yet: what would come if they were.
Response preview(const Services& services, const Request& request) {
    const auto count = limit_of(request, "count", 5);
    if (!count) return binding_problem(count.error());
    const auto task = task_of(request);
    if (!task) return problem(task.error());
    if (task->empty()) return binding_problem("task", "task: missing; name the task that the triggers are for");
    if (trim(request.body).empty()) {
        return binding_problem("triggers", "triggers: missing; send an array of triggers, [] for none");
    }
    auto triggers = tasks::triggers_from_json(request.body);
    if (!triggers) return binding_problem(triggers.error());
    for (const auto& trigger : *triggers) {
        if (const auto valid = tasks::validate(trigger); !valid) return binding_problem(valid.error());
    }
    const auto overview = services.ledger.overview(services.info.pod);
    if (!overview) return problem(overview.error());
    tasks::ScheduleFacts facts;
    facts.now = overview->now;
    facts.cluster_started = overview->now;
    for (const auto& state : overview->tasks) {
        if (state.task.task != *task) continue;
        facts.last_end = state.last_end;
        for (auto& trigger : *triggers) {
            // As when it is stored: a trigger that stays as it was keeps its age.
            const auto same = std::ranges::find_if(state.triggers,
                                                   [&](const tasks::Trigger& old) { return old.when == trigger.when; });
            trigger.created_at = same == state.triggers.end() ? overview->now : same->created_at;
        }
    }
    const auto& zone = services.info.zone;
    JsonWriter out(Spelling::camel);
    out.begin_object().field("Zone", zone.name()).name("Items").begin_array();
    for (const auto& slot : tasks::upcoming(*triggers, facts, zone, *count)) {
        out.begin_object().field("Slot", core::to_iso8601(slot.at));
        out.field("Trigger", type_of((*triggers)[slot.trigger])).field("Index", slot.trigger).end_object();
    }
    out.end_array().end_object();
    return json_answer(out.take());
}

}  // namespace

void add_schedule_routes(Router& router, const Services& services) {
    add_route(router, services, Method::get, "/cluster/schedule", schedule);
    add_route(router, services, Method::post, "/cluster/schedule/preview", preview);
}

}  // namespace understudy::http
