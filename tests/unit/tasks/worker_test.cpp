#include <gtest/gtest.h>

#include "task_fakes.h"
#include "tasks/scheduled_task_worker.h"
#include "tasks/timer_gate.h"

namespace understudy::tasks {
namespace {

using lease::Standing;
using testing::FakeDatabase;
using testing::FakeLease;
using testing::FakeLedger;
using testing::FakeTask;
using testing::HeldLauncher;
using testing::ManualClock;
using testing::MemoryFault;
using testing::TaskRun;
using namespace std::chrono_literals;

TEST(TimerGate, decides_who_may_start) {
    struct Row {
        const char* why;
        bool gated;
        Standing standing;
        bool want;
    };
    constexpr Row rows[] = {
        {"ungated ignores standing", false, Standing::follower, true},
        {"ungated starts before the first answer", false, Standing::unknown, true},
        {"the leader starts", true, Standing::leader, true},
        {"a follower arms its trigger again", true, Standing::follower, false},
        {"outage: scans must not stall", true, Standing::self_appointed, true},
        {"no answer yet: wait", true, Standing::unknown, false},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.why);
        EXPECT_EQ(timer_may_start(row.gated, row.standing), row.want);
    }
}

class WorkerTest : public ::testing::Test {
protected:
    WorkerTest() { EXPECT_TRUE(ledger.ledger.ensure_task(task.info(), "cluster")); }
    TaskStateRow row() { return ledger.ledger.overview("a").value().tasks.at(0); }
    WorkerOptions options(bool gated) {
        WorkerOptions options;
        options.pod = {"a", core::BootId::make(random), {}};
        options.gated = gated;
        options.random = &random;
        options.launcher = &launcher;
        return options;
    }

