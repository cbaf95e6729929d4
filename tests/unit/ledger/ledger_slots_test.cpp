// Slots over hours and days, on memory: what needs a clock that a test can set.
#include <gtest/gtest.h>

#include "core/random.h"
#include "support/memory_ledger_tables.h"
#include "tasks/transactional_run_ledger.h"

namespace understudy::tasks {
namespace {

using namespace std::chrono_literals;
using Outcome = Claim::Outcome;

const core::UtcTime monday = core::UtcTime{std::chrono::sys_days{std::chrono::year{2027} / 3 / 1}};
const TaskScope task{"RefreshLibrary", "cluster"};

class LedgerSlots : public ::testing::Test {
protected:
    LedgerSlots() { settle({}); }
    void settle(LedgerSettings settings) {
        ledger_ = std::make_unique<TransactionalRunLedger>(tables_, std::move(settings), Zone{});
        EXPECT_TRUE(ledger_->ensure_task(*find_task(task.task), task.scope));
    }
    void triggers(std::vector<Trigger> list) { EXPECT_TRUE(ledger_->set_triggers(task.task, list)); }
    static Trigger daily(core::Millis at) { return {DailyTrigger{at}, std::nullopt, {}}; }
    static Trigger every(core::Millis time) { return {IntervalTrigger{time}, std::nullopt, {}}; }

    TaskStateRow row() { return ledger_->overview("a")->tasks.at(0); }
    Claim claim() { return *ledger_->claim_slot(pod_, row(), core::RunId::make(random_)); }
    void end(const RunRow& run, RunState state = RunState::completed) {
        EXPECT_TRUE(ledger_->end({run.id, run.epoch, run.cursor_seq, {}}, {state, 100, "", {}, {}}));
    }

