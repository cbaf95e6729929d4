#include "lease/lease_settings.h"

#include <algorithm>

#include <fmt/format.h>

namespace understudy::lease {
namespace {

using core::Millis;
using namespace std::chrono_literals;

std::string seconds(Millis value) {
    return fmt::format("{:g}", static_cast<double>(value.count()) / 1000.0);
}

auto refuse(std::string_view setting, std::string_view value, const std::string& allowed) {
    return core::fail(core::Errc::invalid, fmt::format("Jellyfin:ScanLeader:{} = {}: {}", setting, value, allowed));
}

}  // namespace

LeaseSettings LeaseSettings::for_ttl(Millis ttl) {
    LeaseSettings settings;
    settings.ttl = ttl;
    settings.renew_every = ttl / 3;
    settings.call_timeout = std::min<Millis>(2s, ttl * 2 / 15);
    settings.safety_margin = std::min<Millis>(1500ms, ttl / 10);
    settings.outage_hold_down = ttl;
    return settings;
}

Millis LeaseSettings::trust_window() const noexcept {
    const auto slow = static_cast<double>(ttl.count()) * (1.0 - 2.0 * clock_drift);
    return Millis{static_cast<Millis::rep>(slow)} - safety_margin;
}

core::Result<void> LeaseSettings::validate() const {
    if (ttl < 3s || ttl > 24h) {
        return refuse("LeaseDurationSeconds", seconds(ttl), "a lease lasts 3 seconds to 24 hours (86400)");
    }
    if (renew_every < 100ms) {
        return refuse("RenewIntervalSeconds", seconds(renew_every), "at least 0.1 seconds lie between two renewals");
    }
    if (call_timeout <= 0ms || call_timeout >= renew_every) {
        return refuse("CallTimeoutMilliseconds", fmt::format("{}", call_timeout.count()),
                      fmt::format("more than 0 and less than RenewIntervalSeconds ({})", seconds(renew_every)));
    }
    if (safety_margin < 0ms) {
        return refuse("SafetyMarginMilliseconds", fmt::format("{}", safety_margin.count()), "not negative");
    }
    if (outage_hold_down < 0ms || outage_hold_down > 24h) {
        return refuse("OutageHoldDownSeconds", seconds(outage_hold_down), "0 to 24 hours (86400)");
    }
    // A late renewal and two calls that hang must fit into the time a grant is trusted: the first slow call is then no
    // reason to step down.
    const auto needed = renew_every * 6 / 5 + 2 * call_timeout;
    if (needed >= trust_window()) {
        return refuse("LeaseDurationSeconds", seconds(ttl),
                      fmt::format("too short for the others: 1.2 x RenewIntervalSeconds ({}) + 2 x "
                                  "CallTimeoutMilliseconds ({}) is {} s, and must be less than {} s, which is 98 % of "
                                  "the lease less SafetyMarginMilliseconds ({})",
                                  seconds(renew_every), call_timeout.count(), seconds(needed), seconds(trust_window()),
                                  safety_margin.count()));
    }
    return {};
}

}  // namespace understudy::lease
