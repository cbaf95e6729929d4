// cluster/lead_history.h: who led when. Each pod keeps its own terms here as it goes; people read them. Port; adapter
// in database/. Never asked for a decision: that is the lease's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/result.h"
#include "core/time.h"

namespace understudy::cluster {

/// One term of one pod. All times are the database's clock.
struct Lead {
    std::string pod;  ///< label
    core::BootId boot;
    std::int64_t term = 0;  ///< counts the terms of this boot, from 1
    core::UtcTime began_at{};
    core::UtcTime seen_at{};                     ///< the pod's last word of it
    std::optional<core::UtcTime> ended_at = {};  ///< nullopt: it goes on, or the pod could not say that it ended
};

/// All calls block. Errors: unavailable, timed_out.
class LeadHistory {
public:
    virtual ~LeadHistory() = default;
    /// This pod leads, since `led_for`: writes the term or says that it goes on; an older one of the same boot that is
    /// open ends where this one began. True: it was not known yet.
    [[nodiscard]] virtual core::Result<bool> note(const std::string& pod, core::BootId boot, std::int64_t term,
                                                  core::Millis led_for) = 0;
    /// It no longer does. Of a term that is not known or has ended nothing changes.
    [[nodiscard]] virtual core::Result<void> end(core::BootId boot, std::int64_t term) = 0;
    /// The newest `limit` terms, the newest first.
    [[nodiscard]] virtual core::Result<std::vector<Lead>> newest(std::size_t limit) = 0;
};

}  // namespace understudy::cluster
