// `understudy exec` with real processes: the command runs once at a time, and never without a lease, whatever dies or
// stands still. Redis, PostgreSQL and SQLite alike where it makes a difference.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "app/exec/exec_rules.h"
#include "cluster/cli_process.h"
#include "cluster/eventually.h"
#include "store/sql/session.h"
#include "support/postgres_server.h"
#include "support/redis_server.h"
#include "support/temp_folder.h"

namespace understudy::testing {
namespace {

using namespace std::chrono_literals;
using app::exec_exit::held_elsewhere;
using app::exec_exit::lease_lost;
using ::testing::HasSubstr;
using ::testing::SizeIs;

enum class StoreKind { redis, postgresql, sqlite };
std::ostream& operator<<(std::ostream& out, StoreKind kind) {
    return out << (kind == StoreKind::redis ? "redis" : kind == StoreKind::postgresql ? "postgresql" : "sqlite");
}

/// A command that says that it runs, and whether the one before it still does, and goes on until `go` is there.
constexpr const char* holds = R"SH(
    [ -e before.pid ] && kill -0 "$(cat before.pid)" 2>/dev/null && echo overlap >>overlaps
    echo $$ >before.pid
    echo "$UNDERSTUDY_LEASE_NAME $UNDERSTUDY_LEASE_TOKEN $UNDERSTUDY_LEASE_EPOCH" >>runs
    while [ ! -e go ]; do sleep 0.05; done)SH";
/// The same, deaf to SIGTERM, with a child that is so too; it leaves a beat with the time.
constexpr const char* deaf = R"SH(
    trap '' TERM
    [ -e before.pid ] && kill -0 "$(cat before.pid)" 2>/dev/null && echo overlap >>overlaps
    echo $$ >before.pid
    sleep 300 & echo $! >child.pid
    echo "$UNDERSTUDY_LEASE_NAME $UNDERSTUDY_LEASE_TOKEN $UNDERSTUDY_LEASE_EPOCH" >>runs
    while :; do date +%s%3N >beat.new; mv beat.new beat; sleep 0.05; done)SH";

struct ExecTest : ::testing::TestWithParam<StoreKind> {
    ExecTest() : folder("exec") { use(GetParam()); }

    void use(StoreKind kind) {
        if (kind == StoreKind::redis) {
            redis = std::make_unique<RedisServer>();
            settings["Jellyfin:TranscodeStore:RedisConnectionString"] = redis->address();
            await_trusted_redis();
            return;
        }
        settings["Jellyfin:ScanLeader:Provider"] = "Database";
        if (kind == StoreKind::postgresql) {
            const auto conninfo = PostgresServer::shared().make_database();
            settings["Jellyfin:Database:Provider"] = "PostgreSQL";
            settings["Jellyfin:Database:ConnectionString"] = conninfo;
            EXPECT_TRUE(store::sql::migrate(*store::sql::open_postgresql(conninfo, 1)));
        } else {
            settings["Jellyfin:DataDir"] = folder.path().string();
            EXPECT_TRUE(store::sql::migrate(*store::sql::open_sqlite((folder / "understudy.db").string(), 1)));
        }
    }

    /// One that has just started may have forgotten a holder: nobody acquires then.
    void await_trusted_redis() const {
        EXPECT_TRUE(eventually(20s, [&] {
            const auto info = redis->command({"INFO", "server"});
            const auto at = info.find("uptime_in_seconds:");
            return at != std::string::npos && std::atoi(info.c_str() + at + 18) > 3;
        }));
    }

    std::unique_ptr<CliProcess> start(const std::string& script, std::vector<std::string> arguments = {}) {
        arguments.insert(arguments.begin(), {"--lease", "nightly", "--ttl", "3s"});
        return start_words({"sh", "-c", script}, arguments);
    }
    std::unique_ptr<CliProcess> start_words(const std::vector<std::string>& command,
                                            const std::vector<std::string>& arguments) {
        std::vector<std::string> words{"exec"};
        words.insert(words.end(), arguments.begin(), arguments.end());
        words.emplace_back("--");
        words.insert(words.end(), command.begin(), command.end());
        return std::make_unique<CliProcess>(CliProcess::Options{folder.path(), settings, std::move(words)});
    }
    [[nodiscard]] std::vector<std::string> runs() const { return lines_of(folder / "runs"); }
    [[nodiscard]] bool await_runs(std::size_t count, core::Millis at_most = 20s) const {
        return eventually(at_most, [&] { return runs().size() >= count; });
    }
    [[nodiscard]] pid_t pid_in(const char* name) const { return std::atoi(read_file(folder / name).c_str()); }
    void expect_no_overlap() const { EXPECT_EQ(read_file(folder / "overlaps"), ""); }

