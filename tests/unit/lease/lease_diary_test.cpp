#include "lease/lease_diary.h"

#include "machine_bench.h"

namespace understudy::lease {
namespace {

/// A machine whose every step goes into a diary.
struct Kept : MachineBench {
    LeaseDiary diary{"pod-a", 5min};
    std::vector<LeaseDiary::Line> lines;

    void step() {
        machine.observe(now);
        diary.take(now, machine, machine.take_notes());
        for (auto& line : diary.take_lines()) lines.push_back(std::move(line));
    }
    template <class What>
    void hear(const What& what) {
        exchange(what);
        step();
    }
    void silence(core::Nanos lasting, const LeaseNoAnswer& why) {
        const auto end = now.boot + lasting;
        while (now.boot < end) {
            const auto action = machine.next(now);
            if (action.kind == Kind::ask) {
                no_answer(machine.send(now), why);
            } else {
                advance(std::min(action.wait, end - now.boot));
            }
            step();
        }
    }
    std::size_t count(std::string_view part) {
        std::size_t n = 0;
        for (const auto& line : lines) n += line.message.find(part) != std::string::npos ? 1U : 0U;
        return n;
    }
};

TEST(LeaseDiary, an_idle_hour_writes_one_line) {
    Kept follower, leader;
    const auto end = follower.now.boot + 1h;
    for (int i = 0; follower.now.boot < end; ++i) follower.hear(held("b", 200, core::Millis{11'000 + i}));
    while (leader.now.boot < end) leader.hear(granted());
    ASSERT_EQ(follower.lines.size(), 1U);
    EXPECT_EQ(follower.lines[0].message, "this pod follows");
    EXPECT_EQ(follower.lines[0].fields.at(0), (std::pair<std::string, std::string>{"leader", "b"}));
    ASSERT_EQ(leader.lines.size(), 1U);
    EXPECT_EQ(leader.lines[0].message, "this pod leads the scheduled tasks");
}

TEST(LeaseDiary, who_takes_the_lead_says_from_whom_and_how_long_nobody_may_have_led) {
    Kept pod;
    pod.hear(held("pod-b"));  // 12 of 15 s are left: renewed 3 s ago
    pod.advance(14'200ms);
    pod.hear(granted());
    ASSERT_EQ(pod.lines.size(), 2U);
    const std::vector<std::pair<std::string, std::string>> said{
        {"term", "1"}, {"before", "pod-b"}, {"gap_up_to_seconds", "18"}};
    EXPECT_EQ(pod.lines[1].message, "this pod leads the scheduled tasks");
    EXPECT_EQ(pod.lines[1].fields, said);
}

TEST(LeaseDiary, a_longer_ttl_of_the_one_before_shortens_no_gap) {
    Kept pod;
    pod.hear(held("pod-b", 200, 60s));  // whose ttl is longer than ours
    pod.advance(14'200ms);
    pod.hear(granted());
    ASSERT_EQ(pod.lines.size(), 2U);
    EXPECT_EQ(pod.lines[1].fields.back(), (std::pair<std::string, std::string>{"gap_up_to_seconds", "15"}));
}

TEST(LeaseDiary, ten_minutes_of_outage_write_one_line_a_change_and_a_summary_in_five_minutes) {
    Kept pod;
    pod.hear(granted());
    pod.silence(10min + 30s, refused());
    pod.hear(held());
    // leads, outage, no longer leads, appoints itself, two summaries, answers again, follows
    EXPECT_EQ(pod.lines.size(), 8U);
    EXPECT_EQ(pod.count("no usable answer from the lease store"), 3U);
    EXPECT_EQ(pod.count("still no usable answer"), 2U);
    EXPECT_EQ(pod.count("appoints itself"), 1U);
    EXPECT_EQ(pod.count("answers again"), 1U);
}

TEST(LeaseDiary, one_lost_call_a_minute_is_not_worth_a_line) {
    Kept pod;
    pod.hear(granted());
    for (int i = 0; i < 60; ++i) {
        pod.hear(no_reply());
        for (int k = 0; k < 11; ++k) pod.hear(granted());
    }
    EXPECT_EQ(pod.lines.size(), 1U);
}

TEST(LeaseDiary, a_wrong_password_is_said_loudly_at_once_and_once) {
    Kept pod;
    const LeaseNoAnswer why{NoAnswer::misconfigured, false,
                            "WRONGPASS (Jellyfin:TranscodeStore:RedisConnectionString)"};
    pod.hear(why);
    ASSERT_EQ(pod.lines.size(), 1U);
    EXPECT_EQ(pod.lines[0].level, core::LogLevel::error);
    EXPECT_EQ(pod.lines[0].fields.at(1).second, why.detail);
    pod.silence(4min, why);
    EXPECT_EQ(pod.count("configured wrongly"), 1U);
}

TEST(LeaseDiary, a_store_that_comes_and_goes_is_told_of_once_in_five_minutes) {
    Kept pod;
    pod.hear(granted());
    for (int i = 0; i < 20; ++i) {
        for (int k = 0; k < 3; ++k) pod.hear(refused());
        pod.hear(granted());
    }
    EXPECT_EQ(pod.count("no usable answer"), 1U);
    EXPECT_EQ(pod.count("answers again"), 1U);
}

TEST(LeaseDiary, a_new_leader_is_a_change_worth_a_line) {
    Kept pod;
    pod.hear(held("b", 1));
    pod.hear(held("b", 1));
    pod.hear(held("c", 2));
    ASSERT_EQ(pod.lines.size(), 2U);
    EXPECT_EQ(pod.lines[1].message, "another pod leads the scheduled tasks now");
    EXPECT_EQ(pod.lines[1].fields.at(0).second, "c");
}

TEST(LeaseDiary, A2_a_living_twin_of_the_same_name_is_warned_of_once_a_dead_predecessor_is_not) {
    Kept predecessor;
    for (const core::Millis left : {14s, 10s, 6s, 2s}) predecessor.hear(held("pod-a", 1, left));
    predecessor.hear(granted());
    EXPECT_EQ(predecessor.count("uses this pod's name"), 0U);
    Kept twin;
    for (int i = 0; i < 100; ++i) twin.hear(held("pod-a", 1));
    EXPECT_EQ(twin.count("uses this pod's name"), 1U);
}

TEST(LeaseDiary, a_pause_and_a_stopped_store_clock_are_named) {
    Kept pod;
    pod.hear(granted());
    pod.now.real += 10s;
    pod.step();
    EXPECT_EQ(pod.count("suspected_pause"), 1U);
    Kept other;
    for (int i = 0; i < 10; ++i) other.hear(held("b", 1, 9s));
    EXPECT_EQ(other.count("clock stands still"), 1U);
}

}  // namespace
}  // namespace understudy::lease
