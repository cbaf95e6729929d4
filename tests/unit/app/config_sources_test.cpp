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

TEST(Environment, takes_the_references_word_for_the_web_folder) {
    const auto given = from_environment({{"JELLYFIN_WEB_DIR", "/usr/share/jellyfin/web"}});
    EXPECT_TRUE(given.faults.empty());
    EXPECT_EQ(given.values.at("Jellyfin:WebDir").text, "/usr/share/jellyfin/web");
    EXPECT_EQ(given.values.at("Jellyfin:WebDir").source, "environment JELLYFIN_WEB_DIR");
    EXPECT_TRUE(from_environment({{"JELLYFIN_WEB_DIR", ""}}).values.empty());
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

TEST_F(ConfigFile, may_begin_with_the_byte_order_mark_of_windows_editors) {
    const auto given = read("\xEF\xBB\xBF{\"Jellyfin:ServerName\":\"a\"}");
    EXPECT_TRUE(given.faults.empty()) << given.faults[0].line();
    EXPECT_EQ(given.values.at("Jellyfin:ServerName").text, "a");
    for (const auto& utf16 : {std::string("\xFF\xFE{\0}\0", 6), std::string("\xFE\xFF\0{\0}", 6)}) {
        const auto refused = read(utf16);
        ASSERT_EQ(refused.faults.size(), 1U);
        EXPECT_EQ(refused.faults[0].problem, "is UTF-16; save it as UTF-8");
    }
}

TEST_F(ConfigFile, names_keys_that_stand_twice_with_both_places) {
    const auto given = read(R"({
  "Jellyfin": {
    // "ServerName": "not this one", { [
    "ServerName": "a, \" {",
    "Log": {"Level": "debug", "KeepDays": 4},
    "serverName": "b",
    "ScanLeader": {"GatedTaskKeys": ["RefreshLibrary", "RefreshPeople"]}, /* "Log": */
    "Http": {"Lis\u0074en": "127.0.0.1:1", "Listen": "127.0.0.1:2"},
    "Log": {"Levle": "info"},
  }
})");
    std::vector<std::string> problems;
    for (const auto& fault : given.faults) problems.push_back(fault.key + " " + fault.problem);
    const std::string head = " stands twice in one object, at ";
    ASSERT_EQ(problems.size(), 4U) << "each is said once, the rest of the file all the same";
    EXPECT_EQ(problems[0], "Jellyfin:serverName" + head + "line 4, column 5 and at line 6, column 5; leave one");
    EXPECT_EQ(problems[1], "Jellyfin:Http:Listen" + head + "line 8, column 14 and at line 8, column 44; leave one");
    EXPECT_EQ(problems[2], "Jellyfin:Log" + head + "line 5, column 5 and at line 9, column 5; leave one");
    EXPECT_NE(problems[3].find("did you mean Jellyfin:Log:Level?"), std::string::npos) << problems[3];
}

TEST_F(ConfigFile, the_same_key_in_two_objects_is_no_duplicate) {
    const auto given = read(R"({"Jellyfin":{"Log":{"KeepDays":4},"Cache":{"KeepDays":5}},"$schema":"x"})");
    EXPECT_TRUE(given.faults.empty()) << given.faults[0].line();
}

TEST_F(ConfigFile, says_what_is_wrong_with_it_and_where) {
    const std::vector<std::pair<std::string, std::string>> rows{
        {"", "the file is empty; {} is a file without settings"},
        {" \n", "the file is empty; {} is a file without settings"},
        {"{}\n\n  garbage", "not JSON, line 3, column 3: there is more text behind the end of the object"},
        {"{} {}", "not JSON, line 1, column 4: there is more text behind the end of the object"},
        {"[]", "the file must hold one JSON object"},
        {"{\"Jellyfin\": {", "not JSON, line 1, column 15: incomplete JSON"},
    };
    for (const auto& [text, problem] : rows) {
        const auto given = read(text);
        ASSERT_EQ(given.faults.size(), 1U) << text;
        EXPECT_EQ(given.faults[0].problem, problem) << text;
    }
    EXPECT_EQ(read("{} // behind the end\n/* and */").faults.size(), 0U);
    for (const auto* broken : {"{ /* never closed", "{'a':1}", "{\"a\" 1}", "{\"a\": \"\xff\"}", "{ # no comment\n}"}) {
        const auto given = read(broken);
        ASSERT_EQ(given.faults.size(), 1U) << broken;
        EXPECT_EQ(given.faults[0].problem.rfind("not JSON, line 1, column ", 0), 0U) << given.faults[0].problem;
    }
}

TEST_F(ConfigFile, keeps_numbers_as_they_are_written) {
    const auto given = read(R"({"Jellyfin:Tasks:HeartbeatSeconds": 1234.56789, "Jellyfin:Log:KeepDays": 7})");
    EXPECT_EQ(given.values.at("Jellyfin:Tasks:HeartbeatSeconds").text, "1234.56789");
    EXPECT_EQ(given.values.at("Jellyfin:Log:KeepDays").text, "7");
}

TEST_F(ConfigFile, refuses_what_no_path_can_hold_and_says_so_on_one_line) {
    const auto given = read(R"({"Jellyfin:DataDir":"/tmp/a\u0000b","":1,"Odd\nkey":2})");
    ASSERT_EQ(given.faults.size(), 3U);
    EXPECT_EQ(given.faults[0].problem, "holds a NUL character");
    EXPECT_EQ(given.faults[1].line().rfind("'' (file ", 0), 0U) << given.faults[1].line();
    EXPECT_EQ(given.faults[2].line().rfind("Odd\\x0akey (file ", 0), 0U) << given.faults[2].line();
}

TEST(Secrets, in_a_misspelled_setting_are_not_shown) {
    const auto given = from_environment({{"Jellyfin__Database__ConnectionStrng", "Host=db;Password=geheim"}});
    ASSERT_EQ(given.faults.size(), 1U);
    EXPECT_EQ(given.faults[0].line().find("geheim"), std::string::npos) << given.faults[0].line();
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
