// http/request_rates.h: how much somebody may ask for: an address without a token that is known, a user who sends
// commands. Used by the dispatcher and by handlers.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "core/time.h"

namespace understudy::http {

/// A bucket for each of them: full of a minute's worth at first, filled evenly. Of this pod alone, in memory. Safe from
/// any thread; never blocks for long.
class RequestRates {
public:
    /// `per_minute`: 0: no limit. `clock` outlives it.
    RequestRates(std::uint32_t per_minute, core::Clock& clock) : per_minute_(per_minute), clock_(clock) {}

    /// `cost` (at most `per_minute`, else it is never allowed) of `who`: an address (see address_group) or a user.
    /// False: too much; it has cost nothing.
    [[nodiscard]] bool take(const std::string& who, std::uint32_t cost = 1);
    /// Seconds until an empty bucket has `cost` again, at least 1.
    [[nodiscard]] std::uint32_t retry_after_s(std::uint32_t cost = 1) const noexcept;

private:
    struct Bucket {
        double left = 0;
        core::Instant at{};
    };
    const std::uint32_t per_minute_;
    core::Clock& clock_;
    std::mutex mutex_;
    std::map<std::string, Bucket> buckets_;
};

}  // namespace understudy::http
