#include "core/time.h"

#include <gtest/gtest.h>

#include <thread>

#include "support/manual_clock.h"

namespace understudy::core {
namespace {

TEST(Elapsed, is_the_larger_of_both_clocks_and_never_shrinks_with_real_time) {
    const Instant start{10s, 1000s};
    EXPECT_EQ(elapsed(start, {12s, 1002s}), 2s);
    EXPECT_EQ(elapsed(start, {10s, 1090s}), 90s) << "the machine was stopped: boot time stood still";
    EXPECT_EQ(elapsed(start, {15s, 900s}), 5s) << "real time stepped back";
}

TEST(UtcTime, prints_and_reads_iso_8601) {
    const auto at = from_unix_ms(1'796'029'200'123);
    EXPECT_EQ(to_iso8601(at), "2026-11-30T09:00:00.123Z");
    EXPECT_EQ(from_iso8601("2026-11-30T09:00:00.123Z"), at);
    EXPECT_EQ(from_iso8601("2026-11-30T09:00:00.1239999Z"), at);
    EXPECT_EQ(from_iso8601("2026-11-30T09:00:00Z"), from_unix_ms(1'796'029'200'000));
}

TEST(UtcTime, refuses_what_is_no_time) {
    for (const auto* text : {"", "2026-11-30", "2026-02-30T00:00:00Z", "2026-11-30T24:00:00Z", "2026-11-30T09:00:00.Z",
                             "2026-11-30T09:00:00.12x Z", "2026-11-30T09:00:00+01"}) {
        EXPECT_FALSE(from_iso8601(text)) << text;
    }
}

TEST(ManualClock, wakes_a_waiter_when_its_time_has_come) {
    testing::ManualClock clock;
    std::mutex mutex;
    std::condition_variable wake;
    bool timed_out = false;
    std::jthread waiter([&] {
        std::unique_lock lock(mutex);
        timed_out = !clock.wait_for(lock, wake, 5s, [] { return false; });
    });
    clock.await_waiters(1);
    clock.advance(5s);
    waiter.join();
    EXPECT_TRUE(timed_out);
}

}  // namespace
}  // namespace understudy::core
