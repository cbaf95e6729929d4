// How fast a run comes on, and when a person is told.
#include "app/cli/progress_watch.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <cmath>

#include "app/cli/task_waiting.h"

namespace understudy::app {
namespace {

using namespace std::chrono_literals;
using Time = ProgressWatch::Time;

TEST(Pace, is_told_as_the_run_says) {
    const auto text = [](const char* run) { return pace_text(boost::json::parse(run)); };
    EXPECT_EQ(text(R"({"rate":{"unit":"s of media","perSecond":61.24},"leftMs":250000})"),
              "61 s of media/s, about 4 min left");
    EXPECT_EQ(text(R"({"rate":{"unit":"MB","perSecond":2.5},"leftMs":null})"), "2.5 MB/s");
    EXPECT_EQ(text(R"({"rate":{"unit":"files","perSecond":0},"leftMs":null})"), "") << "it stands: nothing to tell";
    EXPECT_EQ(text(R"({"rate":null,"leftMs":null})"), "");
    EXPECT_EQ(text("{}"), "") << "a pod of an older version";
}

TEST(ProgressWatch, says_nothing_before_it_knows_something) {
    ProgressWatch watch;
    EXPECT_EQ(watch.text(0s), "");
    watch.saw(0s, 0);
    watch.saw(4s, 10);
    EXPECT_EQ(watch.text(4s), "") << "too short to judge";
    watch.saw(6s, 10);
    EXPECT_NE(watch.text(6s), "");
    ProgressWatch stuck;
    for (int second = 0; second < 120; ++second) stuck.saw(Time{second * 1'000}, 40);
    EXPECT_EQ(stuck.text(120s), "") << "nothing moves";
}

TEST(ProgressWatch, tells_rate_and_time_left_of_even_progress) {
    ProgressWatch watch;
    for (int second = 0; second <= 120; ++second) watch.saw(Time{second * 1'000}, second / 6.0);  // 10 % a minute
    EXPECT_NEAR(*watch.percent_a_minute(), 10.0, 0.01);
    EXPECT_EQ(watch.text(120s), "10 %/min, about 8 min left");
    EXPECT_EQ(watch.text(240s), "10 %/min, about 6 min left") << "it runs down with the clock";
    EXPECT_EQ(watch.left(10h), Time{0});
}

TEST(ProgressWatch, does_not_jump_where_progress_comes_in_jerks) {
    ProgressWatch watch;
    Time last{};
    for (int second = 0; second <= 300; ++second) {
        const double percent = std::floor(second / 20.0) * 2;  // a large file each 20 s: 6 % a minute
        watch.saw(Time{second * 1'000}, percent);
        const auto left = watch.left(Time{second * 1'000});
        if (second > 100) {
            ASSERT_TRUE(left) << second;
            EXPECT_LT(std::abs((*left - last).count()), 25'000) << second << ": it jumped";
        }
        if (left) last = *left;
    }
    EXPECT_NEAR(static_cast<double>(last.count()), 70.0 / 6 * 60'000, 120'000);
}

TEST(ProgressWatch, begins_anew_where_progress_falls_back) {
    ProgressWatch watch;
    for (int second = 0; second <= 60; ++second) watch.saw(Time{second * 1'000}, second);
    watch.saw(61s, 20);
    EXPECT_EQ(watch.text(61s), "");
    for (int second = 62; second <= 122; ++second) watch.saw(Time{second * 1'000}, 20 + (second - 61) / 30.0);
    EXPECT_NEAR(*watch.percent_a_minute(), 2.0, 0.1);
}

TEST(ProgressWatch, speaks_roughly) {
    struct Row {
        Time duration;
        const char* text;
    };
    const Row rows[] = {{0s, "less than a minute"},  {59s, "less than a minute"}, {61s, "about 1 min"},
                        {239s, "about 4 min"},       {59min, "about 59 min"},     {60min, "about 1 h"},
                        {66min, "about 1 h 10 min"}, {118min, "about 2 h"},       {26h, "about 26 h"}};
    for (const auto& row : rows) EXPECT_EQ(rough_duration(row.duration), row.text);
}

TEST(LinePace, lets_a_line_through_after_ten_seconds_and_each_half_minute) {
    LinePace pace;
    std::vector<int> due;
    for (int second = 0; second < 80; ++second) {
        if (pace.due(Time{second * 1'000})) due.push_back(second);
    }
    EXPECT_EQ(due, (std::vector<int>{10, 40, 70}));
}

}  // namespace
}  // namespace understudy::app
