#include "library/segments/edl.h"

#include <gtest/gtest.h>

#include <random>

namespace understudy::library::segments {
namespace {

using namespace std::chrono_literals;

Segment cut(core::Millis start, core::Millis end) {
    return {SegmentKind::commercial, start, end};
}

TEST(Edl, cuts_and_commercial_breaks_are_commercials) {
    const auto list = parse_edl("5.3   7.1    0\n15 16.7 1\n420 822 3\n255.3 2\n1.5\t3\t2\n", 0);
    const std::vector<Segment> wanted{cut(5300ms, 7100ms), cut(420s, 822s)};
    EXPECT_EQ(list.segments, wanted);
    EXPECT_EQ(list.not_skipped, 3u);
    EXPECT_TRUE(list.faults.empty());
}

TEST(Edl, times_come_as_seconds_clocks_and_frames) {
    const auto list = parse_edl(
        "\xEF\xBB\xBF## made by hand\r\n0:05.3 00:00:07.1 0\r\n#100 #250 0 // frames\r\n\r\n1:02:03.5 1:03:00 "
        "3\r\n90:00 91:30 3",
        25);
    EXPECT_TRUE(list.faults.empty());
    const std::vector<Segment> wanted{cut(5300ms, 7100ms), cut(4s, 10s), cut(3723'500ms, 3780s), cut(5400s, 5490s)};
    EXPECT_EQ(list.segments, wanted);
}

TEST(Edl, a_bad_line_has_a_reason_and_the_others_stand) {
    const auto list = parse_edl(
        "10 20 0\nten 20 0\n30 25 0\n40 40 3\n50 60 7\n70 80\n#10 #20 0\n1 2 3 4\n-5 10 0\n1:75:00 2:00:00 0\nnan inf "
        "0\n1e9 2e9 0\n99999999 99999999.5 0\n90 95 3\n",
        0);
    const std::vector<Segment> wanted{cut(10s, 20s), cut(90s, 95s)};
    EXPECT_EQ(list.segments, wanted);
    ASSERT_EQ(list.faults.size(), 12u);
    EXPECT_EQ(list.faults[0].line, 2u);
    EXPECT_EQ(list.faults[0].reason, "\"ten\" is no time (63.2, 1:03.2 and #1580 are)");
    EXPECT_EQ(list.faults[1].reason, "it ends before it begins");
    EXPECT_EQ(list.faults[3].reason,
              "action \"7\" is none of 0 (cut), 1 (mute), 2 (scene marker), 3 (commercial break)");
    EXPECT_EQ(list.faults[5].reason, "frame number \"#10\" in a file whose frame rate is not known");
    EXPECT_EQ(list.faults[11].line, 13u);
}

TEST(Edl, any_bytes_are_read_within_bounds) {
    std::mt19937 engine(9);
    constexpr std::string_view letters = "0123456789.:# \t\n\r-e/\xFF";
    for (int round = 0; round < 5000; ++round) {
        std::string text;
        for (std::size_t i = engine() % 200; i > 0; --i) text += letters[engine() % letters.size()];
        for (const auto& segment : parse_edl(text, 25).segments) {
            EXPECT_LT(segment.start, segment.end);
            EXPECT_GE(segment.start.count(), 0);
        }
    }
    std::string endless;
    for (int i = 0; i < 100'000; ++i) endless += "x\n";
    EXPECT_EQ(parse_edl(endless, 0).faults.size(), 1000u);
}

}  // namespace
}  // namespace understudy::library::segments
