// Users as administrators and they themselves keep them: policies, passwords, preferences; keys, devices, sessions.
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

TEST(Policies, are_replaced_whole_and_have_all_fields_of_the_reference) {
    LoginHouse house;
    const auto id = house.add("Ann", "sea");
    const auto path = "/Users/" + id;
    EXPECT_EQ(house
                  .post(path + "/Policy", R"({"enablemediaplayback":"False","SyncPlayAccess":"joingroups",)"
                                          R"("EnabledFolders":["AAAAAAAA-aaaa-aaaa-aaaa-aaaaaaaaaaaa"],)"
                                          R"("RemoteClientBitrateLimit":"8000000","Unheard":1})")
                  .status,
              204);
    const auto policy = parsed(house.get(path)).at("Policy");
    EXPECT_EQ(policy.at("EnableMediaPlayback"), false);
    EXPECT_EQ(policy.at("SyncPlayAccess"), "JoinGroups");
    EXPECT_EQ(policy.at("EnabledFolders").at(0), json::value(std::string(32, 'a')));
    EXPECT_EQ(policy.at("RemoteClientBitrateLimit"), 8'000'000);
    EXPECT_EQ(policy.at("EnableAllFolders"), true);
    EXPECT_FALSE(policy.as_object().contains("Unheard"));
    EXPECT_EQ(house.post(path + "/Policy", R"({"IsHidden":false})").status, 204);
    const auto replaced = parsed(house.get(path)).at("Policy");
    EXPECT_EQ(replaced.at("EnableMediaPlayback"), true);
    EXPECT_EQ(replaced.at("IsHidden"), false);
    EXPECT_EQ(parsed(house.as({}, get, "/Users/Public")).at(0).at("Name"), "Ann");
    EXPECT_EQ(house.post(path + "/Policy", "{}").status, 204);
    EXPECT_EQ(house.as({}, get, "/Users/Public").body, "[]");
}

TEST(Policies, that_ask_for_what_nothing_keeps_are_refused_by_name) {
    LoginHouse house;
    const auto path = "/Users/" + house.add("Ann", "sea") + "/Policy";
    struct Row {
        const char* body;
        const char* says;
    };
    constexpr Row rows[] = {
        {R"({"BlockedTags":["gore"]})", "BlockedTags: ["},
        {R"({"MaxParentalRating":12})", "MaxParentalRating: 12 would restrict this user, and that is not kept"},
        {R"({"AccessSchedules":[{"DayOfWeek":"Sunday"}]})", "AccessSchedules: "},
        {R"({"EnableAllDevices":false})", "EnableAllDevices: false would restrict"},
        {R"({"EnableRemoteAccess":"false"})", "EnableRemoteAccess: "},
        {R"({"LoginAttemptsBeforeLockout":"3"})", "LoginAttemptsBeforeLockout: nobody is locked out here after 3"},
        {R"({"SyncPlayAccess":"Some"})", "SyncPlayAccess: 'Some' is not known; use CreateAndJoinGroups"},
        {R"({"IsHidden":"perhaps"})", "IsHidden: "},
        {R"({"EnabledFolders":["Films"]})", "EnabledFolders: 'Films' is no id"},
        {R"({"RemoteClientBitrateLimit":3000000000})", "RemoteClientBitrateLimit: 3000000000 is out of range"},
    };
    for (const auto& row : rows) {
        const auto refused = house.post(path, row.body);
        EXPECT_EQ(refused.status, 400) << row.body;
        EXPECT_THAT(parsed(refused).at("detail").as_string().c_str(), HasSubstr(row.says));
    }
    EXPECT_EQ(house
                  .post(path, R"({"EnableAllDevices":"True","BlockedTags":[],"MaxParentalRating":null,)"
                              R"("LoginAttemptsBeforeLockout":0})")
                  .status,
              204);
    EXPECT_EQ(house.post("/Users/" + std::string(32, '7') + "/Policy", "{}").status, 404);
}

TEST(Policies, leave_somebody_who_may_administer) {
    LoginHouse house;
    const auto root = house.add("Root", "deep", true);
    const auto refused = house.post("/Users/" + root + "/Policy", "{}");
    EXPECT_EQ(refused.status, 403);
    EXPECT_THAT(refused.body, HasSubstr("the only user who may administer"));
    EXPECT_EQ(house.post("/Users/" + root + "/Policy", R"({"IsAdministrator":true,"IsDisabled":true})").status, 403);
    EXPECT_EQ(house.ask(Method::del, "/Users/" + root).status, 403);
    house.add("Second", "deep", true);
    EXPECT_EQ(house.ask(Method::del, "/Users/" + root).status, 204);
}

