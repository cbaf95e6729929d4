#include "http/admin/health.h"

namespace understudy::http {

std::string_view to_string(HealthReport::Phase phase) noexcept {
    switch (phase) {
        case HealthReport::Phase::starting:
            return "starting";
        case HealthReport::Phase::ready:
            return "ready";
        case HealthReport::Phase::stopping:
            return "stopping";
    }
    return "starting";
}

std::string_view to_string(HealthVerdict verdict) noexcept {
    switch (verdict) {
        case HealthVerdict::healthy:
            return "Healthy";
        case HealthVerdict::degraded:
            return "Degraded";
        case HealthVerdict::unhealthy:
            return "Unhealthy";
    }
    return "Unhealthy";
}

bool is_ready(const HealthReport& report) noexcept {
    return report.phase == HealthReport::Phase::ready && report.database_reachable && report.database_migrated;
}

namespace {

std::string waits_words(core::UtcTime until) {
    return "nobody leads yet: the lease store has just started and may have forgotten who leads, so only that "
           "leader may take the lease before " +
           core::to_iso8601(until);
}

}  // namespace

std::vector<HealthReport::Degradation> degradations(const HealthReport& report, const lease::LeaseView& lease) {
    auto all = report.degradations;
    if (lease.outage) {
        const auto component = lease.provider.empty() ? std::string("lease") : lease.provider;
        all.push_back({component, std::string(lease::to_string(lease.outage->reason)) + ": " + lease.outage->detail});
    } else if (!lease.single && lease.standing == lease::Standing::self_appointed) {
        all.push_back({"lease", lease.waits_until
                                    ? waits_words(*lease.waits_until) + "; until then this pod scans on its own"
                                    : "no usable answer for so long that this pod scans on its own"});
    }
    if (lease.alarm) all.push_back({"lease", *lease.alarm});
    return all;
}

std::vector<HealthReport::Degradation> notes(std::optional<bool> timers_paused, const lease::LeaseView& lease) {
    std::vector<HealthReport::Degradation> all;
    if (timers_paused.value_or(false)) {
        all.push_back({"timers",
                       "all timers are paused by an administrator: nothing starts by itself on any pod until "
                       "`understudy tasks resume` (POST /cluster/timers)"});
    }
    if (lease.abstains_until) {
        all.push_back({"lease", "this pod has resigned and leaves the lead to the other pods until " +
                                    core::to_iso8601(*lease.abstains_until)});
    }
    if (!lease.stands_back.empty())
        all.push_back({"lease", lease.stands_back + "; it leads only where no pod that sees more does"});
    if (lease.waits_until && lease.standing != lease::Standing::self_appointed)
        all.push_back({"lease", waits_words(*lease.waits_until)});
    return all;
}

HealthVerdict judge(const HealthReport& report, const lease::LeaseView& lease) {
    if (!is_ready(report)) return HealthVerdict::unhealthy;
    return degradations(report, lease).empty() ? HealthVerdict::healthy : HealthVerdict::degraded;
}

}  // namespace understudy::http
