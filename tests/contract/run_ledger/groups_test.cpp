#include "contract/run_ledger/run_ledger_contract.h"

namespace understudy::testing {
namespace {

class RunLedgerGroups : public RunLedgerContract {
protected:
    RunLedgerGroups() {
        for (const auto& task : {library_scan, people, optimize}) {
            ensure(task);
            pass_time(1s);  // due one after the other
        }
    }
    void every_minute(const TaskScope& task) {
        must(ledger().set_triggers(task.task, {{tasks::IntervalTrigger{1min}, std::nullopt, {}}}));
    }
};
INSTANTIATE_ON_ALL_LEDGERS(RunLedgerGroups);

TEST_P(RunLedgerGroups, the_optimisation_and_scans_exclude_each_other_and_scans_do_not) {
    const auto a = pod("a");
    const auto scan = started_by_hand(a, library_scan);
    pass_time(61s);
    EXPECT_EQ(started(a, people).state, RunState::running) << "scans may overlap each other";
    const auto waits = claim(a, optimize);
    EXPECT_EQ(waits.outcome, Outcome::waiting);
    EXPECT_EQ(waits.waiting_for, "RefreshLibrary");
    auto at = row(optimize);
    EXPECT_EQ(at.waiting_for, "RefreshLibrary");
    EXPECT_LE(*at.next_slot, now()) << "a blocked slot stays due";
    EXPECT_EQ(at.epoch, 0) << "and is not claimed";
    end(scan);
    EXPECT_EQ(claim(a, optimize).waiting_for, "RefreshPeople");
    end(*row(people).live);
    const auto optimisation = started(a, optimize);
    EXPECT_EQ(must(ledger().claim_manual(a, library_scan, id(), "{}")).outcome, Outcome::waiting);
    end(optimisation);
    EXPECT_EQ(must(ledger().claim_manual(a, library_scan, id(), "{}")).outcome, Outcome::won);
}

TEST_P(RunLedgerGroups, who_is_due_longest_goes_first_so_that_nobody_starves) {
    must(ledger().set_triggers("RefreshPeople", {}));
    every_minute(optimize);
    pass_time(30s);
    every_minute(library_scan);  // due half a minute later
    pass_time(61s);
    const auto a = pod("a");
    const auto scan = claim(a, library_scan);
    EXPECT_EQ(scan.outcome, Outcome::waiting);
    EXPECT_EQ(scan.waiting_for, "OptimizeDatabaseTask");
    EXPECT_EQ(row(library_scan).waiting_for, "OptimizeDatabaseTask");
    EXPECT_TRUE(row(optimize).waiting_for.empty());
    // A person's wish counts from now: it does not overtake either, or a person could starve the optimisation.
    EXPECT_EQ(must(ledger().claim_manual(a, people, id(), "{}")).waiting_for, "OptimizeDatabaseTask");
    end(started(a, optimize));
    EXPECT_EQ(claim(a, library_scan).outcome, Outcome::won);
}

TEST_P(RunLedgerGroups, what_cannot_start_holds_nobody_back) {
    must(ledger().set_triggers("RefreshPeople", {}));
    every_minute(optimize);
    pass_time(30s);
    every_minute(library_scan);
    pass_time(61s);
    const auto a = pod("a");
    must(ledger().set_enabled("OptimizeDatabaseTask", false));
    end(started(a, library_scan));
    must(ledger().set_enabled("OptimizeDatabaseTask", true));
    pass_time(61s);
    EXPECT_EQ(claim(a, library_scan).outcome, Outcome::waiting);
    must(ledger().set_timers_paused(true));
    end(started_by_hand(a, library_scan));
    must(ledger().set_timers_paused(false));
    pass_time(61s);
    EXPECT_EQ(claim(a, library_scan).outcome, Outcome::waiting);
    pass_time(11min);  // rows of a task that no pod has
    EXPECT_EQ(claim(a, library_scan).outcome, Outcome::won);
}

TEST_P(RunLedgerGroups, kept_requests_and_open_work_wait_and_hold_back_like_slots) {
    for (const auto& task : {library_scan, people, optimize}) must(ledger().set_triggers(task.task, {}));
    const auto a = pod("a");
    const auto optimisation = started_by_hand(a, optimize);
    pass_time(1s);
    must(ledger().request_later(library_scan, "{}", 0s, 0));
    pass_time(1s);
    EXPECT_EQ(must(ledger().claim_pending(a, library_scan, id())).outcome, Outcome::waiting);
    end(optimisation, RunState::yielded);
    pass_time(1s);
    // The optimisation began before the scan was asked for: it goes on first.
    EXPECT_EQ(must(ledger().claim_pending(a, library_scan, id())).waiting_for, "OptimizeDatabaseTask");
    const auto on = must(ledger().take_over(a, found(optimisation.id), false, id()));
    ASSERT_EQ(on.outcome, Outcome::won);
    end(*on.run);
    const auto scan = must(ledger().claim_pending(a, library_scan, id()));
    ASSERT_EQ(scan.outcome, Outcome::won);
    end(*scan.run, RunState::yielded);
    pass_time(1s);
    must(ledger().request_later(optimize, "{}", 0s, 0));
    pass_time(1s);
    EXPECT_EQ(must(ledger().claim_pending(a, optimize, id())).waiting_for, "RefreshLibrary");
    EXPECT_EQ(must(ledger().claim_manual(a, people, id(), "{}")).waiting_for, "OptimizeDatabaseTask");
    const auto again = must(ledger().claim_manual(a, library_scan, id(), "{}"));
    EXPECT_EQ(again.outcome, Outcome::won);
    EXPECT_EQ(again.run->resumed_from, scan.run->id);
    end(*again.run);
    EXPECT_EQ(must(ledger().claim_pending(a, optimize, id())).outcome, Outcome::won);
}

TEST_P(RunLedgerGroups, yielded_work_waits_for_the_other_group_and_a_dead_run_keeps_its_place) {
    for (const auto& task : {library_scan, people, optimize}) must(ledger().set_triggers(task.task, {}));
    const auto a = pod("a"), b = pod("b");
    const auto scan = started_by_hand(a, library_scan);
    pass_time(46s);
    must(ledger().request_later(optimize, "{}", 0s, 0));
    EXPECT_EQ(must(ledger().claim_pending(b, optimize, id())).waiting_for, "RefreshLibrary") << "dead, but running";
    const auto on = must(ledger().take_over(b, found(scan.id), true, id()));
    ASSERT_EQ(on.outcome, Outcome::won);
    end(*on.run, RunState::yielded);
    must(ledger().cancel(library_scan, "asked by anna"));
    const auto optimisation = must(ledger().claim_pending(b, optimize, id()));
    ASSERT_EQ(optimisation.outcome, Outcome::won);
    end(*optimisation.run);

    const auto second = started_by_hand(a, optimize);
    end(second, RunState::yielded);
    EXPECT_EQ(must(ledger().claim_manual(a, library_scan, id(), "{}")).waiting_for, "OptimizeDatabaseTask");
    pass_time(11min);
    const auto scanning = started_by_hand(a, library_scan);  // nobody went on with it for too long
    EXPECT_EQ(must(ledger().take_over(b, found(second.id), false, id())).waiting_for, "RefreshLibrary");
    EXPECT_EQ(row(optimize).waiting_for, "RefreshLibrary");
    end(scanning);
    EXPECT_EQ(must(ledger().take_over(b, found(second.id), false, id())).outcome, Outcome::won);
}

}  // namespace
}  // namespace understudy::testing
