// Bars that fit the terminal, whatever its width.
#include "app/cli/progress_bar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

namespace understudy::app {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const BarText half{"RefreshLibrary", 50, "on pod-1", "12 files/s, about 4 min left", "files 120"};

TEST(BarLine, shows_how_far_it_is) {
    const auto line = bar_line({"Task", 25, {}, {}, {}}, 60, {});
    EXPECT_EQ(line, "Task  [##########------------------------------]   25.0 %");
    EXPECT_EQ(bar_line({"Task", 250, {}, {}, {}}, 60, {}), "Task  [########################################]  100.0 %");
    EXPECT_THAT(bar_line({"Task", 50, {}, {}, {}}, 60, {.colour = false, .unicode = true}), HasSubstr("█░"));
}

TEST(BarLine, never_wraps_and_drops_the_least_important_first) {
    for (const bool unicode : {false, true}) {
        for (const bool colour : {false, true}) {
            for (std::size_t columns = 1; columns < 200; ++columns)
                EXPECT_LE(visible_width(bar_line(half, columns, {colour, unicode})), columns);
        }
    }
    EXPECT_THAT(bar_line(half, 150, {}), HasSubstr("files 120"));
    EXPECT_THAT(bar_line(half, 80, {}), Not(HasSubstr("files 120")));
    EXPECT_THAT(bar_line(half, 80, {}), HasSubstr("12 files/s, about 4 min left"));
    EXPECT_THAT(bar_line(half, 50, {}), HasSubstr("on pod-1"));
    EXPECT_THAT(bar_line(half, 40, {}), HasSubstr("[#"));
    EXPECT_EQ(bar_line(half, 30, {}), "RefreshLibrary   50.0 %") << "no room for a bar";
}

TEST(BarLine, has_colour_only_where_it_is_wanted) {
    EXPECT_THAT(bar_line(half, 100, {.colour = false, .unicode = false}), Not(HasSubstr("\x1b")));
    EXPECT_THAT(bar_line(half, 100, {.colour = true, .unicode = false}), HasSubstr("\x1b[32m"));
    ::setenv("NO_COLOR", "1", 1);
    ::setenv("LC_ALL", "C.UTF-8", 1);
    EXPECT_FALSE(BarStyle::of_environment().colour);
    EXPECT_TRUE(BarStyle::of_environment().unicode);
    ::unsetenv("NO_COLOR");
    ::setenv("LC_ALL", "C", 1);
    EXPECT_TRUE(BarStyle::of_environment().colour);
    EXPECT_FALSE(BarStyle::of_environment().unicode);
    ::unsetenv("LC_ALL");
}

TEST(BarLine, is_cut_by_code_points_with_its_colours_ended) {
    EXPECT_EQ(cut_to("äöü", 2), "äö");
    EXPECT_EQ(cut_to("\x1b[32mabc\x1b[0m", 2), "\x1b[32mab\x1b[0m");
    EXPECT_EQ(visible_width("\x1b[32mäb\x1b[0m"), 2U);
}

TEST(ProgressScreen, takes_back_all_its_lines) {
    std::ostringstream out;
    ProgressScreen screen(out, true);
    screen.show({"one", "two"}, 80);
    EXPECT_EQ(out.str(), "one\ntwo");
    screen.show({"three"}, 80);
    EXPECT_EQ(out.str(), "one\ntwo\x1b[1A\r\x1b[Jthree");
    screen.clear(80);
    screen.clear(80);
    EXPECT_EQ(out.str(), "one\ntwo\x1b[1A\r\x1b[Jthree\r\x1b[J");
}

TEST(ProgressScreen, knows_that_a_narrower_terminal_has_wrapped_them) {
    std::ostringstream out;
    ProgressScreen screen(out, true);
    screen.show({std::string(30, 'a'), "b"}, 80);
    const auto before = out.str().size();
    screen.clear(20);
    EXPECT_EQ(out.str().substr(before), "\x1b[2A\r\x1b[J") << "two rows and one";
}

TEST(ProgressScreen, says_nothing_where_there_is_no_terminal) {
    std::ostringstream out;
    ProgressScreen screen(out, false);
    screen.show({"one"}, 80);
    screen.clear(80);
    EXPECT_EQ(out.str(), "");
}

}  // namespace
}  // namespace understudy::app
