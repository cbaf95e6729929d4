// /ScheduledTasks: Jellyfin's five operations on tasks.
#include <utility>

#include "http/jellyfin/dto/task_dto.h"
#include "http/json_writer.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

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
    JsonWriter out(request.spelling);
    write_tasks(out, std::move(*views));
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
