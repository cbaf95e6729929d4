#include "tasks/task_scheduler.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "task_fakes.h"

namespace understudy::tasks {
namespace {

using lease::Standing;
using testing::FakeDatabase;
using testing::FakeLease;
using testing::FakeLedger;
using testing::FakePods;
using testing::FakeTask;
using testing::HeldLauncher;
using testing::LinesLog;
using testing::ManualClock;
using testing::MemoryFault;
using namespace std::chrono_literals;

/// One pod under test-driven time: ticks when the scheduler asks for it.
struct Pod {
    Pod(const std::string& label, ManualClock& time, FakeDatabase& database, std::vector<std::string_view> keys,
        Standing standing = Standing::leader, TaskManagerSettings settings = {})
        : clock(time), ledger(database), lease(standing), random(++database.pods) {
        settings.pod = label;
        settings.boot = core::BootId::make(random);
        for (const auto& entry : catalogue()) {
            if (entry.gated_by_default) settings.gated.emplace(entry.key);
        }
        scheduler = std::make_unique<TaskScheduler>(
            settings,
            TaskScheduler::Parts{ledger.ledger, lease, clock, random, log, launcher, launcher.runs, nullptr, &pods});
        boot = settings.boot;
        for (const auto key : keys) {
            tasks.push_back(std::make_unique<FakeTask>(key));
            scheduler->add(*tasks.back());
        }
    }
    /// Ticks whenever it wants to, for as long as `span`.
    void live(core::Nanos span) {
        const auto end = clock.now().boot + span;
        while (clock.now().boot < end) {
            const auto wait = scheduler->tick();
            clock.advance(std::min(wait, end - clock.now().boot));
        }
        (void)scheduler->tick();
    }
    TaskStateRow row(std::string_view key) {
        const auto overview = ledger.ledger.overview("a").value();
        for (const auto& row : overview.tasks) {
            if (row.task.task == key) return row;
        }
        return {};
    }

