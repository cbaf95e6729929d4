#include "tasks/beat_watch.h"

#include <gtest/gtest.h>

#include "support/manual_clock.h"

namespace understudy::tasks {
namespace {

using testing::ManualClock;
using namespace std::chrono_literals;

RunRow live(std::uint8_t id, std::int64_t beat, std::int64_t epoch = 1) {
    RunRow row;
    row.id = core::RunId(core::IdBytes{id});
    row.beat = beat;
    row.epoch = epoch;
    return row;
}

class BeatWatchTest : public ::testing::Test {
protected:
    void look(core::Nanos after, std::vector<RunRow> rows) {
        clock.advance(after);
        watch.saw(clock.now(), rows);
    }
    bool dead() { return watch.dead(live(1, 0).id); }

    ManualClock clock;
    BeatWatch watch{45s, 20s};
};

TEST_F(BeatWatchTest, a_beat_unmoved_for_the_whole_time_is_dead) {
    look(0s, {live(1, 7)});
    for (int i = 0; i < 4; ++i) look(11s, {live(1, 7)});
    EXPECT_FALSE(dead());
    EXPECT_EQ(watch.next_death(clock.now()), core::Nanos{1s});
    look(1s, {live(1, 7)});
    EXPECT_TRUE(dead());
    EXPECT_EQ(watch.next_death(clock.now()), std::nullopt);
}

TEST_F(BeatWatchTest, any_move_begins_anew) {
    look(0s, {live(1, 7)});
    for (int i = 0; i < 4; ++i) look(11s, {live(1, 7)});
    look(5s, {live(1, 8)});
    EXPECT_FALSE(dead());
    for (int i = 0; i < 4; ++i) look(11s, {live(1, 8)});
    EXPECT_FALSE(dead());
}

TEST_F(BeatWatchTest, a_database_that_was_away_makes_nobody_dead) {
    look(0s, {live(1, 7)});
    for (int i = 0; i < 4; ++i) look(11s, {live(1, 7)});
    watch.missed();
    look(11s, {live(1, 7)});
    EXPECT_FALSE(dead());
}

TEST_F(BeatWatchTest, a_pod_that_was_stopped_itself_knows_nothing_of_the_time_between) {
    look(0s, {live(1, 7)});
    look(60s, {live(1, 7)});
    EXPECT_FALSE(dead());
}

TEST_F(BeatWatchTest, a_step_of_the_real_clock_makes_nobody_dead) {
    look(0s, {live(1, 7)});
    clock.step_real(5min);
    look(1s, {live(1, 7)});
    EXPECT_FALSE(dead());
}

TEST_F(BeatWatchTest, watches_each_run_for_itself) {
    look(0s, {live(1, 7), live(2, 7)});
    for (int i = 0; i < 5; ++i) look(10s, {live(1, 7), live(2, 8 + i)});
    EXPECT_TRUE(dead());
    EXPECT_FALSE(watch.dead(live(2, 0).id));
    EXPECT_FALSE(watch.dead(live(3, 0).id));
}

}  // namespace
}  // namespace understudy::tasks
