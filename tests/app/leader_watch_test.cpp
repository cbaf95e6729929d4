// Who leads, told once a change.
#include "app/cli/leader_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace understudy::app {
namespace {

using namespace std::chrono_literals;
using core::UtcTime;
using Kind = LeaderChange::Kind;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr auto start = core::from_unix_ms(1'800'000'000'000);

LeaderLook leads(const char* pod, std::int64_t term, UtcTime since) {
    LeaderLook look;
    look.answered = true;
    look.pod = pod;
    look.standing = "leader";
    look.holder = pod;
    look.term = term;
    look.since = since;
    look.ttl_left = 15s;
    return look;
}
LeaderLook follows(const char* pod, const char* holder, core::Millis ttl_left) {
    auto look = leads(pod, 0, start);
    look.standing = "follower";
    look.holder = holder;
    look.ttl_left = ttl_left;
    return look;
}
LeaderLook says(const char* standing) {
    LeaderLook look;
    look.answered = true;
    look.pod = "pod-1";
    look.standing = standing;
    return look;
}

TEST(LeaderWatch, tells_the_first_leader_and_then_only_changes) {
    LeaderWatch watch;
    const auto first = watch.saw(start, {leads("pod-1", 3, start - 60s), follows("pod-2", "pod-1", 9s)});
    ASSERT_THAT(first, SizeIs(1));
    EXPECT_EQ(first[0].kind, Kind::leads);
    EXPECT_EQ(first[0].pod, "pod-1");
    EXPECT_EQ(first[0].term, 3);
    EXPECT_FALSE(first[0].gap) << "nobody led before";
    for (int second = 1; second < 30; ++second)
        EXPECT_THAT(watch.saw(start + 1s * second, {leads("pod-1", 3, start - 60s)}), IsEmpty());
}

TEST(LeaderWatch, counts_the_gap_from_when_the_dead_leader_was_last_known_to_lead) {
    LeaderWatch watch;
    (void)watch.saw(start, {leads("pod-1", 1, start - 60s), follows("pod-2", "pod-1", 14s)});
    // pod-1 is killed; the others believe in it until its lease runs out.
    for (int second = 1; second < 15; ++second) {
        const auto left = core::Millis{14s} - 1s * second;
        EXPECT_THAT(watch.saw(start + 1s * second, {LeaderLook{}, follows("pod-2", "pod-1", left)}), IsEmpty());
    }
    const auto next = watch.saw(start + 16s, {LeaderLook{}, leads("pod-2", 1, start + 15'200ms)});
    ASSERT_THAT(next, SizeIs(1));
    EXPECT_EQ(next[0].pod, "pod-2");
    EXPECT_EQ(next[0].before, "pod-1");
    EXPECT_EQ(next[0].gap, 15'200ms);
    EXPECT_THAT(line_of(next[0]), HasSubstr("pod-2 leads, its term 1, since "));
    EXPECT_THAT(line_of(next[0]), HasSubstr("; 15 s after pod-1 was last known to"));
}

TEST(LeaderWatch, knows_a_leader_that_does_not_answer_by_its_last_renewal) {
    LeaderWatch watch;
    (void)watch.saw(start, {follows("pod-2", "pod-1", 15s)});
    (void)watch.saw(start + 5s, {follows("pod-2", "pod-1", 15s)});  // renewed
    for (int second = 6; second < 20; ++second)
        (void)watch.saw(start + 1s * second, {follows("pod-2", "pod-1", core::Millis{20s} - 1s * second)});
    const auto next = watch.saw(start + 21s, {follows("pod-2", "pod-3", 14s)});
    ASSERT_THAT(next, SizeIs(1));
    EXPECT_EQ(next[0].gap, 16s) << "since second 5, when it last renewed";
    EXPECT_FALSE(next[0].term) << "pod-3 itself was not asked";
}

TEST(LeaderWatch, a_new_term_of_the_same_pod_is_a_change) {
    LeaderWatch watch;
    (void)watch.saw(start, {leads("pod-1", 1, start)});
    const auto again = watch.saw(start + 10s, {leads("pod-1", 2, start + 9s)});
    ASSERT_THAT(again, SizeIs(1));
    EXPECT_EQ(again[0].term, 2);
    EXPECT_EQ(again[0].gap, 9s);
}

TEST(LeaderWatch, a_leader_that_is_silent_for_a_look_is_no_change) {
    LeaderWatch watch;
    (void)watch.saw(start, {leads("pod-1", 4, start), follows("pod-2", "pod-1", 9s)});
    EXPECT_THAT(watch.saw(start + 1s, {LeaderLook{}, follows("pod-2", "pod-1", 9s)}), IsEmpty());
    EXPECT_THAT(watch.saw(start + 2s, {leads("pod-1", 4, start), follows("pod-2", "pod-1", 9s)}), IsEmpty());
}

TEST(LeaderWatch, tells_an_outage_its_end_and_that_no_server_answers) {
    LeaderWatch watch;
    (void)watch.saw(start, {leads("pod-1", 1, start)});
    auto look = says("self_appointed");
    look.outage = LeaderLook::Outage{start + 2s, "unreachable", "connection refused"};
    const auto out = watch.saw(start + 20s, {look});
    ASSERT_THAT(out, SizeIs(2));
    EXPECT_EQ(out[0].kind, Kind::outage);
    EXPECT_EQ(out[0].since, start + 2s);
    EXPECT_EQ(out[1].kind, Kind::each_for_itself);
    EXPECT_THAT(watch.saw(start + 21s, {look}), IsEmpty());
    const auto gone = watch.saw(start + 22s, {LeaderLook{}});
    ASSERT_THAT(gone, SizeIs(1)) << "an outage does not end because nobody speaks of it";
    EXPECT_EQ(gone[0].kind, Kind::no_answer);
    const auto back = watch.saw(start + 62s, {leads("pod-1", 2, start + 61s)});
    ASSERT_THAT(back, SizeIs(2));
    EXPECT_EQ(back[0].kind, Kind::outage_over);
    EXPECT_EQ(back[0].lasted, 60s);
    EXPECT_EQ(back[1].kind, Kind::leads);
    EXPECT_EQ(back[1].gap, 61s);
    EXPECT_THAT(json_of(back[1]), HasSubstr(R"("event":"leads","pod":"pod-1","term":2)"));
    EXPECT_THAT(json_of(back[1]), HasSubstr(R"("gapMs":61000,"before":"pod-1")"));
}

TEST(LeaderWatch, of_two_that_say_they_lead_the_later_term_counts) {
    LeaderWatch watch;
    const auto seen = watch.saw(start, {leads("pod-1", 1, start - 60s), leads("pod-2", 1, start - 1s)});
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_EQ(seen[0].pod, "pod-2");
}

TEST(LeaderWatch, shows_names_without_obeying_them) {
    LeaderChange change;
    change.kind = Kind::leads;
    change.pod = "pod\x1b[31m";
    EXPECT_THAT(line_of(change), HasSubstr("pod\\x1b[31m leads"));
}

}  // namespace
}  // namespace understudy::app
