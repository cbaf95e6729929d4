// Logging in and out, tokens on the way of a request, what a user may and an administrator alone.
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

TEST(Logins, give_a_token_that_works_until_its_owner_logs_out) {
    LoginHouse house;
    const auto id = house.add("Ann", "sea");
    const auto answer = parsed(house.try_login("ann", "sea"));
    EXPECT_EQ(answer.at("User").at("Id"), json::value(id));
    EXPECT_EQ(answer.at("User").at("HasPassword"), true);
    EXPECT_TRUE(answer.at("User").as_object().contains("LastLoginDate"));
    EXPECT_EQ(answer.at("SessionInfo").at("UserName"), "Ann");
    EXPECT_EQ(answer.at("SessionInfo").at("Client"), "Web");
    EXPECT_EQ(answer.at("SessionInfo").at("DeviceName"), "Firefox");
    EXPECT_EQ(answer.at("SessionInfo").at("RemoteEndPoint"), "192.0.2.7");
    EXPECT_EQ(answer.at("ServerId"), json::value(std::string(32, 'e')));
    const std::string token(answer.at("AccessToken").as_string());
    EXPECT_EQ(token.size(), 32U);
    EXPECT_EQ(parsed(house.as(token, get, "/Users/Me")).at("Name"), "Ann");
    EXPECT_EQ(house.as(token, post, "/Sessions/Logout").status, 204);
    EXPECT_EQ(house.as(token, get, "/Users/Me").status, 401);
    EXPECT_EQ(house.post("/Sessions/Logout").status, 400) << "the admin key";
    EXPECT_EQ(house.get("/Users/Me").status, 400);
}

TEST(Logins, refuse_a_wrong_password_and_an_unknown_user_in_the_same_words) {
    LoginHouse house;
    house.add("Ann", "sea");
    const auto wrong = house.try_login("Ann", "see");
    EXPECT_EQ(wrong.status, 401);
    EXPECT_EQ(wrong.body, "Invalid user name or password.");
    const auto unknown = house.try_login("Cy", "sea");
    EXPECT_EQ(unknown.status, 401);
    EXPECT_EQ(unknown.body, wrong.body);
    EXPECT_EQ(house.try_login("Ann", "").status, 401);
    EXPECT_EQ(house.log.count("warning a login failed user=Ann address=192.0.2.7"), 2U);
    EXPECT_EQ(house.log.count("Cy"), 0U) << "may be a password in the wrong field";
    EXPECT_EQ(house.try_login("  ", "sea").status, 400);
}

