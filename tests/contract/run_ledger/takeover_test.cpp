#include "contract/run_ledger/run_ledger_contract.h"

namespace understudy::testing {
namespace {

class RunLedgerTakeover : public RunLedgerContract {
protected:
    [[nodiscard]] bool slot_points_at(const TaskScope& task, core::UtcTime slot, core::RunId run) {
        // The older runs are forgotten with the slots that point at them: what is left points at `run`.
        bool taken = false;
        const auto epoch = found(run).epoch;
        must(tables().transaction([&](tasks::LedgerTransaction& tx) -> core::Result<void> {
            tx.forget_runs(task, epoch - 1, 0, core::UtcTime{});
            taken = tx.slot_taken(task, slot);
            return {};
        }));
        return taken;
    }
};
INSTANTIATE_ON_ALL_LEDGERS(RunLedgerTakeover);

TEST_P(RunLedgerTakeover, a_yielded_run_goes_on_with_everything_it_had) {
    ensure(library_scan);
    must(ledger().set_triggers("RefreshLibrary", {{tasks::IntervalTrigger{1min}, core::Millis{2h}, {}}}));
    pass_time(61s);
    auto run = started(pod("a"), library_scan);
    write(run, "films/c");
    end(run, RunState::yielded);
    const auto open = row(library_scan).open;
    ASSERT_TRUE(open);
    const auto b = pod("b");
    const auto next = must(ledger().take_over(b, *open, false, id()));
    ASSERT_EQ(next.outcome, Outcome::won);
    const auto stored = found(next.run->id);
    EXPECT_EQ(stored.kind, RunKind::timer);
    EXPECT_EQ(stored.slot, run.slot);
    EXPECT_EQ(stored.cursor, "films/c");
    EXPECT_EQ(stored.start_cursor, "films/c");
    EXPECT_EQ(stored.cursor_seq, 0);
    EXPECT_EQ(stored.attempts, 2);
    EXPECT_EQ(stored.epoch, 2);
    EXPECT_EQ(stored.pod, "b");
    EXPECT_EQ(stored.resumed_from, run.id);
    EXPECT_EQ(stored.max_runtime, core::Millis{2h});
    EXPECT_EQ(found(run.id).state, RunState::yielded);
    EXPECT_TRUE(slot_points_at(library_scan, *run.slot, stored.id)) << "a takeover repoints the slot";
    end(stored);
    EXPECT_FALSE(row(library_scan).open);
}

TEST_P(RunLedgerTakeover, a_dead_run_is_aborted_and_goes_on_in_one_transaction) {
    ensure_due(library_scan);
    auto run = started(pod("a"), library_scan);
    write(run, "films/d");
    const auto next = take_over_dead(pod("b"), run);
    ASSERT_EQ(next.outcome, Outcome::won);
    EXPECT_EQ(next.run->epoch, 2);
    EXPECT_EQ(next.run->cursor, "films/d");
    const auto old = found(run.id);
    EXPECT_EQ(old.state, RunState::aborted);
    EXPECT_TRUE(old.ended_at);
    EXPECT_THAT(old.error, ::testing::HasSubstr("no sign of life from a"));
    EXPECT_FALSE(row(library_scan).last_end) << "aborted is no end: intervals do not count from it";
    EXPECT_FALSE(row(library_scan).next_slot);
    ASSERT_EQ(must(ledger().live_runs()).size(), 1U);
    // The dead one wakes up: nothing it does counts.
    EXPECT_EQ(error_of(ledger().checkpoint(fence_of(run))), core::Errc::fenced);
    EXPECT_EQ(error_of(ledger().end(fence_of(run), {})), core::Errc::fenced);
    EXPECT_FALSE(must(ledger().beat(run.id, run.epoch, 0, {10, {}, {}})).still_ours);
}

TEST_P(RunLedgerTakeover, a_run_is_not_dead_unless_all_three_signs_say_so) {
    ensure_due(library_scan);
    const auto a = pod("a"), b = pod("b");
    const auto run = started(a, library_scan);
    const auto fresh = found(run.id);
    EXPECT_EQ(must(ledger().take_over(b, fresh, true, id())).outcome, Outcome::running) << "its beat is fresh";
    pass_time(46s);
    EXPECT_EQ(must(ledger().take_over(b, fresh, false, id())).outcome, Outcome::running)
        << "this pod has not watched it for long enough: the database may have been away";
    EXPECT_EQ(must(ledger().take_over(a, fresh, true, id())).outcome, Outcome::running) << "a boot never buries itself";
    ASSERT_TRUE(must(ledger().beat(run.id, run.epoch, 0, {0, {}, {}})).still_ours);
    pass_time(46s);
    EXPECT_EQ(must(ledger().take_over(b, fresh, true, id())).outcome, Outcome::running)
        << "it has beaten since it was looked at";
    EXPECT_EQ(must(ledger().take_over(b, found(run.id), true, id())).outcome, Outcome::won);
    EXPECT_EQ(must(ledger().take_over(b, found(run.id), true, id())).outcome, Outcome::changed) << "somebody has it";
}

TEST_P(RunLedgerTakeover, the_same_takeover_again_after_a_lost_reply_finds_its_run) {
    ensure_due(library_scan);
    const auto run = started(pod("a"), library_scan);
    const auto seen = found(run.id);
    pass_time(46s);
    const auto b = pod("b");
    const auto next = id();
    ASSERT_EQ(must(ledger().take_over(b, seen, true, next)).outcome, Outcome::won);
    const auto again = must(ledger().take_over(b, seen, true, next));
    EXPECT_EQ(again.outcome, Outcome::won);
    EXPECT_EQ(again.run->epoch, 2);
}

TEST_P(RunLedgerTakeover, behind_an_exclusive_lock_other_boots_are_dead_at_once) {
    settle({.others_are_dead = true});
    ensure_due(library_scan);
    const auto before = pod("a");
    const auto run = started(before, library_scan);
    EXPECT_EQ(must(ledger().take_over(before, found(run.id), true, id())).outcome, Outcome::running);
    const auto again = pod("a");  // the same name after a restart
    EXPECT_EQ(must(ledger().take_over(again, found(run.id), false, id())).outcome, Outcome::won);
}

TEST_P(RunLedgerTakeover, the_third_death_at_one_item_ends_the_run_and_names_the_item) {
    ensure_due(library_scan);
    auto run = started(pod("a"), library_scan);
    write(run, "films/poison.mkv");
    for (const auto* label : {"b", "c"}) {
        const auto next = take_over_dead(pod(label), run);
        ASSERT_EQ(next.outcome, Outcome::won) << label;
        run = *next.run;
    }
    EXPECT_EQ(found(run.id).stuck_takeovers, 2);
    const auto third = take_over_dead(pod("d"), run);
    EXPECT_EQ(third.outcome, Outcome::changed);
    ASSERT_TRUE(third.run);
    const auto ended = found(run.id);
    EXPECT_EQ(ended.state, RunState::failed);
    EXPECT_THAT(ended.error, ::testing::HasSubstr("films/poison.mkv"));
    const auto at = row(library_scan);
    EXPECT_FALSE(at.live || at.open);
    EXPECT_EQ(at.next_slot, *at.last_end + 60s) << "the task goes on with its next slot";
}

TEST_P(RunLedgerTakeover, a_moved_cursor_starts_the_count_again_and_yields_do_not_count) {
    ensure_due(library_scan);
    auto run = started(pod("a"), library_scan);
    const auto dies = [&](const char* label) {
        const auto next = take_over_dead(pod(label), run);
        ASSERT_EQ(next.outcome, Outcome::won) << label;
        run = *next.run;
    };
    const auto yields = [&](const char* label) {
        end(run, RunState::yielded);
        const auto next = must(ledger().take_over(pod(label), found(run.id), false, id()));
        ASSERT_EQ(next.outcome, Outcome::won) << label;
        run = *next.run;
    };
    dies("b");
    dies("c");
    EXPECT_EQ(found(run.id).stuck_takeovers, 2);
    yields("d");
    yields("e");
    EXPECT_EQ(found(run.id).stuck_takeovers, 2) << "a yield neither counts nor forgets";
    write(run, "films/e");
    dies("f");
    EXPECT_EQ(found(run.id).stuck_takeovers, 1) << "it had got on";
    write(run, "films/f");
    yields("g");
    EXPECT_EQ(found(run.id).stuck_takeovers, 0);
    EXPECT_EQ(found(run.id).attempts, 7);
}

TEST_P(RunLedgerTakeover, a_cancelled_run_that_dies_or_yields_stays_cancelled) {
    ensure_due(library_scan);
    auto run = started(pod("a"), library_scan);
    EXPECT_TRUE(must(ledger().cancel(library_scan, "asked by anna")));
    EXPECT_EQ(found(run.id).state, RunState::cancelling);
    const auto answer = take_over_dead(pod("b"), run);
    EXPECT_EQ(answer.outcome, Outcome::changed);
    EXPECT_EQ(answer.run->state, RunState::cancelled);
    EXPECT_EQ(found(run.id).cancel_reason, "asked by anna");
    auto at = row(library_scan);
    EXPECT_FALSE(at.live || at.open);
    EXPECT_EQ(at.next_slot, *at.last_end + 60s);

    pass_time(61s);
    run = started(pod("a"), library_scan);
    EXPECT_TRUE(must(ledger().cancel(library_scan, "asked by anna")));
    end(run, RunState::yielded);  // shut down before it saw the flag
    EXPECT_EQ(must(ledger().take_over(pod("b"), found(run.id), false, id())).outcome, Outcome::changed);
    EXPECT_EQ(found(run.id).state, RunState::cancelled);
}

TEST_P(RunLedgerTakeover, a_pod_task_goes_on_on_a_pod_of_that_name_only) {
    const TaskScope logs_a{"CleanLogFiles", "a"};
    const TaskScope logs_b{"CleanLogFiles", "b"};
    ensure(logs_a);
    ensure(logs_b);
    pass_time(61s);
    const auto a = pod("a");
    const auto run = started(a, logs_a);
    EXPECT_EQ(claim(pod("b"), logs_b).outcome, Outcome::won) << "one run on each pod";
    EXPECT_EQ(take_over_dead(pod("b"), run).outcome, Outcome::changed);
    const auto next = take_over_dead(pod("a"), run);
    ASSERT_EQ(next.outcome, Outcome::won);
    EXPECT_EQ(next.run->task, logs_a);
}

TEST_P(RunLedgerTakeover, a_pod_tasks_run_fails_once_its_pod_is_gone) {
    const TaskScope logs_a{"CleanLogFiles", "a"};
    ensure(logs_a);
    pass_time(61s);
    const auto run = started(pod("a"), logs_a);
    EXPECT_EQ(error_of(ledger().fail_gone_pod(found(run.id))), core::Errc::conflict) << "it beats";
    const auto seen = found(run.id);
    ASSERT_TRUE(must(ledger().beat(run.id, run.epoch, 0, {0, {}, {}})).still_ours);
    pass_time(46s);
    EXPECT_EQ(error_of(ledger().fail_gone_pod(seen)), core::Errc::conflict) << "it has beaten since";
    must(ledger().fail_gone_pod(found(run.id)));
    EXPECT_EQ(found(run.id).state, RunState::failed);
    EXPECT_EQ(found(run.id).error, "its pod is gone");
    const auto at = row(logs_a);
    EXPECT_FALSE(at.live);
    EXPECT_EQ(at.next_slot, *at.last_end + 24h);
    must(ledger().fail_gone_pod(seen));  // another pod saw it too

    // A yielded one as well: nobody else may go on with it.
    pass_time(25h);
    const auto yielded = started(pod("a"), logs_a);
    end(yielded, RunState::yielded);
    EXPECT_EQ(error_of(ledger().fail_gone_pod(found(yielded.id))), core::Errc::conflict);
    pass_time(46s);
    must(ledger().fail_gone_pod(found(yielded.id)));
    EXPECT_EQ(found(yielded.id).state, RunState::failed);

    ensure_due(library_scan);
    const auto scan = started(pod("a"), library_scan);
    const auto scan_seen = found(scan.id);
    pass_time(46s);
    EXPECT_EQ(error_of(ledger().fail_gone_pod(scan_seen)), core::Errc::conflict) << "a cluster task is taken over";
}

}  // namespace
}  // namespace understudy::testing
