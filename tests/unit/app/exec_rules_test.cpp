// Names, durations, numbers, patience and exit codes of `understudy exec`.
#include "app/exec/exec_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

namespace understudy::app {
namespace {

using namespace std::chrono_literals;
using core::Millis;
using lease::Standing;
using ::testing::HasSubstr;

TEST(ExecDuration, is_read_with_its_unit) {
    const std::pair<const char*, Millis> rows[] = {{"30s", 30s},     {"30", 30s},  {"1.5s", 1500ms},
                                                   {"500ms", 500ms}, {"2m", 2min}, {"2min", 2min},
                                                   {"1h", 1h},       {"0", 0s},    {"8760h", 8760h}};
    for (const auto& [text, duration] : rows) {
        const auto parsed = parse_duration(text);
        ASSERT_TRUE(parsed) << text;
        EXPECT_EQ(*parsed, duration) << text;
    }
    for (const auto* text : {"", "s", "-1s", "1d", "1 s", ".", "1.2.3s", "1e9", "8761h", "30sec", "NaN"})
        EXPECT_FALSE(parse_duration(text)) << text;
}

TEST(ExecKey, cannot_meet_the_scan_leaders) {
    EXPECT_EQ(*exec_lease_key("jellyfin:scan-leader", "nightly"), "jellyfin:scan-leader:exec:nightly");
    EXPECT_NE(*exec_lease_key("a", "nightly"), *exec_lease_key("b", "nightly")) << "clusters that share a store";
    for (const auto* name : {"", "a b", "a:b", "a{b}", "\xc3\xa4", "a/b"})
        EXPECT_FALSE(exec_lease_key("k", name)) << name;
    EXPECT_FALSE(exec_lease_key("k", std::string(101, 'a')));
    EXPECT_TRUE(exec_lease_key("k", std::string(100, 'a')));
}

TEST(ExecLease, is_renewed_twice_before_the_command_would_be_told_to_stop) {
    for (const auto ttl : {Millis{3s}, Millis{5s}, Millis{15s}, Millis{30s}, Millis{5min}, Millis{24h}}) {
        const auto kill_after = default_kill_after(ttl);
        const auto settings = exec_lease_settings(ttl, kill_after);
        ASSERT_TRUE(settings) << ttl.count() << ": " << settings.error().context;
        EXPECT_TRUE(settings->validate());
        const auto usable = settings->trust_window() - kill_after;
        EXPECT_LT(settings->renew_every * 6 / 5 + 2 * settings->call_timeout, usable);
        EXPECT_EQ(settings->outage_hold_down, 24h) << "nobody appoints himself";
    }
    EXPECT_EQ(default_kill_after(30s), 10s);
    EXPECT_EQ(default_kill_after(3s), 1s);
}

TEST(ExecLease, a_grace_that_does_not_fit_is_refused_with_one_that_does) {
    const auto refused = exec_lease_settings(30s, 25s);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().context, HasSubstr("--kill-after must be at most 21.2s where --ttl is 30s"));
    EXPECT_TRUE(exec_lease_settings(30s, 21'200ms));
    EXPECT_FALSE(exec_lease_settings(30s, 21'300ms));
    EXPECT_FALSE(exec_lease_settings(2'999ms, 0s));
    EXPECT_FALSE(exec_lease_settings(25h, 0s));
}

lease::LeaseView view_of(Standing standing) {
    lease::LeaseView view;
    view.standing = standing;
    return view;
}
lease::LeaseView silent(Standing standing) {
    auto view = view_of(standing);
    view.outage = lease::LeaseView::Outage{};
    return view;
}
lease::LeaseView young_store() {
    auto view = view_of(Standing::unknown);
    view.waits_until = core::UtcTime{};
    return view;
}

TEST(ExecWait, goes_on_as_the_rule_says) {
    const WaitRule forever{std::nullopt, 5s}, none{0s, 5s}, minute{1min, 5s};
    struct Row {
        const char* why;
        lease::LeaseView view;
        WaitRule rule;
        core::Nanos waited;
        WaitVerdict want;
    };
    const Row rows[] = {
        {"held", view_of(Standing::leader), none, 0s, WaitVerdict::hold},
        {"another has it, and nobody waits", view_of(Standing::follower), none, 0s, WaitVerdict::held_elsewhere},
        {"another has it, for now", view_of(Standing::follower), minute, 59s, WaitVerdict::wait},
        {"another has it all the time", view_of(Standing::follower), minute, 1min, WaitVerdict::held_elsewhere},
        {"for ever", view_of(Standing::follower), forever, 24h, WaitVerdict::wait},
        {"nothing heard yet", view_of(Standing::unknown), none, 4s, WaitVerdict::wait},
        {"nothing heard at all", view_of(Standing::unknown), none, 5s, WaitVerdict::no_store},
        {"it answered once, and is silent since", silent(Standing::follower), minute, 1min, WaitVerdict::no_store},
        {"a store that may have forgotten a holder", young_store(), none, 0s, WaitVerdict::held_elsewhere},
        {"an outage is never a lease", silent(Standing::self_appointed), forever, 1h, WaitVerdict::wait},
        {"nor after the longest wait", silent(Standing::self_appointed), minute, 1h, WaitVerdict::no_store},
    };
    for (const auto& row : rows) EXPECT_EQ(judge_wait(row.view, row.waited, row.rule), row.want) << row.why;
}

TEST(ExecExit, is_the_commands_own_unless_it_was_stopped_for_the_lease) {
    const auto exited = [](int code) { return code << 8; };
    EXPECT_EQ(exit_code_of(exited(0), false), 0);
    EXPECT_EQ(exit_code_of(exited(7), false), 7);
    EXPECT_EQ(exit_code_of(SIGTERM, false), 143);
    EXPECT_EQ(exit_code_of(exited(0), true), 79) << "nobody can say that it was whole";
    EXPECT_EQ(exit_code_of(SIGKILL, true), 79);
}

}  // namespace
}  // namespace understudy::app