    TempFolder folder;
    std::unique_ptr<RedisServer> redis;
    std::map<std::string, std::string> settings;
};

TEST_P(ExecTest, of_several_at_once_exactly_one_runs) {
    std::vector<std::unique_ptr<CliProcess>> all;
    for (int i = 0; i < 4; ++i) all.push_back(start(holds, {"--no-wait"}));
    const auto still = [&] { return std::ranges::count_if(all, [](const auto& one) { return !one->ended(); }); };
    ASSERT_TRUE(eventually(20s, [&] { return still() == 1 && runs().size() == 1; })) << still() << " are left";
    folder.write("go", "");
    int won = 0;
    for (const auto& one : all) {
        const auto code = one->await_exit(10s);
        if (code == 0) {
            ++won;
        } else {
            EXPECT_EQ(code, held_elsewhere) << one->said();
            EXPECT_THAT(one->said(), HasSubstr("lease nightly is held by "));
        }
    }
    EXPECT_EQ(won, 1);
    EXPECT_THAT(runs(), SizeIs(1));
}

TEST_P(ExecTest, one_that_waits_follows_at_once_with_a_later_epoch) {
    auto first = start(holds);
    ASSERT_TRUE(await_runs(1));
    auto second = start(holds, {"--wait", "30s"});
    ASSERT_TRUE(eventually(10s, [&] { return second->said().find("waiting for it") != std::string::npos; }));
    folder.write("go", "");
    EXPECT_EQ(first->await_exit(10s), 0) << first->said();
    EXPECT_EQ(second->await_exit(10s), 0) << second->said();
    ASSERT_THAT(runs(), SizeIs(2));
    expect_no_overlap();
    std::vector<std::string> tokens;
    std::vector<long long> epochs;
    for (const auto& line : runs()) {
        std::istringstream words(line);
        std::string name, token;
        long long epoch = 0;
        words >> name >> token >> epoch;
        EXPECT_EQ(name, "nightly");
        EXPECT_EQ(token.size(), 32U);
        tokens.push_back(token);
        epochs.push_back(epoch);
    }
    EXPECT_NE(tokens[0], tokens[1]);
    EXPECT_LT(epochs[0], epochs[1]);
}

TEST_P(ExecTest, killed_with_9_it_takes_its_command_along_and_the_next_one_gets_the_lease) {
    auto first = start(deaf);
    ASSERT_TRUE(await_runs(1));
    const auto command = pid_in("before.pid"), child = pid_in("child.pid");
    ASSERT_TRUE(alive(command) && alive(child));
    auto second = start(holds, {"--wait", "30s"});
    ASSERT_TRUE(eventually(10s, [&] { return second->said().find("waiting for it") != std::string::npos; }));
    first->kill();
    EXPECT_TRUE(eventually(5s, [&] { return !alive(command) && !alive(child); })) << "the child outlived exec";
    ASSERT_TRUE(await_runs(2)) << second->said();
    expect_no_overlap();
    folder.write("go", "");
    EXPECT_EQ(second->await_exit(10s), 0);
}

TEST_P(ExecTest, stopped_for_longer_than_the_ttl_its_command_is_dead_before_another_starts) {
    auto first = start(deaf);
    ASSERT_TRUE(await_runs(1));
    const auto command = pid_in("before.pid"), child = pid_in("child.pid");
    auto second = start(holds, {"--wait", "30s"});
    first->signal(SIGSTOP);
    ASSERT_TRUE(await_runs(2)) << second->said();
    EXPECT_FALSE(alive(command));
    EXPECT_FALSE(alive(child));
    expect_no_overlap();
    first->signal(SIGCONT);
    EXPECT_EQ(first->await_exit(10s), lease_lost) << first->said();
    EXPECT_FALSE(second->ended()) << "what the stopped one let go of was not its own any more";
    folder.write("go", "");
    EXPECT_EQ(second->await_exit(10s), 0);
}

INSTANTIATE_TEST_SUITE_P(Stores, ExecTest,
                         ::testing::Values(StoreKind::redis, StoreKind::postgresql, StoreKind::sqlite),
                         ::testing::PrintToStringParamName());

struct ExecRedis : ExecTest {};
INSTANTIATE_TEST_SUITE_P(Stores, ExecRedis, ::testing::Values(StoreKind::redis), ::testing::PrintToStringParamName());