    ManualClock clock;
    FakeDatabase database{clock};
    FakeLedger ledger{database};
    core::SeededRandom random{2};
    FakeTask task{"RefreshLibrary", [this](TaskRun&) {
                      ++executed;
                      return core::Result<void>{};
                  }};
    HeldLauncher launcher;
    FakeLease lease{Standing::follower};
    int executed = 0;
};

TEST_F(WorkerTest, built_without_lease_and_options_it_is_a_single_instance) {
    ScheduledTaskWorker worker(task, ledger.ledger, clock);
    EXPECT_EQ(worker.on_timer(row()).value(), TimerAnswer::lost);  // not due yet
    clock.advance(60s);
    EXPECT_EQ(worker.on_timer(row()).value(), TimerAnswer::started);
    EXPECT_EQ(executed, 1);  // on this very thread
    EXPECT_EQ(row().last_result->state, RunState::completed);
    EXPECT_EQ(worker.on_timer(row()).value(), TimerAnswer::lost);
    EXPECT_EQ(executed, 1);
}

TEST_F(WorkerTest, a_follower_skips_a_gated_slot_and_queues_nothing) {
    ScheduledTaskWorker worker(task, ledger.ledger, clock, &lease, options(true));
    clock.advance(60s);
    const auto due = row();
    for (int i = 0; i < 3; ++i) EXPECT_EQ(worker.on_timer(due).value(), TimerAnswer::not_leader);
    EXPECT_EQ(worker.counters().skipped_not_leader, 1);  // one slot, however often it was looked at
    EXPECT_EQ(row().next_slot, due.next_slot);           // armed again, for whoever leads
    EXPECT_FALSE(row().live);
    EXPECT_FALSE(row().pending);
    lease.become(Standing::leader);
    EXPECT_EQ(worker.on_timer(row()).value(), TimerAnswer::started);
}

TEST_F(WorkerTest, a_follower_runs_what_is_not_gated_and_what_a_person_asks_for) {
    ScheduledTaskWorker ungated(task, ledger.ledger, clock, &lease, options(false));
    clock.advance(60s);
    EXPECT_EQ(ungated.on_timer(row()).value(), TimerAnswer::started);
    EXPECT_EQ(launcher.finish(), RunFate::ended);
    ScheduledTaskWorker gated(task, ledger.ledger, clock, &lease, options(true));
    EXPECT_EQ(gated.start_manual("{}").value().outcome, Claim::Outcome::won);
    EXPECT_EQ(launcher.finish(), RunFate::ended);
    EXPECT_EQ(executed, 2);
}

TEST_F(WorkerTest, a_self_appointed_pod_starts_gated_slots) {
    lease.become(Standing::self_appointed);
    ScheduledTaskWorker worker(task, ledger.ledger, clock, &lease, options(true));
    clock.advance(60s);
    EXPECT_EQ(worker.on_timer(row()).value(), TimerAnswer::started);
}

TEST_F(WorkerTest, a_disabled_or_paused_task_is_armed_again) {
    ScheduledTaskWorker worker(task, ledger.ledger, clock, nullptr, options(false));
    clock.advance(60s);
    auto due = row();
    EXPECT_EQ(worker.on_timer(due, true).value(), TimerAnswer::paused);
    due.enabled = false;
    EXPECT_EQ(worker.on_timer(due).value(), TimerAnswer::disabled);
    EXPECT_TRUE(launcher.launched.empty());
    ASSERT_TRUE(ledger.ledger.set_timers_paused(true));  // unknown to this pod yet: the claim checks again
    EXPECT_EQ(worker.on_timer(row()).value(), TimerAnswer::paused);
}

TEST_F(WorkerTest, of_two_pods_one_gets_the_slot) {
    ScheduledTaskWorker a(task, ledger.ledger, clock, nullptr, options(false));
    ScheduledTaskWorker b(task, ledger.ledger, clock, nullptr, options(false));
    clock.advance(60s);
    const auto seen = row();
    EXPECT_EQ(a.on_timer(seen).value(), TimerAnswer::started);
    EXPECT_EQ(b.on_timer(seen).value(), TimerAnswer::busy);
    EXPECT_EQ(launcher.finish(), RunFate::ended);
    EXPECT_EQ(b.on_timer(seen).value(), TimerAnswer::lost);  // a late look at a finished slot
    EXPECT_EQ(launcher.launched.size(), 1U);
    EXPECT_EQ(b.counters().claims_lost, 2);
}

TEST_F(WorkerTest, a_claim_whose_reply_was_lost_is_adopted_once) {
    ScheduledTaskWorker worker(task, ledger.ledger, clock, nullptr, options(false));
    clock.advance(60s);
    const auto due = row();
    ledger.fault(MemoryFault::reply_lost);
    EXPECT_FALSE(worker.on_timer(due));
    EXPECT_TRUE(launcher.launched.empty());
    const auto live = row().live.value();
    EXPECT_TRUE(worker.adopt(live));
    EXPECT_FALSE(worker.adopt(live));
    EXPECT_EQ(launcher.launched.size(), 1U);
    EXPECT_EQ(launcher.finish(), RunFate::ended);
    EXPECT_EQ(row().last_result->state, RunState::completed);
}

TEST_F(WorkerTest, a_manual_claim_whose_reply_was_lost_is_found_at_once) {
    ScheduledTaskWorker worker(task, ledger.ledger, clock, nullptr, options(false));
    ledger.fault(MemoryFault::reply_lost);
    const auto claim = worker.start_manual("{}");
    ASSERT_TRUE(claim);
    EXPECT_EQ(claim->outcome, Claim::Outcome::won);
    EXPECT_EQ(launcher.launched.size(), 1U);
}

TEST_F(WorkerTest, a_manual_run_that_goes_on_with_open_work_joins_its_request_to_the_kept_one) {
    task.join = [](const std::string& kept, const std::string& wanted) { return kept + "+" + wanted; };
    ScheduledTaskWorker worker(task, ledger.ledger, clock, nullptr, options(false));
    const auto first = worker.start_manual("{}");
    ASSERT_TRUE(first);
    RunEnd yielded;
    yielded.state = RunState::yielded;
    ASSERT_TRUE(ledger.ledger.end({first->run->id, first->run->epoch, first->run->cursor_seq, {}}, yielded));
    ASSERT_TRUE(worker.request_later("reported"));
    const auto second = worker.start_manual("films");
    ASSERT_TRUE(second);
    EXPECT_EQ(second->outcome, Claim::Outcome::won);
    EXPECT_EQ(second->run->resumed_from, first->run->id);
    ASSERT_TRUE(row().pending);
    EXPECT_EQ(row().pending->options, "reported+films");
}

TEST_F(WorkerTest, adopts_no_run_of_somebody_else) {
    ScheduledTaskWorker a(task, ledger.ledger, clock, nullptr, options(false));
    ScheduledTaskWorker b(task, ledger.ledger, clock, nullptr, options(false));
    ASSERT_TRUE(a.start_manual("{}"));
    EXPECT_FALSE(b.adopt(row().live.value()));
}

}  // namespace
}  // namespace understudy::tasks
