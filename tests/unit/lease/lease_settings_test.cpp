#include "lease/lease_settings.h"

#include <gtest/gtest.h>

#include <functional>

#include "lease/scan_leader_lease.h"

namespace understudy::lease {
namespace {

using namespace std::chrono_literals;

TEST(LeaseSettings, the_defaults_of_fifteen_seconds_are_those_of_the_struct) {
    const auto made = LeaseSettings::for_ttl(15s);
    const LeaseSettings plain;
    EXPECT_EQ(made.renew_every, plain.renew_every);
    EXPECT_EQ(made.call_timeout, plain.call_timeout);
    EXPECT_EQ(made.safety_margin, plain.safety_margin);
    EXPECT_EQ(made.outage_hold_down, plain.outage_hold_down);
    EXPECT_EQ(plain.trust_window(), 13'200ms);
}

TEST(LeaseSettings, defaults_hang_on_the_ttl_and_are_valid_over_its_whole_range) {
    const auto small = LeaseSettings::for_ttl(3s);
    EXPECT_EQ(small.renew_every, 1s);
    EXPECT_EQ(small.call_timeout, 400ms);
    EXPECT_EQ(small.safety_margin, 300ms);
    for (const core::Millis ttl : {3000ms, 3001ms, 4500ms, 15'000ms, 60'000ms, 86'400'000ms}) {
        SCOPED_TRACE(ttl.count());
        EXPECT_TRUE(LeaseSettings::for_ttl(ttl).validate());
    }
}

TEST(LeaseSettings, refuses_what_cannot_work_and_names_the_setting_the_value_and_the_way_out) {
    struct Row {
        const char* why;
        std::function<void(LeaseSettings&)> spoil;
        const char* setting;
        const char* value;
    };
    const Row rows[] = {
        {"too short", [](auto& s) { s = LeaseSettings::for_ttl(2999ms); }, "LeaseDurationSeconds", "2.999"},
        {"too long", [](auto& s) { s = LeaseSettings::for_ttl(24h + 1ms); }, "LeaseDurationSeconds", "86400"},
        {"renews too often", [](auto& s) { s.renew_every = 99ms; }, "RenewIntervalSeconds", "0.099"},
        {"a call longer than the interval", [](auto& s) { s.call_timeout = 5s; }, "CallTimeoutMilliseconds", "5000"},
        {"no time for a call", [](auto& s) { s.call_timeout = 0ms; }, "CallTimeoutMilliseconds", "0"},
        {"negative margin", [](auto& s) { s.safety_margin = -1ms; }, "SafetyMarginMilliseconds", "-1"},
        {"negative hold-down", [](auto& s) { s.outage_hold_down = -1ms; }, "OutageHoldDownSeconds", "-0.001"},
        {"B5: the lease is only 1.5 renewals long", [](auto& s) { s.renew_every = 10s; }, "LeaseDurationSeconds", "15"},
        {"exactly no room left",
         [](auto& s) {
             s.renew_every = 7'667ms;
             s.call_timeout = 2s;
         },
         "LeaseDurationSeconds", "15"},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.why);
        LeaseSettings settings;
        row.spoil(settings);
        const auto verdict = settings.validate();
        ASSERT_FALSE(verdict);
        EXPECT_EQ(verdict.error().code, core::Errc::invalid);
        EXPECT_NE(verdict.error().context.find(std::string("Jellyfin:ScanLeader:") + row.setting), std::string::npos)
            << verdict.error().context;
        EXPECT_NE(verdict.error().context.find(row.value), std::string::npos) << verdict.error().context;
        EXPECT_EQ(verdict.error().context.find('\n'), std::string::npos);
    }
}

TEST(LeaseSettings, the_edge_of_the_rule_is_where_the_page_puts_it) {
    LeaseSettings settings;
    settings.renew_every = 7'660ms;  // 1.2 x 7.66 + 4 = 13.192 < 13.2
    EXPECT_TRUE(settings.validate());
    settings.renew_every = 7'670ms;  // 13.204
    EXPECT_FALSE(settings.validate());
}

TEST(Words, are_those_of_the_api) {
    EXPECT_EQ(to_string(Standing::leader), "leader");
    EXPECT_EQ(to_string(Standing::follower), "follower");
    EXPECT_EQ(to_string(Standing::self_appointed), "self_appointed");
    EXPECT_EQ(to_string(Standing::unknown), "unknown");
    EXPECT_EQ(to_string(NoAnswer::unreachable), "unreachable");
    EXPECT_EQ(to_string(NoAnswer::transient), "transient");
    EXPECT_EQ(to_string(NoAnswer::redirect), "redirect");
    EXPECT_EQ(to_string(NoAnswer::misconfigured), "misconfigured");
}

}  // namespace
}  // namespace understudy::lease
