// /health, /health/live, /health/ready and /metrics: open, from memory, answered while starting and stopping too.
#include "http/admin/metrics.h"
#include "http/json_writer.h"
#include "http/routes.h"

namespace understudy::http {
namespace {

/// Probes must see the moment, not a cache.
Response fresh(Response response) {
    response.with("Cache-Control", "no-store");
    return response;
}

Response ready_answer(const Services& services) {
    const auto health = services.health.report();
    const auto lease = services.lease.view();
    const bool ready = is_ready(health);
    JsonWriter out(Spelling::camel);
    out.begin_object();
    out.field("Ready", ready);
    out.field("Status", to_string(judge(health, lease)));
    out.field("Phase", to_string(health.phase));
    out.text_or_null("Detail", health.phase_detail);
    out.field("Product", "Understudy").field("Version", services.info.version).field("Pod", services.info.pod);
    out.field("BaseUrl", services.info.base_url);
    out.name("Database").begin_object();
    out.field("Reachable", health.database_reachable).field("Migrated", health.database_migrated);
    out.text_or_null("Detail", health.database_detail).end_object();
    out.name("Lease").begin_object();
    out.field("Standing", lease.single ? std::string_view("single") : lease::to_string(lease.standing));
    out.field("Provider", lease.provider);
    out.text_or_null("Outage", lease.outage ? lease.outage->detail : std::string());
    out.end_object();
    out.name("Degraded").begin_array();
    for (const auto& each : degradations(health, lease)) {
        out.begin_object().field("Component", each.component).field("Reason", each.reason).end_object();
    }
    out.end_array();
    out.name("Notes").begin_array();
    for (const auto& each : notes(services.tasks.timers_paused(), lease)) {
        out.begin_object().field("Component", each.component).field("Reason", each.reason).end_object();
    }
    out.end_array().end_object();
    auto response = json_answer(out.take(), ready ? 200 : 503);
    if (!ready) response.with("Retry-After", "5");
    return fresh(std::move(response));
}

Response health_answer(const Services& services) {
    const auto lease = services.lease.view();
    const auto verdict = judge(services.health.report(), lease);
    auto response = text_answer(verdict == HealthVerdict::unhealthy ? 503 : 200, std::string(to_string(verdict)));
    // The body is one word that probes compare; what is no fault goes beside it.
    for (const auto& each : notes(services.tasks.timers_paused(), lease))
        response.with("X-Understudy-Note", each.component + ": " + each.reason);
    return fresh(std::move(response));
}

}  // namespace

void add_health_routes(Router& router, const Services& services, const HttpCounters& counters,
                       const std::vector<const MetricSource*>& sources) {
    const auto add = [&](const char* path, std::function<Response(const Request&)> handler) {
        Route route;
        route.path = path;
        route.access = Access::open;
        route.handler = std::move(handler);
        route.where = Where::inline_;
        route.while_starting = true;
        router.add(std::move(route));
    };
    add("/health", [&services](const Request&) { return health_answer(services); });
    add("/health/live", [](const Request&) { return fresh(text_answer(200, "Alive")); });
    add("/health/ready", [&services](const Request&) { return ready_answer(services); });
    add("/metrics", [&services, &counters, &sources](const Request&) {
        Response response;
        response.content_type = "text/plain; version=0.0.4; charset=utf-8";
        response.body = metrics_text(services, counters, sources);
        return response;
    });
}

}  // namespace understudy::http
