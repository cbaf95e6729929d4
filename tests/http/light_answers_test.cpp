// What all answers have in common: compressed where that helps, 304 where nothing has changed, and not for those who
// ask too often without a token.
#include <gtest/gtest.h>

#include "http/login_house.h"
#include "http/raw_client.h"
#include "http/system_house.h"

namespace understudy::http {
namespace {

Response with(testing::House& house, const std::string& target, std::vector<Header> headers,
              const std::string& token = testing::admin_key, const std::string& peer = "192.0.2.7") {
    Request request;
    request.target = target;
    request.headers = std::move(headers);
    if (!token.empty()) request.headers.push_back({"Authorization", "MediaBrowser Token=\"" + token + '"'});
    request.peer = peer;
    return house.ask(request);
}

TEST(LightAnswers, lists_are_tagged_and_compressed) {
    testing::DescribedShelf shelf;
    const auto plain = with(shelf, "/Items?recursive=true", {});
    ASSERT_EQ(plain.status, 200);
    ASSERT_GT(plain.body.size(), 1024U);
    const auto small = with(shelf, "/Items?recursive=true", {{"Accept-Encoding", "gzip, br"}});
    EXPECT_EQ(small.header("Content-Encoding"), "gzip");
    EXPECT_LT(small.body.size(), plain.body.size());
    EXPECT_EQ(with(shelf, "/Items?recursive=true", {{"If-None-Match", std::string(plain.header("ETag"))}}).status, 304);
    shelf.catalog.rows[0].item.name = "Another name";
    EXPECT_EQ(with(shelf, "/Items?recursive=true", {{"If-None-Match", std::string(plain.header("ETag"))}}).status, 200);
}

TEST(LightAnswers, logs_are_compressed_and_have_no_tag) {
    testing::SystemHouse house;
    house.finish_wizard();
    std::string text;
    while (text.size() <= 1024) text += "2026-11-30 04:10:46.546+00:00 info    run started task=RefreshLibrary\n";
    house.folder.write("understudy-2026-11-30.log", text);
    const std::string path = "/System/Logs/Log?name=understudy-2026-11-30.log";
    const auto plain = with(house, path, {}, house.admin_token);
    EXPECT_EQ(plain.body, text);
    EXPECT_EQ(plain.header("ETag"), "");
    const auto small = with(house, path, {{"Accept-Encoding", "gzip"}}, house.admin_token);
    EXPECT_EQ(small.header("Content-Encoding"), "gzip");
    EXPECT_LT(small.body.size(), text.size());
}

TEST(LightAnswers, have_the_length_of_what_is_sent_and_none_where_nothing_is) {
    testing::DescribedShelf shelf;
    const auto port = shelf.serve();
    testing::RawClient client(port);
    const std::string head = " /Items?recursive=true HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\nX-Emby-Token: " +
                             std::string(testing::admin_key) + "\r\n";
    const auto got = client.ask("GET" + head + "\r\n");
    EXPECT_EQ(got.status, 200);
    EXPECT_EQ(got.header("Content-Length"), std::to_string(got.body.size()));
    const auto only_head = client.ask("HEAD" + head + "\r\n", true);
    EXPECT_EQ(only_head.header("Content-Length"), got.header("Content-Length"));
    const auto known = client.ask("GET" + head + "If-None-Match: " + got.header("ETag") + "\r\n\r\n", true);
    EXPECT_EQ(known.status, 304);
    EXPECT_EQ(client.ask("GET" + head + "\r\n").body, got.body) << "and the connection goes on";
}

DispatcherSettings few_a_minute() {
    DispatcherSettings settings;
    settings.unknown_per_minute = 3;
    settings.trusted_proxies = {"10.0.0.0/8"};
    return settings;
}

TEST(RequestRate, those_without_a_token_wait_and_those_with_one_do_not) {
    testing::House house(few_a_minute());
    house.users.rows.push_back({.id = testing::id_of<core::UserId>('7'), .name = "Ann"});
    for (int i = 0; i < 3; ++i) EXPECT_EQ(with(house, "/System/Info/Public", {}, "").status, 200);
    const auto refused = with(house, "/System/Info/Public", {}, "");
    EXPECT_EQ(refused.status, 429);
    EXPECT_EQ(refused.header("Retry-After"), "20");
    EXPECT_EQ(with(house, "/Users", {}, "").status, 429) << "also what would be refused";
    EXPECT_EQ(with(house, "/Users", {}, "wrong").status, 429) << "and with a token that nobody knows";
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(with(house, "/Users", {}).status, 200) << "the administrator's key";
        EXPECT_EQ(with(house, "/Users", {}, testing::guest_key).status, 200);
        EXPECT_EQ(with(house, "/health/live", {}, "").status, 200) << "probes are always answered";
    }
    EXPECT_EQ(with(house, "/System/Info/Public", {}, "", "192.0.2.8").status, 200) << "another address";
    house.clock.advance(std::chrono::seconds{20});
    EXPECT_EQ(with(house, "/System/Info/Public", {}, "").status, 200);
}

TEST(RequestRate, counts_whom_a_trusted_proxy_names) {
    testing::House house(few_a_minute());
    const auto from = [&](const std::string& client) {
        return with(house, "/System/Info/Public", {{"X-Forwarded-For", client}}, "", "10.0.0.1").status;
    };
    for (int i = 0; i < 3; ++i) EXPECT_EQ(from("203.0.113.1"), 200);
    EXPECT_EQ(from("203.0.113.1"), 429);
    EXPECT_EQ(from("203.0.113.2"), 200);
}

TEST(RequestRate, is_not_limited_unless_said_so) {
    testing::House house;
    for (int i = 0; i < 2'000; ++i) ASSERT_EQ(with(house, "/System/Info/Public", {}, "").status, 200);
}

}  // namespace
}  // namespace understudy::http