TEST(Policies, close_libraries_to_a_user) {
    LoginHouse house;
    const auto id = house.add("Kid", "toy");
    const auto token = house.log_in("Kid", "toy");
    const auto film = std::string(32, '1'), series = std::string(32, '2'), films = std::string(32, 'a');
    const auto names = [&](const std::string& target) {
        const auto page = parsed(house.as(token, get, target));
        std::vector<std::string> found;
        for (const auto& item : page.at("Items").as_array()) found.emplace_back(item.at("Name").as_string());
        return found;
    };
    EXPECT_EQ(names("/Items"), (std::vector<std::string>{"Films", "Shows"}));
    EXPECT_EQ(house.as(token, get, "/Items/" + film).status, 200);
    ASSERT_EQ(house
                  .post("/Users/" + id + "/Policy",
                        R"({"EnableAllFolders":false,"EnabledFolders":[")" + std::string(32, 'b') + "\"]}")
                  .status,
              204);
    EXPECT_EQ(names("/Items"), std::vector<std::string>{"Shows"}) << "at once, without a new login";
    for (const auto& name : names("/Items?recursive=true")) EXPECT_NE(name, "Tide \"Pool\"");
    EXPECT_FALSE(names("/Items?recursive=true").empty());
    EXPECT_EQ(house.as(token, get, "/Items/" + series).status, 200);
    for (const auto& target :
         {"/Items/" + film, "/Items/" + films, "/Items?parentId=" + films, "/Items/" + film + "/Images",
          "/Items/" + film + "/LocalTrailers", "/UserItems/" + film + "/UserData"})
        EXPECT_EQ(house.as(token, get, target).status, 404) << target;
    EXPECT_EQ(house.as(token, post, "/UserPlayedItems/" + film).status, 404);
    EXPECT_EQ(house.as(token, post, "/Playlists?name=L&ids=" + film).status, 404);
    EXPECT_TRUE(house.user_data.rows.empty());
}

TEST(Preferences, are_kept_by_their_user) {
    LoginHouse house;
    const auto id = house.add("Ann", "sea");
    const auto token = house.log_in("Ann", "sea");
    EXPECT_EQ(house
                  .as(token, post, "/Users/Configuration",
                      R"({"AudioLanguagePreference":"deu","SubtitleMode":"smart","OrderedViews":[]})")
                  .status,
              204);
    auto configuration = parsed(house.as(token, get, "/Users/Me")).at("Configuration");
    EXPECT_EQ(configuration.at("AudioLanguagePreference"), "deu");
    EXPECT_EQ(configuration.at("SubtitleMode"), "Smart");
    EXPECT_EQ(configuration.at("PlayDefaultAudioTrack"), true);
    EXPECT_EQ(house
                  .as(token, post, "/Users?userId=" + id,
                      R"({"Name":"Anna","Configuration":{"PlayDefaultAudioTrack":false}})")
                  .status,
              204);
    const auto me = parsed(house.as(token, get, "/Users/Me"));
    EXPECT_EQ(me.at("Name"), "Anna");
    EXPECT_EQ(me.at("Configuration").at("PlayDefaultAudioTrack"), false);
    EXPECT_FALSE(me.at("Configuration").as_object().contains("AudioLanguagePreference")) << "replaced whole";
    EXPECT_EQ(house.as(token, post, "/Users/" + id + "/Configuration", R"({"SubtitleMode":"Loud"})").status, 400);
    house.add("Bo", "bay");
    EXPECT_EQ(house.as(token, post, "/Users", R"({"Name":"BO"})").status, 409);
    std::string views = R"({"OrderedViews":[")" + id;
    for (int i = 0; i < 2'500; ++i) views += R"(",")" + id;
    EXPECT_EQ(house.as(token, post, "/Users/Configuration", views + R"("]})").status, 400) << "all others list it too";
    ASSERT_EQ(house.post("/Users/" + id + "/Policy", R"({"EnableUserPreferenceAccess":false})").status, 204);
    EXPECT_EQ(house.as(token, post, "/Users/Configuration", "{}").status, 403);
    EXPECT_EQ(house.as(token, post, "/Users/Password", R"({"CurrentPw":"sea","NewPw":"x"})").status, 403);
    EXPECT_EQ(house.post("/Users/Configuration?userId=" + id, "{}").status, 204);
}

