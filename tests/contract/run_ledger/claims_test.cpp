#include "contract/run_ledger/run_ledger_contract.h"

namespace understudy::testing {
namespace {

class RunLedgerClaims : public RunLedgerContract {};
INSTANTIATE_ON_ALL_LEDGERS(RunLedgerClaims);

TEST_P(RunLedgerClaims, a_task_that_never_ran_is_due_a_minute_after_it_was_made) {
    ensure(library_scan);
    const auto at = row(library_scan);
    ASSERT_TRUE(at.next_slot);
    EXPECT_NEAR(static_cast<double>((*at.next_slot - now()).count()), 60'000, 5'000);
    EXPECT_EQ(at.epoch, 0);
    EXPECT_FALSE(at.live || at.open || at.last_result);
    pass_time(61s);
    EXPECT_EQ(claim(pod("a"), library_scan).outcome, Outcome::won);
}

TEST_P(RunLedgerClaims, making_a_task_again_changes_nothing) {
    ensure_due(library_scan);
    const auto before = row(library_scan);
    ensure(library_scan);
    const auto after = row(library_scan);
    EXPECT_EQ(after.version, before.version);
    EXPECT_EQ(after.next_slot, before.next_slot);
    EXPECT_EQ(after.triggers, before.triggers);
}

TEST_P(RunLedgerClaims, a_slot_later_than_the_databases_clock_is_refused) {
    ensure(library_scan);
    EXPECT_EQ(claim(pod("a"), library_scan).outcome, Outcome::not_due);
    EXPECT_EQ(row(library_scan).epoch, 0);
}

TEST_P(RunLedgerClaims, a_due_slot_is_won_once_and_has_all_that_a_run_needs) {
    ensure_due(library_scan);
    const auto seen = row(library_scan);
    const auto a = pod("a"), b = pod("b");
    const auto first = must(ledger().claim_slot(a, seen, id()));
    ASSERT_EQ(first.outcome, Outcome::won);
    EXPECT_EQ(first.run->slot, seen.next_slot);
    EXPECT_EQ(first.run->epoch, 1);
    EXPECT_EQ(first.run->pod, "a");
    EXPECT_EQ(first.run->boot, a.boot);
    EXPECT_EQ(first.run->state, RunState::running);
    EXPECT_EQ(first.run->kind, RunKind::timer);

    const auto second = must(ledger().claim_slot(b, seen, id()));
    EXPECT_EQ(second.outcome, Outcome::running);
    ASSERT_TRUE(second.run);
    EXPECT_EQ(second.run->id, first.run->id);

    const auto stored = found(first.run->id);
    EXPECT_EQ(stored.slot, seen.next_slot);
    EXPECT_EQ(stored.started_at, first.run->started_at);
    EXPECT_EQ(stored.beat, 0);
    EXPECT_TRUE(stored.heartbeat_at);
    ASSERT_EQ(must(ledger().live_runs()).size(), 1U);

    // The slot outlives its run: who comes late finds it gone (leases G15).
    end(*first.run);
    EXPECT_EQ(must(ledger().claim_slot(b, seen, id())).outcome, Outcome::changed);
}

TEST_P(RunLedgerClaims, the_same_claim_again_after_a_lost_reply_finds_its_run) {
    ensure_due(library_scan);
    const auto a = pod("a");
    const auto seen = row(library_scan);
    const auto run = id();
    ASSERT_EQ(must(ledger().claim_slot(a, seen, run)).outcome, Outcome::won);
    const auto again = must(ledger().claim_slot(a, seen, run));
    EXPECT_EQ(again.outcome, Outcome::won);
    EXPECT_EQ(again.run->epoch, 1);
    EXPECT_EQ(found(run).state, RunState::running);
    EXPECT_FALSE(must(ledger().find_run(id())));
}

TEST_P(RunLedgerClaims, an_edit_between_look_and_claim_is_seen) {
    ensure_due(library_scan);
    const auto seen = row(library_scan);
    must(ledger().set_triggers("RefreshLibrary", {{tasks::IntervalTrigger{30s}, std::nullopt, {}}}));
    EXPECT_EQ(must(ledger().claim_slot(pod("a"), seen, id())).outcome, Outcome::changed);
    EXPECT_EQ(row(library_scan).epoch, 0);
}

TEST_P(RunLedgerClaims, disabled_tasks_and_paused_timers_start_nothing_but_a_person_may) {
    ensure_due(library_scan);
    must(ledger().set_timers_paused(true));
    EXPECT_TRUE(must(ledger().overview("a")).timers_paused);
    EXPECT_EQ(claim(pod("a"), library_scan).outcome, Outcome::paused);
    must(ledger().set_timers_paused(false));
    must(ledger().set_enabled("RefreshLibrary", false));
    EXPECT_FALSE(row(library_scan).enabled);
    EXPECT_EQ(claim(pod("a"), library_scan).outcome, Outcome::disabled);
    end(started_by_hand(pod("a"), library_scan));
    must(ledger().set_enabled("RefreshLibrary", true));
    pass_time(61s);
    EXPECT_EQ(claim(pod("a"), library_scan).outcome, Outcome::won);
}

TEST_P(RunLedgerClaims, an_interval_counts_from_the_end_of_the_last_run_of_any_kind) {
    ensure_due(library_scan, 10min);
    const auto a = pod("a");
    auto run = started(a, library_scan);
    EXPECT_FALSE(row(library_scan).next_slot) << "while a run is live there is no next slot";
    pass_time(3min);
    end(run);
    auto at = row(library_scan);
    EXPECT_EQ(at.next_slot, *at.last_end + 10min);
    pass_time(4min);
    end(started_by_hand(a, library_scan), RunState::failed);
    at = row(library_scan);
    EXPECT_EQ(at.next_slot, *at.last_end + 10min);
    pass_time(11min);
    run = started(a, library_scan);
    EXPECT_EQ(run.epoch, 3) << "epochs have no gaps";
    EXPECT_EQ(row(library_scan).epoch, 3);
}

TEST_P(RunLedgerClaims, a_trigger_brings_its_limit_to_the_run) {
    ensure(library_scan);
    must(ledger().set_triggers("RefreshLibrary", {{tasks::IntervalTrigger{1min}, core::Millis{5min}, {}}}));
    pass_time(61s);
    EXPECT_EQ(found(started(pod("a"), library_scan).id).max_runtime, core::Millis{5min});
}

TEST_P(RunLedgerClaims, a_startup_slot_runs_once_a_boot_and_not_within_ten_minutes) {
    ensure(clean_up);
    const auto a = pod("a");
    pass_time(5s);
    const auto run = must(ledger().claim_startup({a.label, a.boot, a.booted_at - 5s}, clean_up, id()));
    ASSERT_EQ(run.outcome, Outcome::won);
    EXPECT_EQ(run.run->kind, RunKind::startup);
    EXPECT_TRUE(run.run->slot);
    end(*run.run);
    EXPECT_EQ(must(ledger().claim_startup(pod("b"), clean_up, id())).outcome, Outcome::dropped);
    pass_time(9min);
    EXPECT_EQ(must(ledger().claim_startup(pod("c"), clean_up, id())).outcome, Outcome::dropped);
    pass_time(2min);
    auto long_up = pod("d");
    long_up.booted_at -= 1h;
    EXPECT_EQ(must(ledger().claim_startup(long_up, clean_up, id())).outcome, Outcome::dropped)
        << "it has run since that pod's boot";
    EXPECT_EQ(must(ledger().claim_startup(pod("e"), clean_up, id())).outcome, Outcome::won);
}

TEST_P(RunLedgerClaims, an_ungated_task_has_a_startup_slot_on_each_pod) {
    ensure(clean_up);
    pass_time(5s);
    for (const auto* label : {"a", "b"}) {
        const auto run = must(ledger().claim_startup(pod(label), clean_up, id(), false));
        ASSERT_EQ(run.outcome, Outcome::won) << label;
        end(*run.run);
        pass_time(1s);
    }
}

TEST_P(RunLedgerClaims, a_startup_slot_needs_its_trigger) {
    ensure_due(library_scan);
    EXPECT_EQ(must(ledger().claim_startup(pod("a"), library_scan, id())).outcome, Outcome::dropped);
}

TEST_P(RunLedgerClaims, a_manual_request_joins_a_live_run_wherever_it_is) {
    ensure(library_scan);
    const auto run = started_by_hand(pod("a"), library_scan, R"({"x":1})");
    EXPECT_EQ(run.kind, RunKind::manual);
    EXPECT_FALSE(run.slot);
    EXPECT_EQ(found(run.id).options, R"({"x":1})");
    const auto joined = must(ledger().claim_manual(pod("b"), library_scan, id(), "{}"));
    EXPECT_EQ(joined.outcome, Outcome::running);
    EXPECT_EQ(joined.run->id, run.id);
}

TEST_P(RunLedgerClaims, a_manual_request_goes_on_with_open_work) {
    ensure_due(library_scan);
    auto run = started(pod("a"), library_scan);
    write(run, "films/b");
    end(run, RunState::yielded);
    const auto request = id();
    const auto resumed = must(ledger().claim_manual(pod("b"), library_scan, request, R"({"only":"films"})"));
    ASSERT_EQ(resumed.outcome, Outcome::won);
    EXPECT_EQ(resumed.run->id, request);
    EXPECT_EQ(resumed.run->resumed_from, run.id);
    EXPECT_EQ(resumed.run->cursor, "films/b");
    EXPECT_EQ(resumed.run->kind, RunKind::timer);
    EXPECT_EQ(resumed.run->slot, run.slot);
    const auto kept = row(library_scan).pending;
    ASSERT_TRUE(kept) << "what was asked for in particular follows";
    EXPECT_EQ(kept->options, R"({"only":"films"})");
}

TEST_P(RunLedgerClaims, a_kept_request_waits_for_its_time_and_for_what_is_live) {
    ensure(user_data);
    const auto a = pod("a");
    EXPECT_EQ(must(ledger().claim_pending(a, user_data, id())).outcome, Outcome::changed);
    must(ledger().request_later(user_data, R"({"n":1})", 10s, 1));
    EXPECT_EQ(must(ledger().claim_pending(a, user_data, id())).outcome, Outcome::not_due);
    const auto live = started_by_hand(a, user_data);
    must(ledger().request_later(user_data, R"({"n":2})", 1h, 2));
    const auto kept = row(user_data).pending;
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->options, R"({"n":2})") << "the latest options win";
    EXPECT_EQ(kept->attempt, 2);
    EXPECT_LE(kept->not_before, now() + 10s) << "what was promised earlier is not put off";
    pass_time(11s);
    EXPECT_EQ(must(ledger().claim_pending(a, user_data, id())).outcome, Outcome::running);
    end(live);
    const auto run = must(ledger().claim_pending(a, user_data, id()));
    ASSERT_EQ(run.outcome, Outcome::won);
    EXPECT_EQ(run.run->options, R"({"n":2})");
    EXPECT_EQ(run.run->kind, RunKind::manual);
    EXPECT_FALSE(row(user_data).pending);
    EXPECT_EQ(error_of(ledger().request_later({"Nothing", "cluster"}, "{}", 0s, 0)), core::Errc::not_found);
}

TEST_P(RunLedgerClaims, a_kept_request_and_a_new_one_become_one_where_the_task_can_join_them) {
    ensure(user_data);
    const auto join = [](const std::string& kept, const std::string& wanted) {
        return kept == wanted ? kept : kept + "+" + wanted;
    };
    must(ledger().request_later(user_data, "a", 0s, 0, join));
    EXPECT_EQ(row(user_data).pending->options, "a") << "there was nothing to join";
    must(ledger().request_later(user_data, "b", 1h, 0, join));
    EXPECT_EQ(row(user_data).pending->options, "a+b");
    EXPECT_LE(row(user_data).pending->not_before, now());
}

TEST_P(RunLedgerClaims, a_manual_request_that_goes_on_with_open_work_is_joined_to_what_was_kept) {
    ensure(library_scan);
    const auto join = [](const std::string& kept, const std::string& wanted) { return kept + "+" + wanted; };
    const auto a = pod("a");
    end(started_by_hand(a, library_scan), RunState::yielded);
    must(ledger().request_later(library_scan, "reported", 0s, 0, join));
    const auto promised = row(library_scan).pending->not_before;
    pass_time(1h);
    const auto resumed = must(ledger().claim_manual(a, library_scan, id(), "films", join));
    ASSERT_EQ(resumed.outcome, Outcome::won);
    const auto kept = row(library_scan).pending;
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->options, "reported+films");
    EXPECT_LE(kept->not_before, promised) << "what was promised earlier is not put off";
}

