#include "tasks/task_manager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "task_fakes.h"
#include "tasks/announced_activity_log.h"

namespace understudy::tasks {
namespace {

using lease::Standing;
using testing::FakeDatabase;
using testing::FakeEvents;
using testing::FakeLease;
using testing::FakeLedger;
using testing::FakeTask;
using testing::LinesLog;
using testing::ManualClock;
using testing::MemoryFault;
using testing::TaskRun;
using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::HasSubstr;

/// A task that says when it runs and goes on until it is told to return or to stop.
class Gate {
public:
    core::Result<void> pass(TaskRun& run) {
        running_.set_value();
        while (!open_) {
            if (run.should_stop()) return core::fail(core::Errc::cancelled, "stopped as asked");
            std::this_thread::yield();
        }
        return {};
    }
    void await_running() { running_.get_future().wait(); }
    void open() { open_ = true; }

private:
    std::promise<void> running_;
    std::atomic<bool> open_ = false;
};

class TaskManagerTest : public ::testing::Test {
protected:
    TaskManagerTest() { manager = make(); }
    ~TaskManagerTest() override {
        stop_time();
        gate.open();
    }
    std::unique_ptr<TaskManager> make() {
        TaskManagerSettings settings;
        settings.pod = "a";
        settings.boot = core::BootId::make(random);
        for (const auto& entry : catalogue()) {
            if (entry.gated_by_default) settings.gated.emplace(entry.key);
        }
        return std::make_unique<TaskManager>(settings, ledger.ledger, lease, events, clock, random, log);
    }
    void start(TaskManager& one, FakeTask::Body body, JoinOptions join = {}) {
        auto refresh = std::make_unique<FakeTask>("RefreshLibrary", std::move(body));
        refresh->join = std::move(join);
        one.add(std::move(refresh));
        one.add(std::make_unique<FakeTask>("OptimizeDatabaseTask"));
        one.start();
        await([&] {
            return !ledger.ledger.overview("a").value().tasks.empty() && one.tasks().value().at(0).state.version > 0;
        });
    }
    /// From here on time goes by.
    void let_time_pass() {
        time_ = std::thread([this] {
            while (!ended_) {
                clock.advance(10ms);
                std::this_thread::yield();
            }
        });
    }
    /// Before anything that waits on the clock is destroyed.
    void stop_time() {
        ended_ = true;
        if (time_.joinable()) time_.join();
    }
    static void await(const std::function<bool()>& done) {
        while (!done()) std::this_thread::yield();  // ctest's limit ends a test that waits in vain
    }
    RunState state(core::RunId run) { return ledger.ledger.find_run(run).value().value().state; }

