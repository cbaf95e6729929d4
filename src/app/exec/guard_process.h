// app/exec/guard_process.h: what runs in the guard process, and the words that it and exec exchange over a socket pair.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/time.h"

namespace understudy::app {

/// One datagram; behind a `start` follow the variables, each ended by a zero byte.
struct GuardOrder {
    enum class Kind : std::int32_t { start, trust, pass_on, stop };
    Kind kind{};
    std::int32_t signal = 0;
    std::int64_t boot_ns = 0, real_ns = 0, left_ns = 0;
};
struct GuardWord {
    std::int32_t kind = 0;  ///< GuardReport::Kind
    std::int32_t number = 0;
    std::int32_t stopped_for_the_lease = 0;
};

/// Returns when the command and all that it started are gone, or at once where the channel closes before the start.
void run_guard(int channel, std::vector<std::string> command, core::Millis kill_after, mode_t mask);

}  // namespace understudy::app
