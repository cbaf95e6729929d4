// What a person at a terminal reads: the command line against a real server over fakes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <boost/json.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/terminal.h"

namespace understudy::app {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;
using testing::id_of;
using ::testing::Not;
using testing::run_understudy;
using ::testing::StartsWith;

constexpr auto future =
    core::from_unix_ms(4'000'000'000'000);                    // 2096: ahead of the wall clock that the CLI compares to
constexpr auto past = core::from_unix_ms(1'700'000'000'000);  // 2023

struct Terminal : testing::TerminalAtHouse {
    using TerminalAtHouse::TerminalAtHouse;

    void schedule(const char* key) {
        house.tasks.add(key);
        tasks::TaskStateRow state;
        state.task = {key, "cluster"};
        state.next_slot = future;
        house.ledger.view.tasks.push_back(state);
    }
    void keep_request(const char* key, core::UtcTime not_before, const char* behind) {
        tasks::RunRow row;
        row.task = {key, "cluster"};
        row.kind = tasks::RunKind::manual;
        row.not_before = not_before;
        row.waiting_for = behind;
        house.ledger.rows.push_back(row);
    }
};

TEST_F(Terminal, tasks_list_says_that_timers_are_paused_and_how_to_resume) {
    schedule("RefreshLibrary");
    EXPECT_THAT(type({"tasks", "list"}).out, Not(HasSubstr("PAUSED")));
    house.ledger.view.timers_paused = true;
    const auto listed = type({"tasks", "list"});
    EXPECT_EQ(listed.code, 0);
    EXPECT_THAT(listed.out, StartsWith("TIMERS ARE PAUSED"));
    EXPECT_THAT(listed.out, HasSubstr("`understudy tasks resume`"));
    EXPECT_THAT(listed.out, HasSubstr("(paused)"));
    const auto tasks = json::parse(type({"tasks", "list", "--json"}).out);
    EXPECT_EQ(tasks.at(0).at("TimersPaused"), true);
    EXPECT_EQ(tasks.at(0).at("Key"), "RefreshLibrary");
}

TEST_F(Terminal, switches_say_what_they_did) {
    schedule("RefreshLibrary");
    EXPECT_THAT(type({"tasks", "pause"}).out, HasSubstr("`understudy tasks resume`"));
    EXPECT_THAT(type({"tasks", "resume"}).out, HasSubstr("fire again"));
    EXPECT_THAT(type({"tasks", "disable", "RefreshLibrary"}).out, StartsWith("RefreshLibrary: "));
    EXPECT_THAT(type({"tasks", "cancel", "RefreshLibrary"}).out, StartsWith("RefreshLibrary: asked to stop"));
    EXPECT_EQ(type({"tasks", "pause", "--json"}).out, "");
}

TEST_F(Terminal, tasks_list_shows_a_kept_request_and_what_it_waits_for) {
    schedule("RefreshLibrary");
    schedule("OptimizeDatabaseTask");
    keep_request("RefreshLibrary", future, "");
    keep_request("OptimizeDatabaseTask", past, "RefreshLibrary");
    const auto listed = type({"tasks", "list"}).out;
    EXPECT_THAT(listed, HasSubstr("request, not before " + core::to_iso8601(future) + " (in "));
    EXPECT_THAT(listed, HasSubstr("behind RefreshLibrary"));
    const auto all = json::parse(type({"tasks", "list", "--json"}).out);
    for (const auto& task : all.as_array()) {
        ASSERT_EQ(task.at("Waiting").as_array().size(), 1U);
        EXPECT_EQ(std::string(task.at("NextSlot").as_string()), core::to_iso8601(future));
    }
    EXPECT_THAT(type({"tasks", "history"}).out, HasSubstr("behind RefreshLibrary"));
}

TEST_F(Terminal, tasks_list_calls_a_disabled_task_so) {
    schedule("RefreshLibrary");
    house.tasks.at("RefreshLibrary").state.enabled = false;
    EXPECT_THAT(type({"tasks", "list"}).out, HasSubstr("disabled"));
    EXPECT_EQ(json::parse(type({"tasks", "list", "--json"}).out).at(0).at("Enabled"), false);
}

TEST_F(Terminal, tasks_run_says_why_a_request_is_kept) {
    house.tasks.add("OptimizeDatabaseTask");
    house.tasks.start_refused =
        core::Error{core::Errc::conflict, "OptimizeDatabaseTask: waits for RefreshLibrary; the request is kept"};
    const auto kept = type({"tasks", "run", "OptimizeDatabaseTask"});
    EXPECT_EQ(kept.code, 0);
    EXPECT_THAT(kept.out, StartsWith("OptimizeDatabaseTask: waits for RefreshLibrary"));
    const auto waited = type({"tasks", "run", "OptimizeDatabaseTask", "--wait"});
    EXPECT_EQ(waited.code, 1) << "nothing is kept any more, so there is nothing to wait for, and it did not complete";
    EXPECT_THAT(waited.err, HasSubstr("the kept request is gone"));
}

TEST_F(Terminal, tasks_run_wait_follows_a_kept_request_into_its_run) {
    house.tasks.add("OptimizeDatabaseTask");
    house.tasks.start_refused = core::Error{core::Errc::conflict, "OptimizeDatabaseTask: waits for RefreshLibrary"};
    tasks::RunRow run;
    run.id = id_of<core::RunId>('1');
    run.task = {"OptimizeDatabaseTask", "cluster"};
    run.kind = tasks::RunKind::manual;
    run.epoch = 5;
    run.state = tasks::RunState::failed;
    run.error = "no room";
    house.tasks.on_run = [&] { house.ledger.rows = {run}; };
    const auto waited = type({"tasks", "run", "OptimizeDatabaseTask", "--wait"});
    EXPECT_EQ(waited.code, 1);
    EXPECT_THAT(waited.out, HasSubstr("OptimizeDatabaseTask: failed"));
}

TEST_F(Terminal, tasks_run_of_a_task_that_ran_before_joins_or_starts_its_next_run) {
    house.tasks.add("OptimizeDatabaseTask");
    tasks::RunRow run;
    run.task = {"OptimizeDatabaseTask", "cluster"};
    run.kind = tasks::RunKind::manual;
    run.state = tasks::RunState::completed;
    for (const char letter : {'1', '2', '3', '4'}) {
        run.id = id_of<core::RunId>(letter);
        run.epoch = letter - '0';
        house.ledger.rows.insert(house.ledger.rows.begin(), run);
    }
    house.tasks.start_refused = core::Error{core::Errc::conflict, "OptimizeDatabaseTask: waits for RefreshLibrary"};
    EXPECT_EQ(type({"tasks", "run", "OptimizeDatabaseTask"}).code, 0);
    const auto waited = type({"tasks", "run", "OptimizeDatabaseTask", "--wait"});
    EXPECT_EQ(waited.code, 1);
    EXPECT_THAT(waited.err, HasSubstr("the kept request is gone"))
        << "a run of before is not the one that was asked for";
}

TEST_F(Terminal, leader_status_says_what_since_means_and_what_keeps_this_pod_from_leading) {
    house.lease.seen.provider = "redis";
    house.lease.seen.standing = lease::Standing::follower;
    house.lease.seen.holder = {"b", past};
    house.lease.seen.ttl_left = core::Millis{9'250};
    auto said = type({"leader", "status"}).out;
    EXPECT_THAT(said, HasSubstr("pod a: follower (the leader starts the gated tasks; lease: redis)"));
    EXPECT_THAT(said, HasSubstr("holder: b, known to this pod as the leader for "));
    EXPECT_THAT(said, HasSubstr("; unless renewed its lease runs out in 9.2 s"));
    EXPECT_THAT(said, Not(HasSubstr(" ago")));
    EXPECT_THAT(said, Not(HasSubstr("PAUSED")));
    house.lease.seen.abstains_until = future;
    house.tasks.paused = true;
    said = type({"leader", "status"}).out;
    EXPECT_THAT(said, HasSubstr("resigned: this pod does not take the lead before " + core::to_iso8601(future)));
    EXPECT_THAT(said, HasSubstr("TIMERS ARE PAUSED"));
    house.lease.seen = {};
    house.lease.seen.provider = "redis";
    house.lease.seen.outage = {past, lease::NoAnswer::unreachable,
                               "connecting to redis:6379: refused: the address is from The:Setting"};
    EXPECT_THAT(type({"leader", "status"}).out,
                HasSubstr("(unreachable): connecting to redis:6379: refused: the address"));
}

TEST_F(Terminal, pods_of_a_dead_leader_says_silent_and_last_seen) {
    cluster::PodInfo dead;
    dead.label = "b";
    dead.boot = id_of<core::BootId>('2');
    dead.heartbeat_at = past;
    dead.standing = "leader";
    house.pods.rows = {dead};
    house.ledger.view.now = past + std::chrono::seconds{12};
    const auto said = type({"pods"}).out;
    EXPECT_THAT(said, HasSubstr("silent for 12 s"));
    EXPECT_THAT(said, HasSubstr("last seen as leader"));
}

TEST_F(Terminal, items_refuses_words_that_it_does_not_know_and_names_the_nearest) {
    struct Row {
        std::vector<std::string> words;
        const char* says;
    };
    const Row rows[] = {
        {{"items", "--types", "Episod"}, "--types: 'Episod' is not known; did you mean Episode?"},
        {{"items", "--types", "Movie,Serie"}, "did you mean Series?"},
        {{"items", "--sort", "SortNam"}, "--sort: 'SortNam' is not known; did you mean SortName?"},
        {{"items", "--sort", "Colour"}, "There are: SortName, "},
        {{"items", "--order", "Descend"}, "--order"},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.says);
        const auto refused = type(row.words);
        EXPECT_EQ(refused.code, 2);
        EXPECT_THAT(refused.err, HasSubstr(row.says));
    }
    EXPECT_EQ(type({"items", "--types", "movie, Audio", "--sort", "datecreated,Name", "--order", "descending"}).code,
              0);
}

TEST_F(Terminal, a_mistyped_command_is_named_with_the_nearest_one) {
    struct Row {
        std::vector<std::string> words;
        const char* says;
    };
    const Row rows[] = {
        {{"taks", "list"}, "'taks' is no command of `understudy`; did you mean `understudy tasks`?"},
        {{"tasks", "lst"}, "'lst' is no command of `understudy tasks`; did you mean `understudy tasks list`?"},
        {{"library", "frobnicate"}, "'frobnicate' is no command of `understudy library`. There are: list, add"},
        {{"tasks"}, "A subcommand is required"},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.says);
        const auto refused = run_understudy(row.words);
        EXPECT_EQ(refused.code, 2);
        EXPECT_THAT(refused.err, HasSubstr(row.says));
    }
    EXPECT_THAT(type({"items", "--limit", "-1"}).err, HasSubstr("must be a whole number from 0 on, not '-1'"));
}

