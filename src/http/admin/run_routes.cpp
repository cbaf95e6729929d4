// /cluster/runs, /cluster/skips, /cluster/tasks/{key}/enabled, /cluster/timers.
#include "http/admin/run_json.h"
#include "http/admin/run_query.h"
#include "http/json_body.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

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
    add_route(router, services, Method::post, "/cluster/tasks/{key}/enabled", enable);
    add_route(router, services, Method::post, "/cluster/timers", pause);
}

}  // namespace understudy::http