TEST(Logins, need_all_that_a_session_says_of_its_client) {
    LoginHouse house;
    house.add("Ann", "sea");
    const auto ask = [&](const std::string& header) {
        Request request;
        request.method = post;
        request.target = "/Users/AuthenticateByName";
        if (!header.empty()) request.headers.push_back({"Authorization", "MediaBrowser " + header});
        request.body = R"({"Username":"Ann","Pw":"sea"})";
        request.peer = "192.0.2.7";
        return house.House::ask(std::move(request));
    };
    struct Row {
        const char* header;
        int status;
        const char* says;
    };
    const Row rows[] = {
        {"", 400, "Client: missing"},
        {R"(Client="Web", Device="Firefox", Version="1")", 400, "DeviceId: missing"},
        {R"(Client="Web", DeviceId="tv", Version="1")", 400, "Device: missing"},
        {R"(Client="Web", Device="Firefox", DeviceId="tv")", 400, "Version: missing"},
        {R"(Client="Web", Device="Firefox", DeviceId="tv", Version="1", Token="")", 200, "AccessToken"},
    };
    for (const auto& row : rows) {
        const auto answer = ask(row.header);
        EXPECT_EQ(answer.status, row.status) << row.header;
        EXPECT_THAT(answer.body, HasSubstr(row.says));
    }
    EXPECT_EQ(ask(R"(Client="Web", Device="F", Version="1", DeviceId=")" + std::string(513, 'x') + '"').status, 400);
}

TEST(Logins, on_the_same_device_take_the_place_of_the_old_one) {
    LoginHouse house;
    house.add("Ann", "sea");
    house.add("Bo", "bay");
    const auto first = house.log_in("Ann", "sea");
    const auto phone = house.log_in("Ann", "sea", "phone");
    const auto other = house.log_in("Bo", "bay");
    const auto second = house.log_in("Ann", "sea");
    EXPECT_EQ(house.as(first, get, "/Users/Me").status, 401);
    for (const auto& token : {phone, other, second}) EXPECT_EQ(house.as(token, get, "/Users/Me").status, 200);
}

TEST(Logins, without_a_password_are_for_users_who_have_none_and_never_for_administrators) {
    LoginHouse house;
    const auto id = house.add("Kid", "");
    EXPECT_EQ(house.try_login("Kid", "").status, 200);
    EXPECT_EQ(house.try_login("Kid", "guess").status, 401);
    const auto refused = house.post("/Users/" + id + "/Policy", R"({"IsAdministrator":true})");
    EXPECT_EQ(refused.status, 400);
    EXPECT_THAT(refused.body, HasSubstr("needs a password"));
}

TEST(Logins, of_the_disabled_are_refused_and_their_tokens_gone_at_once) {
    LoginHouse house;
    const auto id = house.add("Ann", "sea");
    const auto token = house.log_in("Ann", "sea");
    EXPECT_EQ(house.post("/Users/" + id + "/Policy", R"({"IsDisabled":true})").status, 204);
    EXPECT_EQ(house.as(token, get, "/Users/Me").status, 401);
    EXPECT_EQ(house.try_login("Ann", "sea").status, 403);
    EXPECT_EQ(house.try_login("Ann", "see").status, 401) << "who does not know the password learns nothing";
    EXPECT_EQ(house.post("/Users/" + id + "/Policy", "{}").status, 204);
    EXPECT_EQ(house.as(token, get, "/Users/Me").status, 401);
    EXPECT_EQ(house.try_login("Ann", "sea").status, 200);
}

TEST(Logins, that_fail_too_often_have_to_wait_by_user_and_by_address) {
    LoginHouse house;
    house.add("Ann", "sea");
    house.add("Bo", "bay");
    for (int i = 0; i < 5; ++i) EXPECT_EQ(house.try_login("Ann", "see").status, 401);
    const auto slowed = house.try_login("Ann", "sea");
    EXPECT_EQ(slowed.status, 429) << "even with the right password";
    EXPECT_EQ(slowed.header("Retry-After"), "1");
    for (int i = 0; i < 5; ++i) EXPECT_EQ(house.try_login("Nobody", "x").status, 401);
    EXPECT_EQ(house.try_login("Nobody", "x").status, 429) << "who is not there looks the same";
    EXPECT_EQ(house.try_login("Bo", "bay").status, 200) << "other users have no part in it";
    for (int i = 0; i < 10; ++i) EXPECT_EQ(house.try_login("User" + std::to_string(i), "x").status, 401);
    EXPECT_EQ(house.try_login("Bo", "bay").status, 429) << "the address has tried too much";
    const auto later = [](store::sql::Session& session) -> core::Result<void> {
        const auto moved = session.execute("UPDATE login_failures SET failed_at_ms = failed_at_ms - 10000", {});
        return moved ? core::Result<void>() : tl::unexpected(moved.error());
    };
    ASSERT_TRUE(house.database->with(store::sql::Access::write, later));
    EXPECT_EQ(house.try_login("Bo", "bay").status, 200);
    EXPECT_EQ(house.try_login("Bo", "bay").status, 200) << "a login that succeeds makes nobody wait";
    house.peer = "192.0.2.8";
    EXPECT_EQ(house.try_login("Bo", "bay").status, 200);
}

TEST(Logins, in_old_spelling_name_the_user_in_the_path) {
    LoginHouse house;
    const auto id = house.add("Ann", "sea");
    EXPECT_EQ(house.as({}, post, "/Users/" + id + "/Authenticate?pw=sea").status, 200);
    EXPECT_EQ(house.as({}, post, "/Users/" + id + "/Authenticate", R"({"Pw":"sea"})").status, 200);
    EXPECT_EQ(house.as({}, post, "/Users/" + id + "/Authenticate?pw=see").status, 401);
    EXPECT_EQ(house.as({}, post, "/Users/" + std::string(32, '7') + "/Authenticate?pw=sea").status, 401);
    EXPECT_EQ(house.as({}, get, "/QuickConnect/Enabled").body, "false");
}

TEST(Tokens, of_users_open_what_is_theirs_and_nothing_of_others) {
    LoginHouse house;
    const auto ann = house.add("Ann", "sea");
    const auto bo = house.add("Bo", "bay");
    const auto token = house.log_in("Ann", "sea");
    const auto film = "/UserPlayedItems/" + std::string(32, '1');
    EXPECT_EQ(house.as(token, post, film).status, 200) << "without a name it is the caller";
    EXPECT_EQ(house.as(token, post, film + "?userId=" + ann).status, 200);
    const auto refused = house.as(token, post, film + "?userId=" + bo);
    EXPECT_EQ(refused.status, 403);
    EXPECT_EQ(refused.body, "Only an administrator may name another user.");
    EXPECT_EQ(house.user_data.rows.size(), 1U);
    EXPECT_EQ(house.user_data.rows.begin()->first.first.str(), ann);
    const auto item = std::string(32, '1');
    const std::vector<std::pair<Method, std::string>> others{
        {get, "/Items?userId=" + bo},
        {get, "/Items?recursive=true&USERID=" + bo},
        {get, "/Users/" + bo + "/Items"},
        {get, "/Users/" + bo + "/Items/" + item + "/UserData"},
        {post, "/Users/" + bo + "/FavoriteItems/" + item},
        {get, "/UserItems/Resume?userId=" + bo},
        {post, "/Users?userId=" + bo},
        {post, "/Users/" + bo},
        {post, "/Users/Password?userId=" + bo},
        {post, "/Users/" + bo + "/Configuration"},
        {post, "/Playlists?name=L&userId=" + bo},
    };
    for (const auto& [method, target] : others) EXPECT_EQ(house.as(token, method, target).status, 403) << target;
    EXPECT_EQ(house.as(token, post, "/Playlists", R"({"Name":"L","UserId":")" + bo + "\"}").status, 403);
    EXPECT_EQ(house.as(token, get, "/Items?recursive=true").status, 200);
    EXPECT_EQ(house.catalog.last_query.user.str(), ann);
    EXPECT_EQ(house.as(token, get, "/Users/" + bo).status, 200) << "as in the reference";
    EXPECT_EQ(house.as(token, get, "/Persons").status, 200);
    EXPECT_EQ(house.get("/Items?userId=" + bo).status, 200) << "the admin key names whom it likes";
}

