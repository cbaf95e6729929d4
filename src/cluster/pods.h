// cluster/pods.h: who else is there. Port; adapters in database/ and local/. Used by tasks, http/admin, app.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/result.h"
#include "core/time.h"

namespace understudy::cluster {

struct PodInfo {
    std::string label;  ///< for people; may repeat (then said loudly)
    core::BootId boot;
    std::string version;           ///< of the binary
    core::UtcTime started_at{};    ///< database clock at registration
    core::UtcTime heartbeat_at{};  ///< database clock
    std::string standing;          ///< `leader`, `follower`, …, `single`
    /// Facts that must agree between pods: `zone`, `tzdata`, `dead_after_ms`, `gated_tasks`. A difference is said
    /// loudly.
    std::map<std::string, std::string> facts;
    std::map<std::string, bool> roots;  ///< library root (path bytes) -> seen by this pod
};

class PodRegistry {
public:
    virtual ~PodRegistry() = default;
    /// Writes this pod's row (insert or update by boot id). Returns the database's now. Blocks. Errors: unavailable,
    /// timed_out.
    [[nodiscard]] virtual core::Result<core::UtcTime> heartbeat(const PodInfo& self) = 0;
    /// All pods heard from within `within`, newest heartbeat first; older rows are removed after a day.
    [[nodiscard]] virtual core::Result<std::vector<PodInfo>> pods(core::Millis within) = 0;
    /// At a clean exit.
    [[nodiscard]] virtual core::Result<void> leave(core::BootId boot) = 0;
};

}  // namespace understudy::cluster