    ManualClock& clock;
    FakeLedger ledger;
    FakeLease lease;
    FakePods pods;
    LinesLog log;
    core::SeededRandom random;
    core::BootId boot;
    HeldLauncher launcher;
    std::vector<std::unique_ptr<FakeTask>> tasks;
    std::unique_ptr<TaskScheduler> scheduler;
};

class TaskSchedulerTest : public ::testing::Test {
protected:
    ManualClock clock;
    FakeDatabase database{clock};
};

TEST_F(TaskSchedulerTest, starts_a_slot_when_it_is_due_and_not_before) {
    Pod pod("a", clock, database, {"RefreshLibrary"});
    (void)pod.scheduler->tick();
    const auto slot = pod.row("RefreshLibrary").next_slot.value();
    while (pod.launcher.launched.empty()) clock.advance(pod.scheduler->tick());
    const auto run = pod.launcher.launched.at(0)->snapshot();
    EXPECT_EQ(run.slot, slot);
    EXPECT_GE(run.started_at, slot);
    EXPECT_LE(run.started_at, slot + 2ms);
}

TEST_F(TaskSchedulerTest, a_slot_runs_once_and_the_next_counts_from_its_end) {
    Pod pod("a", clock, database, {"RefreshLibrary"});
    ASSERT_TRUE(pod.ledger.ledger.ensure_task(*find_task("RefreshLibrary"), "cluster"));
    ASSERT_TRUE(pod.ledger.ledger.set_triggers("RefreshLibrary", {{IntervalTrigger{5s}, std::nullopt, {}}}));
    for (std::size_t n = 1; n <= 20; ++n) {
        pod.live(6s);
        ASSERT_EQ(pod.launcher.launched.size(), n);
        clock.advance(500ms);
        EXPECT_EQ(pod.launcher.finish(), RunFate::ended);
        pod.scheduler->wake();
    }
}

TEST_F(TaskSchedulerTest, a_follower_notes_a_skip_once_with_the_holder) {
    Pod pod("a", clock, database, {"RefreshLibrary"}, Standing::follower);
    pod.live(5min);
    EXPECT_TRUE(pod.launcher.launched.empty());
    const auto skips = pod.ledger.ledger.skips(10).value();
    ASSERT_EQ(skips.size(), 1U);
    EXPECT_EQ(skips[0].reason, "not_leader");
    EXPECT_EQ(skips[0].holder, "the-leader");
    EXPECT_EQ(skips[0].pod, "a");
    EXPECT_EQ(skips[0].slot, pod.row("RefreshLibrary").next_slot);
    EXPECT_EQ(pod.scheduler->worker("RefreshLibrary")->counters().skipped_not_leader, 1);
    EXPECT_EQ(pod.scheduler->last_skip("RefreshLibrary")->reason, "not_leader");
}

TEST_F(TaskSchedulerTest, a_slot_that_a_follower_skipped_starts_when_it_leads) {
    Pod pod("a", clock, database, {"RefreshLibrary"}, Standing::follower);
    pod.live(2min);
    pod.lease.become(Standing::self_appointed);
    pod.live(4s);  // within T/4
    EXPECT_EQ(pod.launcher.launched.size(), 1U);
}

TEST_F(TaskSchedulerTest, a_follower_runs_ungated_slots) {
    Pod pod("a", clock, database, {"DeleteCacheFiles"}, Standing::follower);
    pod.live(2min);
    EXPECT_EQ(pod.launcher.launched.size(), 1U);
    EXPECT_EQ(pod.launcher.launched.at(0)->scope(), (TaskScope{"DeleteCacheFiles", "a"}));
}

TEST_F(TaskSchedulerTest, of_two_pods_one_starts_an_ungated_cluster_slot) {
    Pod a("a", clock, database, {"CleanActivityLog"}, Standing::follower);
    Pod b("b", clock, database, {"CleanActivityLog"}, Standing::follower);
    (void)a.scheduler->tick();
    ASSERT_TRUE(a.ledger.ledger.set_triggers("CleanActivityLog", {{IntervalTrigger{10s}, std::nullopt, {}}}));
    const auto end = clock.now().boot + 40s;
    while (clock.now().boot < end) clock.advance(std::min(a.scheduler->tick(), b.scheduler->tick()));
    EXPECT_EQ(a.launcher.launched.size() + b.launcher.launched.size(), 1U);
}

TEST_F(TaskSchedulerTest, a_gated_start_up_slot_waits_for_the_lead_and_runs_once_in_the_cluster) {
    Pod a("a", clock, database, {"CleanCollectionsAndPlaylists"}, Standing::follower);
    Pod b("b", clock, database, {"CleanCollectionsAndPlaylists"}, Standing::follower);
    a.live(20s);
    b.live(20s);
    EXPECT_TRUE(a.launcher.launched.empty());
    a.lease.become(Standing::leader);
    a.scheduler->wake();
    a.live(1s);
    ASSERT_EQ(a.launcher.launched.size(), 1U);
    EXPECT_EQ(a.launcher.launched[0]->kind(), RunKind::startup);
    EXPECT_EQ(a.launcher.finish(), RunFate::ended);
    b.lease.become(Standing::leader);
    b.scheduler->wake();
    b.live(1h);  // the task has started since b's boot
    EXPECT_TRUE(b.launcher.launched.empty());
}

TEST_F(TaskSchedulerTest, a_start_up_slot_comes_three_seconds_after_the_start) {
    Pod pod("a", clock, database, {"CleanCollectionsAndPlaylists"});
    pod.live(2900ms);
    EXPECT_TRUE(pod.launcher.launched.empty());
    pod.live(200ms);
    EXPECT_EQ(pod.launcher.launched.size(), 1U);
}

TEST_F(TaskSchedulerTest, a_dead_run_is_taken_over_by_the_pod_that_leads) {
    Pod a("a", clock, database, {"RefreshLibrary"});
    Pod follower("b", clock, database, {"RefreshLibrary"}, Standing::follower);
    Pod leader("c", clock, database, {"RefreshLibrary"});
    a.live(61s);
    ASSERT_EQ(a.launcher.launched.size(), 1U);
    const auto died_at = clock.now().boot;  // never executed, no beat: as good as dead
    while (leader.launcher.launched.empty() && clock.now().boot - died_at < 10min)
        clock.advance(std::min(leader.scheduler->tick(), follower.scheduler->tick()));
    ASSERT_EQ(leader.launcher.launched.size(), 1U);
    EXPECT_TRUE(follower.launcher.launched.empty());
    EXPECT_GE(clock.now().boot - died_at, 45s);
    EXPECT_LE(clock.now().boot - died_at, 45s + 3750ms + 100ms);
    const auto run = leader.launcher.launched[0]->snapshot();
    EXPECT_EQ(run.resumed_from, a.launcher.launched[0]->id());
    EXPECT_EQ(run.slot, a.launcher.launched[0]->snapshot().slot);
    EXPECT_EQ(run.attempts, 2);
}

TEST_F(TaskSchedulerTest, a_run_that_beats_is_left_alone) {
    Pod a("a", clock, database, {"RefreshLibrary"});
    Pod b("b", clock, database, {"RefreshLibrary"});
    a.live(61s);
    ASSERT_EQ(a.launcher.launched.size(), 1U);
    for (int i = 0; i < 600; ++i) {
        (void)a.launcher.launched[0]->should_stop();
        (void)a.launcher.launched[0]->beat();
        (void)b.scheduler->tick();
        clock.advance(1s);
    }
    EXPECT_TRUE(b.launcher.launched.empty());
    EXPECT_FALSE(a.launcher.launched[0]->should_stop());
}

TEST_F(TaskSchedulerTest, on_an_exclusive_database_runs_of_other_boots_are_dead_at_once) {
    Pod a("a", clock, database, {"RefreshLibrary"});
    a.live(61s);
    TaskManagerSettings settings;
    settings.others_are_dead = true;
    Pod b("a", clock, database, {"RefreshLibrary"}, Standing::leader, settings);
    LedgerSettings exclusive;
    exclusive.others_are_dead = true;
    FakeLedger ledger(database, exclusive);
    TaskScheduler again(settings, {ledger.ledger, b.lease, clock, b.random, b.log, b.launcher, b.launcher.runs});
    again.add(*b.tasks[0]);
    (void)again.tick();
    EXPECT_EQ(b.launcher.launched.size(), 1U);
}

TEST_F(TaskSchedulerTest, a_pod_that_comes_back_takes_up_the_pod_task_of_its_label) {
    Pod first("a", clock, database, {"DeleteCacheFiles"});
    first.live(61s);
    ASSERT_EQ(first.launcher.launched.size(), 1U);
    first.launcher.drop_all();
    Pod second("a", clock, database, {"DeleteCacheFiles"}, Standing::follower);
    Pod other("b", clock, database, {"DeleteCacheFiles"});
    other.pods.alive = {
        cluster::PodInfo{.label = "a", .boot = {}, .version = {}, .standing = {}, .facts = {}, .roots = {}}};
    for (int i = 0; i < 400 && second.launcher.launched.empty(); ++i)
        clock.advance(std::min(second.scheduler->tick(), other.scheduler->tick()));
    ASSERT_EQ(second.launcher.launched.size(), 1U);
    EXPECT_TRUE(second.launcher.launched[0]->snapshot().resumed_from);
}

TEST_F(TaskSchedulerTest, the_pod_task_of_a_pod_that_is_gone_for_good_is_failed) {
    Pod gone("gone", clock, database, {"DeleteCacheFiles"});
    gone.live(61s);
    const auto run = gone.launcher.launched.at(0)->id();
    Pod pod("b", clock, database, {"DeleteCacheFiles"}, Standing::follower);
    pod.live(44s);
    EXPECT_EQ(pod.ledger.ledger.find_run(run).value()->state, RunState::running);
    pod.live(10s);
    EXPECT_EQ(pod.ledger.ledger.find_run(run).value()->state, RunState::failed);
    EXPECT_EQ(pod.ledger.ledger.find_run(run).value()->error, "its pod is gone");
}

TEST_F(TaskSchedulerTest, a_kept_request_runs_after_the_live_run_with_the_latest_options) {
    Pod pod("a", clock, database, {"RefreshLibrary"}, Standing::follower);
    (void)pod.scheduler->tick();
    ASSERT_TRUE(pod.scheduler->worker("RefreshLibrary")->start_manual("{}"));
    const TaskScope task{"RefreshLibrary", "cluster"};
    ASSERT_TRUE(pod.ledger.ledger.request_later(task, R"({"n":1})", 0ms, 0, {}));
    ASSERT_TRUE(pod.ledger.ledger.request_later(task, R"({"n":2})", 0ms, 0, {}));
    pod.live(10s);
    EXPECT_EQ(pod.launcher.launched.size(), 1U);
    EXPECT_EQ(pod.launcher.finish(), RunFate::ended);
    pod.live(4s);
    ASSERT_EQ(pod.launcher.launched.size(), 2U);
    EXPECT_EQ(pod.launcher.launched[1]->options(), R"({"n":2})");
    EXPECT_EQ(pod.launcher.finish(), RunFate::ended);
    pod.live(1min);
    EXPECT_EQ(pod.launcher.launched.size(), 2U);  // one follow-up
}

TEST_F(TaskSchedulerTest, a_lost_claim_is_found_in_the_ledger_and_run) {
    Pod pod("a", clock, database, {"RefreshLibrary"});
    pod.live(59s);
    pod.ledger.fault(MemoryFault::reply_lost, 1, true);
    pod.live(4s);
    ASSERT_EQ(pod.launcher.launched.size(), 1U);
    EXPECT_EQ(pod.launcher.finish(), RunFate::ended);
}

TEST_F(TaskSchedulerTest, says_that_timers_are_paused_as_a_restart_or_another_pod_left_them) {
    Pod pod("a", clock, database, {"RefreshLibrary"});
    EXPECT_FALSE(pod.scheduler->timers_paused()) << "not known yet";
    ASSERT_TRUE(pod.ledger.ledger.set_timers_paused(true));
    pod.live(30s);
    EXPECT_EQ(pod.scheduler->timers_paused(), true);
    EXPECT_EQ(pod.log.lines_with("all timers are paused"), 1U);
    EXPECT_EQ(pod.log.lines_with("understudy tasks resume"), 1U);
    ASSERT_TRUE(pod.ledger.ledger.set_timers_paused(false));
    pod.live(30s);
    EXPECT_EQ(pod.scheduler->timers_paused(), false);
    EXPECT_EQ(pod.log.lines_with("timers are resumed"), 1U);
}

TEST_F(TaskSchedulerTest, says_once_that_the_ledger_is_away_and_once_that_it_is_back) {
    Pod pod("a", clock, database, {"RefreshLibrary"});
    pod.live(5s);
    pod.ledger.fault(MemoryFault::unreachable, 1'000'000);
    pod.live(30min);
    pod.ledger.tables.on_call = nullptr;
    pod.live(10s);
    EXPECT_EQ(pod.log.lines_with("does not answer"), 1U);
    EXPECT_EQ(pod.log.lines_with("answers again"), 1U);
    EXPECT_EQ(pod.log.count(core::LogLevel::warning), 0U) << "an outage is told of loudly by app, once for all parts";
    EXPECT_GT(pod.scheduler->ledger_errors(), 100);
    EXPECT_EQ(pod.launcher.launched.size(), 1U);  // due meanwhile: once, late
}

TEST_F(TaskSchedulerTest, a_task_of_the_other_group_waits_and_then_runs) {
    Pod pod("a", clock, database, {"RefreshLibrary", "OptimizeDatabaseTask"});
    (void)pod.scheduler->tick();
    ASSERT_TRUE(pod.scheduler->worker("RefreshLibrary")->start_manual("{}"));
    pod.live(2min);
    EXPECT_EQ(pod.launcher.launched.size(), 1U);
    EXPECT_EQ(pod.row("OptimizeDatabaseTask").waiting_for, "RefreshLibrary");
    EXPECT_EQ(pod.launcher.finish(), RunFate::ended);
    pod.scheduler->wake();
    pod.live(1s);
    ASSERT_EQ(pod.launcher.launched.size(), 2U);
    EXPECT_EQ(pod.launcher.launched[1]->scope().task, "OptimizeDatabaseTask");
}

TEST_F(TaskSchedulerTest, a_kept_request_that_waits_does_not_hide_a_slot_due_for_longer) {
    // Optimize: slot, then a request. Between the two a library task came due, which waits for the slot.
    Pod pod("a", clock, database, {"OptimizeDatabaseTask", "RefreshPeople"}, Standing::follower);
    (void)pod.scheduler->tick();
    ASSERT_TRUE(pod.ledger.ledger.set_triggers("RefreshPeople", {}));
    pod.live(2min);
    ASSERT_TRUE(pod.ledger.ledger.request_later({"RefreshPeople", "cluster"}, "{}", 1ms, 0, {}));
    ASSERT_TRUE(pod.ledger.ledger.request_later({"OptimizeDatabaseTask", "cluster"}, "{}", 2ms, 0, {}));
    pod.live(1min);
    ASSERT_TRUE(pod.launcher.launched.empty());  // a follower may not start the slot that holds the others back
    pod.lease.become(Standing::leader);
    pod.scheduler->wake();
    pod.live(1s);
    ASSERT_EQ(pod.launcher.launched.size(), 1U);
    EXPECT_EQ(pod.launcher.launched[0]->scope().task, "OptimizeDatabaseTask");
    EXPECT_EQ(pod.launcher.launched[0]->kind(), RunKind::timer);
}

TEST_F(TaskSchedulerTest, a_wall_slot_done_before_the_database_clock_went_back_does_not_stand_in_the_way) {
    Pod pod("a", clock, database, {"RefreshLibrary"});
    (void)pod.scheduler->tick();
    const auto wall = database.now() + 10min;
    const auto time_of_day = wall - std::chrono::floor<std::chrono::days>(wall);
    ASSERT_TRUE(pod.ledger.ledger.set_triggers(
        "RefreshLibrary", {{IntervalTrigger{20min}, std::nullopt, {}}, {DailyTrigger{time_of_day}, std::nullopt, {}}}));
    const auto run_next = [&] {
        const auto before = pod.launcher.launched.size();
        for (int i = 0; i < 10'000 && pod.launcher.launched.size() == before; ++i) clock.advance(pod.scheduler->tick());
        ASSERT_EQ(pod.launcher.launched.size(), before + 1);
        EXPECT_EQ(pod.launcher.finish(), RunFate::ended);
        pod.scheduler->wake();
    };
    for (int i = 0; i < 3 && (pod.launcher.launched.empty() || pod.launcher.launched.back()->snapshot().slot != wall);
         ++i)
        run_next();
    ASSERT_EQ(pod.launcher.launched.back()->snapshot().slot, wall);
    database.offset -= 1h;
    ASSERT_TRUE(pod.scheduler->worker("RefreshLibrary")->start_manual("{}"));
    EXPECT_EQ(pod.launcher.finish(), RunFate::ended);  // the interval counts from here
    pod.scheduler->wake();
    run_next();
    EXPECT_LT(pod.launcher.launched.back()->snapshot().slot, wall);
    pod.scheduler->hold(true);
    clock.advance(2h);  // nobody there until the wall slot lies behind again
    pod.scheduler->hold(false);
    pod.scheduler->wake();
    const auto so_far = pod.launcher.launched.size();
    pod.live(10s);
    ASSERT_EQ(pod.launcher.launched.size(), so_far + 1);
    EXPECT_NE(pod.launcher.launched.back()->snapshot().slot, wall);
}

TEST_F(TaskSchedulerTest, held_it_starts_nothing) {
    Pod pod("a", clock, database, {"RefreshLibrary"});
    pod.live(5s);
    pod.scheduler->hold(true);
    pod.live(5min);
    EXPECT_TRUE(pod.launcher.launched.empty());
    pod.scheduler->hold(false);
    pod.live(1s);
    EXPECT_EQ(pod.launcher.launched.size(), 1U);
}

TEST_F(TaskSchedulerTest, an_idle_pod_reads_the_ledger_every_quarter_ttl_and_no_more) {
    Pod pod("a", clock, database, {"KeyframeExtraction"});
    pod.live(1min);
    int calls = 0;
    pod.ledger.tables.on_call = [&](bool) {
        ++calls;
        return MemoryFault::none;
    };
    pod.live(375s);
    EXPECT_GE(calls, 2 * 99);
    EXPECT_LE(calls, 2 * 102);
}

TEST_F(TaskSchedulerTest, many_notices_make_few_reads) {
    Pod pod("a", clock, database, {"KeyframeExtraction"});
    pod.live(1s);
    int calls = 0;
    pod.ledger.tables.on_call = [&](bool) {
        ++calls;
        return MemoryFault::none;
    };
    for (int i = 0; i < 1000; ++i) {
        pod.scheduler->wake();
        (void)pod.scheduler->tick();
        clock.advance(1ms);
    }
    EXPECT_LE(calls, 2 * 21);
}

}  // namespace
}  // namespace understudy::tasks