TEST_P(ExecRedis, without_its_store_the_command_is_dead_before_the_lease_could_be_anothers) {
    for (const bool frozen : {false, true}) {
        auto exec = start(deaf);
        ASSERT_TRUE(await_runs(frozen ? 2 : 1));
        const auto command = pid_in("before.pid"), child = pid_in("child.pid");
        const auto gone_at = std::chrono::system_clock::now();
        frozen ? redis->freeze() : redis->kill();
        EXPECT_EQ(exec->await_exit(10s), lease_lost) << exec->said();
        EXPECT_FALSE(alive(command));
        EXPECT_FALSE(alive(child));
        const auto last_beat = std::chrono::milliseconds{std::atoll(read_file(folder / "beat").c_str())};
        EXPECT_LT(last_beat - gone_at.time_since_epoch(), 3s) << "the ttl, counted from before the last renewal";
        if (frozen) break;
        redis->restart_empty();
        await_trusted_redis();
    }
}

TEST_P(ExecRedis, a_lease_that_the_store_forgot_stops_the_command) {
    auto exec = start("trap 'echo told >>told; exit 0' TERM; echo x >>runs; while :; do sleep 0.05; done");
    ASSERT_TRUE(await_runs(1));
    redis->command({"FLUSHALL"});
    EXPECT_EQ(exec->await_exit(10s), lease_lost) << "although it ended with 0: " << exec->said();
    EXPECT_EQ(read_file(folder / "told"), "told\n");
}

TEST_P(ExecRedis, a_short_outage_is_no_reason_to_stop) {
    auto exec = start_words({"sh", "-c", holds}, {"--lease", "nightly", "--ttl", "15s"});
    ASSERT_TRUE(await_runs(1, 40s)) << exec->said();
    redis->freeze();
    EXPECT_FALSE(eventually(2s, [&] { return exec->ended(); })) << exec->said();
    redis->thaw();
    // Well beyond the first ttl: it was renewed.
    EXPECT_FALSE(eventually(17s, [&] { return exec->ended(); })) << exec->said();
    folder.write("go", "");
    EXPECT_EQ(exec->await_exit(10s), 0) << exec->said();
}

TEST_P(ExecRedis, the_guards_death_ends_the_command_too) {
    auto exec =
        start("echo $$ >before.pid; echo $PPID >guard.pid; echo x >>runs; trap '' TERM; while :; do sleep 0.05; done");
    ASSERT_TRUE(await_runs(1));
    ::kill(pid_in("guard.pid"), SIGKILL);
    EXPECT_EQ(exec->await_exit(10s), lease_lost) << exec->said();
    EXPECT_TRUE(eventually(5s, [&] { return !alive(pid_in("before.pid")); }));
}

TEST_P(ExecRedis, a_guard_that_is_stopped_goes_on_and_tells_of_the_commands_end) {
    auto exec = start("kill -STOP $PPID; echo x >>runs; exit 7");
    EXPECT_EQ(exec->await_exit(20s), 7) << exec->said();
    auto next = start("exit 0");
    EXPECT_EQ(next->await_exit(20s), 0) << "the lease is not held for ever";
}

TEST_P(ExecRedis, a_guard_that_was_stopped_before_its_command_ran_holds_nobody_up) {
    auto first = start(holds);
    ASSERT_TRUE(await_runs(1)) << first->said();
    auto second = start(holds, {"--wait", "60s"});
    ASSERT_TRUE(eventually(20s, [&] { return second->said().find("waiting for it") != std::string::npos; }));
    const auto children =
        "/proc/" + std::to_string(second->pid()) + "/task/" + std::to_string(second->pid()) + "/children";
    pid_t guard = 0;
    ASSERT_TRUE(eventually(10s, [&] { return (guard = std::atoi(read_file(children).c_str())) > 0; }));
    ::kill(guard, SIGSTOP);
    second->signal(SIGTERM);
    EXPECT_TRUE(second->await_exit(10s)) << second->said();
    EXPECT_EQ(runs().size(), 1U);
    folder.write("go", "");
    EXPECT_EQ(first->await_exit(10s), 0);
}

TEST_P(ExecRedis, ends_as_its_command_does) {
    struct Row {
        const char* script;
        int code;
    };
    const Row rows[] = {{"exit 0", 0}, {"exit 7", 7}, {"kill -KILL $$", 137}, {"kill -USR1 $$", 138}};
    for (const auto& row : rows) EXPECT_EQ(start(row.script)->await_exit(20s), row.code) << row.script;
    const std::vector<std::string> lease{"--lease", "nightly", "--ttl", "3s"};
    EXPECT_EQ(start_words({"no-such-command"}, lease)->await_exit(20s), 127);
    EXPECT_EQ(start_words({folder.path().string()}, lease)->await_exit(20s), 126);
    folder.write("plain", "text");
    EXPECT_EQ(start_words({"./plain"}, lease)->await_exit(20s), 126);
}

