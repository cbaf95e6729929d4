#include "tasks/pace.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/manual_clock.h"

namespace understudy::tasks {
namespace {

using namespace std::chrono_literals;

class Pacing : public ::testing::Test {
protected:
    /// `rate` units each second for so long.
    void work(std::chrono::seconds for_so_long, double rate, const char* unit = "files", double total = 1000) {
        for (auto passed = 0s; passed < for_so_long; passed += 1s) {
            clock.advance(1s);
            done += rate;
            meter.note(clock.now(), unit, done, total);
        }
    }
    testing::ManualClock clock;
    PaceMeter meter;
    double done = 0;
};

TEST_F(Pacing, nobody_can_tell_at_first) {
    EXPECT_EQ(meter.pace(clock.now()), Pace{});
    meter.note(clock.now(), "files", 0, 100);
    EXPECT_EQ(meter.pace(clock.now()), (Pace{"files", 0, std::nullopt}));
    work(1s, 5);
    EXPECT_EQ(meter.pace(clock.now()).left, std::nullopt) << "a second is no measure";
}

TEST_F(Pacing, steady_work_has_a_rate_and_an_end) {
    meter.note(clock.now(), "files", 0, 1000);
    work(10s, 20);
    EXPECT_EQ(meter.pace(clock.now()), (Pace{"files", 20, core::Millis{40'000}}));
}

TEST_F(Pacing, looks_back_half_a_minute_and_no_further) {
    meter.note(clock.now(), "files", 0, 1000);
    work(60s, 1);
    work(31s, 10);
    EXPECT_NEAR(meter.pace(clock.now()).per_second, 10, 0.5);
    work(10s, 0);  // one long file: slower, not stopped
    const auto pace = meter.pace(clock.now());
    EXPECT_NEAR(pace.per_second, 6.7, 0.5);
    EXPECT_TRUE(pace.left);
}

TEST_F(Pacing, what_stands_still_has_no_end) {
    meter.note(clock.now(), "files", 0, 1000);
    work(5s, 1);
    work(60s, 0);
    EXPECT_EQ(meter.pace(clock.now()), (Pace{"files", 0, std::nullopt}));
}

TEST_F(Pacing, time_passes_while_nothing_is_said) {
    meter.note(clock.now(), "files", 0, 1000);
    work(10s, 20);
    clock.advance(10s);
    EXPECT_DOUBLE_EQ(meter.pace(clock.now()).per_second, 10);
}

TEST_F(Pacing, another_unit_is_another_piece_of_work) {
    work(10s, 20);
    done = 0;
    work(4s, 3, "MB", 15);
    EXPECT_EQ(meter.pace(clock.now()), (Pace{"MB", 3, core::Millis{1000}}));
}

TEST_F(Pacing, more_done_than_was_thought_is_the_end_and_no_number_is_no_news) {
    work(10s, 20, "files", 100);
    EXPECT_EQ(meter.pace(clock.now()).left, core::Millis{0});
    meter.note(clock.now(), "files", std::numeric_limits<double>::quiet_NaN(), 100);
    EXPECT_DOUBLE_EQ(meter.pace(clock.now()).per_second, 20);
}

}  // namespace
}  // namespace understudy::tasks
