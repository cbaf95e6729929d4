// Who logs in on one pod is known on all, and who is logged out on one is refused on all at the next request.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "cluster/cluster.h"
#include "http/raw_client.h"

namespace understudy::testing {
namespace {

namespace json = boost::json;

/// As a client on `device` asks, with `token` where there is one.
RawAnswer as(const PodProcess& pod, const std::string& token, const std::string& method, const std::string& target,
             const std::string& body = {}, const std::string& device = "tv") {
    RawClient client(static_cast<std::uint16_t>(std::stoi(pod.url().substr(pod.url().rfind(':') + 1))));
    return client.ask(method + " " + target +
                      " HTTP/1.1\r\nHost: x\r\nAuthorization: MediaBrowser Client=\"Web\", Device=\"F\", DeviceId=\"" +
                      device + "\", Version=\"1\", Token=\"" + token +
                      "\"\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
}

std::string log_in(const PodProcess& pod, const std::string& password, const std::string& device = "tv") {
    const auto answer =
        as(pod, {}, "POST", "/Users/AuthenticateByName", R"({"Username":"root","Pw":")" + password + "\"}", device);
    EXPECT_EQ(answer.status, 200) << answer.body;
    if (answer.status != 200) return {};
    const auto value = json::parse(answer.body);
    return std::string(value.at("AccessToken").as_string());
}

TEST(Logins, hold_on_all_pods_and_end_on_all_at_once) {
    Cluster cluster({.pods = 2, .redis = false});
    auto &a = cluster.pod(1), &b = cluster.pod(2);

    // The wizard: begun on one pod, ended on the other, closed on both.
    ASSERT_EQ(as(a, {}, "POST", "/Startup/User", R"({"Name":"Root","Password":"deep"})").status, 204);
    ASSERT_EQ(as(b, {}, "POST", "/Startup/Configuration", R"({"ServerName":"Haus"})").status, 204);
    ASSERT_EQ(as(b, {}, "POST", "/Startup/Complete").status, 204);
    EXPECT_EQ(as(a, {}, "POST", "/Startup/User", R"({"Name":"Eve","Password":"evil"})").status, 401);
    const auto info = json::parse(as(a, {}, "GET", "/System/Info/Public").body);
    EXPECT_EQ(info.at("ServerName"), "Haus");
    EXPECT_EQ(info.at("StartupWizardCompleted"), true);

    // Each turn: logged in on A, used on both, out on B, refused on A by the very next request.
    for (int turn = 0; turn < 20; ++turn) {
        const auto token = log_in(a, "deep");
        ASSERT_EQ(as(b, token, "GET", "/Users/Me").status, 200);
        ASSERT_EQ(as(a, token, "GET", "/Users/Me").status, 200);
        ASSERT_EQ(as(b, token, "POST", "/Sessions/Logout").status, 204);
        ASSERT_EQ(as(a, token, "GET", "/Users/Me").status, 401) << turn;
    }

    // A device that an administrator removes; a password that changes; a new login on the same device.
    const auto phone = log_in(a, "deep", "phone");
    ASSERT_EQ(as(a, phone, "GET", "/Users/Me").status, 200);
    EXPECT_EQ(b.request("DELETE", "/Devices?id=phone").status, 204);
    EXPECT_EQ(as(a, phone, "GET", "/Users/Me").status, 401);
    const auto desk = log_in(a, "deep", "desk"), tv = log_in(b, "deep");
    ASSERT_EQ(as(a, tv, "GET", "/Users/Me").status, 200);
    EXPECT_EQ(as(b, desk, "POST", "/Users/Password", R"({"CurrentPw":"deep","NewPw":"deeper"})", "desk").status, 204);
    EXPECT_EQ(as(a, tv, "GET", "/Users/Me").status, 401);
    EXPECT_EQ(as(a, desk, "GET", "/Users/Me").status, 200) << "who changed it stays";
    const auto first = log_in(a, "deeper"), second = log_in(b, "deeper");
    EXPECT_EQ(as(a, first, "GET", "/Users/Me").status, 401);
    EXPECT_EQ(as(a, second, "GET", "/Users/Me").status, 200);

    // A key that is made on one pod opens the other, until it is revoked.
    ASSERT_EQ(a.request("POST", "/Auth/Keys?app=Sonarr").status, 204);
    const auto keys = b.get("/Auth/Keys");
    const std::string key(keys.at("Items").at(0).at("AccessToken").as_string());
    EXPECT_EQ(as(b, key, "GET", "/ScheduledTasks").status, 200);
    EXPECT_EQ(a.request("DELETE", "/Auth/Keys/" + key).status, 204);
    EXPECT_EQ(as(b, key, "GET", "/ScheduledTasks").status, 401);

    // Failed logins count together, wherever they come in.
    for (int i = 0; i < 5; ++i) {
        auto& pod = i % 2 == 0 ? a : b;
        EXPECT_EQ(as(pod, {}, "POST", "/Users/AuthenticateByName", R"({"Username":"Root","Pw":"x"})").status, 401);
    }
    EXPECT_EQ(as(b, {}, "POST", "/Users/AuthenticateByName", R"({"Username":"Root","Pw":"x"})").status, 429);

    // What is kept of all this holds no token and no password.
    for (const auto* table : {"sessions", "users", "api_keys", "login_failures"}) {
        const auto rows = cluster.sql(std::string("SELECT string_agg(t::text, ' ') FROM ") + table + " t");
        for (const auto& secret : {second, std::string("deeper")})
            EXPECT_THAT(rows, ::testing::Not(::testing::HasSubstr(secret))) << table;
    }
    EXPECT_THAT(cluster.all_logs(), ::testing::Not(::testing::HasSubstr(second)));
    EXPECT_THAT(cluster.all_logs(), ::testing::Not(::testing::HasSubstr("deeper")));
}

}  // namespace
}  // namespace understudy::testing