    core::UtcTime now_ = monday;
    core::SeededRandom random_{1};
    testing::MemoryLedgerRows rows_;
    testing::MemoryLedgerTables tables_{rows_, [this] { return now_; }};
    PodRef pod_{"a", core::BootId::make(random_), monday};
    std::unique_ptr<TransactionalRunLedger> ledger_;
};

TEST_F(LedgerSlots, three_days_missed_run_once_for_the_latest_slot) {
    triggers({daily(2h)});
    EXPECT_EQ(row().next_slot, monday + 2h);
    now_ = monday + 72h + 10h;  // nobody was up
    const auto claimed = claim();
    ASSERT_EQ(claimed.outcome, Outcome::won);
    EXPECT_EQ(claimed.run->slot, monday + 74h);
    EXPECT_EQ(row().next_slot, monday + 98h);
    now_ += 1h;
    end(*claimed.run);
    EXPECT_EQ(row().next_slot, monday + 98h) << "its end does not bring the missed ones up";
}

TEST_F(LedgerSlots, missed_slots_of_several_triggers_run_once_together) {
    triggers({daily(2h), daily(3h), every(24h)});
    now_ = monday + 10h;
    const auto claimed = claim();
    ASSERT_EQ(claimed.outcome, Outcome::won);
    EXPECT_EQ(claimed.run->slot, monday + 3h);
    end(*claimed.run);
    EXPECT_EQ(row().next_slot, monday + 26h);
}

TEST_F(LedgerSlots, skip_drops_what_is_late_and_keeps_what_is_on_time) {
    settle({.misfire_skip = {{"RefreshLibrary", true}}});
    triggers({daily(2h)});
    now_ = monday + 2h + 30s;
    auto claimed = claim();
    ASSERT_EQ(claimed.outcome, Outcome::won) << "half a minute is no misfire: who leads looks every few seconds";
    end(*claimed.run);
    now_ = monday + 26h + 5min;
    EXPECT_EQ(claim().outcome, Outcome::changed);
    EXPECT_EQ(row().next_slot, monday + 50h);
    EXPECT_EQ(row().epoch, 1);
    now_ = monday + 50h;
    EXPECT_EQ(claim().outcome, Outcome::won);
}

TEST_F(LedgerSlots, skip_spares_open_work_and_intervals) {
    settle({.misfire_skip = {{"RefreshLibrary", true}}});
    triggers({daily(2h)});
    now_ = monday + 2h;
    const auto claimed = claim();
    end(*claimed.run, RunState::yielded);
    now_ = monday + 12h;
    const auto open = row().open;
    ASSERT_TRUE(open);
    const auto resumed = ledger_->take_over(pod_, *open, false, core::RunId::make(random_));
    ASSERT_EQ(resumed->outcome, Outcome::won) << "it was started";
    end(*resumed->run);
    triggers({every(1h)});
    now_ = monday + 20h;
    EXPECT_EQ(claim().outcome, Outcome::won) << "overdue: at once, once";
}

TEST_F(LedgerSlots, a_slot_that_falls_into_a_run_follows_it) {
    triggers({daily(2h), daily(3h)});
    now_ = monday + 2h;
    const auto first = claim();
    ASSERT_EQ(first.outcome, Outcome::won);
    now_ = monday + 3h + 30min;
    EXPECT_EQ(claim().outcome, Outcome::running);
    end(*first.run);
    const auto second = claim();
    ASSERT_EQ(second.outcome, Outcome::won);
    EXPECT_EQ(second.run->slot, monday + 3h);
    end(*second.run);
    EXPECT_EQ(row().next_slot, monday + 26h);
}

TEST_F(LedgerSlots, what_passed_while_the_task_was_off_is_let_go) {
    triggers({daily(2h)});
    EXPECT_TRUE(ledger_->set_enabled(task.task, false));
    now_ = monday + 10h;
    EXPECT_EQ(claim().outcome, Outcome::disabled);
    EXPECT_TRUE(ledger_->set_enabled(task.task, true));
    EXPECT_EQ(row().next_slot, monday + 26h);
}

TEST_F(LedgerSlots, a_clock_that_steps_back_never_fires_a_finished_slot_again) {
    triggers({daily(2h)});
    now_ = monday + 2h + 1s;
    end(*claim().run);
    now_ = monday + 1h;  // set back
    EXPECT_TRUE(ledger_->set_triggers(task.task, {daily(2h)}));
    EXPECT_EQ(row().next_slot, monday + 26h) << "today's is in the slots already";
    // An interval that would hit the very millisecond of a finished slot moves beside it.
    triggers({every(1h)});
    end(*ledger_->claim_manual(pod_, task, core::RunId::make(random_), "{}", {})->run);
    EXPECT_EQ(row().next_slot, monday + 2h + 1ms);
}

TEST_F(LedgerSlots, a_clock_that_was_a_year_ahead_does_not_stop_a_daily_task) {
    triggers({daily(2h)});
    now_ = monday + 365 * 24h + 5h;
    end(*claim().run);
    now_ = monday + 5h;
    EXPECT_TRUE(ledger_->set_triggers(task.task, {daily(2h), daily(4h)}));
    EXPECT_EQ(row().next_slot, monday + 26h);
}

TEST_F(LedgerSlots, a_startup_slot_at_the_instant_of_a_timers_slot_is_no_second_start) {
    triggers({daily(2h), {StartupTrigger{}, std::nullopt, {}}});
    now_ = monday + 2h;
    PodRef booted{"b", core::BootId::make(random_), monday + 2h - 3s};
    const auto startup = ledger_->claim_startup(booted, task, core::RunId::make(random_), true);
    ASSERT_EQ(startup->outcome, Outcome::won);
    EXPECT_EQ(startup->run->slot, monday + 2h);
    end(*startup->run);
    EXPECT_EQ(row().next_slot, monday + 26h);
}

TEST_F(LedgerSlots, a_lost_reply_is_unavailable_and_the_run_is_found_by_its_id) {
    triggers({every(1min)});
    now_ += 2min;
    auto seen = row();
    auto fault = testing::MemoryFault::reply_lost;
    tables_.on_call = [&](bool writes) {
        return writes ? std::exchange(fault, testing::MemoryFault::none) : testing::MemoryFault::none;
    };
    const auto run = core::RunId::make(random_);
    const auto claimed = ledger_->claim_slot(pod_, seen, run);
    ASSERT_FALSE(claimed);
    EXPECT_EQ(claimed.error().code, core::Errc::unavailable);
    auto adopted = *ledger_->find_run(run);
    ASSERT_TRUE(adopted);
    fault = testing::MemoryFault::reply_lost;
    EXPECT_FALSE(ledger_->end({run, 1, 0, {}}, {}));
    EXPECT_TRUE(ledger_->end({run, 1, 0, {}}, {})) << "asked again, answered as the first time";

    now_ += 2min;
    seen = row();
    for (const auto kind : {testing::MemoryFault::unreachable, testing::MemoryFault::fails_inside}) {
        fault = kind;
        const auto none = core::RunId::make(random_);
        EXPECT_FALSE(ledger_->claim_slot(pod_, seen, none));
        EXPECT_FALSE(*ledger_->find_run(none)) << "forget it";
        EXPECT_EQ(row().epoch, 1) << "nothing is left of it";
        EXPECT_EQ(row().next_slot, seen.next_slot);
    }
    EXPECT_EQ(claim().outcome, Outcome::won);
}

}  // namespace
}  // namespace understudy::tasks
