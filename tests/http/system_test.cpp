// /System beyond its configuration, logs, and what this server does not have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <boost/json.hpp>
#include <csignal>
#include <filesystem>
#include <future>
#include <thread>

#include "http/jellyfin/system/log_files.h"
#include "http/patience.h"
#include "http/system_house.h"

namespace understudy::http {
namespace {

using ::testing::ElementsAre;
using testing::get;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::parsed;
using testing::post;
using testing::SystemHouse;

TEST(System, tells_everybody_in_the_wizard_then_users_and_paths_to_administrators_alone) {
    SystemHouse house;
    EXPECT_EQ(house.as({}, get, "/System/Info").status, 200) << "the wizard is open";
    EXPECT_EQ(house.as({}, get, "/Localization/Options").status, 200);
    house.finish_wizard();
    EXPECT_EQ(house.as({}, get, "/System/Info").status, 401);
    EXPECT_EQ(house.as("nonsense", get, "/System/Info").status, 401);
    EXPECT_EQ(house.as({}, get, "/Localization/Options").status, 401);
    const auto told = parsed(house.as_kid(get, "/System/Info")).as_object();
    EXPECT_EQ(told.at("Version"), "10.11.11");
    EXPECT_EQ(told.at("IsShuttingDown"), false);
    EXPECT_FALSE(told.contains("LogPath"));
    EXPECT_EQ(house.got("/System/Info").at("LogPath"), house.folder.path().c_str());
    house.health.now.phase = HealthReport::Phase::stopping;
    EXPECT_EQ(house.got("/System/Info").at("IsShuttingDown"), true);
    EXPECT_THAT(house
                    .ask({.method = get,
                          .target = "/System/Info?ApiKey=" + house.admin_token,
                          .headers = {{"Accept", "application/json; profile=\"CamelCase\""}}})
                    .body,
                HasSubstr(R"("castReceiverApplications":[{"id":"F007D354","name":"Stable"})"));
}

TEST(System, ends_this_pod_when_an_administrator_asks_and_tells_the_others) {
    SystemHouse house;
    house.finish_wizard();
    EXPECT_EQ(house.as_kid(post, "/System/Restart").status, 403);
    EXPECT_EQ(house.as_kid(post, "/System/Shutdown").status, 403);
    EXPECT_EQ(house.as({}, post, "/System/Shutdown").status, 401);
    EXPECT_TRUE(house.endings.empty());
    house.events.published.clear();
    const auto answer = house.as_admin(post, "/System/Restart");
    EXPECT_EQ(answer.status, 204);
    EXPECT_EQ(answer.header("X-Understudy-Pod"), "a");
    EXPECT_EQ(house.as_admin(post, "/System/Shutdown").status, 204);
    EXPECT_THAT(house.endings, ElementsAre(Ending::restart, Ending::shutdown));
    EXPECT_THAT(house.events.published,
                ElementsAre(std::pair<std::string, std::string>("server.stopping", R"({"pod":"a","restart":true})"),
                            std::pair<std::string, std::string>("server.stopping", R"({"pod":"a","restart":false})")));
    house.services.system.end = {};
    EXPECT_EQ(house.as_admin(post, "/System/Shutdown").status, 501);
}

TEST(System, knows_whether_a_client_is_near) {
    SystemHouse house;
    house.finish_wizard();
    const auto seen = [&](const char* peer) {
        house.peer = peer;
        return house.as_kid(get, "/System/Endpoint").body;
    };
    EXPECT_EQ(seen("127.0.0.1"), R"({"IsLocal":true,"IsInNetwork":true})");
    EXPECT_EQ(seen("::1"), R"({"IsLocal":true,"IsInNetwork":true})");
    EXPECT_EQ(seen("192.168.7.9"), R"({"IsLocal":false,"IsInNetwork":true})");
    EXPECT_EQ(seen("fd00::9"), R"({"IsLocal":false,"IsInNetwork":true})");
    EXPECT_EQ(seen("203.0.113.9"), R"({"IsLocal":false,"IsInNetwork":false})");
}

TEST(System, storage_names_each_place_and_how_full_it_is) {
    SystemHouse house;
    house.finish_wizard();
    const auto storage = house.got("/System/Info/Storage");
    EXPECT_EQ(storage.at("LogFolder").at("Path"), house.folder.path().c_str());
    EXPECT_GT(storage.at("LogFolder").at("FreeSpace").as_int64(), 0);
    EXPECT_GT(storage.at("LogFolder").at("UsedSpace").as_int64(), 0);
    EXPECT_EQ(storage.at("WebFolder").at("FreeSpace"), -1) << "there is none";
    ASSERT_EQ(storage.at("Libraries").as_array().size(), 2U);
    EXPECT_EQ(storage.at("Libraries").at(0).at("Folders").at(0).at("FreeSpace"), -1) << "not there";
    EXPECT_EQ(house.as_kid(get, "/System/Info/Storage").status, 403);
}

TEST(Patience, does_not_wait_for_what_hangs_twice_and_comes_back_when_it_does) {
    const Patience patience(core::Millis{500});
    std::promise<void> open;
    const auto opened = open.get_future().share();
    std::promise<void> left;
    const auto hang = patience.ask<int>("/dead", [opened, &left]() -> core::Result<int> {
        opened.wait();
        left.set_value();
        return 1;
    });
    ASSERT_FALSE(hang);
    EXPECT_EQ(hang.error().code, core::Errc::unavailable);
    EXPECT_THAT(hang.error().context, HasSubstr("/dead"));
    bool asked = false;
    EXPECT_FALSE(patience.ask<int>("/dead", [&asked]() -> core::Result<int> {
        asked = true;
        return 2;
    }));
    EXPECT_FALSE(asked) << "nobody waits a second time";
    EXPECT_EQ(patience.ask<int>("/alive", []() -> core::Result<int> { return 3; }).value(), 3);
    EXPECT_EQ(patience.ask<int>("/alive", []() -> core::Result<int> { return core::fail(core::Errc::not_found, "x"); })
                  .error()
                  .code,
              core::Errc::not_found);
    open.set_value();
    left.get_future().wait();
    core::Result<int> again = 0;
    do {
        again = patience.ask<int>("/dead", []() -> core::Result<int> { return 4; });
        std::this_thread::yield();
    } while (!again);  // its thread is about to say that it is back
    EXPECT_EQ(*again, 4);
}

TEST(Logs, are_those_of_this_pod_and_nothing_else_of_its_folder) {
    SystemHouse house;
    house.finish_wizard();
    house.folder.write("understudy-2026-11-29.log", "old\n");
    house.folder.write("understudy-2026-11-30.log", "new\n");
    house.folder.write("secret.txt", "no\n");
    house.folder.write("admin.key", "no\n");
    std::filesystem::create_symlink(house.folder / "admin.key", house.folder / "understudy-2026-11-28.log");
    std::filesystem::last_write_time(
        house.folder / "understudy-2026-11-29.log",
        std::filesystem::last_write_time(house.folder / "understudy-2026-11-30.log") - std::chrono::hours{24});
    const auto answer = house.as_admin(get, "/System/Logs");
    const auto list = parsed(answer).as_array();
    ASSERT_EQ(list.size(), 2U) << answer.body;
    EXPECT_EQ(list.at(0).at("Name"), "understudy-2026-11-30.log");
    EXPECT_EQ(list.at(0).at("Size"), 4);
    EXPECT_EQ(answer.header("X-Understudy-Pod"), "a");
    const auto file = house.as_admin(get, "/System/Logs/Log?name=understudy-2026-11-30.log");
    EXPECT_EQ(file.body, "new\n");
    EXPECT_EQ(file.content_type, text_type);
    for (const char* name : {"admin.key", "understudy-2026-11-28.log", "..%2Fadmin.key", "understudy-..%2Fadmin.key",
                             "understudy-2026-11-27.log", "%2Fetc%2Fpasswd"})
        EXPECT_EQ(house.as_admin(get, std::string("/System/Logs/Log?name=") + name).status, 404) << name;
    EXPECT_EQ(house.as_admin(get, "/System/Logs/Log").status, 400);
    EXPECT_EQ(house.as_admin(get, "/System/Logs/Log?name=understudy-2026-11-30.log&tail=-1").status, 400);
    EXPECT_EQ(house.as_kid(get, "/System/Logs").status, 403);
    EXPECT_EQ(house.as_kid(get, "/System/Logs/Log?name=understudy-2026-11-30.log").status, 403);
}

TEST(Logs, of_a_long_file_the_end_is_shown_from_the_start_of_a_line) {
    testing::TempFolder folder;
    const std::string line = std::string(1'000, 'x') + "\n";
    std::string bytes;
    while (static_cast<std::int64_t>(bytes.size()) <= longest_log_shown) bytes += line;
    bytes += "the end\n";
    folder.write("understudy-2026-11-30.log", bytes);
    const auto shown = read_log_file(folder.path(), "understudy-2026-11-30.log").value();
    EXPECT_LE(static_cast<std::int64_t>(shown.size()), longest_log_shown);
    EXPECT_TRUE(shown.starts_with(line));
    EXPECT_TRUE(shown.ends_with("the end\n"));
}

TEST(Logs, of_a_client_that_do_not_fit_on_the_disc_leave_nothing_there) {
    const testing::TempFolder folder;
    ::rlimit usual{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &usual), 0);
    const auto heard = std::signal(SIGXFSZ, SIG_IGN);
    const ::rlimit full{100, usual.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);
    const auto put = write_log_file(folder.path(), "upload_a.log", std::string(1'000, 'x'));
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &usual), 0);
    std::signal(SIGXFSZ, heard);
    EXPECT_FALSE(put);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Logs, end_as_early_as_the_caller_wants_at_the_start_of_a_line) {
    SystemHouse house;
    house.finish_wizard();
    house.folder.write("understudy-2026-11-30.log", "the first\nthe second\nthe third\n");
    const auto end = [&](const char* tail) {
        return house.as_admin(get, std::string("/System/Logs/Log?name=understudy-2026-11-30.log&tail=") + tail).body;
    };
    EXPECT_EQ(end("10"), "the third\n");
    EXPECT_EQ(end("20"), "the third\n");
    EXPECT_EQ(end("21"), "the second\nthe third\n");
    EXPECT_EQ(end("99999999999999"), "the first\nthe second\nthe third\n");
    EXPECT_EQ(end("0"), "");
}

TEST(Logs, of_clients_are_taken_within_bounds_and_only_where_that_is_allowed) {
    SystemHouse house;
    house.finish_wizard();
    const auto taken = house.as_kid(post, "/ClientLog/Document", "it broke\n");
    ASSERT_EQ(taken.status, 200) << taken.body;
    const std::string name(parsed(taken).at("FileName").as_string());
    EXPECT_TRUE(name.starts_with("upload_Web_1.0_20261130")) << name;
    EXPECT_EQ(house.as_admin(get, "/System/Logs/Log?name=" + name).body, "it broke\n");
    EXPECT_EQ(house.as_kid(post, "/ClientLog/Document").status, 400);
    EXPECT_EQ(house.as_kid(post, "/ClientLog/Document", std::string(1'000'001, 'x')).status, 413);
    EXPECT_EQ(house.as({}, post, "/ClientLog/Document", "x").status, 401);
    for (int i = 0; i < 99; ++i) house.folder.write("upload_a_1_" + std::to_string(i) + ".log", "x");
    EXPECT_EQ(house.as_kid(post, "/ClientLog/Document", "one more").status, 409);
    ASSERT_EQ(house.as_admin(post, "/System/Configuration", R"({"AllowClientLogUpload":false})").status, 204);
    EXPECT_EQ(house.as_kid(post, "/ClientLog/Document", "x").status, 403);
}

TEST(Localization, knows_the_worlds_languages_and_countries_and_the_ratings_of_the_wizards_country) {
    SystemHouse house;
    house.finish_wizard();
    const auto cultures = house.as_kid(get, "/Localization/Cultures").body;
    EXPECT_THAT(cultures,
                HasSubstr(R"({"Name":"German","DisplayName":"German","TwoLetterISOLanguageName":"de",)"
                          R"("ThreeLetterISOLanguageName":"ger","ThreeLetterISOLanguageNames":["ger","deu"]})"));
    EXPECT_EQ(boost::json::parse(cultures).as_array().size(), 184U);
    const auto countries = house.as_kid(get, "/Localization/Countries").body;
    EXPECT_THAT(countries, HasSubstr(R"({"Name":"DE","DisplayName":"Germany","TwoLetterISORegionName":"DE",)"
                                     R"("ThreeLetterISORegionName":"DEU"})"));
    EXPECT_EQ(boost::json::parse(countries).as_array().size(), 249U);
    EXPECT_THAT(house.as_kid(get, "/Localization/ParentalRatings").body, HasSubstr("PG-13"));
    ASSERT_EQ(house.as_admin(post, "/System/Configuration", R"({"MetadataCountryCode":"DE"})").status, 204);
    EXPECT_THAT(house.as_kid(get, "/Localization/ParentalRatings").body, HasSubstr("FSK-12"));
    ASSERT_EQ(house.as_admin(post, "/System/Configuration", R"({"MetadataCountryCode":"XX"})").status, 204);
    EXPECT_THAT(house.as_kid(get, "/Localization/ParentalRatings").body, HasSubstr("PG-13"));
}

TEST(Absent, lists_that_clients_poll_are_empty_and_who_forgot_a_password_is_told_whom_to_ask) {
    SystemHouse house;
    house.finish_wizard();
    for (const char* target : {"/Channels", "/LiveTv/Channels", "/LiveTv/Programs", "/LiveTv/Timers"})
        EXPECT_EQ(house.as_kid(get, target).body, R"({"Items":[],"TotalRecordCount":0,"StartIndex":0})") << target;
    EXPECT_EQ(house.as_kid(get, "/SyncPlay/List").body, "[]");
    EXPECT_EQ(house.as_kid(get, "/Plugins").status, 403);
    EXPECT_EQ(house.as_admin(get, "/Plugins").body, "[]");
    const auto known = house.as({}, post, "/Users/ForgotPassword", R"({"EnteredUsername":"root"})");
    const auto unknown = house.as({}, post, "/Users/ForgotPassword", R"({"EnteredUsername":"nobody"})");
    EXPECT_EQ(known.body, R"({"Action":"ContactAdmin"})");
    EXPECT_EQ(known.body, unknown.body) << "who has an account is not told";
    EXPECT_EQ(house.as({}, post, "/Users/ForgotPassword/Pin", R"({"Pin":"1"})").body,
              R"({"Success":false,"UsersReset":[]})");
    EXPECT_EQ(house.as_admin(post, "/System/MediaEncoder/Path", R"({"Path":"/x"})").status, 204);
    EXPECT_THAT(house.as({}, get, "/GetUtcTime").body, HasSubstr("RequestReceptionTime"));
}

}  // namespace
}  // namespace understudy::http
