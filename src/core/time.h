// core/time.h: the clocks, injected. Two facts make up "now": time since boot (goes on while the machine sleeps) and
// real time (goes on while a virtual machine is stopped). Trust in a lease runs out by whichever moved further.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace understudy::core {

using namespace std::chrono_literals;
using Nanos = std::chrono::nanoseconds;
using Millis = std::chrono::milliseconds;

/// A moment as this machine's clocks saw it. Compare through elapsed() and after(), never the parts alone.
struct Instant {
    Nanos boot{};  ///< CLOCK_BOOTTIME
    Nanos real{};  ///< CLOCK_REALTIME since 1970

    friend bool operator==(const Instant&, const Instant&) = default;
};

/// max(Δ boot time, max(0, Δ real time)): steady_clock stands still while a machine sleeps, boot time while it is
/// stopped.
[[nodiscard]] constexpr Nanos elapsed(const Instant& from, const Instant& to) noexcept {
    return std::max(to.boot - from.boot, std::max(Nanos{0}, to.real - from.real));
}

/// `by` later on both clocks.
[[nodiscard]] constexpr Instant after(Instant at, Nanos by) noexcept {
    return {at.boot + by, at.real + by};
}

/// UTC to the millisecond: what databases store and people read.
using UtcTime = std::chrono::sys_time<Millis>;

[[nodiscard]] constexpr std::int64_t to_unix_ms(UtcTime at) noexcept {
    return at.time_since_epoch().count();
}
[[nodiscard]] constexpr UtcTime from_unix_ms(std::int64_t ms) noexcept {
    return UtcTime{Millis{ms}};
}
/// `2026-11-30T10:19:20.123Z`
[[nodiscard]] std::string to_iso8601(UtcTime at);
/// Accepts what to_iso8601 prints, with any number of fractional digits (cut to milliseconds) or none.
[[nodiscard]] std::optional<UtcTime> from_iso8601(std::string_view text);

class Clock {
public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual Instant now() const noexcept = 0;
    [[nodiscard]] UtcTime utc_now() const noexcept { return UtcTime{std::chrono::duration_cast<Millis>(now().real)}; }
    /// Waits with `lock` held on entry and exit until `done()` is true or `at_most` has passed (boot time); a notify of
    /// `wake` makes it look again. Returns done(). ManualClock wakes it when its time is advanced far enough.
    virtual bool wait_for(std::unique_lock<std::mutex>& lock, std::condition_variable& wake, Nanos at_most,
                          const std::function<bool()>& done) = 0;
};

class SystemClock final : public Clock {
public:
    [[nodiscard]] Instant now() const noexcept override;
    bool wait_for(std::unique_lock<std::mutex>& lock, std::condition_variable& wake, Nanos at_most,
                  const std::function<bool()>& done) override;
};

}  // namespace understudy::core
