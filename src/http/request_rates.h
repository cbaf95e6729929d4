// http/request_rates.h: how often an address may ask without a token that is known. Used by the dispatcher.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "core/time.h"

namespace understudy::http {

/// A bucket for each address: full of a minute's worth at first, filled evenly. Of this pod alone, in memory. Safe from
/// any thread; never blocks for long.
class RequestRates {
public:
    /// `per_minute`: 0: no limit. `clock` outlives it.
    RequestRates(std::uint32_t per_minute, core::Clock& clock) : per_minute_(per_minute), clock_(clock) {}

    /// One request of `address` (see address_group). False: too many; it has cost nothing.
    [[nodiscard]] bool take(const std::string& address);
    /// Seconds until one more is allowed, at least 1.
    [[nodiscard]] std::uint32_t retry_after_s() const noexcept;

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
