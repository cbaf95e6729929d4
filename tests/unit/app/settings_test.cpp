#include "app/config/settings.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace understudy::app {
namespace {

using core::Millis;

CheckedSettings check(std::vector<std::pair<std::string, std::string>> command_line, MachineFacts machine = {}) {
    ConfigInput input;
    input.command_line = std::move(command_line);
    return check_settings(read_sources(input), machine);
}

std::string all_faults(const CheckedSettings& checked) {
    std::string text;
    for (const auto& fault : checked.faults) text += fault.line() + "\n";
    return text;
}

TEST(Settings, without_any_are_a_single_instance_on_sqlite) {
    const auto checked = check({{"Jellyfin:DataDir", "/tmp/d"}});
    EXPECT_EQ(all_faults(checked), "");
    EXPECT_FALSE(checked.settings.database.postgresql);
    EXPECT_EQ(checked.settings.database.connection, "/tmp/d/understudy.db");
    EXPECT_EQ(checked.settings.scan_leader.provider, LeaseProvider::none);
    EXPECT_TRUE(checked.settings.scan_leader.gated.empty());
    EXPECT_EQ(checked.settings.http.port, 8096);
}

TEST(Settings, election_on_takes_redis_where_its_connection_string_is_set) {
    const auto checked =
        check({{"Jellyfin:ScanLeader:Enabled", "True"}, {"Jellyfin:TranscodeStore:RedisConnectionString", "r:6379"}});
    EXPECT_EQ(all_faults(checked), "");
    EXPECT_EQ(checked.settings.scan_leader.provider, LeaseProvider::redis);
    EXPECT_EQ(checked.settings.scan_leader.gated.size(), 9U);
    EXPECT_EQ(checked.settings.scan_leader.lease.ttl, Millis{15'000});
    EXPECT_EQ(checked.settings.scan_leader.lease.renew_every, Millis{5'000});
    EXPECT_EQ(checked.settings.scan_leader.lease.call_timeout, Millis{2'000});
}

TEST(Settings, lease_defaults_follow_the_ttl_and_seconds_may_be_fractions) {
    const auto checked = check({{"Jellyfin:ScanLeader:LeaseDurationSeconds", "4.5"},
                                {"Jellyfin:ScanLeader:RenewIntervalSeconds", "0.5"},
                                {"Jellyfin:ScanLeader:CallTimeoutMilliseconds", "300"}});
    EXPECT_EQ(all_faults(checked), "");
    EXPECT_EQ(checked.settings.scan_leader.lease.ttl, Millis{4'500});
    EXPECT_EQ(checked.settings.scan_leader.lease.renew_every, Millis{500});
    EXPECT_EQ(checked.settings.scan_leader.lease.safety_margin, Millis{450});
}

TEST(Settings, refuse_a_lease_that_leaves_no_time_for_two_tries) {
    const auto checked =
        check({{"Jellyfin:ScanLeader:LeaseDurationSeconds", "15"}, {"Jellyfin:ScanLeader:RenewIntervalSeconds", "10"}});
    EXPECT_NE(all_faults(checked).find("Jellyfin:ScanLeader"), std::string::npos);
}

TEST(Settings, a_gated_key_outside_the_catalogue_is_named_with_the_nearest) {
    const auto checked = check({{"Jellyfin:ScanLeader:GatedTaskKeys", "RefreshLibary,RefreshPeople"}});
    EXPECT_NE(all_faults(checked).find("did you mean RefreshLibrary?"), std::string::npos) << all_faults(checked);
}

TEST(Settings, redis_as_provider_needs_a_connection_string) {
    const auto checked = check({{"Jellyfin:ScanLeader:Enabled", "true"}, {"Jellyfin:ScanLeader:Provider", "redis"}});
    EXPECT_NE(all_faults(checked).find("RedisConnectionString"), std::string::npos);
}

TEST(Settings, a_dead_limit_below_four_heartbeats_is_refused) {
    EXPECT_NE(all_faults(check({{"Jellyfin:Tasks:DeadAfterSeconds", "39"}})).find("DeadAfterSeconds"),
              std::string::npos);
    EXPECT_EQ(all_faults(check({{"Jellyfin:Tasks:DeadAfterSeconds", "40"}})), "");
}

TEST(Settings, all_faults_come_at_once) {
    const auto checked = check({{"Jellyfin:Http:Listen", "8096"},
                                {"Jellyfin:Log:Level", "loud"},
                                {"Jellyfin:ScanLeader:Enabled", "maybe"},
                                {"Jellyfin:Http:HandlerThreads", "0"},
                                {"Jellyfin:Http:BaseUrl", "x/"}});
    EXPECT_EQ(checked.faults.size(), 5U) << all_faults(checked);
}

TEST(Settings, listen_takes_ipv6_in_brackets_and_localhost) {
    EXPECT_EQ(check({{"Jellyfin:Http:Listen", "[::1]:80"}}).settings.http.address, "::1");
    EXPECT_EQ(check({{"Jellyfin:Http:Listen", "localhost:80"}}).settings.http.address, "127.0.0.1");
    for (const auto* wrong : {"::1:80", "1.2.3.4", "1.2.3.4:", ":80", "1.2.3.4:65536", "1.2.3.4:8o"}) {
        EXPECT_EQ(check({{"Jellyfin:Http:Listen", wrong}}).faults.size(), 1U) << wrong;
    }
}

TEST(Settings, the_pod_is_called_by_its_environment_in_the_documented_order) {
    MachineFacts machine{.host_name = "host", .pod_name = "pod", .instance_id = "instance"};
    EXPECT_EQ(check({}, machine).settings.pod, "pod");
    machine.pod_name.clear();
    EXPECT_EQ(check({}, machine).settings.pod, "instance");
    machine.instance_id.clear();
    EXPECT_EQ(check({}, machine).settings.pod, "host");
    EXPECT_EQ(check({{"Jellyfin:ScanLeader:PodName", "x"}}, machine).settings.pod, "x");
}

TEST(Settings, secrets_are_masked_where_settings_are_shown) {
    const auto checked = check({{"Jellyfin:Api:BootstrapKey", "0123456789abcdef"},
                                {"Jellyfin:TranscodeStore:RedisConnectionString", "r:1,password=geheim"}});
    for (const auto& setting : checked.effective) {
        EXPECT_EQ(setting.value.find("geheim"), std::string::npos);
        EXPECT_EQ(setting.value.find("0123456789abcdef"), std::string::npos);
    }
    const auto short_key = check({{"Jellyfin:Api:BootstrapKey", "geheim"}});
    EXPECT_EQ(all_faults(short_key).find("geheim"), std::string::npos) << "nor in what is wrong with them";
    EXPECT_EQ(short_key.faults.size(), 1U);
}

TEST(Settings, the_data_folder_is_roots_or_the_users) {
    EXPECT_EQ(default_data_dir({.is_root = true}), "/var/lib/understudy");
    EXPECT_EQ(default_data_dir({.home = "/home/a"}), "/home/a/.local/share/understudy");
    EXPECT_EQ(default_data_dir({.home = "/home/a", .xdg_data_home = "/x"}), "/x/understudy");
}

TEST(Settings, misfire_rules_are_known_for_each_task) {
    const auto checked = check({{"Jellyfin:Tasks:refreshlibrary:misfire", "SKIP"}});
    EXPECT_EQ(all_faults(checked), "");
    EXPECT_TRUE(checked.settings.tasks.misfire_skip.at("RefreshLibrary"));
    EXPECT_EQ(check({{"Jellyfin:Tasks:Nothing:Misfire", "skip"}}).faults.size(), 1U);
}

}  // namespace
}  // namespace understudy::app
