// Our own surface, as docs/api.md says it: /health, /metrics, /cluster.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <thread>

#include "http/fake_findings.h"
#include "http/house.h"
#include "http/shelf.h"
#include "media/keyframes.h"
#include "media/loudness.h"

namespace understudy::http {
namespace {

namespace json = boost::json;
using testing::House;
using testing::id_of;
using testing::parsed;
using namespace std::chrono_literals;

constexpr core::UtcTime at(std::int64_t second) {
    return core::from_unix_ms(1'796'032'000'000 + second * 1000);
}

tasks::RunRow run(char digit, tasks::RunState state) {
    tasks::RunRow row;
    row.id = id_of<core::RunId>(digit);
    row.task = {"RefreshLibrary", "cluster"};
    row.kind = tasks::RunKind::timer;
    row.slot = at(0);
    row.pod = "b";
    row.boot = id_of<core::BootId>('2');
    row.epoch = 7;
    row.state = state;
    row.progress = 12.5;
    row.started_at = at(1);
    row.heartbeat_at = at(2);
    row.counts = {{"added", 12}, {"kept_offline", 40}};
    row.warnings = {"one \"folder\""};
    return row;
}

TEST(Health, is_healthy_degraded_or_unhealthy) {
    House house;
    EXPECT_EQ(house.get("/health").body, "Healthy");
    EXPECT_EQ(house.get("/health").header("Cache-Control"), "no-store");
    house.lease.seen.provider = "redis";
    house.lease.seen.standing = lease::Standing::self_appointed;
    house.lease.seen.outage = {at(0), lease::NoAnswer::unreachable, "redis:6379 refused the connection"};
    const auto degraded = house.get("/health");
    EXPECT_EQ(degraded.body, "Degraded");
    EXPECT_EQ(degraded.status, 200);
    house.health.now.database_reachable = false;
    const auto unhealthy = house.get("/health");
    EXPECT_EQ(unhealthy.body, "Unhealthy");
    EXPECT_EQ(unhealthy.status, 503);
    EXPECT_EQ(house.get("/health/live").status, 200);
}

TEST(Health, notes_paused_timers_and_a_resignation_without_calling_them_faults) {
    House house;
    EXPECT_EQ(house.get("/health").header("X-Understudy-Note"), "");
    EXPECT_TRUE(parsed(house.get("/health/ready")).at("notes").as_array().empty());
    house.tasks.paused = true;
    const auto noted = house.get("/health");
    EXPECT_EQ(noted.body, "Healthy") << "probes compare it";
    EXPECT_NE(noted.header("X-Understudy-Note").find("understudy tasks resume"), std::string::npos);
    house.lease.seen.abstains_until = at(9);
    const auto ready = parsed(house.get("/health/ready"));
    EXPECT_EQ(ready.at("status"), "Healthy");
    EXPECT_TRUE(ready.at("degraded").as_array().empty());
    ASSERT_EQ(ready.at("notes").as_array().size(), 2U);
    EXPECT_EQ(ready.at("notes").as_array()[0].at("component"), "timers");
    EXPECT_NE(ready.at("notes").as_array()[1].at("reason").as_string().find("2026-11-30T09:46:49.000Z"),
              json::string::npos);
}

TEST(Health, notes_that_nobody_leads_yet_and_until_when) {
    House house;
    house.lease.seen.provider = "redis";
    house.lease.seen.standing = lease::Standing::unknown;
    house.lease.seen.waits_until = at(9);
    auto ready = parsed(house.get("/health/ready"));
    EXPECT_EQ(ready.at("status"), "Healthy");
    ASSERT_EQ(ready.at("notes").as_array().size(), 1U);
    EXPECT_NE(ready.at("notes").as_array()[0].at("reason").as_string().find("2026-11-30T09:46:49.000Z"),
              json::string::npos);
    EXPECT_EQ(parsed(house.get("/cluster/leader")).at("waitsUntil"), "2026-11-30T09:46:49.000Z");
    house.lease.seen.standing = lease::Standing::self_appointed;
    ready = parsed(house.get("/health/ready"));
    EXPECT_EQ(ready.at("status"), "Degraded");
    EXPECT_NE(ready.at("degraded").as_array()[0].at("reason").as_string().find("may have forgotten who leads"),
              json::string::npos);
    EXPECT_TRUE(ready.at("notes").as_array().empty());
}

TEST(Health, is_ready_without_redis_and_says_what_is_wrong) {
    House house;
    house.lease.seen.provider = "redis";
    house.lease.seen.standing = lease::Standing::self_appointed;
    house.lease.seen.outage = {at(0), lease::NoAnswer::unreachable, "redis:6379 refused the connection"};
    house.health.now.degradations = {{"media", "/media/films is not mounted"}};
    const auto ready = house.get("/health/ready");
    EXPECT_EQ(ready.status, 200);
    EXPECT_EQ(
        ready.body,
        R"({"ready":true,"status":"Degraded","phase":"ready","detail":null,"product":"Understudy","version":"0.1.0",)"
        R"("pod":"a","baseUrl":"","database":{"reachable":true,"migrated":true,"detail":null},)"
        R"("lease":{"standing":"self_appointed","provider":"redis","outage":"redis:6379 refused the connection"},)"
        R"("degraded":[{"component":"media","reason":"/media/films is not mounted"},)"
        R"({"component":"redis","reason":"unreachable: redis:6379 refused the connection"}],"notes":[]})");
}

TEST(Health, is_not_ready_while_starting_stopping_or_without_its_database) {
    House house;
    const auto ready_status = [&] { return house.get("/health/ready").status; };
    house.health.now.phase = HealthReport::Phase::starting;
    EXPECT_EQ(ready_status(), 503);
    house.health.now.phase = HealthReport::Phase::stopping;
    EXPECT_EQ(ready_status(), 503);
    house.health.now.phase = HealthReport::Phase::ready;
    EXPECT_EQ(ready_status(), 200);
    house.health.now.database_migrated = false;
    EXPECT_EQ(ready_status(), 503);
}

TEST(Metrics, say_in_prometheus_form_what_memory_holds) {
    House house;
    house.lease.seen.single = true;
    house.lease.seen.standing = lease::Standing::leader;
    house.tasks.numbers.skipped_not_leader["RefreshLibrary"] = 3;
    house.tasks.numbers.runs_completed["RefreshLibrary"] = 2;
    house.tasks.numbers.runs_failed["RefreshPeople"] = 1;
    house.tasks.broken = core::Error{core::Errc::unavailable, "a scrape must not ask"};
    house.ledger.broken = house.tasks.broken;
    EXPECT_EQ(house.get("/nowhere").status, 404);
    const auto answer = house.get("/metrics");
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.content_type, "text/plain; version=0.0.4; charset=utf-8");
    for (const char* line : {
             "understudy_build_info{version=\"0.1.0\",jellyfin_version=\"10.11.11\"} 1\n",
             "understudy_lease_standing{standing=\"single\"} 1\n",
             "understudy_lease_standing{standing=\"leader\"} 0\n",
             "understudy_task_skipped_not_leader_total{task=\"RefreshLibrary\"} 3\n",
             "understudy_task_runs_total{task=\"RefreshLibrary\",result=\"completed\"} 2\n",
             "understudy_task_runs_total{task=\"RefreshPeople\",result=\"failed\"} 1\n",
             "# TYPE understudy_task_runs_total counter\n",
             "understudy_http_responses_total{class=\"4xx\"} 1\n",
             "understudy_http_request_duration_seconds_bucket{le=\"+Inf\"} 1\n",
             "understudy_http_credentials_total{form=\"X-Emby-Token\"} 0\n",
         }) {
        EXPECT_NE(answer.body.find(line), std::string::npos) << line << answer.body;
    }
}

TEST(Metrics, take_numbers_of_other_modules) {
    class Clock final : public MetricSource {
        void collect(std::vector<MetricSample>& out) const override {
            out.push_back({"understudy_store_clock_anomaly_total",
                           "Steps of the store's clock",
                           MetricSample::Kind::counter,
                           {{"store", "redis"}},
                           4});
        }
    } source;
    House house;
    house.sources.push_back(&source);
    EXPECT_NE(house.get("/metrics").body.find("understudy_store_clock_anomaly_total{store=\"redis\"} 4\n"),
              std::string::npos);
}

TEST(Leader, shows_standing_holder_and_outage_as_this_pod_sees_them) {
    House house;
    house.lease.seen.single = true;
    house.lease.seen.standing = lease::Standing::leader;
    house.lease.seen.provider = "none";
    EXPECT_EQ(
        house.get("/cluster/leader").body,
        R"({"pod":"a","standing":"single","provider":"none","holder":null,"term":0,"ttlLeftMs":null,"outage":null,)"
        R"("abstainsUntil":null,"standsBack":null,"waitsUntil":null,"timersPaused":false})");
    house.lease.seen = {};
    house.lease.seen.standing = lease::Standing::follower;
    house.lease.seen.provider = "redis";
    house.lease.seen.holder = {"b", at(5)};
    house.lease.seen.term = 2;
    house.lease.seen.ttl_left = core::Millis{9'250};
    house.lease.seen.outage = {at(6), lease::NoAnswer::misconfigured, "WRONGPASS: check the password"};
    EXPECT_EQ(
        house.get("/cluster/leader").body,
        R"({"pod":"a","standing":"follower","provider":"redis","holder":{"pod":"b","since":"2026-11-30T09:46:45.000Z"},)"
        R"("term":2,"ttlLeftMs":9250,"outage":{"since":"2026-11-30T09:46:46.000Z","class":"misconfigured",)"
        R"("detail":"WRONGPASS: check the password"},"abstainsUntil":null,"standsBack":null,"waitsUntil":null,"timersPaused":false})");
}

TEST(Leader, says_that_timers_are_paused_and_until_when_a_resigned_pod_abstains) {
    House house;
    house.tasks.paused = true;
    house.lease.seen.abstains_until = at(9);
    const auto shown = parsed(house.get("/cluster/leader"));
    EXPECT_EQ(shown.at("timersPaused"), true);
    EXPECT_EQ(shown.at("abstainsUntil"), "2026-11-30T09:46:49.000Z");
}

TEST(Leader, says_why_a_pod_leaves_the_lead_to_another) {
    House house;
    house.lease.seen.stands_back = "this pod does not see the library folder /m, which b sees";
    EXPECT_EQ(parsed(house.get("/cluster/leader")).at("standsBack"),
              "this pod does not see the library folder /m, which b sees");
    EXPECT_NE(house.get("/health/ready").body.find("/m, which b sees; it leads only where"), std::string::npos);
    EXPECT_NE(house.get("/metrics").body.find("understudy_lease_stands_back 1\n"), std::string::npos);
}

TEST(Leader, is_camel_case_whatever_the_client_asks) {
    House house;
    Request request;
    request.target = "/cluster/leader?ApiKey=" + std::string(testing::admin_key);
    request.headers = {{"Accept", "application/json; profile=\"PascalCase\""}};
    EXPECT_NE(house.ask(request).body.find("\"ttlLeftMs\""), std::string::npos);
}

TEST(Leader, resigns_in_the_background_where_this_pod_leads) {
    House house;
    house.lease.seen.standing = lease::Standing::leader;
    EXPECT_EQ(house.post("/cluster/leader/resign").status, 202);
    while (!house.tasks.resigned()) std::this_thread::yield();
}

TEST(Leader, refuses_to_resign_what_it_does_not_hold) {
    for (const auto standing : {lease::Standing::follower, lease::Standing::self_appointed, lease::Standing::unknown}) {
        House house;
        house.lease.seen.standing = standing;
        house.lease.seen.holder = {"b", at(5)};
        const auto answer = house.post("/cluster/leader/resign");
        EXPECT_EQ(answer.status, 409);
        EXPECT_EQ(answer.body,
                  "This pod (a, " + std::string(lease::to_string(standing)) + ") does not lead; the holder is b.");
        EXPECT_FALSE(house.tasks.resigned());
    }
    House alone;
    alone.lease.seen.standing = lease::Standing::leader;
    alone.lease.seen.single = true;
    const auto single = alone.post("/cluster/leader/resign");
    EXPECT_EQ(single.status, 409);
    EXPECT_NE(single.body.find("There is no election here"), std::string::npos) << single.body;
}

TEST(Pods, lists_who_is_there_and_what_they_run) {
    House house;
    cluster::PodInfo self, other;
    self.label = "a";
    self.boot = id_of<core::BootId>('b');
    self.version = "0.1.0";
    self.started_at = at(0);
    self.heartbeat_at = at(9);
    self.standing = "leader";
    house.lease.seen.standing = lease::Standing::leader;
    house.ledger.view.now = at(11);
    other = self;
    other.label = "b";
    other.boot = id_of<core::BootId>('2');
    other.standing = "follower";
    house.pods.rows = {self, other};
    house.ledger.rows = {run('1', tasks::RunState::running), run('3', tasks::RunState::completed)};
    EXPECT_EQ(
        house.get("/cluster/pods").body,
        R"([{"pod":"a","bootId":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","version":"0.1.0","startedAt":"2026-11-30T09:46:40.000Z",)"
        R"("heartbeatAt":"2026-11-30T09:46:49.000Z","heartbeatAgeMs":2000,"state":"alive","standing":"leader",)"
        R"("lastStanding":"leader","self":true,"running":[]},)"
        R"({"pod":"b","bootId":"22222222222222222222222222222222","version":"0.1.0","startedAt":"2026-11-30T09:46:40.000Z",)"
        R"("heartbeatAt":"2026-11-30T09:46:49.000Z","heartbeatAgeMs":2000,"state":"alive","standing":"follower",)"
        R"("lastStanding":"follower","self":false,)"
        R"("running":[{"task":"RefreshLibrary","runId":"11111111111111111111111111111111","progress":12.5}]}])");
}

TEST(Pods, of_a_silent_pod_what_it_was_is_history) {
    House house;
    cluster::PodInfo dead;
    dead.label = "b";
    dead.boot = id_of<core::BootId>('2');
    dead.heartbeat_at = at(0);
    dead.standing = "leader";
    house.pods.rows = {dead};
    house.ledger.view.now = at(11);
    EXPECT_EQ(parsed(house.get("/cluster/pods")).as_array()[0].at("standing"), "leader")
        << "two reports late: perhaps slow";
    house.ledger.view.now = at(12);
    const auto shown = parsed(house.get("/cluster/pods")).as_array()[0];
    EXPECT_EQ(shown.at("state"), "silent");
    EXPECT_EQ(shown.at("heartbeatAgeMs"), 12'000);
    EXPECT_TRUE(shown.at("standing").is_null()) << "nobody may take it for the leader";
    EXPECT_EQ(shown.at("lastStanding"), "leader");
}

TEST(Pods, a_dead_one_is_still_shown_when_somebody_comes_to_look_but_not_once_it_is_back) {
    House house;
    cluster::PodInfo dead;
    dead.label = "b";
    dead.boot = id_of<core::BootId>('2');
    dead.started_at = dead.heartbeat_at = at(0);
    house.pods.rows = {dead};
    house.ledger.view.now = at(1800);
    EXPECT_EQ(parsed(house.get("/cluster/pods")).as_array().size(), 1U);
    EXPECT_GE(house.pods.asked_within, std::chrono::minutes{30}) << "the registry is asked for it";
    auto again = dead;
    again.boot = id_of<core::BootId>('3');
    again.started_at = again.heartbeat_at = at(1799);
    house.pods.rows = {again, dead};
    const auto shown = parsed(house.get("/cluster/pods")).as_array();
    ASSERT_EQ(shown.size(), 1U);
    EXPECT_EQ(shown[0].at("bootId").as_string(), again.boot.str());
}

TEST(Pods, the_one_that_answers_says_what_it_is_now) {
    House house;
    cluster::PodInfo self;
    self.label = "a";
    self.boot = id_of<core::BootId>('b');
    self.standing = "leader";  // as of its last heartbeat
    house.pods.rows = {self};
    house.lease.seen.standing = lease::Standing::follower;
    EXPECT_EQ(parsed(house.get("/cluster/pods")).as_array()[0].at("standing"), "follower");
}

TEST(Runs, shows_a_run_with_everything_known_of_it) {
    House house;
    auto row = run('1', tasks::RunState::running);
    row.resumed_from = id_of<core::RunId>('9');
    row.pace = {"files", 2.5, core::Millis{90'000}};
    house.ledger.rows = {row};
    const std::string shown =
        R"({"runId":"11111111111111111111111111111111","task":"RefreshLibrary","kind":"timer","slot":"2026-11-30T09:46:40.000Z",)"
        R"("pod":"b","epoch":7,"state":"running","progress":12.5,"rate":{"unit":"files","perSecond":2.5},"leftMs":90000,)"
        R"("startedAt":"2026-11-30T09:46:41.000Z",)"
        R"("heartbeatAt":"2026-11-30T09:46:42.000Z","endedAt":null,"counts":{"added":12,"kept_offline":40},)"
        R"("warnings":["one \"folder\""],"error":null,"waitingFor":null,"notBefore":null,"resumedFrom":"99999999999999999999999999999999"})";
    EXPECT_EQ(house.get("/cluster/runs").body, "{\"items\":[" + shown + "],\"total\":1}");
    EXPECT_EQ(house.get("/cluster/runs/" + std::string(32, '1')).body, shown);
    EXPECT_EQ(house.get("/cluster/runs/" + std::string(32, '4')).status, 404);
    EXPECT_EQ(house.get("/cluster/runs/nonsense").status, 400);
}

TEST(Runs, shows_what_waits_without_a_run) {
    House house;
    tasks::RunRow waiting;
    waiting.task = {"OptimizeDatabaseTask", "cluster"};
    waiting.slot = at(0);
    waiting.waiting_for = "RefreshLibrary";
    house.ledger.rows = {waiting, run('1', tasks::RunState::running)};
    const auto answer = parsed(house.get("/cluster/runs?state=waiting"));
    ASSERT_EQ(answer.at("total"), 1);
    const auto& row = answer.at("items").as_array().at(0);
    EXPECT_EQ(row.at("state"), "waiting");
    EXPECT_EQ(row.at("waitingFor"), "RefreshLibrary");
    EXPECT_EQ(row.at("slot"), "2026-11-30T09:46:40.000Z");
    for (const char* name : {"runId", "epoch", "rate", "leftMs", "startedAt", "heartbeatAt", "endedAt", "pod"}) {
        EXPECT_TRUE(row.at(name).is_null()) << name;
    }
    waiting.task = {"CleanLogFiles", "pod-2"};
    house.ledger.rows[0] = waiting;
    EXPECT_EQ(parsed(house.get("/cluster/runs?state=waiting")).at("items").as_array()[0].at("pod"), "pod-2")
        << "nobody else takes it";
    waiting.task = {"OptimizeDatabaseTask", "cluster"};
    waiting.kind = tasks::RunKind::manual;
    waiting.slot.reset();
    waiting.not_before = at(30);
    house.ledger.rows[0] = waiting;
    EXPECT_EQ(parsed(house.get("/cluster/runs?state=waiting")).at("items").as_array()[0].at("notBefore"),
              "2026-11-30T09:47:10.000Z");
    EXPECT_EQ(parsed(house.get("/cluster/runs")).at("total"), 2);
    EXPECT_EQ(parsed(house.get("/cluster/runs?state=running")).at("total"), 1);
}

TEST(Runs, filters_and_pages) {
    House house;
    EXPECT_EQ(
        house.get("/cluster/runs?task=7738148ffcd07979c7ceb148e06b3aed&state=Failed&pod=b&limit=5000&startIndex=20")
            .status,
        200);
    EXPECT_EQ(house.ledger.last_filter.task, "RefreshLibrary");
    EXPECT_EQ(house.ledger.last_filter.state, tasks::RunState::failed);
    EXPECT_EQ(house.ledger.last_filter.pod, "b");
    EXPECT_EQ(house.ledger.last_filter.limit, 1000U);
    EXPECT_EQ(house.ledger.last_filter.start_index, 20U);
    EXPECT_EQ(house.get("/cluster/runs").status, 200);
    EXPECT_EQ(house.ledger.last_filter.limit, 100U);
    for (const char* query : {"limit=0", "limit=-1", "limit=many", "state=asleep", "startIndex=-1"}) {
        EXPECT_EQ(house.get("/cluster/runs?" + std::string(query)).status, 400) << query;
    }
    EXPECT_EQ(house.get("/cluster/runs?task=Nonsense").status, 404);
}

TEST(Skips, says_why_a_timer_was_skipped) {
    House house;
    house.ledger.skip_rows = {{"RefreshLibrary", at(0), "a", at(1), "not_leader", "b"},
                              {"RefreshPeople", at(0), "a", at(1), "paused", ""}};
    EXPECT_EQ(
        house.get("/cluster/skips").body,
        R"({"items":[{"task":"RefreshLibrary","slot":"2026-11-30T09:46:40.000Z","pod":"a","at":"2026-11-30T09:46:41.000Z",)"
        R"("reason":"not_leader","holder":"b"},{"task":"RefreshPeople","slot":"2026-11-30T09:46:40.000Z","pod":"a",)"
        R"("at":"2026-11-30T09:46:41.000Z","reason":"paused","holder":null}]})");
    EXPECT_EQ(parsed(house.get("/cluster/skips?limit=1")).at("items").as_array().size(), 1U);
}

TEST(Schedule, lists_the_stored_next_slot_and_the_ones_behind_it) {
    House house;
    house.ledger.view.now = at(0);
    tasks::TaskStateRow state;
    state.task = {"RefreshLibrary", "cluster"};
    state.triggers = {
        tasks::Trigger{.when = tasks::IntervalTrigger{std::chrono::hours{12}}, .max_runtime = {}, .created_at = {}}};
    state.next_slot = at(100);
    state.next_trigger = 0;
    house.ledger.view.tasks = {state};
    state.task.task = "RefreshPeople";
    state.enabled = false;
    house.ledger.view.tasks.push_back(state);
    EXPECT_EQ(
        house.get("/cluster/schedule?count=2").body,
        R"({"timersPaused":false,"items":[{"task":"RefreshLibrary","slot":"2026-11-30T09:48:20.000Z","trigger":"IntervalTrigger"},)"
        R"({"task":"RefreshLibrary","slot":"2026-11-30T21:48:20.000Z","trigger":"IntervalTrigger"}]})");
    EXPECT_EQ(house.get("/cluster/schedule?task=RefreshPeople").body, R"({"timersPaused":false,"items":[]})");
    EXPECT_EQ(parsed(house.get("/cluster/schedule")).at("items").as_array().size(), 5U);
    house.ledger.view.timers_paused = true;
    EXPECT_EQ(parsed(house.get("/cluster/schedule")).at("timersPaused"), true);
}

TEST(Switches, enable_and_disable_a_task_and_pause_all_timers) {
    House house;
    house.tasks.add("RefreshLibrary");
    EXPECT_EQ(house.post("/cluster/tasks/RefreshLibrary/enabled", R"({"enabled":false})").status, 204);
    EXPECT_FALSE(house.tasks.at("RefreshLibrary").state.enabled);
    EXPECT_EQ(house.post("/cluster/tasks/refreshlibrary/enabled", R"({"Enabled":"True"})").status, 204);
    EXPECT_TRUE(house.tasks.at("RefreshLibrary").state.enabled);
    EXPECT_EQ(house.post("/cluster/tasks/Nonsense/enabled", R"({"enabled":false})").status, 404);
    EXPECT_EQ(house.post("/cluster/timers", R"({"paused":true})").status, 204);
    EXPECT_TRUE(house.tasks.paused);
    for (const char* body : {"", "{}", "[]", "{\"paused\":3}", "{", "{\"paused\":true}x"}) {
        EXPECT_EQ(house.post("/cluster/timers", body).status, 400) << body;
    }
    EXPECT_TRUE(house.tasks.paused);
}

TEST(Problems, lists_files_that_could_not_be_used) {
    House house;
    model::Library library;
    library.id = id_of<core::LibraryId>('c');
    library.name = "Films";
    house.libraries.rows = {library};
    house.catalog.problem_rows = {{"/m/caf\xe9.mkv", library.id, "RefreshLibrary", "corrupt: no moov", at(0)}};
    const std::string all =
        "{\"items\":[{\"path\":\"/m/caf\xEF\xBF\xBD.mkv\",\"library\":\"Films\",\"task\":\"RefreshLibrary\","
        "\"reason\":\"corrupt: no moov\",\"since\":\"2026-11-30T09:46:40.000Z\"}],\"total\":1}";
    EXPECT_EQ(house.get("/cluster/problems").body, all);
    EXPECT_EQ(house.get("/cluster/problems?library=films").body, all);
    EXPECT_EQ(house.get("/cluster/problems?library=" + library.id.str()).body, all);
    EXPECT_EQ(house.get("/cluster/problems?library=Series").status, 404);
}

TEST(MissingItems, are_removed_only_when_confirmed) {
    House house;
    model::Library films, music;
    films.id = id_of<core::LibraryId>('c');
    films.name = "Films";
    music.id = id_of<core::LibraryId>('d');
    music.name = "Music";
    house.libraries.rows = {films, music};
    house.scans.missing = {{films.id, 3}, {music.id, 4}};
    for (const char* query : {"", "?confirm=false", "?library=Films", "?library=Films&confirm=perhaps"}) {
        EXPECT_EQ(house.post("/Library/Missing/Remove" + std::string(query)).status, 400) << query;
    }
    EXPECT_EQ(house.post("/Library/Missing/Remove?library=Nonsense&confirm=true").status, 404);
    EXPECT_EQ(house.scans.missing[films.id], 3);
    EXPECT_EQ(house.post("/Library/Missing/Remove?library=Films&confirm=True").body, R"({"removed":3})");
    EXPECT_EQ(house.scans.missing[music.id], 4);
    EXPECT_EQ(house.post("/Library/Missing/Remove?confirm=true").body, R"({"removed":4})");
    EXPECT_EQ(house.events.published.size(), 2U);
}

TEST(ItemMedia, shows_what_the_tasks_have_found_and_null_for_what_they_have_not) {
    House house;
    store::ListedItem film;
    film.item.id = id_of<core::ItemId>('1');
    film.item.sources.resize(1);
    film.item.sources[0].info.chapters = {{core::Millis{0}, "Opening"}, {core::Millis{61'500}, ""}};
    house.catalog.rows = {film};
    EXPECT_EQ(house.get("/cluster/items/" + film.item.id.str() + "/media").body,
              R"({"keyframesMs":null,"loudnessLufs":null,"albumLoudnessLufs":null,"truePeakDb":null,"segments":null,)"
              R"("chapters":[{"startMs":0,"name":"Opening","image":null},{"startMs":61500,"name":"","image":null}]})");
    EXPECT_EQ(house.get("/cluster/items/" + std::string(32, '2') + "/media").status, 404);
}

TEST(ItemMedia, tells_what_tasks_found_in_a_file_and_shows_chapter_pictures) {
    testing::Shelf house;
    auto film = house.film();
    film.item.sources.front().info.content_sample = "5a";
    film.item.sources.front().file.mtime_ns = 7;
    house.catalog.rows = {film};
    testing::FakeFindings found;
    found.analyses.push_back({.kind = "keyframes", .content = {"5a", 7}});
    found.analyses.back().payload = media::encode(media::Keyframes{4s, {0s, 2s}});
    found.row = {.item = film.item.id, .lufs = -20.0, .peak = 1.0, .gain_db = 2.0};
    found.segment = {"chapters", {model::SegmentKind::intro, 1s, 3s}};
    found.picture = {.number = 0, .width = 4, .height = 3, .format = "jpeg"};
    found.picture.blob.bytes[0] = 0xab;
    found.bytes = "jpeg bytes";
    house.services.media = {&found, &found, &found, &found, &found};
    const auto id = film.item.id.str();
    const auto body = house.get("/cluster/items/" + id + "/media").body;
    EXPECT_THAT(body, ::testing::HasSubstr(R"("keyframesMs":[0,2000],"loudnessLufs":-20)"));
    EXPECT_THAT(body, ::testing::HasSubstr(R"("truePeakDb":null)")) << "a peak of the samples is no true peak";
    EXPECT_THAT(body, ::testing::HasSubstr(
                          R"("segments":[{"type":"intro","startMs":1000,"endMs":3000,"provider":"chapters"}])"));
    EXPECT_THAT(body, ::testing::HasSubstr("\"image\":\"/Items/" + id + "/Images/Chapter/0\""));

    found.analyses.push_back({.kind = "loudness:truepeak", .content = {"5a", 7}});
    found.analyses.back().payload = media::encode(media::Loudness{.sample_peak = 0.9, .true_peak = 1.0});
    EXPECT_THAT(house.get("/cluster/items/" + id + "/media").body, ::testing::HasSubstr(R"("truePeakDb":0)"));

    const auto picture = house.get("/Items/" + id + "/Images/Chapter/0");
    EXPECT_EQ(picture.status, 200);
    EXPECT_EQ(picture.content_type, "image/jpeg");
    EXPECT_EQ(picture.body, "jpeg bytes");
    Request again;
    again.target = "/Items/" + id + "/Images/Chapter/0";
    again.headers.push_back({"If-None-Match", std::string(picture.header("ETag"))});
    EXPECT_EQ(house.ask(again).status, 304) << "no token: a browser's <img> sends none";
    EXPECT_EQ(house.get("/Items/" + id + "/Images/Chapter/1").status, 404);
    for (const auto* number : {"x", "-1", "99999999999"})
        EXPECT_EQ(house.get("/Items/" + id + "/Images/Chapter/" + number).status, 400) << number;
}

}  // namespace
}  // namespace understudy::http
