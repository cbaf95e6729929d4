// http/admin/health.h: how this process is, as app knows it: port and the verdicts drawn from it. Used by the health
// handlers and by the dispatcher (503 while starting).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lease/scan_leader_lease.h"

namespace understudy::http {

struct HealthReport {
    enum class Phase { starting, ready, stopping };
    Phase phase = Phase::starting;
    std::string phase_detail;  ///< `waiting for the database`, `migrating 3 of 7`; empty when ready
    bool database_reachable = false;
    bool database_migrated = false;
    std::string database_detail;  ///< why not; never a secret
    struct Degradation {
        std::string component;  ///< `redis`, `media`, `zone`, …
        std::string reason;
    };
    std::vector<Degradation> degradations;  ///< besides the lease's, which the handlers ask themselves
};
[[nodiscard]] std::string_view to_string(HealthReport::Phase phase) noexcept;

/// Safe from any thread; answers from memory and never blocks: probes come while the database hangs.
class HealthSource {
public:
    virtual ~HealthSource() = default;
    [[nodiscard]] virtual HealthReport report() const = 0;
};

/// What keeps work from starting though nothing is wrong, for people who wonder: no degradation.
[[nodiscard]] std::vector<HealthReport::Degradation> notes(std::optional<bool> timers_paused,
                                                           const lease::LeaseView& lease);

/// Healthy, Degraded (still ready) or Unhealthy.
enum class HealthVerdict { healthy, degraded, unhealthy };
[[nodiscard]] std::string_view to_string(HealthVerdict verdict) noexcept;

/// Database reachable and migrated, neither starting nor stopping. Redis never decides this.
[[nodiscard]] bool is_ready(const HealthReport& report) noexcept;
/// The report with the lease's outage added.
[[nodiscard]] std::vector<HealthReport::Degradation> degradations(const HealthReport& report,
                                                                  const lease::LeaseView& lease);
[[nodiscard]] HealthVerdict judge(const HealthReport& report, const lease::LeaseView& lease);

}  // namespace understudy::http
