// When a command that runs under a lease is told to stop, and when it must be gone.
#include "app/exec/stop_plan.h"

#include <gtest/gtest.h>

#include "support/manual_clock.h"

namespace understudy::app {
namespace {

using namespace std::chrono_literals;
using Step = StopPlan::Step;
using testing::ManualClock;

TEST(StopPlan, tells_it_to_stop_so_early_that_it_is_dead_before_trust_ends) {
    ManualClock clock;
    StopPlan plan(10s);
    plan.trust(clock.now(), 28s);
    EXPECT_EQ(plan.next(clock.now()), Step::none);
    EXPECT_EQ(plan.wait(clock.now()), 18s);
    clock.advance(17'999ms);
    EXPECT_EQ(plan.next(clock.now()), Step::none);
    clock.advance(1ms);
    EXPECT_EQ(plan.next(clock.now()), Step::terminate);
    EXPECT_EQ(plan.next(clock.now()), Step::none);
    EXPECT_EQ(plan.wait(clock.now()), 10s);
    clock.advance(9'999ms);
    EXPECT_EQ(plan.next(clock.now()), Step::none);
    clock.advance(1ms);
    EXPECT_EQ(plan.next(clock.now()), Step::kill) << "28 s after the proof";
    EXPECT_EQ(plan.next(clock.now()), Step::none);
}

TEST(StopPlan, each_proof_moves_the_end_and_none_shortens_it) {
    ManualClock clock;
    StopPlan plan(1s);
    plan.trust(clock.now(), 10s);
    clock.advance(8s);
    plan.trust(clock.now(), 10s);
    plan.trust(clock.now(), 3s);
    EXPECT_EQ(plan.wait(clock.now()), 9s);
    clock.advance(8s);
    EXPECT_EQ(plan.next(clock.now()), Step::none);
}

TEST(StopPlan, a_lease_that_is_lost_stops_it_at_once_and_kills_it_after_the_grace) {
    ManualClock clock;
    StopPlan plan(2s);
    plan.trust(clock.now(), 60s);
    plan.stop(clock.now());
    EXPECT_EQ(plan.wait(clock.now()), 0s);
    EXPECT_EQ(plan.next(clock.now()), Step::terminate);
    clock.advance(1'999ms);
    EXPECT_EQ(plan.next(clock.now()), Step::none);
    clock.advance(1ms);
    EXPECT_EQ(plan.next(clock.now()), Step::kill);
}

TEST(StopPlan, the_grace_ends_where_trust_ends) {
    ManualClock clock;
    StopPlan plan(10s);
    plan.trust(clock.now(), 13s);
    clock.advance(2s);
    plan.stop(clock.now());
    EXPECT_EQ(plan.next(clock.now()), Step::terminate);
    clock.advance(10s);
    EXPECT_EQ(plan.next(clock.now()), Step::kill);

    ManualClock late;
    StopPlan other(10s);
    other.trust(late.now(), 12s);
    late.advance(11s);  // this process stood still
    EXPECT_EQ(other.next(late.now()), Step::terminate);
    EXPECT_EQ(other.wait(late.now()), 1s);
    late.advance(1s);
    EXPECT_EQ(other.next(late.now()), Step::kill);
}

TEST(StopPlan, a_machine_that_stood_still_kills_at_once) {
    ManualClock clock;
    StopPlan plan(10s);
    plan.trust(clock.now(), 28s);
    clock.step_real(1h);  // boot time stood still with it
    EXPECT_EQ(plan.next(clock.now()), Step::terminate);
    EXPECT_EQ(plan.next(clock.now()), Step::kill);
}

TEST(StopPlan, a_proof_that_comes_after_the_order_to_stop_changes_nothing_but_the_last_moment) {
    ManualClock clock;
    StopPlan plan(2s);
    plan.trust(clock.now(), 10s);
    clock.advance(8s);
    EXPECT_EQ(plan.next(clock.now()), Step::terminate);
    plan.trust(clock.now(), 10s);
    EXPECT_TRUE(plan.stopping());
    clock.advance(2s);
    EXPECT_EQ(plan.next(clock.now()), Step::kill);
}

TEST(StopPlan, without_any_proof_nothing_may_run) {
    ManualClock clock;
    StopPlan plan(10s);
    EXPECT_EQ(plan.next(clock.now()), Step::terminate);
    EXPECT_EQ(plan.next(clock.now()), Step::kill);
}

}  // namespace
}  // namespace understudy::app