TEST_F(Terminal, an_unknown_task_is_told_alike_by_all_commands) {
    schedule("RefreshLibrary");
    const auto cancelled = type({"tasks", "cancel", "Nope"});
    EXPECT_EQ(cancelled.code, 4);
    const auto past_of = type({"tasks", "history", "Nope"});
    EXPECT_EQ(past_of.code, 4);
    EXPECT_EQ(past_of.err, cancelled.err);
}

TEST_F(Terminal, triggers_that_are_no_array_are_refused_with_the_form_that_is_wanted) {
    schedule("RefreshLibrary");
    const auto refused = type({"tasks", "triggers", "RefreshLibrary", "--set", R"({"Type":"StartupTrigger"})"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, HasSubstr("an array of triggers is wanted"));
    EXPECT_THAT(refused.err, HasSubstr("put [ ] around it"));
}

TEST_F(Terminal, a_library_whose_folder_is_away_is_listed_as_offline) {
    model::Library films, music;
    films.id = id_of<core::LibraryId>('1');
    films.name = "Films";
    films.paths = {"/mnt/films"};
    music.id = id_of<core::LibraryId>('2');
    music.name = "Music";
    music.paths = {"/mnt/a", "/mnt/b"};
    house.libraries.rows = {films, music};
    EXPECT_THAT(type({"library", "list"}).out, Not(HasSubstr("ffline")));
    house.catalog.problem_rows = {
        {"/mnt/b", music.id, "RefreshLibrary", "the library folder is offline: missing", past},
        {"/mnt/films", films.id, "RefreshLibrary", "the library folder is offline: missing", past}};
    const auto listed = type({"library", "list"}).out;
    EXPECT_THAT(listed, ::testing::ContainsRegex("Films +movies +Offline +/mnt/films"));
    EXPECT_THAT(listed, HasSubstr("Idle, 1 of 2 folders offline"));
}

TEST_F(Terminal, a_self_appointed_pod_does_not_show_a_holder_as_current) {
    house.lease.seen.provider = "redis";
    house.lease.seen.standing = lease::Standing::self_appointed;
    house.lease.seen.holder = {"b", past};
    EXPECT_THAT(type({"leader", "status"}).out, HasSubstr("last known holder (may be gone): b"));
}

TEST_F(Terminal, the_key_is_found_where_the_settings_say_that_the_data_is) {
    const auto folder = std::filesystem::temp_directory_path() / ("understudy-cli-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "admin.key") << testing::admin_key << '\n';
    const std::vector<std::string> ask{"leader", "status", "--url", origin()};
    EXPECT_EQ(run_understudy(ask).code, 5);
    auto by_setting = ask;
    by_setting.insert(by_setting.end(), {"--set", "Jellyfin:DataDir=" + folder.string()});
    EXPECT_EQ(run_understudy(by_setting).code, 0);
    ::setenv("Jellyfin__DataDir", folder.c_str(), 1);
    EXPECT_EQ(run_understudy(ask).code, 0);
    ::unsetenv("Jellyfin__DataDir");
    auto by_file = ask;
    std::ofstream(folder / "settings.json") << R"({"Jellyfin":{"DataDir":")" << folder.string() << R"("}})";
    by_file.insert(by_file.end(), {"--config", (folder / "settings.json").string()});
    EXPECT_EQ(run_understudy(by_file).code, 0);
    std::filesystem::remove_all(folder);
}

TEST(SomebodyElsesServer, is_told_from_ours) {
    namespace asio = boost::asio;
    asio::io_context io;
    asio::ip::tcp::acceptor acceptor(io, {asio::ip::address_v4::loopback(), 0});
    const auto port = std::to_string(acceptor.local_endpoint().port());
    std::jthread page([&] {
        asio::ip::tcp::socket socket(io);
        acceptor.accept(socket);
        std::string request;
        asio::read_until(socket, asio::dynamic_buffer(request), "\r\n\r\n");
        const std::string answer =
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<html>";
        asio::write(socket, asio::buffer(answer));
    });
    const auto refused = run_understudy({"tasks", "list", "--url", "http://127.0.0.1:" + port, "--key", "k"});
    EXPECT_EQ(refused.code, 3);
    EXPECT_THAT(refused.err, HasSubstr("answers, but not as an Understudy server does (HTTP status 200, text/html)"));
}

struct TerminalBelowBase : Terminal {
    TerminalBelowBase() : Terminal({.base_url = "/jf"}) {}
};

TEST_F(TerminalBelowBase, a_url_without_the_base_url_is_told_what_is_missing) {
    const auto refused = type({"leader", "status"});
    EXPECT_EQ(refused.code, 4);
    EXPECT_THAT(refused.err, HasSubstr("Jellyfin:Http:BaseUrl=/jf; give --url " + origin() + "/jf"));
    EXPECT_THAT(type({"leader", "status"}, "/other").err, HasSubstr("give --url " + origin() + "/jf"));
    EXPECT_EQ(type({"leader", "status"}, "/jf").code, 0);
    EXPECT_EQ(type({"leader", "status"}, "/jf/").code, 0);
}

TEST_F(Terminal, a_url_with_a_base_url_too_many_is_told_so) {
    EXPECT_THAT(type({"leader", "status"}, "/jf").err, HasSubstr("no Jellyfin:Http:BaseUrl; give --url " + origin()));
}

}  // namespace
}  // namespace understudy::app
