#include "app/config/settings.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

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

TEST(Settings, the_watch_over_folders_takes_its_limits_from_its_quiet_time) {
    const auto standard = check({}).settings.watch;
    EXPECT_EQ(standard.mode, Settings::Watch::Mode::automatic);
    EXPECT_EQ(standard.quiet, Millis{10'000});
    EXPECT_EQ(standard.latest, Millis{60'000});
    const auto slow = check({{"Jellyfin:Library:Watch", "POLL"}, {"Jellyfin:Library:WatchQuietSeconds", "120"}});
    EXPECT_EQ(all_faults(slow), "");
    EXPECT_EQ(slow.settings.watch.mode, Settings::Watch::Mode::poll);
    EXPECT_EQ(slow.settings.watch.latest, Millis{120'000});
    EXPECT_NE(all_faults(check({{"Jellyfin:Library:WatchLatestSeconds", "5"}})).find("WatchLatestSeconds"),
              std::string::npos);
    EXPECT_NE(all_faults(check({{"Jellyfin:Library:Watch", "inotfy"}})).find("did you mean inotify?"),
              std::string::npos);
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

TEST(Settings, a_wrong_gated_key_is_a_fault_of_its_own_value_and_source) {
    ConfigInput input;
    input.environment = {{"Jellyfin__ScanLeader__GatedTaskKeys__0", "RefreshPeople"},
                         {"Jellyfin__ScanLeader__GatedTaskKeys__1", "RefreshLibary"}};
    const auto checked = check_settings(read_sources(input), {});
    ASSERT_EQ(checked.faults.size(), 1U);
    const auto line = checked.faults[0].line();
    EXPECT_TRUE(
        line.starts_with("Jellyfin:ScanLeader:GatedTaskKeys = 'RefreshLibary' "
                         "(environment Jellyfin__ScanLeader__GatedTaskKeys__1): is no task key, did you mean "
                         "RefreshLibrary? Allowed are RefreshLibrary, "))
        << line;
    EXPECT_NE(line.find("CleanActivityLog"), std::string::npos) << "all of them: " << line;
}

TEST(Settings, trusted_proxies_are_addresses_and_networks) {
    ConfigInput input;
    input.environment = {{"Jellyfin__Http__TrustedProxies__0", "10.0.0.0/8"},
                         {"JELLYFIN_Jellyfin__Http__TrustedProxies__1", "fd00::/8"}};
    const auto checked = check_settings(read_sources(input), {});
    EXPECT_EQ(all_faults(checked), "");
    const auto& proxies = checked.settings.http.trusted_proxies;
    EXPECT_EQ(std::set(proxies.begin(), proxies.end()), (std::set<std::string>{"10.0.0.0/8", "fd00::/8"}));
    EXPECT_TRUE(check({}).settings.http.trusted_proxies.empty());
    const auto wrong = check({{"Jellyfin:Http:TrustedProxies", "192.168.1.1, 10.0.0.0/33,ingress"}});
    ASSERT_EQ(wrong.faults.size(), 2U) << all_faults(wrong);
    EXPECT_TRUE(wrong.faults[0].line().starts_with("Jellyfin:Http:TrustedProxies = '10.0.0.0/33' (command line): "))
        << wrong.faults[0].line();
    EXPECT_EQ(wrong.faults[1].value, "ingress");
}

TEST(Settings, the_base_url_is_taken_in_every_spelling_of_a_path) {
    for (const char* given : {"/jf", "jf", "/jf/", " /jf "})
        EXPECT_EQ(check({{"Jellyfin:Http:BaseUrl", given}}).settings.http.base_url, "/jf") << given;
    EXPECT_EQ(check({{"Jellyfin:Http:BaseUrl", "/"}}).settings.http.base_url, "");
    for (const char* wrong : {"/jf?x", "/a b", "/..", "http://host/jf"})
        EXPECT_EQ(check({{"Jellyfin:Http:BaseUrl", wrong}}).faults.size(), 1U) << wrong;
}

TEST(Settings, a_redis_secret_that_was_changed_in_its_file_is_read_again) {
    const auto file = std::filesystem::path(::testing::TempDir()) / ("redis_secret_" + std::to_string(::getpid()));
    std::ofstream(file) << "redis:6379,password=old\n";
    const auto checked = check({{"Jellyfin:TranscodeStore:RedisConnectionStringFile", file.string()}});
    EXPECT_EQ(all_faults(checked), "");
    ASSERT_EQ(checked.settings.redis_file, file.string());
    EXPECT_EQ(reread_redis(checked.settings.redis_file)->password, "old");
    std::ofstream(file) << "redis:6379,password=new\n";
    EXPECT_EQ(reread_redis(checked.settings.redis_file)->password, "new");
    std::ofstream(file) << "\n";
    const auto empty = reread_redis(file.string());
    ASSERT_FALSE(empty);
    EXPECT_NE(empty.error().context.find("RedisConnectionString"), std::string::npos) << empty.error().context;
    EXPECT_NE(empty.error().context.find(file.string()), std::string::npos) << empty.error().context;
    std::filesystem::remove(file);
    EXPECT_FALSE(reread_redis(file.string()));
    EXPECT_EQ(check({{"Jellyfin:TranscodeStore:RedisConnectionString", "r:1"}}).settings.redis_file, "");
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
                                {"Jellyfin:Http:BaseUrl", "/x?"}});
    EXPECT_EQ(checked.faults.size(), 5U) << all_faults(checked);
}

TEST(Settings, clients_that_look_for_servers_are_answered_where_that_leads_anywhere) {
    const auto discovery = [](const char* listen, const char* value, bool on_kubernetes = false) {
        MachineFacts machine;
        machine.on_kubernetes = on_kubernetes;
        const auto checked = check({{"Jellyfin:Http:Listen", listen}, {"Jellyfin:Http:Discovery", value}}, machine);
        EXPECT_EQ(all_faults(checked), "");
        return checked.settings.http.discovery;
    };
    EXPECT_EQ(check({}).settings.http.discovery, "0.0.0.0:7359");
    EXPECT_EQ(discovery("192.168.1.5:8096", "auto"), "0.0.0.0:7359");
    for (const auto* loopback : {"127.0.0.1:0", "127.0.0.2:0", "localhost:8096", "[::1]:8096"})
        EXPECT_EQ(discovery(loopback, "auto"), "") << loopback;
    EXPECT_EQ(discovery("0.0.0.0:8096", "auto", true), "");
    EXPECT_EQ(discovery("0.0.0.0:8096", "10.0.0.1:7359", true), "10.0.0.1:7359") << "whoever says so has a reason";
    EXPECT_EQ(discovery("127.0.0.1:0", "127.0.0.1:0"), "127.0.0.1:0");
    EXPECT_EQ(discovery("0.0.0.0:8096", "off"), "");
    EXPECT_NE(all_faults(check({{"Jellyfin:Http:Discovery", "on"}})).find("ADDRESS:PORT"), std::string::npos);
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