TEST(UserNames, are_nobody_elses_to_the_eye) {
    LoginHouse house;
    const auto id = house.add("Ann", "sea");
    for (const std::string name :
         {"Ann\xE2\x80\x8B", "An\xC2\xADn", "Ann\xE2\x80\xAE", "\xEF\xBB\xBF", "Ann\xC2\x9B", "A\tn"})
        EXPECT_EQ(house.post("/Users/New", R"({"Name":")" + name + "\"}").status, 400) << name;
    EXPECT_EQ(house.post("/Users/New", R"({"Name":")" + id + "\"}").status, 400) << "users are named by id too";
    EXPECT_EQ(house.post("/Users?userId=" + id, R"({"Name":"Ann\u200b"})").status, 400);
    EXPECT_EQ(house.post("/Users/New", R"({"Name":"Zo\u00eb \ud83d\udc69\u200d\ud83d\ude80"})").status, 200);
    // The same names with accents and vowels as characters of their own (NFD), as file systems have them.
    for (const auto* name : {"Zoe\\u0308", "\\u1112\\u1161\\u11ab", "\\u304b\\u3099"}) {
        const auto refused = house.post("/Users/New", R"({"Name":")" + std::string(name) + "\"}");
        EXPECT_EQ(refused.status, 400) << name;
        EXPECT_THAT(refused.body, HasSubstr("write it and its letter as one character"));
    }
    EXPECT_EQ(house.post("/Users/New", R"({"Name":"\ud55c \u304c \u0939\u093f"})").status, 200);
}

TEST(PasswordChange, needs_the_old_one_and_ends_other_logins) {
    LoginHouse house;
    const auto id = house.add("Ann", "sea");
    const auto phone = house.log_in("Ann", "sea", "phone");
    const auto token = house.log_in("Ann", "sea");
    const auto wrong = house.as(token, post, "/Users/Password", R"({"CurrentPw":"see","NewPw":"ocean"})");
    EXPECT_EQ(wrong.status, 403);
    EXPECT_EQ(house.as(token, post, "/Users/Password", R"({"ResetPassword":true})").status, 403);
    EXPECT_EQ(house.as(phone, get, "/Users/Me").status, 200);
    EXPECT_EQ(house.as(token, post, "/Users/Password", R"({"CurrentPw":"sea","NewPw":"ocean"})").status, 204);
    EXPECT_EQ(house.as(phone, get, "/Users/Me").status, 401);
    EXPECT_EQ(house.as(token, get, "/Users/Me").status, 200);
    EXPECT_EQ(house.try_login("Ann", "sea").status, 401);
    EXPECT_EQ(house.try_login("Ann", "ocean", "desk").status, 200);
    EXPECT_EQ(house.post("/Users/" + id + "/Password", R"({"NewPw":"lake"})").status, 204) << "an administrator's way";
    EXPECT_EQ(house.as(token, get, "/Users/Me").status, 401);
    EXPECT_EQ(house.try_login("Ann", "lake").status, 200);
    EXPECT_EQ(house.post("/Users/Password?userId=" + id, R"({"ResetPassword":true})").status, 204);
    EXPECT_EQ(house.try_login("Ann", "").status, 200);
}

TEST(PasswordChange, leaves_an_administrator_with_one) {
    LoginHouse house;
    const auto id = house.add("Root", "deep", true);
    EXPECT_EQ(house.post("/Users/Password?userId=" + id, R"({"ResetPassword":true})").status, 400);
    EXPECT_EQ(house.post("/Users/Password?userId=" + id, R"({"NewPw":""})").status, 400);
    const auto token = house.log_in("Root", "deep");
    EXPECT_EQ(house.as(token, post, "/Users/Password", R"({"NewPw":"x"})").status, 403)
        << "the own one needs the old one";
}

