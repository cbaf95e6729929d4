// The ledger's decisions as tables.
#include "tasks/ledger_rules.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace understudy::tasks {
namespace {

using namespace std::chrono_literals;

const core::UtcTime t0 = core::from_unix_ms(1'800'000'000'000);

core::BootId boot(std::uint8_t n) {
    core::IdBytes bytes{};
    bytes[15] = n;
    return core::BootId(bytes);
}

TEST(StartupRule, drops_what_has_run_since_the_boot_or_in_the_last_ten_minutes) {
    struct Row {
        const char* why;
        std::optional<core::UtcTime> last_start;
        core::UtcTime booted_at;
        bool dropped;
    };
    const Row rows[] = {
        {"never run", std::nullopt, t0 - 3s, false},
        {"a minute ago, before the boot", t0 - 1min, t0 - 3s, true},
        {"ten minutes ago", t0 - 10min, t0 - 3s, false},
        {"a day ago", t0 - 24h, t0 - 3s, false},
        {"an hour ago, this pod is up for two", t0 - 1h, t0 - 2h, true},
        {"at the very boot", t0 - 1h, t0 - 1h, true},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.why);
        ScopeRecord scope;
        scope.last_start = row.last_start;
        EXPECT_EQ(startup_is_dropped(scope, row.booted_at, t0), row.dropped);
    }
}

TEST(DeadRule, needs_an_old_beat_a_patient_watch_and_a_row_that_stands_still) {
    LedgerSettings pods;
    LedgerSettings alone;
    alone.others_are_dead = true;
    struct Row {
        const char* why;
        core::Millis age;
        bool observed;
        std::int64_t seen_beat;
        std::int64_t seen_epoch;
        std::uint8_t judge;
        bool alone;
        bool dead;
    };
    const Row rows[] = {
        {"all signs", 45s, true, 7, 3, 2, false, true},
        {"a millisecond too young", 44'999ms, true, 7, 3, 2, false, false},
        {"not watched for long enough", 10min, false, 7, 3, 2, false, false},
        {"it has beaten since", 45s, true, 6, 3, 2, false, false},
        {"another run than the one seen", 45s, true, 7, 2, 2, false, false},
        {"its own boot", 10min, true, 7, 3, 1, false, false},
        {"the data folder's lock is ours", 0s, false, 7, 3, 2, true, true},
        {"the lock is ours and so is the run", 10min, true, 7, 3, 1, true, false},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.why);
        RunRow old;
        old.boot = boot(1);
        old.epoch = 3;
        RunRow seen = old;
        seen.epoch = row.seen_epoch;
        seen.beat = row.seen_beat;
        const BeatRecord beat{7, t0 - row.age};
        EXPECT_EQ(is_dead(old, beat, seen, boot(row.judge), row.observed, t0, row.alone ? alone : pods), row.dead);
    }
}

TEST(TakeoverRule, counts_deaths_at_one_cursor) {
    struct Row {
        const char* why;
        RunState state;
        bool moved;
        int before;
        int after;
        Takeover takeover;
    };
    const Row rows[] = {
        {"the first death", RunState::running, false, 0, 1, Takeover::go_on},
        {"the first death, on the way", RunState::running, true, 0, 1, Takeover::go_on},
        {"the second at one item", RunState::running, false, 1, 2, Takeover::go_on},
        {"the third at one item", RunState::running, false, 2, 3, Takeover::give_up},
        {"a cancelling one is no better", RunState::cancelling, false, 2, 3, Takeover::give_up},
        {"the third, but it had got on", RunState::running, true, 2, 1, Takeover::go_on},
        {"aborted already", RunState::aborted, false, 2, 3, Takeover::give_up},
        {"a yield does not count", RunState::yielded, false, 2, 2, Takeover::go_on},
        {"a yield that got on forgets", RunState::yielded, true, 2, 0, Takeover::go_on},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.why);
        RunRow old;
        old.state = row.state;
        old.start_cursor = "a";
        old.cursor = row.moved ? "b" : "a";
        old.stuck_takeovers = row.before;
        EXPECT_EQ(stuck_after(old), row.after);
        EXPECT_EQ(takeover_of(old), row.takeover);
        old.cancel_requested = true;
        EXPECT_EQ(takeover_of(old), Takeover::cancel);
    }
}