TEST(Tokens, of_users_do_not_administer_and_those_of_administrators_do) {
    LoginHouse house;
    house.tasks.add("RefreshLibrary");
    const auto ann = house.add("Ann", "sea");
    house.add("Root", "deep", true);
    const auto user = house.log_in("Ann", "sea");
    const auto admin = house.log_in("Root", "deep", "desk");
    const std::vector<std::pair<Method, std::string>> requests{
        {get, "/ScheduledTasks"},      {post, "/Library/Refresh"},
        {get, "/Auth/Keys"},           {get, "/Devices"},
        {get, "/cluster/leader"},      {get, "/Library/VirtualFolders"},
        {get, "/Auth/Providers"},      {post, "/Users/New"},
        {post, "/Collections?name=x"}, {post, "/Users/" + ann + "/Policy"},
    };
    EXPECT_EQ(house.as({}, post, "/Startup/User", R"({"Name":"Eve","Password":"x"})").status, 401)
        << "an administrator that an administrator made closes the wizard";
    for (const auto& [method, target] : requests) {
        EXPECT_EQ(house.as(user, method, target).status, 403) << target;
        EXPECT_EQ(house.as({}, method, target).status, 401) << target;
        const auto answer = house.as(admin, method, target);
        EXPECT_TRUE(answer.status != 401 && answer.status != 403) << target << ' ' << answer.status;
    }
}

TEST(Tokens, cannot_be_judged_without_the_database_but_the_admin_key_can) {
    LoginHouse house;
    house.add("Ann", "sea");
    const auto token = house.log_in("Ann", "sea");
    house.identities.broken = core::Error{core::Errc::unavailable, "no database"};
    EXPECT_EQ(house.as(token, get, "/Items").status, 503);
    EXPECT_EQ(house.get("/cluster/leader").status, 200);
    EXPECT_EQ(house.as(token, get, "/System/Ping").status, 200);
    house.identities.broken.reset();
    EXPECT_EQ(house.as(token, get, "/cluster/leader").status, 403);
    house.health.now.phase = HealthReport::Phase::starting;
    EXPECT_EQ(house.as(token, get, "/cluster/leader").status, 503) << "there may be no tables yet";
    EXPECT_EQ(house.get("/cluster/leader").status, 200);
}

TEST(Tokens, a_private_playlist_is_seen_and_changed_by_its_owner_alone) {
    LoginHouse house;
    house.add("Ann", "sea");
    house.add("Bo", "bay");
    const auto ann = house.log_in("Ann", "sea"), bo = house.log_in("Bo", "bay");
    const auto made = parsed(house.as(ann, post, "/Playlists", R"({"Name":"Mine","IsPublic":false})"));
    const std::string list(made.at("Id").as_string());
    const auto path = "/Playlists/" + list;
    EXPECT_EQ(house.as(ann, get, path).status, 200);
    for (const auto& target : {path, path + "/Items", path + "/Users", "/Items/" + list, "/Items?parentId=" + list})
        EXPECT_EQ(house.as(bo, get, target).status, 404) << target;
    EXPECT_EQ(house.as(bo, Method::del, "/Items/" + list).status, 404);
    EXPECT_EQ(house.as(ann, post, path, R"({"IsPublic":true})").status, 204);
    EXPECT_EQ(house.as(bo, get, path).status, 200);
    EXPECT_EQ(house.as(bo, get, "/Items/" + list).status, 200);
    EXPECT_EQ(house.as(bo, post, path, R"({"Name":"His"})").status, 403);
    EXPECT_EQ(house.as(bo, post, path + "/Items?ids=" + std::string(32, '1')).status, 403);
    EXPECT_EQ(house.as(bo, Method::del, path + "/Items?entryIds=" + std::string(32, '1')).status, 403);
    EXPECT_EQ(house.as(bo, post, path + "/Items/" + std::string(32, '1') + "/Move/0").status, 403);
    EXPECT_EQ(house.as(bo, Method::del, "/Items/" + list).status, 403);
    EXPECT_EQ(house.as(ann, Method::del, "/Items/" + list).status, 204);
}

}  // namespace
}  // namespace understudy::http