    ManualClock clock;
    FakeDatabase database{clock};
    FakeLedger ledger{database};
    core::SeededRandom random{3};
    FakeLease lease;
    FakeEvents events;
    LinesLog log;
    Gate gate;
    std::unique_ptr<TaskManager> manager;

private:
    std::thread time_;
    std::atomic<bool> ended_ = false;
};

class ListedActivity final : public ActivityLog {
public:
    core::Result<std::int64_t> add(const ActivityEntry& entry) override {
        if (broken) return core::fail(core::Errc::unavailable, "no database");
        entries.push_back(entry);
        return static_cast<std::int64_t>(entries.size());
    }
    core::Result<std::int64_t> remove_older_than(core::Millis, std::int64_t, const core::Fence&) override { return 0; }
    std::vector<ActivityEntry> entries;
    bool broken = false;
};

TEST_F(TaskManagerTest, terms_that_a_pod_gains_and_loses_are_told_to_administrators) {
    ListedActivity activity;
    manager->tell_failures_to(activity);
    start(*manager, [](TaskRun&) { return core::Result<void>(); });
    lease.become(Standing::follower);
    lease.become(Standing::leader);
    ASSERT_EQ(activity.entries.size(), 2U);
    EXPECT_EQ(activity.entries[0].kind, "LeaderLost");
    EXPECT_EQ(activity.entries[1].kind, "LeaderGained");
    EXPECT_THAT(activity.entries[1].title, HasSubstr("Pod a"));
    activity.broken = true;
    lease.become(Standing::follower);  // and goes on
    manager.reset();
}

TEST(AnnouncedActivityLog, tells_all_pods_of_an_entry_that_is_kept_and_of_no_other) {
    ListedActivity kept;
    FakeEvents events;
    LinesLog log;
    std::vector<std::string> heard;
    const auto token = events.listen([&](const cluster::Event& event) { heard.push_back(event.kind + event.payload); });
    AnnouncedActivityLog announced(kept, events, log);
    EXPECT_EQ(announced.add({"UserCreated", "Information", "User Ann was made", ""}).value(), 1);
    kept.broken = true;
    EXPECT_FALSE(announced.add({"UserCreated", "Information", "User Bo was made", ""}));
    events.drop(token);
    EXPECT_THAT(heard, ::testing::ElementsAre(R"(activity.added{"id":1})"));
}

TEST_F(TaskManagerTest, a_manual_run_starts_here_and_a_second_request_joins_it) {
    lease.become(Standing::follower);  // a manual run asks for no leadership
    start(*manager, [&](TaskRun& run) { return gate.pass(run); });
    const auto first = manager->run_now("RefreshLibrary", "{}");
    ASSERT_TRUE(first);
    EXPECT_FALSE(first->joined);
    gate.await_running();
    clock.advance(1500ms);
    const auto second = manager->run_now("7738148ffcd07979c7ceb148e06b3aed", "{}");
    ASSERT_TRUE(second);
    EXPECT_TRUE(second->joined);
    EXPECT_EQ(second->run.id, first->run.id);
    EXPECT_EQ(second->run.pod, "a");
    EXPECT_LE(second->beat_age, 1500ms);
    ASSERT_EQ(manager->local_runs().size(), 1U);
    gate.open();
    await([&] { return state(first->run.id) == RunState::completed; });
    await([&] { return manager->counters().runs_completed["RefreshLibrary"] == 1; });
    EXPECT_EQ(ledger.ledger.runs({}).value().total, 1U);
}

TEST_F(TaskManagerTest, cancel_reaches_a_run_by_its_event_without_waiting_for_a_beat) {
    start(*manager, [&](TaskRun& run) { return gate.pass(run); });
    const auto run = manager->run_now("RefreshLibrary", "{}");
    gate.await_running();
    EXPECT_TRUE(manager->cancel("RefreshLibrary", "ann").value());
    await([&] { return state(run->run.id) == RunState::cancelled; });  // no time has passed
    EXPECT_EQ(ledger.ledger.find_run(run->run.id).value()->error, "asked by ann");
    EXPECT_THAT(events.kinds(), Contains("run.cancel"));
    EXPECT_FALSE(manager->cancel("RefreshLibrary", "ann").value());  // idle: nothing to do, no error
}

TEST_F(TaskManagerTest, a_request_whose_group_is_taken_is_kept_and_runs_afterwards) {
    start(*manager, [&](TaskRun& run) { return gate.pass(run); });
    ASSERT_TRUE(manager->run_now("RefreshLibrary", "{}"));
    gate.await_running();
    const auto answer = manager->run_now("OptimizeDatabaseTask", "{}");
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, core::Errc::conflict);
    EXPECT_THAT(answer.error().context, HasSubstr("waits for RefreshLibrary; the request is kept"));
    gate.open();
    let_time_pass();
    await([&] { return manager->counters().runs_completed["OptimizeDatabaseTask"] >= 1; });
}

TEST_F(TaskManagerTest, queue_keeps_one_follow_up_with_the_latest_options) {
    std::atomic<int> runs = 0;
    std::string last;
    std::mutex mutex;
    start(*manager, [&](TaskRun& run) -> core::Result<void> {
        if (++runs == 1) return gate.pass(run);
        const std::lock_guard lock(mutex);
        last = run.options();
        return {};
    });
    ASSERT_TRUE(manager->run_now("RefreshLibrary", "{}"));
    gate.await_running();
    ASSERT_TRUE(manager->queue("RefreshLibrary", R"({"n":1})"));
    ASSERT_TRUE(manager->queue("RefreshLibrary", R"({"n":2})"));
    gate.open();
    let_time_pass();
    await([&] { return manager->counters().runs_completed["RefreshLibrary"] >= 2; });
    const std::lock_guard lock(mutex);
    EXPECT_EQ(last, R"({"n":2})");
}

TEST_F(TaskManagerTest, requests_that_meet_in_the_queue_are_joined_where_the_task_can_and_so_is_a_runs_own) {
    std::atomic<int> runs = 0;
    std::string last;
    std::mutex mutex;
    start(
        *manager,
        [&](TaskRun& run) -> core::Result<void> {
            if (++runs == 1) {
                const auto passed = gate.pass(run);
                return passed ? run.request_follow_up("own", 0ms, 0) : passed;
            }
            const std::lock_guard lock(mutex);
            last = run.options();
            return {};
        },
        [](const std::string& kept, const std::string& wanted) { return kept + "+" + wanted; });
    ASSERT_TRUE(manager->run_now("RefreshLibrary", "{}"));
    gate.await_running();
    ASSERT_TRUE(manager->queue("RefreshLibrary", "a"));
    ASSERT_TRUE(manager->queue("RefreshLibrary", "b"));
    gate.open();
    let_time_pass();
    await([&] { return manager->counters().runs_completed["RefreshLibrary"] >= 2; });
    const std::lock_guard lock(mutex);
    EXPECT_EQ(last, "a+b+own");
}

TEST_F(TaskManagerTest, queue_on_an_idle_task_runs_it_now) {
    start(*manager, [&](TaskRun&) { return core::Result<void>{}; });
    ASSERT_TRUE(manager->queue("RefreshLibrary", "{}"));
    let_time_pass();
    await([&] { return manager->counters().runs_completed["RefreshLibrary"] >= 1; });
}

TEST_F(TaskManagerTest, stop_lets_a_run_yield_and_starts_nothing_more) {
    start(*manager, [&](TaskRun& run) { return gate.pass(run); });
    const auto run = manager->run_now("RefreshLibrary", "{}");
    gate.await_running();
    manager->stop(10s);
    EXPECT_EQ(state(run->run.id), RunState::yielded);
    EXPECT_EQ(manager->stragglers(), 0U);
    EXPECT_THAT(events.kinds(), Contains("run.ended"));
    const auto late = manager->run_now("RefreshLibrary", "{}");
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code, core::Errc::conflict);
    EXPECT_TRUE(ledger.ledger.overview("a").value().tasks.at(1).pending);  // kept for the next pod
}

