#include "http/admin/metrics.h"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <limits>
#include <map>

#include "http/socket/hub.h"

namespace understudy::http {
namespace {

using Families = std::map<std::string, prometheus::MetricFamily>;
using Labels = std::vector<std::pair<std::string, std::string>>;

prometheus::ClientMetric& add_metric(Families& families, const std::string& name, const std::string& help,
                                     prometheus::MetricType type, const Labels& labels) {
    auto& family = families[name];
    family.name = name;
    family.help = help;
    family.type = type;
    auto& metric = family.metric.emplace_back();
    for (const auto& [key, value] : labels) metric.label.push_back({key, value});
    return metric;
}

void gauge(Families& families, const std::string& name, const std::string& help, double value,
           const Labels& labels = {}) {
    add_metric(families, name, help, prometheus::MetricType::Gauge, labels).gauge.value = value;
}

void counter(Families& families, const std::string& name, const std::string& help, double value,
             const Labels& labels = {}) {
    add_metric(families, name, help, prometheus::MetricType::Counter, labels).counter.value = value;
}

double number(const std::atomic<std::uint64_t>& value) {
    return static_cast<double>(value.load(std::memory_order_relaxed));
}

void add_lease(Families& families, const lease::LeaseView& view) {
    const auto standing = view.single ? std::string("single") : std::string(lease::to_string(view.standing));
    for (const char* name : {"leader", "follower", "self_appointed", "unknown", "single"}) {
        gauge(families, "understudy_lease_standing", "1 for this pod's standing in the election",
              standing == name ? 1 : 0, {{"standing", name}});
    }
    counter(families, "understudy_lease_terms_total", "Terms of leadership this pod has gained",
            static_cast<double>(view.term));
    gauge(families, "understudy_lease_outage", "1 while the lease's store gives no usable answer", view.outage ? 1 : 0);
    gauge(families, "understudy_lease_stands_back", "1 while this pod leaves the lead to one that sees more folders",
          view.stands_back.empty() ? 0 : 1);
    if (view.ttl_left) {
        gauge(families, "understudy_lease_ttl_left_seconds", "Remaining ttl of the lease by its last answer",
              std::chrono::duration<double>(*view.ttl_left).count());
    }
}

void add_tasks(Families& families, const Services& services) {
    const auto counters = services.tasks.counters();
    const auto each = [&](const std::string& name, const std::string& help,
                          const std::map<std::string, std::int64_t>& values, const Labels& more = {}) {
        for (const auto& [task, value] : values) {
            Labels labels{{"task", task}};
            labels.insert(labels.end(), more.begin(), more.end());
            counter(families, name, help, static_cast<double>(value), labels);
        }
    };
    const std::string ended = "understudy_task_runs_total", ended_help = "Runs that ended on this pod, by result";
    each("understudy_task_skipped_not_leader_total", "Due slots this pod left to the leader",
         counters.skipped_not_leader);
    each("understudy_task_claims_won_total", "Slots this pod claimed", counters.claims_won);
    each("understudy_task_claims_lost_total", "Slots another pod had claimed first", counters.claims_lost);
    each(ended, ended_help, counters.runs_completed, {{"result", "completed"}});
    each(ended, ended_help, counters.runs_failed, {{"result", "failed"}});
    each(ended, ended_help, counters.runs_cancelled, {{"result", "cancelled"}});
    each(ended, ended_help, counters.runs_yielded, {{"result", "yielded"}});
    each("understudy_task_takeovers_total", "Runs of dead pods that this pod went on with", counters.takeovers);
    each("understudy_task_fenced_total", "Writes refused because a newer epoch owns the task", counters.fenced);
    counter(families, "understudy_ledger_errors_total", "Calls to the run ledger without a usable answer",
            static_cast<double>(counters.ledger_errors));
    for (const auto& run : services.tasks.local_runs()) {
        gauge(families, "understudy_task_running", "Runs under way on this pod", 1, {{"task", run.task.task}});
        gauge(families, "understudy_task_progress_percent", "Progress of a run under way on this pod", run.progress,
              {{"task", run.task.task}});
    }
}

void add_http(Families& families, const HttpCounters& http) {
    for (std::size_t i = 1; i < http.by_class.size(); ++i) {
        counter(families, "understudy_http_responses_total", "Answers by class of status", number(http.by_class[i]),
                {{"class", std::to_string(i) + "xx"}});
    }
    auto& metric = add_metric(families, "understudy_http_request_duration_seconds", "Time from a request to its answer",
                              prometheus::MetricType::Histogram, {});
    std::uint64_t cumulative = 0;
    for (std::size_t i = 0; i < http.by_duration.size(); ++i) {
        cumulative += http.by_duration[i].load(std::memory_order_relaxed);
        prometheus::ClientMetric::Bucket bucket;
        bucket.cumulative_count = cumulative;
        bucket.upper_bound =
            i < HttpCounters::bounds.size() ? HttpCounters::bounds[i] : std::numeric_limits<double>::infinity();
        metric.histogram.bucket.push_back(bucket);
    }
    constexpr double nanos_a_second = 1e9;
    metric.histogram.sample_count = cumulative;
    metric.histogram.sample_sum = number(http.duration_ns) / nanos_a_second;
    for (std::size_t i = 0; i < credential_form_count; ++i) {
        const std::string form(to_string(static_cast<CredentialForm>(i)));
        counter(families, "understudy_http_credentials_total", "Accepted credentials by form",
                number(http.forms_used[i]), {{"form", form}});
        if (!is_legacy(static_cast<CredentialForm>(i))) continue;
        counter(families, "understudy_http_legacy_credentials_refused_total",
                "Legacy credentials refused because EnableLegacyAuthorization is off", number(http.forms_refused[i]),
                {{"form", form}});
    }
    counter(families, "understudy_http_legacy_prefix_total", "Requests below /emby or /mediabrowser",
            number(http.legacy_prefix_used));
    gauge(families, "understudy_http_connections", "Open connections",
          static_cast<double>(http.connections.load(std::memory_order_relaxed)));
    counter(families, "understudy_http_connections_refused_total", "Connections above the limit",
            number(http.connections_refused));
    counter(families, "understudy_http_overloaded_total", "Requests answered 503 because too much was under way",
            number(http.overloaded));
    counter(families, "understudy_http_timeouts_total", "Requests or answers that a client was too slow for",
            number(http.timed_out));
    counter(families, "understudy_http_malformed_total", "Requests that were no HTTP or too large",
            number(http.malformed));
}

}  // namespace

std::string metrics_text(const Services& services, const HttpCounters& counters,
                         const std::vector<const MetricSource*>& sources) {
    Families families;
    gauge(families, "understudy_build_info", "1, with the version", 1,
          {{"version", services.info.version}, {"jellyfin_version", services.info.jellyfin_version}});
    const auto view = services.lease.view();
    const auto health = services.health.report();
    gauge(families, "understudy_ready", "1 while this pod is ready", is_ready(health) ? 1 : 0);
    gauge(families, "understudy_degraded", "1 while this pod is ready but degraded",
          judge(health, view) == HealthVerdict::degraded ? 1 : 0);
    add_lease(families, view);
    add_tasks(families, services);
    add_http(families, counters);
    if (services.sockets != nullptr) {
        gauge(families, "understudy_event_sockets", "Event sockets open on this pod",
              static_cast<double>(services.sockets->open()));
    }
    std::vector<MetricSample> samples;
    for (const auto* source : sources) source->collect(samples);
    for (const auto& sample : samples) {
        if (sample.kind == MetricSample::Kind::counter) {
            counter(families, sample.name, sample.help, sample.value, sample.labels);
        } else {
            gauge(families, sample.name, sample.help, sample.value, sample.labels);
        }
    }
    std::vector<prometheus::MetricFamily> list;
    for (auto& [name, family] : families) list.push_back(std::move(family));
    return prometheus::TextSerializer().Serialize(list);
}

}  // namespace understudy::http
