// /cluster/runs, /cluster/skips, /cluster/schedule, /cluster/tasks/{key}/enabled, /cluster/timers.
#include <algorithm>

#include "core/text.h"
#include "http/admin/run_json.h"
#include "http/json_body.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"
#include "tasks/catalogue.h"
#include "tasks/schedule.h"

namespace understudy::http {
namespace {

constexpr std::size_t default_limit = 100, largest_limit = 1000;

/// `limit` 1..1000, larger is clamped.
core::Result<std::size_t> limit_of(const Request& request, std::string_view key, std::size_t standard) {
    const auto limit = request.query.count(key);
    if (!limit) return tl::unexpected(limit.error());
    if (*limit && **limit == 0)
        return core::fail(core::Errc::invalid, std::string(key) + ": '0' is not valid; use 1 to 1000");
    return std::min(limit->value_or(standard), largest_limit);
}

/// A task's key by key or id; empty where the query names none. Errors: not_found.
core::Result<std::string> task_of(const Request& request) {
    const auto text = request.query.text("task");
    if (text.empty()) return std::string();
    const auto* entry = tasks::find_task(text);
    if (entry) return std::string(entry->key);
    std::vector<std::string> known;
    for (const auto& each : tasks::catalogue()) known.emplace_back(each.key);
    return core::fail(core::Errc::not_found,
                      "task: '" + printable(text) + "' is not known" + core::choices(text, known));
}

Response list_runs(const Services& services, const Request& request) {
    const auto limit = limit_of(request, "limit", default_limit);
    if (!limit) return binding_problem(limit.error());
    const auto start = request.query.count("startIndex");
    if (!start) return binding_problem(start.error());
    const auto task = task_of(request);
    if (!task) return problem(task.error());
    tasks::RunFilter filter;
    filter.task = *task;
    filter.pod = request.query.text("pod");
    const auto state = to_lower(trim(request.query.text("state")));
    filter.waiting = state == "waiting";
    filter.with_waiting = state.empty();
    if (!state.empty() && !filter.waiting) {
        filter.state = tasks::parse_run_state(state);
        if (!filter.state) {
            return binding_problem("state", "state: '" + printable(state) +
                                                "' is not known; use waiting, running, cancelling, completed, failed, "
                                                "cancelled, aborted or yielded");
        }
    }
    filter.start_index = start->value_or(0);
    filter.limit = *limit;
    const auto page = services.ledger.runs(filter);
    if (!page) return problem(page.error());
    JsonWriter out(Spelling::camel);
    out.begin_object().name("Items").begin_array();
    for (const auto& run : page->items) write_run(out, run);
    out.end_array().field("Total", page->total).end_object();
    return json_answer(out.take());
}

Response one_run(const Services& services, const Request& request) {
    const auto id = path_id<core::RunId>(request, "runId");
    const auto run = services.ledger.find_run(id);
    if (!run) return problem(run.error());
    if (!*run) return problem({core::Errc::not_found, "There is no run " + id.str() + "."});
    JsonWriter out(Spelling::camel);
    write_run(out, **run);
    return json_answer(out.take());
}

Response list_skips(const Services& services, const Request& request) {
    const auto limit = limit_of(request, "limit", default_limit);
    if (!limit) return binding_problem(limit.error());
    const auto skips = services.ledger.skips(*limit);
    if (!skips) return problem(skips.error());
    JsonWriter out(Spelling::camel);
    out.begin_object().name("Items").begin_array();
    for (const auto& skip : *skips) {
        out.begin_object();
        out.field("Task", skip.task).field("Slot", core::to_iso8601(skip.slot)).field("Pod", skip.pod);
        out.field("At", core::to_iso8601(skip.at)).field("Reason", skip.reason).text_or_null("Holder", skip.holder);
        out.end_object();
    }
    out.end_array().end_object();
    return json_answer(out.take());
}

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

/// A required flag of a JSON body.
core::Result<bool> flag_of(const Request& request, std::string_view key) {
    const auto body = JsonBody::parse(request.body);
    if (!body) return tl::unexpected(body.error());
    const auto flag = body->boolean(key);
    if (!flag) return tl::unexpected(flag.error());
    if (!*flag) {
        const std::string name(key);
        return core::fail(core::Errc::invalid,
                          name + ": missing; send {\"" + name + "\": true} or {\"" + name + "\": false}");
    }
    return **flag;
}

Response enable(const Services& services, const Request& request) {
    const auto enabled = flag_of(request, "enabled");
    if (!enabled) return binding_problem(enabled.error());
    const auto done = services.tasks.set_enabled(request.param("key"), *enabled);
    return done ? no_content() : problem(done.error());
}

Response pause(const Services& services, const Request& request) {
    const auto paused = flag_of(request, "paused");
    if (!paused) return binding_problem(paused.error());
    const auto done = services.tasks.set_timers_paused(*paused);
    return done ? no_content() : problem(done.error());
}

}  // namespace

void add_run_routes(Router& router, const Services& services) {
    add_route(router, services, Method::get, "/cluster/runs", list_runs);
    add_route(router, services, Method::get, "/cluster/runs/{runId}", one_run);
    add_route(router, services, Method::get, "/cluster/skips", list_skips);
    add_route(router, services, Method::get, "/cluster/schedule", schedule);
    add_route(router, services, Method::post, "/cluster/tasks/{key}/enabled", enable);
    add_route(router, services, Method::post, "/cluster/timers", pause);
}

}  // namespace understudy::http
