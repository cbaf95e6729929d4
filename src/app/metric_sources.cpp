#include "app/metric_sources.h"

namespace understudy::app {
namespace {

void add(std::vector<http::MetricSample>& out, std::string name, std::string help, std::uint64_t value,
         std::vector<std::pair<std::string, std::string>> labels = {}) {
    out.push_back({std::move(name), std::move(help), http::MetricSample::Kind::counter, std::move(labels),
                   static_cast<double>(value)});
}

}  // namespace

void LeaseMetrics::collect(std::vector<http::MetricSample>& out) const {
    const auto counters = lease_.counters();
    add(out, "understudy_lease_calls_total", "requests sent to the lease store", counters.calls);
    add(out, "understudy_lease_grants_total", "acquires and renewals granted in time", counters.grants);
    add(out, "understudy_lease_late_grants_total", "grants that came too late to be trusted", counters.late_grants);
    for (const auto reason : {lease::NoAnswer::unreachable, lease::NoAnswer::transient, lease::NoAnswer::redirect,
                              lease::NoAnswer::misconfigured}) {
        add(out, "understudy_lease_failures_total", "tries without a usable answer", counters.failures_of(reason),
            {{"class", std::string(lease::to_string(reason))}});
    }
    add(out, "understudy_lease_store_clock_anomalies_total", "steps of the lease store's clock",
        counters.store_clock_anomalies);
    add(out, "understudy_lease_suspected_pauses_total", "times this machine stood still for longer than the margin",
        counters.suspected_pauses);
}

void WorkerPoolMetrics::collect(std::vector<http::MetricSample>& out) const {
    const auto counts = pool_.counts();
    const auto name = [this](const char* what) { return "understudy_" + kind_ + "_" + what + "_total"; };
    add(out, name("workers_spawned"), "worker processes started", counts.spawned);
    add(out, name("workers_killed"), "worker processes killed: hung, cancelled or speaking nonsense", counts.killed);
    add(out, name("workers_crashed"), "worker processes that ended with a file in hand", counts.crashed);
    add(out, name(kind_ == "media" ? "files_probed" : "files_analysed"), "files with a result from a worker",
        counts.probed);
}

}  // namespace understudy::app
