#include "lease/store_watch.h"

#include <gtest/gtest.h>

#include "machine_bench.h"

namespace understudy::lease {
namespace {

core::Instant at(core::Nanos time) {
    return {time, 1000h + time};
}
constexpr core::Nanos margin = 1500ms;

TEST(StoreClockWatch, says_nothing_of_a_clock_that_goes_as_ours_does) {
    StoreClockWatch watch;
    for (int i = 0; i < 100; ++i) {
        EXPECT_FALSE(watch.stepped(at(i * 5s), at(i * 5s + 2s), core::UtcTime{i * 5s + 1s}, margin, 0.01));
    }
}

TEST(StoreClockWatch, sees_steps_in_both_directions_beyond_the_margin) {
    for (const auto step : {core::Millis{1600}, core::Millis{-1600}, core::Millis{3'600'000}}) {
        StoreClockWatch watch;
        EXPECT_FALSE(watch.stepped(at(0s), at(0s), core::UtcTime{100s}, margin, 0));
        EXPECT_TRUE(watch.stepped(at(5s), at(5s), core::UtcTime{105s} + step, margin, 0)) << step.count();
        EXPECT_FALSE(watch.stepped(at(10s), at(10s), core::UtcTime{110s} + step, margin, 0)) << "said once";
    }
    StoreClockWatch watch;
    EXPECT_FALSE(watch.stepped(at(0s), at(0s), core::UtcTime{100s}, margin, 0));
    EXPECT_FALSE(watch.stepped(at(5s), at(5s), core::UtcTime{106s}, margin, 0));
}

TEST(StoreClockWatch, blames_neither_slow_answers_nor_drift_nor_a_step_of_our_own_clock) {
    StoreClockWatch slow;
    EXPECT_FALSE(slow.stepped(at(0s), at(10s), core::UtcTime{100s}, margin, 0));
    EXPECT_FALSE(slow.stepped(at(11s), at(20s), core::UtcTime{119s}, margin, 0));
    StoreClockWatch drifting;
    EXPECT_FALSE(drifting.stepped(at(0s), at(0s), core::UtcTime{0s}, margin, 0.01));
    EXPECT_FALSE(drifting.stepped(at(1h), at(1h), core::UtcTime{3635s}, margin, 0.01));
    StoreClockWatch ours;
    EXPECT_FALSE(ours.stepped(at(0s), at(0s), core::UtcTime{0s}, margin, 0));
    const core::Instant stepped{5s, 1000h + 5s + 1h};
    EXPECT_FALSE(ours.stepped(stepped, stepped, core::UtcTime{5s}, margin, 0));
    StoreClockWatch stopped;  // a stopped virtual machine: real time is the right one
    EXPECT_FALSE(stopped.stepped(at(0s), at(0s), core::UtcTime{0s}, margin, 0));
    EXPECT_FALSE(stopped.stepped(stepped, stepped, core::UtcTime{5s + 1h}, margin, 0));
}

TEST(FrozenTtlWatch, wants_three_equal_looks_over_the_whole_span) {
    FrozenTtlWatch watch;
    watch.see(at(0s), token_of(1), 8s);
    watch.see(at(20s), token_of(1), 8s);
    EXPECT_FALSE(watch.frozen(15s));
    watch.see(at(21s), token_of(1), 8s);
    EXPECT_TRUE(watch.frozen(15s));
    watch.see(at(22s), token_of(2), 8s);
    EXPECT_FALSE(watch.frozen(15s)) << "another holder";
    for (int i = 0; i < 5; ++i) watch.see(at(23s + i * 1s), token_of(2), 8s);
    EXPECT_FALSE(watch.frozen(15s)) << "too short";
}

}  // namespace
}  // namespace understudy::lease