TEST(TakeoverRule, names_the_item_it_gives_up_at) {
    RunRow old;
    old.pod = "pod-3";
    EXPECT_NE(stuck_error(old).find("before its first checkpoint"), std::string::npos);
    old.cursor = "films/x.mkv";
    EXPECT_NE(stuck_error(old).find("'films/x.mkv'"), std::string::npos);
    EXPECT_NE(stuck_error(old).find("pod-3"), std::string::npos);
}

GroupMember member(const char* key, Group group) {
    GroupMember one;
    one.task = {key, group, true, {}};
    one.scope.task = {key, "cluster"};
    return one;
}
GroupMember due(GroupMember one, core::UtcTime at) {
    one.scope.next_slot = at;
    return one;
}
GroupMember asked(GroupMember one, core::UtcTime at) {
    one.scope.pending = PendingRequest{"{}", at, 0};
    return one;
}
GroupMember ran(GroupMember one, RunState state, core::UtcTime started, std::optional<core::UtcTime> ended) {
    one.newest = RunRow{};
    one.newest->state = state;
    one.newest->started_at = started;
    one.newest->ended_at = ended;
    return one;
}
GroupMember off(GroupMember one) {
    one.task.enabled = false;
    return one;
}

TEST(GroupRule, only_running_rows_exclude_and_the_one_due_longest_goes_first) {
    const auto scan = member("RefreshLibrary", Group::library);
    const auto people = member("RefreshPeople", Group::library);
    const auto optimize = member("OptimizeDatabaseTask", Group::optimize);
    const core::UtcTime mine = t0 - 10s;  // since when the task that asks has been due
    struct Row {
        const char* why;
        Group group;
        const char* task;
        std::vector<GroupMember> members;
        const char* blocked_by;
    };
    const Row rows[] = {
        {"nobody there", Group::library, "RefreshLibrary", {}, ""},
        {"no group", Group::none, "X", {ran(optimize, RunState::running, t0 - 1min, {})}, ""},
        {"the other side runs",
         Group::library,
         "RefreshLibrary",
         {ran(optimize, RunState::running, t0 - 1min, {})},
         "OptimizeDatabaseTask"},
        {"and is being cancelled",
         Group::library,
         "RefreshLibrary",
         {ran(optimize, RunState::cancelling, t0 - 1min, {})},
         "OptimizeDatabaseTask"},
        {"it has ended", Group::library, "RefreshLibrary", {ran(optimize, RunState::completed, t0 - 1min, t0)}, ""},
        {"the own side runs", Group::library, "RefreshLibrary", {ran(people, RunState::running, t0 - 1min, {})}, ""},
        {"the other side was due first",
         Group::library,
         "RefreshLibrary",
         {due(optimize, t0 - 11s)},
         "OptimizeDatabaseTask"},
        {"the other side was due later", Group::library, "RefreshLibrary", {due(optimize, t0 - 9s)}, ""},
        {"at the same moment, by name",
         Group::library,
         "RefreshLibrary",
         {due(optimize, mine)},
         "OptimizeDatabaseTask"},
        {"at the same moment, the other way round", Group::optimize, "OptimizeDatabaseTask", {due(scan, mine)}, ""},
        {"due first but switched off", Group::library, "RefreshLibrary", {off(due(optimize, t0 - 11s))}, ""},
        {"not due yet", Group::library, "RefreshLibrary", {due(optimize, t0 + 1s)}, ""},
        {"asked for first", Group::library, "RefreshLibrary", {asked(optimize, t0 - 11s)}, "OptimizeDatabaseTask"},
        {"asked for, for later", Group::library, "RefreshLibrary", {asked(optimize, t0 + 1s)}, ""},
        {"open work from before",
         Group::library,
         "RefreshLibrary",
         {ran(optimize, RunState::yielded, t0 - 1min, t0 - 30s)},
         "OptimizeDatabaseTask"},
        {"of two the earlier is named",
         Group::optimize,
         "OptimizeDatabaseTask",
         {due(scan, t0 - 12s), due(people, t0 - 13s)},
         "RefreshPeople"},
        {"a running one is named before a waiting one",
         Group::optimize,
         "OptimizeDatabaseTask",
         {due(scan, t0 - 1h), ran(people, RunState::running, t0 - 1min, {})},
         "RefreshPeople"},
        {"nobody starts it though it could", Group::library, "RefreshLibrary", {due(optimize, t0 - 11min)}, ""},
        {"it could not: our side ran until just now",
         Group::library,
         "RefreshLibrary",
         {due(optimize, t0 - 11min), ran(people, RunState::completed, t0 - 1h, t0 - 1min)},
         "OptimizeDatabaseTask"},
        {"it cannot: our side still runs",
         Group::library,
         "RefreshLibrary",
         {due(optimize, t0 - 11min), ran(people, RunState::running, t0 - 1h, {})},
         "OptimizeDatabaseTask"},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.why);
        EXPECT_EQ(blocked_by(row.group, row.task, mine, row.members, t0, false, 10min), row.blocked_by);
    }
    const std::vector<GroupMember> timers{due(optimize, t0 - 11s)};
    EXPECT_EQ(blocked_by(Group::library, "RefreshLibrary", mine, timers, t0, true, 10min), "") << "timers are paused";
}

