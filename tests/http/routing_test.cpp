// The rules that hold for every path: case, slashes, prefixes, CORS, 404, 405, starting, queries in all spellings.
#include <gtest/gtest.h>

#include "http/house.h"
#include "http/raw_client.h"
#include "http/text.h"

namespace understudy::http {
namespace {

using testing::House;
using testing::RawClient;

Request request_for(Method method, std::string target, std::vector<Header> headers = {}) {
    Request request;
    request.method = method;
    request.target = std::move(target);
    request.headers = std::move(headers);
    return request;
}

int status_of_get(House& house, std::string target) {
    return house.ask(request_for(Method::get, std::move(target))).status;
}

TEST(Routing, takes_paths_in_any_case_with_or_without_a_trailing_slash) {
    House house;
    for (const char* path :
         {"/System/Info/Public", "/system/info/public", "/SYSTEM/INFO/PUBLIC/", "//System//Info/Public",
          "/System/%49nfo/Public", "http://media.example/System/Info/Public?x=y"}) {
        EXPECT_EQ(status_of_get(house, path), 200) << path;
    }
}

TEST(Routing, answers_404_with_an_empty_object_and_one_debug_line) {
    House house;
    const auto answer = house.get("/LiveTv/Nothing?x=1");
    EXPECT_EQ(answer.status, 404);
    EXPECT_EQ(answer.body, "{}");
    EXPECT_EQ(answer.content_type, json_type);
    EXPECT_EQ(house.log.count("debug not served method=GET path=/LiveTv/Nothing"), 1U);
}

TEST(Routing, answers_405_with_what_the_path_takes) {
    House house;
    const auto answer = house.ask(Method::put, "/Library/VirtualFolders");
    EXPECT_EQ(answer.status, 405);
    EXPECT_EQ(answer.header("Allow"), "GET, HEAD, POST, DELETE, OPTIONS");
    EXPECT_EQ(house.ask(Method::other, "/System/Ping").status, 405);
}

TEST(Routing, knows_the_prefixes_of_old_clients_where_they_are_on) {
    House house;
    EXPECT_EQ(status_of_get(house, "/emby/System/Info/Public"), 200);
    EXPECT_EQ(status_of_get(house, "/MediaBrowser/system/ping"), 200);
    EXPECT_EQ(status_of_get(house, "/embyx/System/Ping"), 404);
    EXPECT_EQ(house.counters.legacy_prefix_used, 2U);
    House modern(DispatcherSettings{.base_url = {}, .legacy_authorization = false});
    EXPECT_EQ(status_of_get(modern, "/emby/System/Info/Public"), 404);
}

TEST(Routing, serves_everything_below_the_base_url_and_probes_without_it_too) {
    House house(DispatcherSettings{.base_url = "/jf", .legacy_authorization = true});
    EXPECT_EQ(status_of_get(house, "/jf/System/Info/Public"), 200);
    EXPECT_EQ(status_of_get(house, "/JF/system/info/public/"), 200);
    EXPECT_EQ(status_of_get(house, "/jf/emby/System/Ping"), 200);
    EXPECT_EQ(status_of_get(house, "/System/Info/Public"), 404);
    EXPECT_EQ(status_of_get(house, "/jfx/System/Ping"), 404);
    for (const char* path : {"/health", "/jf/health", "/health/ready", "/metrics"}) {
        EXPECT_EQ(status_of_get(house, path), 200) << path;
    }
}

TEST(Routing, answers_the_question_a_browser_asks_first) {
    House house;
    RawClient client(house.serve());
    const auto answer = client.ask(
        "OPTIONS /ScheduledTasks HTTP/1.1\r\nHost: x\r\nOrigin: https://web.example\r\nAccess-Control-Request-Method: "
        "POST\r\n"
        "Access-Control-Request-Headers: authorization, x-own\r\n\r\n");
    EXPECT_EQ(answer.status, 204);
    EXPECT_EQ(answer.header("Access-Control-Allow-Origin"), "*");
    EXPECT_EQ(answer.header("Access-Control-Allow-Methods"), "POST");
    EXPECT_EQ(answer.header("Access-Control-Allow-Headers"), "authorization, x-own");
    EXPECT_EQ(answer.header("Content-Length"), "");
    const auto plain = client.ask("OPTIONS /System/Ping HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(plain.status, 204);
    EXPECT_EQ(plain.header("Allow"), "GET, HEAD, POST, OPTIONS");
    EXPECT_EQ(client.ask("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n").status, 204);
    EXPECT_EQ(client.ask("OPTIONS /nowhere HTTP/1.1\r\nHost: x\r\n\r\n").status, 404);
}

TEST(Routing, lets_pages_of_any_origin_read_the_answer_also_of_a_refusal) {
    House house;
    for (const char* path : {"/System/Ping", "/ScheduledTasks", "/nowhere"}) {
        const auto answer = house.ask(request_for(Method::get, path, {{"Origin", "https://web.example"}}));
        EXPECT_EQ(answer.header("Access-Control-Allow-Origin"), "*") << path;
    }
    EXPECT_EQ(house.get("/System/Ping").header("Access-Control-Allow-Origin"), "");
}

TEST(Routing, asks_clients_to_come_again_while_the_server_starts) {
    House house;
    house.health.now.phase = HealthReport::Phase::starting;
    house.health.now.phase_detail = "waiting for the database";
    const auto answer = house.get("/ScheduledTasks");
    EXPECT_EQ(answer.status, 503);
    EXPECT_EQ(answer.header("Retry-After"), "5");
    EXPECT_EQ(answer.body, "The server is starting: waiting for the database.");
    EXPECT_EQ(house.get("/System/Info/Public").status, 503);
    EXPECT_EQ(house.get("/System/Ping").status, 200);
    EXPECT_EQ(house.get("/health/live").status, 200);
    EXPECT_EQ(house.get("/metrics").status, 200);
}

TEST(Routing, reads_queries_in_every_spelling) {
    House house;
    house.tasks.add("RefreshLibrary");
    for (const char* query :
         {"isEnabled=true", "IsEnabled=True", "ISENABLED=TRUE", "isEnabled%3Dtrue", "isenabled=%74rue"}) {
        EXPECT_NE(house.get("/ScheduledTasks?" + std::string(query)).body, "[]") << query;
    }
    EXPECT_EQ(house.get("/ScheduledTasks?isEnabled%3Dfalse%26x%3D1").body, "[]");
}

TEST(Routing, names_the_parameter_that_does_not_parse) {
    House house;
    const auto answer = house.get("/ScheduledTasks?isHidden=perhaps");
    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(answer.content_type, "application/problem+json; charset=utf-8");
    EXPECT_EQ(
        answer.body,
        R"({"type":"https://tools.ietf.org/html/rfc9110#section-15.5.1","title":"One or more validation errors occurred.",)"
        R"("status":400,"detail":"isHidden: 'perhaps' is not valid; use true or false",)"
        R"("errors":{"isHidden":["isHidden: 'perhaps' is not valid; use true or false"]}})");
}

TEST(Routing, spells_properties_as_the_client_asks) {
    House house;
    const auto spelled = [&](const char* accept) {
        return house.ask(request_for(Method::get, "/System/Info/Public", {{"Accept", accept}})).body;
    };
    const auto camel = [&](const char* accept) { return spelled(accept).find("\"serverName\"") != std::string::npos; };
    // What @jellyfin/sdk 1.0 sends: the plain kind stands first.
    EXPECT_FALSE(
        camel("application/json,application/json; profile=CamelCase,application/json; profile=PascalCase,text/html"));
    EXPECT_TRUE(camel("text/html, application/json; profile=CamelCase, application/json"));
    EXPECT_TRUE(camel("application/json;q=0.5, application/json;profile=\"CamelCase\";q=0.9, */*;q=0.1"));
    EXPECT_FALSE(camel("image/*;profile=CamelCase, */*"));
    EXPECT_FALSE(camel("application/json; profile=\"CamelCase\";q=0"));
    EXPECT_NE(spelled("application/json; profile=\"CamelCase\"").find("\"serverName\""), std::string::npos);
    EXPECT_NE(spelled("application/json;profile=camelcase").find("\"serverName\""), std::string::npos);
    EXPECT_NE(spelled("application/json; profile=\"PascalCase\"").find("\"ServerName\""), std::string::npos);
    EXPECT_NE(spelled("*/*").find("\"ServerName\""), std::string::npos);
}

TEST(Routing, answers_unavailable_services_with_503_and_when_to_come_again) {
    House house;
    house.tasks.broken = core::Error{core::Errc::unavailable, "the database does not answer"};
    const auto answer = house.get("/ScheduledTasks");
    EXPECT_EQ(answer.status, 503);
    EXPECT_EQ(answer.header("Retry-After"), "2");
    EXPECT_EQ(answer.body, "the database does not answer");
}

TEST(Routing, never_lets_a_failing_handler_end_the_server) {
    House house;
    Route route;
    route.path = "/fails";
    route.access = Access::open;
    route.handler = [](const Request&) -> Response { throw std::runtime_error("a bug"); };
    house.router.add(route);
    const auto answer = house.get("/fails");
    EXPECT_EQ(answer.status, 500);
    EXPECT_EQ(answer.body, "Error processing request.");
    EXPECT_EQ(house.log.count("a request failed unexpectedly path=/fails cause=a bug"), 1U);
}

std::string path_with(const Route& route, std::string_view wrong) {
    std::string path;
    for (const auto segment : split(route.path, '/')) {
        if (segment.empty()) continue;
        const bool id = segment == "{id}" || segment.ends_with("Id}");
        path += "/";
        if (segment == wrong)
            path += "zz";
        else
            path += id ? std::string(32, '7') : std::string(segment.front() == '{' ? "0" : segment);
    }
    return path;
}

TEST(Routing, answers_400_where_something_that_is_no_id_stands_for_one) {
    House house;
    int asked = 0;
    for (const auto* route : house.router.routes()) {
        for (const auto segment : split(route->path, '/')) {
            if (segment != "{id}" && !segment.ends_with("Id}")) continue;
            const auto name = std::string(segment.substr(1, segment.size() - 2));
            const auto answer = house.ask(route->method, path_with(*route, segment));
            EXPECT_EQ(answer.status, 400) << route->path;
            EXPECT_NE(answer.body.find(name + ": 'zz' is no id; use 32 hex digits"), std::string::npos) << answer.body;
            EXPECT_EQ(answer.content_type, "application/problem+json; charset=utf-8");
            ++asked;
        }
    }
    EXPECT_GT(asked, 40);
    EXPECT_EQ(house.log.count("a request failed unexpectedly"), 0U);
}

TEST(Routing, answers_404_for_an_id_that_nobody_has) {
    House house;
    int asked = 0;
    for (const auto* route : house.router.routes()) {
        // What has more in its path may ask for a kind of picture or a user first.
        if (route->method != Method::get || !route->path.ends_with("{id}")) continue;
        EXPECT_EQ(house.get(path_with(*route, "none")).status, 404) << route->path;
        ++asked;
    }
    EXPECT_GE(asked, 2);
    for (const char* path : {"/Users/", "/cluster/runs/", "/Items/", "/Playlists/"}) {
        EXPECT_EQ(house.get(path + std::string(32, '7')).status, 404) << path;
        EXPECT_EQ(house.get(path + std::string("77777777-7777-7777-7777-777777777777")).status, 404) << path;
    }
    EXPECT_EQ(house.get("/ScheduledTasks/zz").status, 404) << "a task's key is a word, not an id";
}

TEST(Routing, asks_for_a_key_before_it_looks_at_ids) {
    House house;
    EXPECT_EQ(status_of_get(house, "/Items/zz"), 401);
}

}  // namespace
}  // namespace understudy::http
