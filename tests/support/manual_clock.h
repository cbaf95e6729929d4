// tests/support/manual_clock.h: time that moves only when a test says so.
#pragma once

#include <condition_variable>
#include <mutex>
#include <set>

#include "core/time.h"

namespace understudy::testing {

/// Safe from any thread: waits in other threads wake when the time is advanced past their end.
class ManualClock final : public core::Clock {
public:
    explicit ManualClock(core::Instant start = {std::chrono::hours{1}, std::chrono::hours{24 * 365 * 55}})
        : now_(start) {}

    [[nodiscard]] core::Instant now() const noexcept override {
        const std::lock_guard lock(mutex_);
        return now_;
    }
    /// Both clocks go on.
    void advance(core::Nanos by) {
        {
            const std::lock_guard lock(mutex_);
            now_ = core::after(now_, by);
        }
        moved_.notify_all();
        wake_waiters();
    }
    /// Real time alone steps: an operator or NTP, or (forwards) a machine that was stopped.
    void step_real(core::Nanos by) {
        {
            const std::lock_guard lock(mutex_);
            now_.real += by;
        }
        wake_waiters();
    }
    bool wait_for(std::unique_lock<std::mutex>& lock, std::condition_variable& wake, core::Nanos at_most,
                  const std::function<bool()>& done) override {
        const auto end = now().boot + at_most;
        {
            const std::lock_guard own(mutex_);
            waiters_.insert({&wake, lock.mutex()});
        }
        waiting_.notify_all();
        wake.wait(lock, [&] { return done() || now().boot >= end; });
        {
            const std::lock_guard own(mutex_);
            waiters_.erase(waiters_.find({&wake, lock.mutex()}));
        }
        return done();
    }
    /// Blocks until `count` threads wait on this clock: then nobody is between a look and a wait.
    void await_waiters(std::size_t count) {
        std::unique_lock lock(mutex_);
        waiting_.wait(lock, [&] { return waiters_.size() >= count; });
    }

private:
    void wake_waiters() {
        std::multiset<std::pair<std::condition_variable*, std::mutex*>> waiters;
        {
            const std::lock_guard lock(mutex_);
            waiters = waiters_;
        }
        for (const auto& [wake, mutex] : waiters) {
            { const std::lock_guard lock(*mutex); }  // a waiter is either asleep or will see the new time
            wake->notify_all();
        }
    }

    mutable std::mutex mutex_;
    std::condition_variable moved_, waiting_;
    std::multiset<std::pair<std::condition_variable*, std::mutex*>> waiters_;
    core::Instant now_;
};

}  // namespace understudy::testing
