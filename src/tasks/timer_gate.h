// tasks/timer_gate.h: the gate of the timer-driven path. Used by ScheduledTaskWorker.
#pragma once

#include "lease/scan_leader_lease.h"

namespace understudy::tasks {

/// May a timer of this pod start a run? Manual runs never ask.
[[nodiscard]] constexpr bool timer_may_start(bool gated, lease::Standing standing) noexcept {
    return !gated || lease::may_start_gated(standing);
}

}  // namespace understudy::tasks