TEST(GroupRule, the_waiting_never_wait_for_each_other) {
    // Whatever is due since when: of all that wait, with nobody running, at least one may start.
    const char* keys[] = {"A", "B", "C", "D"};
    for (int code = 0; code < 4 * 4 * 4 * 4 * 16; ++code) {
        std::vector<GroupMember> members;
        int rest = code;
        for (const auto* key : keys) {
            const auto since = t0 - 1s * (rest % 4);
            rest /= 4;
            members.push_back(due(member(key, Group::none), since));
        }
        for (auto& one : members) {
            one.task.group = rest % 2 == 0 ? Group::library : Group::optimize;
            rest /= 2;
        }
        int free = 0;
        for (const auto& one : members)
            free += blocked_by(one.task.group, one.task.task, *one.scope.next_slot, members, t0, false, 10min).empty();
        ASSERT_GT(free, 0) << code;
    }
}

TEST(WaitingRows, are_due_slots_and_kept_requests_without_a_run) {
    const auto scan = member("RefreshLibrary", Group::library);
    const auto optimize = member("OptimizeDatabaseTask", Group::optimize);
    struct Row {
        const char* why;
        std::vector<GroupMember> members;
        bool paused;
        std::vector<std::pair<std::string, std::string>> rows;  // task, waiting for
    };
    const Row rows[] = {
        {"nothing due", {due(scan, t0 + 1s)}, false, {}},
        {"a due slot", {due(scan, t0 - 1s)}, false, {{"RefreshLibrary", ""}}},
        {"timers paused", {due(scan, t0 - 1s)}, true, {}},
        {"switched off", {off(due(scan, t0 - 1s))}, false, {}},
        {"a due slot merges into open work", {due(ran(scan, RunState::yielded, t0 - 1h, t0), t0 - 1s)}, false, {}},
        {"a request behind its own live run",
         {asked(ran(scan, RunState::running, t0 - 1h, {}), t0)},
         false,
         {{"RefreshLibrary", "RefreshLibrary"}}},
        {"a request behind open work, which goes first",
         {asked(ran(scan, RunState::yielded, t0 - 1h, t0), t0)},
         false,
         {{"RefreshLibrary", "RefreshLibrary"}}},
        {"a request for later", {asked(scan, t0 + 1h)}, false, {{"RefreshLibrary", ""}}},
        {"behind the other group",
         {due(scan, t0 - 1s), ran(optimize, RunState::running, t0 - 1h, {})},
         false,
         {{"RefreshLibrary", "OptimizeDatabaseTask"}}},
        {"both", {asked(due(scan, t0 - 1s), t0)}, false, {{"RefreshLibrary", ""}, {"RefreshLibrary", ""}}},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.why);
        std::vector<std::pair<std::string, std::string>> got;
        for (const auto& one : waiting_rows(row.members, t0, row.paused, 10min)) {
            EXPECT_TRUE(one.waiting());
            EXPECT_EQ(one.not_before.has_value(), one.kind == RunKind::manual);
            got.emplace_back(one.task.task, one.waiting_for);
        }
        EXPECT_EQ(got, row.rows);
    }
}

TEST(RunLedgerWords, read_back_as_they_were_written) {
    for (const auto kind : {RunKind::timer, RunKind::startup, RunKind::manual})
        EXPECT_EQ(parse_run_kind(to_string(kind)), kind);
    for (const auto state : {RunState::running, RunState::cancelling, RunState::completed, RunState::failed,
                             RunState::cancelled, RunState::aborted, RunState::yielded})
        EXPECT_EQ(parse_run_state(to_string(state)), state);
    EXPECT_FALSE(parse_run_kind("cron"));
    EXPECT_FALSE(parse_run_state("waiting"));
}

}  // namespace
}  // namespace understudy::tasks
