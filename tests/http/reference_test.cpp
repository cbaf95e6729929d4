// Every answer of Jellyfin's surface against the reference contract, which stays outside the repository: whatever it
// does not mark nullable is there, types and enums agree, and no property is one that it does not know.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "http/contract_document.h"
#include "http/login_house.h"

namespace understudy::http {
namespace {

namespace json = boost::json;

using testing::Contract;

TEST(Reference, knows_every_property_of_our_answers_and_misses_none) {
    const auto reference = testing::reference_document();
    if (!reference) GTEST_SKIP() << testing::no_reference;
    Contract contract(*reference);

    testing::DescribedShelf shelf;
    for (const char* key : {"RefreshLibrary", "RefreshPeople", "OptimizeDatabaseTask"}) shelf.tasks.add(key);
    auto& state = shelf.tasks.at("RefreshLibrary").state;
    tasks::RunRow run;
    run.progress = 12.5;
    state.live = run;
    run.state = tasks::RunState::yielded;
    run.error = "stopped";
    state.last_result = run;
    shelf.libraries.rows[0].options =
        R"({"EnablePhotos":false,"TypeOptions":[{"Type":"Movie","ImageOptions":[{"Type":"Primary","Limit":1,"MinWidth":0}]}],)"
        R"("RemoveMissingAfterDays":7})";

    std::vector<std::string> all;
    const auto compare = [&](const char* path, const std::string& target) {
        const auto answer = shelf.get(target);
        ASSERT_EQ(answer.status, 200) << target;
        for (const auto& fault : contract.faults(path, json::parse(answer.body))) all.push_back(fault);
    };
    compare("/System/Info/Public", "/System/Info/Public");
    compare("/System/Ping", "/System/Ping");
    compare("/ScheduledTasks", "/ScheduledTasks");
    compare("/ScheduledTasks/{taskId}", "/ScheduledTasks/RefreshLibrary");
    compare("/Library/VirtualFolders", "/Library/VirtualFolders");
    compare("/Items", "/Items");
    compare("/Items", "/Items?recursive=true");
    compare(
        "/Items",
        "/Items?recursive=true&fields=MediaSources,MediaStreams,Chapters,Path,ProviderIds,Genres,SortName,ParentId");
    for (const auto& row : shelf.catalog.rows) compare("/Items/{itemId}", "/Items/" + row.item.id.str());
    compare("/Items/{itemId}", "/Items/" + shelf.films.id.str());

    const auto compare_post = [&](const char* path, const std::string& target, const std::string& body = {}) {
        const auto answer = shelf.post(target, body);
        EXPECT_EQ(answer.status, 200) << target << ": " << answer.body;
        const auto value = json::parse(answer.body);
        for (const auto& fault : contract.faults(path, value, "post")) all.push_back(fault);
        return value.is_object() && value.as_object().contains("Id") ? std::string(value.at("Id").as_string())
                                                                     : std::string();
    };
    const auto user = compare_post("/Users/New", "/Users/New", R"({"Name":"Ann"})");
    compare("/Users", "/Users");
    compare("/Users/{userId}", "/Users/" + user);
    for (const char digit : {'1', '2', '5'}) {
        const std::string id(32, digit);
        compare_post("/UserItems/{itemId}/UserData", "/UserItems/" + id + "/UserData",
                     R"({"PlaybackPositionTicks":600000000,"Rating":8,"LastPlayedDate":"2026-11-30T10:00:00Z"})");
        compare("/UserItems/{itemId}/UserData", "/UserItems/" + id + "/UserData");
        compare_post("/UserPlayedItems/{itemId}", "/UserPlayedItems/" + id);
        compare_post("/UserFavoriteItems/{itemId}", "/UserFavoriteItems/" + id);
        compare_post("/UserItems/{itemId}/Rating", "/UserItems/" + id + "/Rating?likes=true");
    }
    compare("/UserItems/Resume", "/UserItems/Resume");
    compare("/Items", "/Items?recursive=true&userId=" + user);
    compare_post("/Collections", "/Collections?name=Sea&ids=" + std::string(32, '1'));
    const auto playlist =
        compare_post("/Playlists", "/Playlists", R"({"Name":"L","Ids":[")" + std::string(32, '5') + "\"]}");
    compare("/Playlists/{playlistId}", "/Playlists/" + playlist);
    compare("/Playlists/{playlistId}/Items", "/Playlists/" + playlist + "/Items?userId=" + user);
    compare("/Playlists/{playlistId}/Users", "/Playlists/" + playlist + "/Users");
    compare("/Playlists/{playlistId}/Users/{userId}", "/Playlists/" + playlist + "/Users/" + user);
    compare("/Items/{itemId}", "/Items/" + playlist + "?userId=" + user);
    compare("/Items/{itemId}", "/Items/" + shelf.people.rows.front().id.str());
    compare("/Items", "/Items?recursive=true&fields=People,Overview,Studios,Tags,RemoteTrailers,LocalTrailerCount");
    const auto film = "/Items/" + std::string(32, '1');
    compare("/Items/{itemId}/Images", film + "/Images");
    compare("/Items/{itemId}/SpecialFeatures", film + "/SpecialFeatures");
    compare("/Items/{itemId}/LocalTrailers", film + "/LocalTrailers");
    compare("/Persons", "/Persons?fields=Overview,ProviderIds");
    compare("/Persons/{name}", "/Persons/Ann%20Lee");
    for (const auto& fault : all) ADD_FAILURE() << fault;
}

TEST(Reference, knows_logins_users_sessions_and_the_wizard) {
    const auto reference = testing::reference_document();
    if (!reference) GTEST_SKIP() << testing::no_reference;
    Contract contract(*reference);
    testing::LoginHouse house;
    std::string token;
    const auto compare = [&](const char* path, const std::string& target, const char* method = "get",
                             const std::string& body = {}) {
        const auto answer =
            house.as(token, std::string_view(method) == "get" ? Method::get : Method::post, target, body);
        ASSERT_EQ(answer.status, 200) << target << ": " << answer.body;
        for (const auto& fault : contract.faults(path, json::parse(answer.body), method)) ADD_FAILURE() << fault;
    };
    compare("/System/Info/Public", "/System/Info/Public");
    compare("/Startup/Configuration", "/Startup/Configuration");
    compare("/Startup/User", "/Startup/User");
    ASSERT_EQ(house.as({}, Method::post, "/Startup/User", R"({"Name":"Root","Password":"deep"})").status, 204);
    compare("/Startup/FirstUser", "/Startup/FirstUser");
    ASSERT_EQ(house.as({}, Method::post, "/Startup/Complete").status, 204);
    compare("/Users/AuthenticateByName", "/Users/AuthenticateByName", "post", R"({"Username":"Root","Pw":"deep"})");
    token = house.log_in("Root", "deep");
    ASSERT_EQ(house
                  .as(token, Method::post, "/Sessions/Capabilities/Full",
                      R"({"PlayableMediaTypes":["Video"],"SupportedCommands":["Play","Mute"]})")
                  .status,
              204);
    ASSERT_EQ(house.as(token, Method::post, "/Devices/Options?id=tv", R"({"CustomName":"Parlour"})").status, 204);
    const auto kid = house.add("Kid", "");
    ASSERT_EQ(
        house
            .as(token, Method::post, "/Users/" + kid + "/Policy",
                R"({"IsHidden":false,"EnabledFolders":["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"],"EnabledDevices":["tv"],)"
                R"("EnableContentDeletionFromFolders":["x"],"RemoteClientBitrateLimit":8000000})")
            .status,
        204);
    ASSERT_EQ(house
                  .as(token, Method::post, "/Users/Configuration?userId=" + kid,
                      R"({"AudioLanguagePreference":"deu","SubtitleMode":"Smart","MyMediaExcludes":["a)" +
                          std::string(31, 'a') + R"("],"CastReceiverId":"x"})")
                  .status,
              204);
    ASSERT_EQ(house.as(token, Method::post, "/Auth/Keys?app=Sonarr").status, 204);
    compare("/Users/Me", "/Users/Me");
    compare("/Users", "/Users");
    compare("/Users/Public", "/Users/Public");
    compare("/Users/{userId}", "/Users/" + kid);
    compare("/Users/New", "/Users/New", "post", R"({"Name":"Bo","Password":"bay"})");
    compare("/Sessions", "/Sessions");
    compare("/Devices", "/Devices");
    compare("/Devices/Info", "/Devices/Info?id=tv");
    compare("/Devices/Options", "/Devices/Options?id=tv");
    compare("/Auth/Keys", "/Auth/Keys");
    compare("/Auth/Providers", "/Auth/Providers");
    compare("/Auth/PasswordResetProviders", "/Auth/PasswordResetProviders");
    compare("/QuickConnect/Enabled", "/QuickConnect/Enabled");
}

}  // namespace
}  // namespace understudy::http
