// What administrators are told afterwards: who logged in, what was changed and by whom.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "http/system_house.h"

namespace understudy::http {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::get;
using ::testing::HasSubstr;
using testing::post;
using testing::SystemHouse;

std::vector<std::string> kinds(SystemHouse& house, const std::string& query = {}) {
    std::vector<std::string> found;
    const auto page = house.got("/System/ActivityLog/Entries?limit=100" + query);
    for (const auto& entry : page.at("Items").as_array()) found.emplace_back(entry.at("Type").as_string());
    return found;
}

TEST(Activity, notes_logins_users_keys_and_libraries_the_newest_first) {
    SystemHouse house;
    house.finish_wizard();
    EXPECT_THAT(kinds(house),
                ElementsAre("AuthenticationSucceeded", "AuthenticationSucceeded", "UserCreated", "UserCreated"));
    EXPECT_EQ(house.try_login("root", "no idea", "evil").status, 401);
    EXPECT_EQ(house.try_login("my password", "x", "evil").status, 401);
    EXPECT_EQ(house.as_admin(post, "/Auth/Keys?app=Sonarr").status, 204);
    const auto keys = boost::json::parse(house.as_admin(get, "/Auth/Keys").body);
    const std::string key(keys.at("Items").at(0).at("AccessToken").as_string());
    EXPECT_EQ(house.as_admin(Method::del, "/Auth/Keys/" + key).status, 204);
    EXPECT_EQ(house.as_admin(post, "/Users/" + house.kid + "/Policy", R"({"IsHidden":false})").status, 204);
    EXPECT_EQ(house.as_admin(post, "/Users/Password?userId=" + house.kid, R"({"NewPw":"other"})").status, 204);
    EXPECT_EQ(house.as_admin(Method::del, "/Library/VirtualFolders?name=Films").status, 204);
    EXPECT_EQ(house
                  .as_admin(post, "/Library/VirtualFolders?name=Again&collectionType=movies&paths=" +
                                      house.folder.path().string())
                  .status,
              204);
    EXPECT_EQ(house.as_admin(Method::del, "/Users/" + house.kid).status, 204);
    EXPECT_THAT(kinds(house), ElementsAre("UserDeleted", "LibraryCreated", "LibraryRemoved", "UserPasswordChanged",
                                          "UserPolicyUpdated", "ApiKeyRevoked", "ApiKeyCreated", "AuthenticationFailed",
                                          "AuthenticationFailed", "AuthenticationSucceeded", "AuthenticationSucceeded",
                                          "UserCreated", "UserCreated"));
    const auto whole = house.as_admin(get, "/System/ActivityLog/Entries?limit=100").body;
    EXPECT_THAT(whole, Not(HasSubstr("my password"))) << "a password in the wrong field";
    EXPECT_THAT(whole, Not(HasSubstr(key)));
    EXPECT_THAT(whole, HasSubstr("192.0.2.7"));
    EXPECT_EQ(house.as_admin(post, "/Sessions/Logout").status, 204);
    house.admin_token = house.log_in("root", "deep", "desk");
    EXPECT_EQ(kinds(house).at(1), "SessionEnded");
}

TEST(Activity, every_entry_is_told_to_all_pods) {
    SystemHouse house;
    house.finish_wizard();
    house.events.published.clear();
    EXPECT_EQ(house.as_admin(post, "/Auth/Keys?app=Sonarr").status, 204);
    const auto newest = house.got("/System/ActivityLog/Entries?limit=1").at("Items").at(0);
    EXPECT_EQ(newest.at("Type"), "ApiKeyCreated");
    const auto id = std::to_string(newest.at("Id").as_int64());
    EXPECT_THAT(house.events.published,
                Contains(std::pair<std::string, std::string>("activity.added", "{\"id\":" + id + "}")));
}

TEST(Activity, is_read_page_by_page_by_time_and_by_whether_a_user_is_meant) {
    SystemHouse house;
    house.finish_wizard();
    EXPECT_EQ(house.try_login("nobody", "x", "evil").status, 401);
    const auto page = house.got("/System/ActivityLog/Entries?startIndex=1&limit=2");
    EXPECT_EQ(page.at("TotalRecordCount"), 5);
    EXPECT_EQ(page.at("StartIndex"), 1);
    EXPECT_EQ(page.at("Items").as_array().size(), 2U);
    EXPECT_EQ(page.at("Items").at(0).at("Type"), "AuthenticationSucceeded");
    EXPECT_THAT(kinds(house, "&hasUserId=false"), ElementsAre("AuthenticationFailed"));
    EXPECT_EQ(kinds(house, "&hasUserId=true").size(), 4U);
    EXPECT_EQ(kinds(house, "&minDate=2020-01-01T00:00:00.000Z").size(), 5U);
    EXPECT_EQ(kinds(house, "&minDate=2999-01-01").size(), 0U);
    EXPECT_EQ(kinds(house, "&maxDate=2020-01-01").size(), 0U);
    EXPECT_EQ(house.as_admin(get, "/System/ActivityLog/Entries?minDate=soon").status, 400);
    EXPECT_EQ(house.as_admin(get, "/System/ActivityLog/Entries?limit=-1").status, 400);
    EXPECT_EQ(house.as_kid(get, "/System/ActivityLog/Entries").status, 403);
}

TEST(Activity, what_cannot_be_noted_is_done_all_the_same) {
    struct Broken final : tasks::ActivityLog {
        core::Result<std::int64_t> add(const tasks::ActivityEntry&) override {
            return core::fail(core::Errc::unavailable, "no database");
        }
        core::Result<std::int64_t> remove_older_than(core::Millis, std::int64_t, const core::Fence&) override {
            return 0;
        }
    };
    SystemHouse house;
    house.finish_wizard();
    Broken broken;
    house.services.system.activity = &broken;
    EXPECT_EQ(house.as_admin(post, "/Auth/Keys?app=Sonarr").status, 204);
    EXPECT_EQ(house.log.count("an entry is missing in the activity log"), 1U);
}

}  // namespace
}  // namespace understudy::http
