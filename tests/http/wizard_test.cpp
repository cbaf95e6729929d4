// The start wizard: open to anybody until it is done, then to administrators alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "http/login_house.h"

namespace understudy::http {
namespace {

namespace json = boost::json;
using testing::get;
using ::testing::HasSubstr;
using testing::LoginHouse;
using testing::parsed;
using testing::post;

TEST(Wizard, makes_the_administrator_as_clients_ask_it) {
    LoginHouse house;
    EXPECT_EQ(parsed(house.as({}, get, "/System/Info/Public")).at("StartupWizardCompleted"), false);
    EXPECT_EQ(parsed(house.as({}, get, "/Startup/Configuration")).at("UICulture"), "en-US");
    EXPECT_EQ(
        house
            .as({}, post, "/Startup/Configuration",
                R"({"ServerName":"Haus","UICulture":"de","MetadataCountryCode":"DE","PreferredMetadataLanguage":"de"})")
            .status,
        204);
    EXPECT_EQ(parsed(house.as({}, get, "/Startup/User")).at("Name"), "admin");
    EXPECT_EQ(house.as({}, post, "/Startup/Complete").status, 400) << "nobody could log in";
    EXPECT_EQ(parsed(house.as({}, get, "/System/Info/Public")).at("StartupWizardCompleted"), false);
    EXPECT_EQ(house.as({}, post, "/Startup/User", R"({"Name":"Root","Password":""})").status, 400);
    EXPECT_EQ(house.as({}, post, "/Startup/User", R"({"Name":"Root","Password":"deep"})").status, 204);
    EXPECT_EQ(house.as({}, post, "/Startup/User", R"({"Name":"Rood","Password":"deeper"})").status, 204) << "went back";
    EXPECT_EQ(parsed(house.as({}, get, "/Startup/FirstUser")).at("Name"), "Rood");
    EXPECT_EQ(house.as({}, get, "/Library/VirtualFolders").status, 200) << "the wizard asks for libraries too";
    EXPECT_EQ(
        house.as({}, post, "/Startup/RemoteAccess", R"({"EnableRemoteAccess":true,"EnableAutomaticPortMapping":false})")
            .status,
        204);
    EXPECT_EQ(house.as({}, post, "/Startup/RemoteAccess", R"({"EnableRemoteAccess":false})").status, 400);
    EXPECT_EQ(house.as({}, post, "/Startup/Complete").status, 204);
    const auto info = parsed(house.as({}, get, "/System/Info/Public"));
    EXPECT_EQ(info.at("StartupWizardCompleted"), true);
    EXPECT_EQ(info.at("ServerName"), "Haus");
    EXPECT_EQ(parsed(house.get("/Users")).as_array().size(), 1U);
    const auto token = house.log_in("Rood", "deeper");
    EXPECT_EQ(parsed(house.as(token, get, "/Users/Me")).at("Policy").at("IsAdministrator"), true);
}

TEST(Wizard, is_closed_to_everybody_else_once_it_is_done) {
    LoginHouse house;
    house.add("Ann", "sea");
    ASSERT_EQ(house.as({}, post, "/Startup/User", R"({"Name":"Root","Password":"deep"})").status, 204);
    ASSERT_EQ(house.as({}, post, "/Startup/Complete").status, 204);
    const auto user = house.log_in("Ann", "sea"), admin = house.log_in("Root", "deep", "desk");
    for (const auto& [method, target] : {std::pair{get, "/Startup/Configuration"},
                                         {post, "/Startup/Configuration"},
                                         {get, "/Startup/User"},
                                         {post, "/Startup/User"},
                                         {get, "/Startup/FirstUser"},
                                         {post, "/Startup/RemoteAccess"},
                                         {post, "/Startup/Complete"},
                                         {get, "/Library/VirtualFolders"},
                                         {post, "/Library/VirtualFolders"}}) {
        EXPECT_EQ(house.as({}, method, target).status, 401) << target;
        EXPECT_EQ(house.as("nonsense", method, target).status, 401) << target;
        EXPECT_EQ(house.as(user, method, target).status, 403) << target;
        EXPECT_NE(house.as(admin, method, target).status, 403) << target;
    }
    EXPECT_EQ(house.try_login("Root", "deep").status, 200) << "nobody changed the password";
}

TEST(Wizard, opens_nothing_else) {
    LoginHouse house;
    for (const char* target : {"/Users", "/Items", "/ScheduledTasks", "/Auth/Keys", "/Devices", "/Sessions"})
        EXPECT_EQ(house.as({}, get, target).status, 401) << target;
    EXPECT_EQ(house.as({}, post, "/Users/New", R"({"Name":"Eve"})").status, 401);
    EXPECT_EQ(house.as({}, post, "/Library/Refresh").status, 401);
}

TEST(Wizard, answers_of_it_are_shown_while_the_database_is_away) {
    struct Away final : store::ServerSettings {
        int asked = 0;
        core::Result<std::map<std::string, std::string>> all() override {
            ++asked;
            return core::fail(core::Errc::unavailable, "no database");
        }
        core::Result<void> set(const std::map<std::string, std::string>&) override {
            return core::fail(core::Errc::unavailable, "no database");
        }
    };
    LoginHouse house;
    ASSERT_EQ(house.as({}, post, "/Startup/Configuration", R"({"ServerName":"Haus"})").status, 204);
    ASSERT_EQ(parsed(house.as({}, get, "/System/Info/Public")).at("ServerName"), "Haus");
    Away away;
    house.services.users.settings = &away;
    const auto info = parsed(house.as({}, get, "/System/Info/Public"));
    EXPECT_EQ(info.at("ServerName"), "Haus");
    EXPECT_EQ(info.at("StartupWizardCompleted"), false);
    EXPECT_EQ(away.asked, 1);
    house.health.now.database_reachable = false;
    EXPECT_EQ(parsed(house.as({}, get, "/System/Info/Public")).at("ServerName"), "Haus");
    EXPECT_EQ(away.asked, 1) << "known to be away: nobody waits for it";
    EXPECT_EQ(house.as({}, get, "/Startup/User").status, 503) << "nobody knows whether it is open";
}

}  // namespace
}  // namespace understudy::http
