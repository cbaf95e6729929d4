// tasks/schedule.h: pure arithmetic from triggers to the next slot. Used by the ledger inside its
// transactions and by GET /cluster/schedule.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/time.h"
#include "tasks/trigger.h"
#include "tasks/zones/zone.h"

namespace understudy::tasks {

/// What the next slot of a task hangs on.
struct ScheduleFacts {
    core::UtcTime now{};                    ///< the database's clock
    core::UtcTime cluster_started{};        ///< when the cluster first started
    std::optional<core::UtcTime> last_end;  ///< of the last completed, failed or cancelled run
    std::optional<core::UtcTime> after;     ///< latest slot already claimed: daily and weekly slots lie after it
    bool misfire_skip = false;              ///< missed daily and weekly slots are dropped, else the latest runs once
};

struct NextSlot {
    core::UtcTime at{};
    std::size_t trigger = 0;  ///< index into the triggers
    friend bool operator==(const NextSlot&, const NextSlot&) = default;
};

/// The earliest slot over all triggers (start-up triggers have none); ties go to the first trigger. May lie in the
/// past: then it is due at once, once. Daily and weekly: at most one slot a trigger and local date; a wall time that
/// does not exist fires at the first instant after the gap, one that occurs twice at its first occurrence.
[[nodiscard]] std::optional<NextSlot> next_slot(std::span<const Trigger> triggers, const ScheduleFacts& facts,
                                                const Zone& zone);
/// The next `count` slots after `facts.now`, for people; intervals assume that each run ends as it starts.
[[nodiscard]] std::vector<NextSlot> upcoming(std::span<const Trigger> triggers, const ScheduleFacts& facts,
                                             const Zone& zone, std::size_t count);

}  // namespace understudy::tasks