TEST_P(RunLedgerClaims, a_manual_request_without_wishes_leaves_what_was_kept) {
    ensure(library_scan);
    const auto a = pod("a");
    end(started_by_hand(a, library_scan), RunState::yielded);
    must(ledger().request_later(library_scan, "reported", 0s, 0));
    ASSERT_EQ(must(ledger().claim_manual(a, library_scan, id(), "{}")).outcome, Outcome::won);
    ASSERT_TRUE(row(library_scan).pending);
    EXPECT_EQ(row(library_scan).pending->options, "reported");
}

TEST_P(RunLedgerClaims, open_work_goes_before_new_slots_and_a_due_slot_merges_into_it) {
    ensure(library_scan);
    const core::Millis day{24h};
    const auto midnight = std::chrono::floor<std::chrono::days>(now());
    const auto of_day = [&](core::Millis from_now) { return (now() - midnight + from_now) % day; };
    // Two slots a day, one long gone by when the run is resumed.
    must(ledger().set_triggers("RefreshLibrary", {{tasks::IntervalTrigger{1min}, std::nullopt, {}},
                                                  {tasks::DailyTrigger{of_day(2h)}, std::nullopt, {}}}));
    pass_time(61s);
    const auto a = pod("a");
    const auto run = started(a, library_scan);
    const auto later = row(library_scan).next_slot;
    ASSERT_TRUE(later) << "the daily slot";
    end(run, RunState::yielded);
    must(ledger().request_later(library_scan, "{}", 0s, 0));
    pass_time(3h);
    const auto seen = row(library_scan);
    EXPECT_EQ(must(ledger().claim_slot(a, seen, id())).outcome, Outcome::open_first);
    EXPECT_EQ(must(ledger().claim_pending(a, library_scan, id())).outcome, Outcome::open_first);
    ASSERT_TRUE(seen.open);
    EXPECT_EQ(seen.open->id, run.id);
    const auto resumed = must(ledger().take_over(a, *seen.open, false, id()));
    ASSERT_EQ(resumed.outcome, Outcome::won);
    const auto after = row(library_scan);
    EXPECT_TRUE(!after.next_slot || *after.next_slot > now()) << "the due slot is in the open work's hands";
    EXPECT_TRUE(after.pending) << "a request is not a slot: it still follows";
    bool merged = false;
    must(tables().transaction([&](tasks::LedgerTransaction& tx) -> core::Result<void> {
        merged = tx.slot_taken(library_scan, *seen.next_slot);
        return {};
    }));
    EXPECT_TRUE(merged);
}

}  // namespace
}  // namespace understudy::testing