TEST_F(TaskManagerTest, a_run_that_reaches_no_checkpoint_is_left_to_the_fence) {
    std::promise<void> let_go;
    start(*manager, [heard = std::make_shared<std::shared_future<void>>(let_go.get_future())](TaskRun&) {
        heard->wait();  // deaf until the test lets it go
        return core::fail(core::Errc::cancelled, "stopped");
    });
    const auto run = manager->run_now("RefreshLibrary", "{}");
    ASSERT_TRUE(run);
    let_time_pass();
    manager->stop(50ms);
    EXPECT_EQ(manager->stragglers(), 1U);
    EXPECT_TRUE(log.has("did not reach a checkpoint"));
    EXPECT_EQ(state(run->run.id), RunState::running);
    stop_time();
    let_go.set_value();
    manager.reset();
}

TEST_F(TaskManagerTest, resign_drains_then_lets_go_and_goes_on_as_a_follower) {
    start(*manager, [&](TaskRun& run) { return gate.pass(run); });
    const auto run = manager->run_now("RefreshLibrary", "{}");
    gate.await_running();
    EXPECT_TRUE(manager->resign(10s));
    EXPECT_EQ(lease.resigned, 1);
    EXPECT_EQ(state(run->run.id), RunState::yielded);
    EXPECT_EQ(manager->resign(10s).error().code, core::Errc::conflict);
}

TEST_F(TaskManagerTest, a_resigned_pod_still_runs_what_a_person_asks_for) {
    std::atomic<int> runs = 0;
    start(*manager, [&](TaskRun&) -> core::Result<void> {
        ++runs;
        return {};
    });
    ASSERT_TRUE(manager->resign(10s));
    ASSERT_TRUE(manager->run_now("RefreshLibrary", "{}"));
    await([&] { return runs == 1; });
}

TEST_F(TaskManagerTest, edits_are_validated_stored_and_told) {
    start(*manager, [&](TaskRun&) { return core::Result<void>{}; });
    const auto wrong = manager->set_triggers(
        "RefreshLibrary", {{IntervalTrigger{1h}, std::nullopt, {}}, {DailyTrigger{25h}, std::nullopt, {}}});
    ASSERT_FALSE(wrong);
    EXPECT_THAT(wrong.error().context, HasSubstr("trigger 2: TimeOfDayTicks"));
    EXPECT_EQ(manager->task("RefreshLibrary").value().state.triggers.size(), 1U);  // the old ones stand
    ASSERT_TRUE(manager->set_triggers("RefreshLibrary", {}));
    EXPECT_EQ(manager->task("RefreshLibrary").value().state.next_slot, std::nullopt);
    ASSERT_TRUE(manager->set_enabled("RefreshLibrary", false));
    EXPECT_FALSE(manager->task("RefreshLibrary").value().state.enabled);
    ASSERT_TRUE(manager->set_timers_paused(true));
    EXPECT_TRUE(manager->tasks().value().at(0).timers_paused);
    EXPECT_THAT(events.kinds(), Contains("task.edited"));
    EXPECT_THAT(events.kinds(), Contains("timers"));
    const auto unknown = manager->task("Nonsense");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, core::Errc::not_found);
    EXPECT_THAT(unknown.error().context, HasSubstr("OptimizeDatabaseTask, RefreshLibrary"));
}

TEST_F(TaskManagerTest, a_database_that_is_away_at_the_start_is_waited_for) {
    ledger.fault(MemoryFault::unreachable, 20);
    manager->add(std::make_unique<FakeTask>("RefreshLibrary"));
    manager->start();
    let_time_pass();
    await([&] { return manager->counters().runs_completed["RefreshLibrary"] >= 1; });
    EXPECT_GE(manager->counters().ledger_errors, 1);
}

TEST_F(TaskManagerTest, timers_start_slots_on_the_schedulers_own_thread) {
    std::atomic<int> runs = 0;
    start(*manager, [&](TaskRun&) -> core::Result<void> {
        ++runs;
        return {};
    });
    ASSERT_TRUE(manager->set_triggers("RefreshLibrary", {{IntervalTrigger{1s}, std::nullopt, {}}}));
    let_time_pass();
    await([&] { return runs >= 5; });
}

}  // namespace
}  // namespace understudy::tasks
