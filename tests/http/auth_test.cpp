// Who may call: every credential form, over a real socket as clients send it; 401, 403 and what they say.
#include <gtest/gtest.h>

#include <memory>

#include "http/house.h"
#include "http/raw_client.h"

namespace understudy::http {
namespace {

using testing::House;
using testing::RawClient;

/// The admin key as `form` carries it: header lines and query.
struct Form {
    const char* name;
    std::string headers;
    std::string query;
    bool legacy;
};

std::vector<Form> forms() {
    const std::string key = testing::admin_key;
    return {
        {"Authorization: MediaBrowser", "Authorization: MediaBrowser Token=\"" + key + "\"\r\n", "", false},
        {"?ApiKey=", "", "?ApiKey=" + key, false},
        {"Authorization: Emby", "Authorization: Emby Token=\"" + key + "\"\r\n", "", true},
        {"X-Emby-Token", "X-Emby-Token: " + key + "\r\n", "", true},
        {"X-MediaBrowser-Token", "X-MediaBrowser-Token: " + key + "\r\n", "", true},
        {"X-Emby-Authorization", "X-Emby-Authorization: MediaBrowser Client=\"x\", Token=\"" + key + "\"\r\n", "",
         true},
        {"?api_key=", "", "?api_key=" + key, true},
    };
}

testing::RawAnswer ask(std::uint16_t port, const std::string& headers, const std::string& query = "",
                       const std::string& path = "/ScheduledTasks") {
    RawClient client(port);
    return client.ask("GET " + path + query + " HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n");
}

TEST(Authorization, takes_the_key_in_all_seven_forms_and_counts_them) {
    House house;
    const auto port = house.serve();
    for (const auto& form : forms()) {
        SCOPED_TRACE(form.name);
        EXPECT_EQ(ask(port, form.headers, form.query).status, 200);
    }
    for (const auto& count : house.counters.forms_used) EXPECT_EQ(count, 1U);
}

TEST(Authorization, refuses_the_legacy_forms_where_they_are_off_and_names_them) {
    House house(DispatcherSettings{.base_url = {}, .legacy_authorization = false});
    const auto port = house.serve();
    for (const auto& form : forms()) {
        SCOPED_TRACE(form.name);
        for (int i = 0; i < 2; ++i) {
            const auto answer = ask(port, form.headers, form.query);
            EXPECT_EQ(answer.status, form.legacy ? 401 : 200);
            if (form.legacy) {
                EXPECT_EQ(answer.body,
                          "The credential form " + std::string(form.name) +
                              " is turned off here (EnableLegacyAuthorization=false); send `Authorization: "
                              "MediaBrowser Token=\"KEY\"` or `?ApiKey=KEY`.");
            }
        }
        if (!form.legacy) continue;
        EXPECT_EQ(house.log.count("warning a legacy credential form was refused, as EnableLegacyAuthorization is off; "
                                  "the client should send Authorization: MediaBrowser form=" +
                                  std::string(form.name)),
                  1U);
    }
    for (std::size_t i = 0; i < credential_form_count; ++i) {
        EXPECT_EQ(house.counters.forms_refused[i], is_legacy(static_cast<CredentialForm>(i)) ? 2U : 0U);
    }
}

TEST(Authorization, tells_no_key_from_a_wrong_key_from_a_key_without_the_right) {
    House house;
    const auto port = house.serve();
    const auto none = ask(port, "");
    EXPECT_EQ(none.status, 401);
    EXPECT_EQ(none.header("WWW-Authenticate"), "MediaBrowser");
    EXPECT_EQ(none.body,
              "An access token is needed: send `Authorization: MediaBrowser Token=\"KEY\"` or `?ApiKey=KEY`.");
    const auto wrong = ask(port, "X-Emby-Token: 0123456789abcdef-kez\r\n");
    EXPECT_EQ(wrong.status, 401);
    EXPECT_EQ(wrong.body, "The access token is not known here (sent as X-Emby-Token).");
    const auto guest = ask(port, "X-Emby-Token: guest\r\n");
    EXPECT_EQ(guest.status, 403);
    EXPECT_EQ(guest.body, "This needs an administrator.");
}

TEST(Authorization, takes_an_empty_token_as_anonymous) {
    House house;
    const auto port = house.serve();
    EXPECT_EQ(ask(port, "Authorization: MediaBrowser Client=\"x\", Token=\"\"\r\n").status, 401);
    EXPECT_EQ(ask(port, "Authorization: MediaBrowser Client=\"x\", Token=\"\"\r\n", "", "/System/Info/Public").status,
              200);
}

TEST(Authorization, does_not_ask_for_a_key_where_none_is_needed_even_beside_a_wrong_one) {
    House house;
    const auto port = house.serve();
    for (const char* path :
         {"/System/Info/Public", "/System/Ping", "/health", "/health/live", "/health/ready", "/metrics"}) {
        EXPECT_EQ(ask(port, "X-Emby-Token: nonsense\r\n", "", path).status, 200) << path;
    }
}

TEST(Authorization, asks_for_a_key_on_every_other_route) {
    House house;
    std::size_t guarded = 0;
    for (const auto* route : house.router.routes()) {
        Request request;
        request.method = route->method;
        request.target = route->path;
        if (route->access == Access::open) continue;
        ++guarded;
        const int wanted = route->path == "/socket" ? 403 : 401;  // before the upgrade, as the reference
        EXPECT_EQ(house.ask(std::move(request)).status, wanted) << to_string(route->method) << ' ' << route->path;
    }
    EXPECT_GE(guarded, 20U);
    EXPECT_TRUE(house.tasks.calls.empty());
}

TEST(Authorization, lets_a_good_token_win_over_an_empty_one_before_it) {
    House house;
    const auto port = house.serve();
    const std::string key = testing::admin_key;
    EXPECT_EQ(ask(port, "Authorization: MediaBrowser Client=\"x\"\r\nX-Emby-Token: " + key + "\r\n").status, 200);
    EXPECT_EQ(ask(port, "Authorization: Basic dXNlcjpwYXNz\r\nX-Emby-Token: " + key + "\r\n").status, 200);
}

}  // namespace
}  // namespace understudy::http
