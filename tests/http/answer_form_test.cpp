// The form of answers over a real server: what HEAD, caches, browsers of other origins and players rely on, on every
// kind of route.
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "http/login_house.h"
#include "http/raw_client.h"

namespace understudy::http {
namespace {

using testing::RawAnswer;
using testing::RawClient;

constexpr std::array dashboard_files{
    EmbeddedFile{"index.html", "<html>the dashboard</html>", "what gzip made of it", "t"}};

class AnswerForm : public ::testing::Test {
protected:
    AnswerForm() { shelf.services.dashboard = dashboard_files; }
    RawAnswer ask(const std::string& method, const std::string& target, const std::string& headers = {}) {
        return client.ask(method + " " + target + " HTTP/1.1\r\nHost: x\r\nX-Emby-Token: " + testing::admin_key +
                              "\r\n" + headers + "\r\n",
                          method == "HEAD" || headers.find("If-None-Match") != std::string::npos);
    }
    static std::map<std::string, std::string> fields(const RawAnswer& answer) {
        std::map<std::string, std::string> all;
        for (const auto& header : answer.headers) EXPECT_TRUE(all.emplace(header.name, header.value).second);
        return all;
    }

    testing::DescribedShelf shelf;
    RawClient client{shelf.serve()};
};

constexpr const char* of_each_kind[] = {"/System/Ping",
                                        "/System/Info",
                                        "/Items?recursive=true",
                                        "/Items?recursive=nonsense",
                                        "/Branding/Css",
                                        "/Branding/Splashscreen",
                                        "/dashboard/",
                                        "/",
                                        "/api-docs/openapi.json",
                                        "/metrics",
                                        "/health/ready",
                                        "/socket",
                                        "/Items/11111111111111111111111111111111/Images/Primary",
                                        "/nowhere"};

TEST_F(AnswerForm, head_is_get_without_the_body) {
    for (const std::string target : of_each_kind) {
        for (const std::string headers : {"", "Accept-Encoding: gzip\r\n"}) {
            SCOPED_TRACE(target + ' ' + headers);
            const auto got = ask("GET", target, headers), head = ask("HEAD", target, headers);
            EXPECT_EQ(head.status, got.status);
            auto of_get = fields(got), of_head = fields(head);
            if (target == "/metrics") {  // it counts the requests before it
                of_get.erase("Content-Length");
                of_head.erase("Content-Length");
            }
            EXPECT_EQ(of_head, of_get);
        }
    }
}

TEST_F(AnswerForm, what_is_known_by_its_tag_is_304_with_the_headers_of_the_200) {
    int tagged = 0;
    for (const std::string target : of_each_kind) {
        for (const std::string form : {"", "Accept-Encoding: gzip\r\n"}) {
            SCOPED_TRACE(target + ' ' + form);
            const auto got = ask("GET", target, form);
            const auto tag = got.header("ETag");
            if (tag.empty()) continue;
            ++tagged;
            EXPECT_TRUE(got.header("Content-Encoding").empty() || tag != ask("GET", target).header("ETag") ||
                        tag.starts_with("W/"))
                << "two forms, one strong tag";
            for (const std::string& known : {tag, "\"x\", " + tag, std::string("*")}) {
                const auto again = ask("GET", target, form + "If-None-Match: " + known + "\r\n");
                EXPECT_EQ(again.status, 304);
                for (const auto* name : {"ETag", "Vary", "Cache-Control"})
                    EXPECT_EQ(again.header(name), got.header(name)) << name;
            }
        }
    }
    EXPECT_GE(tagged, 8);
}

TEST_F(AnswerForm, nothing_is_compressed_for_who_does_not_take_it) {
    for (const auto* target : {"/Items?recursive=true", "/dashboard/", "/api-docs/openapi.json"}) {
        SCOPED_TRACE(target);
        for (const auto* no :
             {"", "Accept-Encoding: \r\n", "Accept-Encoding: gzip;q=0\r\n", "Accept-Encoding: gzip;q=0.000, br\r\n",
              "Accept-Encoding: *;q=0\r\n", "Accept-Encoding: identity\r\n"}) {
            const auto answer = ask("GET", target, no);
            EXPECT_EQ(answer.header("Content-Encoding"), "") << no;
            EXPECT_EQ(answer.header("Vary"), "Accept-Encoding") << no;
        }
        for (const auto* yes : {"Accept-Encoding: gzip\r\n", "Accept-Encoding: br;q=1, gzip;q=0.1\r\n",
                                "Accept-Encoding: *\r\n", "Accept-Encoding: identity;q=0.5, *;q=1\r\n"})
            EXPECT_EQ(ask("GET", target, yes).header("Content-Encoding"), "gzip") << yes;
    }
}

TEST_F(AnswerForm, ranges_are_not_given_and_the_whole_is) {
    const auto whole = ask("GET", "/System/Ping");
    for (const auto* range : {"bytes=0-1", "bytes=-5", "bytes=1000000-", "bytes=0-0,5-6", "bytes=9-1", "lines=1-2"}) {
        const auto answer = ask("GET", "/System/Ping", "Range: " + std::string(range) + "\r\n");
        EXPECT_EQ(answer.status, 200) << range;
        EXPECT_EQ(answer.body, whole.body) << range;
    }
}

TEST_F(AnswerForm, other_origins_may_ask_and_read_whatever_the_answer_is) {
    const auto asked = ask("OPTIONS", "/Items",
                           "Origin: https://web.example\r\nAccess-Control-Request-Method: DELETE\r\n"
                           "Access-Control-Request-Headers: authorization, x-emby-token\r\n");
    EXPECT_EQ(asked.status, 204);
    EXPECT_EQ(asked.header("Access-Control-Allow-Origin"), "*");
    EXPECT_EQ(asked.header("Access-Control-Allow-Methods"), "DELETE");
    EXPECT_EQ(asked.header("Access-Control-Allow-Headers"), "authorization, x-emby-token");
    for (const std::string target : of_each_kind)
        EXPECT_EQ(ask("GET", target, "Origin: https://web.example\r\n").header("Access-Control-Allow-Origin"), "*")
            << target;
}

}  // namespace
}  // namespace understudy::http
