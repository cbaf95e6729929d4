// /, /web and /dashboard, and the schedule that triggers would have, as docs/api.md says them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "http/house.h"
#include "support/temp_folder.h"

namespace understudy::http {
namespace {

using ::testing::HasSubstr;
using testing::House;

constexpr std::array files{EmbeddedFile{"assets/index-B3xKq9aZ.js", "run()", "", "t1"},
                           EmbeddedFile{"index.html", "<html>", "", "t2"}};

/// As a browser asks: without a key.
Response open_page(House& house, std::string target) {
    Request request;
    request.target = std::move(target);
    return house.ask(std::move(request));
}

std::string leads_to(House& house, std::string target) {
    const auto answer = open_page(house, std::move(target));
    return answer.status == 302 ? std::string(answer.header("Location")) : std::to_string(answer.status);
}

TEST(Dashboard, is_open_and_allows_its_page_only_what_comes_from_here) {
    House house;
    house.services.dashboard = files;
    const auto page = open_page(house, "/dashboard/");
    EXPECT_EQ(page.status, 200);
    EXPECT_EQ(page.body, "<html>");
    EXPECT_EQ(page.header("Cache-Control"), "no-cache");
    EXPECT_THAT(std::string(page.header("Content-Security-Policy")),
                HasSubstr("default-src 'none'; script-src 'self';"));
    const auto script = open_page(house, "/dashboard/assets/index-B3xKq9aZ.js");
    EXPECT_EQ(script.body, "run()");
    EXPECT_EQ(script.content_type, "text/javascript; charset=utf-8");
    EXPECT_EQ(script.header("Cache-Control"), "public, max-age=31536000, immutable");
    EXPECT_EQ(open_page(house, "/dashboard/assets/none.js").status, 404);
    house.health.now.phase = HealthReport::Phase::starting;
    EXPECT_EQ(open_page(house, "/dashboard/").status, 200);
}

TEST(Dashboard, is_where_all_addresses_of_a_person_lead) {
    House house;
    EXPECT_EQ(leads_to(house, "/"), "dashboard/");
    EXPECT_EQ(leads_to(house, "/?x=/y"), "dashboard/");
    EXPECT_EQ(leads_to(house, "/dashboard"), "dashboard/");
    EXPECT_EQ(leads_to(house, "/web"), "dashboard/");
    EXPECT_EQ(leads_to(house, "/web/"), "../dashboard/");
    EXPECT_EQ(leads_to(house, "/web/index.html"), "../dashboard/");
    EXPECT_EQ(leads_to(house, "/web/main.js"), "404");
}

TEST(Dashboard, lies_below_the_base_url) {
    House house(DispatcherSettings{.base_url = "/a/jf"});
    house.services.dashboard = files;
    EXPECT_EQ(leads_to(house, "/a/jf"), "jf/dashboard/");
    EXPECT_EQ(leads_to(house, "/a/jf/"), "dashboard/");
    EXPECT_EQ(open_page(house, "/a/jf/dashboard/").status, 200);
    EXPECT_EQ(open_page(house, "/dashboard/").status, 404);
    EXPECT_EQ(open_page(house, "/").status, 404);
}

TEST(WebClient, takes_the_place_of_the_dashboard_where_a_folder_is_named) {
    const testing::TempFolder root("understudy-web");
    root.write("index.html", "client");
    root.write("config.json", "{}");
    {
        House house;
        const auto folder = WebFolder::open(root.path());
        ASSERT_TRUE(folder);
        house.services.dashboard = files;
        house.services.web = &*folder;
        Router router;
        add_dashboard_routes(router, house.services);
        Dispatcher dispatcher({}, router, house.identities, house.health, house.counters, house.clock, house.log);
        const auto get = [&](const char* target) {
            Request request;
            request.target = target;
            if (auto quick = dispatcher.at_once(request)) return *quick;
            return dispatcher.handle(request);
        };
        EXPECT_EQ(get("/").header("Location"), "web/");
        EXPECT_EQ(get("/web").header("Location"), "web/");
        EXPECT_EQ(get("/web/").body, "client");
        EXPECT_EQ(get("/web/config.json").content_type, "application/json; charset=utf-8");
        EXPECT_EQ(get("/web/%2e%2e/index.html").status, 404);
        EXPECT_EQ(get("/web/..%2findex.html").status, 404);
        EXPECT_EQ(get("/dashboard/").body, "<html>");
    }
}

class Preview : public ::testing::Test {
protected:
    Preview() {
        house_.ledger.view.now = core::from_unix_ms(1'796'032'760'000);  // 2026-11-30 09:59:20
        tasks::TaskStateRow state;
        state.task = {"RefreshLibrary", "cluster"};
        state.triggers = {{tasks::IntervalTrigger{std::chrono::hours{12}}, std::nullopt, house_.ledger.view.now}};
        state.last_end = house_.ledger.view.now - std::chrono::hours{1};
        house_.ledger.view.tasks.push_back(state);
    }
    House house_;
};

TEST_F(Preview, shows_when_triggers_would_be_due_across_summer_time) {
    house_.services.info.zone = *tasks::Zone::named("Europe/Berlin");
    house_.ledger.view.now = core::from_unix_ms(1'806'019'200'000);  // 2027-03-26, two days before clocks change
    const auto answer = house_.post("/cluster/schedule/preview?task=RefreshLibrary&count=3",
                                    R"([{"Type":"DailyTrigger","TimeOfDayTicks":108000000000}])");
    EXPECT_EQ(
        answer.body,
        R"({"zone":"Europe/Berlin","items":[{"slot":"2027-03-26T02:00:00.000Z","trigger":"DailyTrigger","index":0},)"
        R"({"slot":"2027-03-27T02:00:00.000Z","trigger":"DailyTrigger","index":0},)"
        R"({"slot":"2027-03-28T01:00:00.000Z","trigger":"DailyTrigger","index":0}]})");
}

TEST_F(Preview, counts_an_interval_from_the_last_run_and_stores_nothing) {
    const auto answer =
        house_.post("/cluster/schedule/preview?task=RefreshLibrary&count=2",
                    R"([{"Type":"StartupTrigger"},{"Type":"IntervalTrigger","IntervalTicks":"72000000000"}])");
    EXPECT_EQ(answer.body,
              R"({"zone":"UTC","items":[{"slot":"2026-11-30T10:59:20.000Z","trigger":"IntervalTrigger","index":1},)"
              R"({"slot":"2026-11-30T12:59:20.000Z","trigger":"IntervalTrigger","index":1}]})");
    EXPECT_THAT(house_.tasks.calls, ::testing::IsEmpty());
    EXPECT_EQ(house_.post("/cluster/schedule/preview?task=RefreshLibrary", "[]").body, R"({"zone":"UTC","items":[]})");
}

TEST_F(Preview, says_what_is_wrong_as_storing_would) {
    const auto refused = house_.post("/cluster/schedule/preview?task=RefreshLibrary",
                                     R"([{"Type":"IntervalTrigger","IntervalTicks":5}])");
    EXPECT_EQ(refused.status, 400);
    EXPECT_THAT(refused.body, HasSubstr("IntervalTicks"));
    EXPECT_EQ(house_.post("/cluster/schedule/preview", "[]").status, 400);
    EXPECT_EQ(house_.post("/cluster/schedule/preview?task=RefreshLibrary").status, 400);
    EXPECT_EQ(house_.post("/cluster/schedule/preview?task=Nonsense", "[]").status, 404);
    house_.ledger.broken = core::Error{core::Errc::unavailable, "the database does not answer"};
    EXPECT_EQ(house_.post("/cluster/schedule/preview?task=RefreshLibrary", "[]").status, 503);
}

}  // namespace
}  // namespace understudy::http