TEST_P(ExecRedis, passes_signals_on_and_ends_as_the_command_wishes) {
    for (const auto& [signal, name] : {std::pair{SIGTERM, "TERM"}, {SIGINT, "INT"}, {SIGHUP, "HUP"}}) {
        std::filesystem::remove(folder / "runs");
        auto exec = start(std::string("trap 'exit 42' ") + name + "; echo x >>runs; while :; do sleep 0.05; done");
        ASSERT_TRUE(await_runs(1)) << exec->said();
        exec->signal(signal);
        EXPECT_EQ(exec->await_exit(10s), 42) << name << ": " << exec->said();
    }
    auto holder = start("echo x >>runs; sleep 300");
    ASSERT_TRUE(await_runs(2));
    auto waits = start("exit 0");
    ASSERT_TRUE(eventually(10s, [&] { return waits->said().find("waiting for it") != std::string::npos; }));
    waits->signal(SIGTERM);
    EXPECT_EQ(waits->await_exit(10s), 143) << "while it waits it is its own";
    EXPECT_FALSE(holder->ended());
}

TEST_P(ExecRedis, leaves_nothing_behind_that_the_command_started) {
    auto exec = start("setsid sleep 300 & echo $! >child.pid; (trap '' TERM; sleep 300) & echo $! >deaf.pid; exit 5");
    EXPECT_EQ(exec->await_exit(20s), 5) << exec->said();
    EXPECT_FALSE(alive(pid_in("child.pid")));
    EXPECT_FALSE(alive(pid_in("deaf.pid")));
}

TEST_P(ExecRedis, the_command_has_the_umask_and_the_words_that_were_given) {
    auto exec =
        start_words({"sh", "-c", "umask >out; printf '%s|' \"$@\" >>out", "sh", "--json", "--lease", "a b", "--", ""},
                    {"--lease", "nightly", "--ttl", "3s"});
    EXPECT_EQ(exec->await_exit(20s), 0) << exec->said();
    const auto mask = ::umask(0);
    ::umask(mask);
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "%04o", mask);
    EXPECT_EQ(read_file(folder / "out"), std::string(text.data()) + "\n--json|--lease|a b|--||");
}

TEST_P(ExecRedis, runs_nothing_where_no_store_answers) {
    redis->kill();
    auto exec = start("echo x >>runs", {"--no-wait"});
    EXPECT_EQ(exec->await_exit(20s), 69);
    EXPECT_THAT(exec->said(), HasSubstr("no lease store answers (redis)"));
    auto patient = start("echo x >>runs", {"--wait", "3s"});
    EXPECT_EQ(patient->await_exit(20s), 69);
    settings.clear();
    auto none = start("echo x >>runs");
    EXPECT_EQ(none->await_exit(20s), 2);
    EXPECT_THAT(none->said(), HasSubstr("exec needs a lease store"));
    EXPECT_THAT(runs(), SizeIs(0));
}

TEST_P(ExecRedis, a_store_that_has_just_started_may_have_forgotten_a_holder) {
    redis->restart_empty();
    auto exec = start("echo x >>runs", {"--no-wait"});
    EXPECT_EQ(exec->await_exit(20s), held_elsewhere) << exec->said();
    EXPECT_THAT(exec->said(), HasSubstr("may be held by somebody whom its store, just started, has forgotten"));
    auto waits = start("echo x >>runs", {"--wait", "10s"});
    EXPECT_EQ(waits->await_exit(20s), 0) << waits->said();
}

TEST_P(ExecRedis, names_of_different_leases_do_not_meet) {
    auto first = start(holds);
    ASSERT_TRUE(await_runs(1));
    auto other = start_words({"sh", "-c", "exit 0"}, {"--lease", "weekly", "--ttl", "3s", "--no-wait"});
    EXPECT_EQ(other->await_exit(10s), 0) << other->said();
    EXPECT_THAT(redis->command({"KEYS", "*"}), HasSubstr("jellyfin:scan-leader:exec:nightly"));
    folder.write("go", "");
    EXPECT_EQ(first->await_exit(10s), 0);
    EXPECT_EQ(redis->command({"KEYS", "*"}), "") << "it let go";
}

}  // namespace
}  // namespace understudy::testing