TEST(ApiKeys, are_made_listed_used_and_revoked) {
    LoginHouse house;
    EXPECT_EQ(house.post("/Auth/Keys?app=Sonarr").status, 204);
    EXPECT_EQ(house.post("/Auth/Keys").status, 400);
    const auto keys = parsed(house.get("/Auth/Keys"));
    EXPECT_EQ(keys.at("TotalRecordCount"), 1);
    EXPECT_EQ(keys.at("Items").at(0).at("AppName"), "Sonarr");
    const std::string key(keys.at("Items").at(0).at("AccessToken").as_string());
    EXPECT_EQ(house.as(key, get, "/ScheduledTasks").status, 200);
    EXPECT_EQ(house.as(key, get, "/Users/Me").status, 400);
    EXPECT_EQ(house.as(key, Method::del, "/Auth/Keys/" + std::string(32, '7')).status, 404);
    EXPECT_EQ(house.as(key, Method::del, "/Auth/Keys/" + key).status, 204);
    EXPECT_EQ(house.as(key, get, "/ScheduledTasks").status, 401);
    EXPECT_EQ(house.get("/Auth/Providers").status, 200);
    EXPECT_EQ(house.get("/Auth/PasswordResetProviders").status, 200);
}

TEST(Devices, are_listed_named_and_logged_out) {
    LoginHouse house;
    house.add("Ann", "sea");
    house.add("Bo", "bay");
    const auto ann = house.log_in("Ann", "sea"), bo = house.log_in("Bo", "bay"),
               phone = house.log_in("Bo", "bay", "ph&1");
    EXPECT_EQ(parsed(house.get("/Devices")).at("TotalRecordCount"), 2);
    EXPECT_EQ(house.post("/Devices/Options?id=tv", R"({"CustomName":"Parlour"})").status, 204);
    EXPECT_EQ(parsed(house.get("/Devices/Options?id=tv")).at("CustomName"), "Parlour");
    EXPECT_EQ(parsed(house.get("/Devices/Info?id=tv")).at("Name"), "Parlour");
    EXPECT_EQ(parsed(house.get("/Devices/Info?id=ph%261")).at("LastUserName"), "Bo");
    EXPECT_EQ(house.get("/Devices/Info?id=nope").status, 404);
    EXPECT_EQ(house.get("/Devices/Info").status, 400);
    EXPECT_EQ(house.ask(Method::del, "/Devices?id=tv").status, 204);
    EXPECT_EQ(house.ask(Method::del, "/Devices?id=tv").status, 404);
    EXPECT_EQ(house.as(ann, get, "/Users/Me").status, 401);
    EXPECT_EQ(house.as(bo, get, "/Users/Me").status, 401);
    EXPECT_EQ(house.as(phone, get, "/Users/Me").status, 200);
}

TEST(SessionList, shows_users_their_own_and_administrators_all) {
    LoginHouse house;
    house.add("Ann", "sea");
    house.add("Bo", "bay");
    const auto ann = house.log_in("Ann", "sea");
    house.log_in("Bo", "bay", "phone");
    EXPECT_EQ(parsed(house.get("/Sessions")).as_array().size(), 2U);
    EXPECT_EQ(parsed(house.get("/Sessions?deviceId=phone")).as_array().size(), 1U);
    EXPECT_EQ(parsed(house.get("/Sessions?activeWithinSeconds=600")).as_array().size(), 2U);
    EXPECT_EQ(house.get("/Sessions?controllableByUserId=" + std::string(32, 'a')).body, "[]");
    EXPECT_EQ(house.get("/Sessions?activeWithinSeconds=x").status, 400);
    const auto own = parsed(house.as(ann, get, "/Sessions"));
    ASSERT_EQ(own.as_array().size(), 1U);
    EXPECT_EQ(own.at(0).at("UserName"), "Ann");
    EXPECT_EQ(
        house
            .as(ann, post, "/Sessions/Capabilities/Full",
                R"({"PlayableMediaTypes":["Audio","Smell"],"SupportedCommands":["play"],"SupportsMediaControl":true})")
            .status,
        204);
    auto session = parsed(house.as(ann, get, "/Sessions")).at(0);
    EXPECT_EQ(session.at("PlayableMediaTypes"), (json::array{"Audio"}));
    EXPECT_EQ(session.at("SupportedCommands"), (json::array{"Play"}));
    EXPECT_EQ(session.at("Capabilities").at("SupportsMediaControl"), true);
    EXPECT_EQ(
        house.as(ann, post, "/Sessions/Capabilities?playableMediaTypes=Video,Audio&supportsMediaControl=false").status,
        204);
    session = parsed(house.as(ann, get, "/Sessions")).at(0);
    EXPECT_EQ(session.at("PlayableMediaTypes"), (json::array{"Video", "Audio"}));
    EXPECT_EQ(house.post("/Sessions/Capabilities").status, 204) << "a key has no session, and nothing to keep";
}

}  // namespace
}  // namespace understudy::http
