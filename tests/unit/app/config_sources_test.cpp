#include "app/config/sources.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace understudy::app {
namespace {

GivenSettings from_environment(std::map<std::string, std::string> environment) {
    ConfigInput input;
    input.environment = std::move(environment);
    return read_sources(input);
}

class ConfigFile : public ::testing::Test {
protected:
    void TearDown() override { std::filesystem::remove(name_); }
    GivenSettings read(const std::string& text, ConfigInput input = {}) {
        std::ofstream(name_) << text;
        input.file = name_;
        return read_sources(input);
    }
    std::string name_ = ::testing::TempDir() + "config_" + std::to_string(::getpid()) + ".json";
};

TEST(Environment, uses_double_underscores_and_any_case) {
    const auto given =
        from_environment({{"JELLYFIN__SCANLEADER__ENABLED", "true"}, {"jellyfin__http__listen", "[::]:1"}});
    EXPECT_TRUE(given.faults.empty());
    EXPECT_EQ(given.values.at("Jellyfin:ScanLeader:Enabled").text, "true");
    EXPECT_EQ(given.values.at("Jellyfin:Http:Listen").source, "environment jellyfin__http__listen");
}

TEST(Environment, strips_the_optional_prefix_only_where_the_whole_name_is_not_valid) {
    const auto given = from_environment({{"JELLYFIN_Jellyfin__ServerName", "a"}, {"Jellyfin__Log__Level", "debug"}});
    EXPECT_TRUE(given.faults.empty());
    EXPECT_EQ(given.values.at("Jellyfin:ServerName").text, "a");
    EXPECT_EQ(given.values.at("Jellyfin:Log:Level").text, "debug");
}

TEST(Environment, ignores_what_kubernetes_injects_and_names_it) {
    const auto given = from_environment(
        {{"JELLYFIN_SERVICE_HOST", "10.0.0.1"}, {"JELLYFIN_PORT_8096_TCP", "tcp://x"}, {"PATH", "/bin"}});
    EXPECT_TRUE(given.faults.empty());
    EXPECT_TRUE(given.values.empty());
    EXPECT_EQ(given.ignored, (std::vector<std::string>{"JELLYFIN_PORT_8096_TCP", "JELLYFIN_SERVICE_HOST"}));
}

TEST(Environment, names_an_unknown_setting_and_the_nearest_known_one) {
    const auto given = from_environment({{"Jellyfin__ScanLeader__Enabeld", "true"}});
    ASSERT_EQ(given.faults.size(), 1U);
    EXPECT_NE(given.faults[0].line().find("did you mean Jellyfin:ScanLeader:Enabled?"), std::string::npos)
        << given.faults[0].line();
}

TEST(Environment, knows_list_elements_by_index) {
    const auto given = from_environment({{"Jellyfin__ScanLeader__GatedTaskKeys__0", "RefreshLibrary"},
                                         {"Jellyfin__ScanLeader__GatedTaskKeys__1", "RefreshPeople"}});
    EXPECT_TRUE(given.faults.empty());
    EXPECT_EQ(given.lists.at("Jellyfin:ScanLeader:GatedTaskKeys").size(), 2U);
}

TEST(Environment, refuses_one_setting_in_two_spellings) {
    const auto given = from_environment({{"Jellyfin__Log__Level", "debug"}, {"JELLYFIN__LOG__LEVEL", "info"}});
    EXPECT_EQ(given.faults.size(), 1U);
}

TEST_F(ConfigFile, may_nest_or_use_colons_and_comments) {
    const auto given = read(R"({ // for a household
        "$schema": "x", "Jellyfin": {"Http": {"Listen": "127.0.0.1:1"}, "ScanLeader:Enabled": true,},
        "Jellyfin:ScanLeader:LeaseDurationSeconds": 4.5 })");
    EXPECT_TRUE(given.faults.empty()) << given.faults[0].line();
    EXPECT_EQ(given.values.at("Jellyfin:Http:Listen").text, "127.0.0.1:1");
    EXPECT_EQ(given.values.at("Jellyfin:ScanLeader:Enabled").text, "true");
    EXPECT_EQ(given.values.at("Jellyfin:ScanLeader:LeaseDurationSeconds").text, "4.5");
}

TEST_F(ConfigFile, loses_to_the_environment_and_that_to_the_command_line) {
    ConfigInput input;
    input.environment = {{"Jellyfin__ServerName", "env"}, {"Jellyfin__Log__Level", "debug"}};
    input.command_line = {{"Jellyfin:ServerName", "argument"}};
    const auto given = read(R"({"Jellyfin":{"ServerName":"file","Log":{"Level":"error","Format":"json"}}})", input);
    EXPECT_EQ(given.values.at("Jellyfin:ServerName").text, "argument");
    EXPECT_EQ(given.values.at("Jellyfin:Log:Level").text, "debug");
    EXPECT_EQ(given.values.at("Jellyfin:Log:Format").text, "json");
}

TEST_F(ConfigFile, a_list_of_a_later_source_replaces_the_earlier_one) {
    ConfigInput input;
    input.environment = {{"Jellyfin__ScanLeader__GatedTaskKeys__0", "RefreshPeople"}};
    const auto given =
        read(R"({"Jellyfin":{"ScanLeader":{"GatedTaskKeys":["RefreshLibrary","KeyframeExtraction"]}}})", input);
    const auto& list = given.lists.at("Jellyfin:ScanLeader:GatedTaskKeys");
    ASSERT_EQ(list.size(), 1U);
    EXPECT_EQ(list[0].text, "RefreshPeople");
}

TEST_F(ConfigFile, says_every_unknown_key_at_once) {
    const auto given = read(R"({"Jellyfin":{"Htp":{"Listen":"x"},"Log":{"Levle":"debug"}},"Loging":1})");
    EXPECT_EQ(given.faults.size(), 3U);
}

TEST_F(ConfigFile, that_is_not_json_is_one_fault_with_its_line) {
    const auto given = read("{\n\"Jellyfin\": {\n nonsense }");
    ASSERT_EQ(given.faults.size(), 1U);
    EXPECT_NE(given.faults[0].problem.find("line 3"), std::string::npos) << given.faults[0].problem;
}

TEST(Secrets, may_come_from_a_file_and_are_trimmed) {
    const auto name = ::testing::TempDir() + "secret_" + std::to_string(::getpid());
    std::ofstream(name) << "0123456789abcdef0123\n";
    for (const auto* key : {"Jellyfin__Api__BootstrapKeyFile", "Jellyfin__Api__BootstrapKey_FILE"}) {
        const auto given = from_environment({{key, name}});
        EXPECT_TRUE(given.faults.empty());
        EXPECT_EQ(given.values.at("Jellyfin:Api:BootstrapKey").text, "0123456789abcdef0123") << key;
    }
    std::filesystem::remove(name);
    EXPECT_EQ(from_environment({{"Jellyfin__Api__BootstrapKeyFile", name}}).faults.size(), 1U) << "the file is gone";
}

}  // namespace
}  // namespace understudy::app
