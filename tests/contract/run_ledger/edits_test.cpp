#include "contract/run_ledger/run_ledger_contract.h"

namespace understudy::testing {
namespace {

class RunLedgerEdits : public RunLedgerContract {};
INSTANTIATE_ON_ALL_LEDGERS(RunLedgerEdits);

TEST_P(RunLedgerEdits, an_edit_reaches_every_scope_of_the_task) {
    const TaskScope a{"CleanLogFiles", "a"}, b{"CleanLogFiles", "b"};
    ensure(a);
    ensure(b);
    const auto before = row(b, "b");
    must(ledger().set_triggers("CleanLogFiles", {{tasks::IntervalTrigger{5s}, std::nullopt, {}}}));
    for (const auto& [scope, label] : {std::pair{a, "a"}, std::pair{b, "b"}}) {
        const auto after = row(scope, label);
        EXPECT_EQ(after.version, before.version + 1);
        ASSERT_EQ(after.triggers.size(), 1U);
        ASSERT_TRUE(after.next_slot);
        EXPECT_LT(*after.next_slot, *before.next_slot);
    }
    must(ledger().set_enabled("CleanLogFiles", false));
    EXPECT_EQ(row(a, "a").version, before.version + 2);
    EXPECT_EQ(row(b, "b").version, before.version + 2);
    EXPECT_FALSE(row(b, "b").enabled);
    must(ledger().set_enabled("CleanLogFiles", false));
    EXPECT_EQ(row(b, "b").version, before.version + 2) << "nothing to do, nothing changed";
    EXPECT_EQ(error_of(ledger().set_triggers("Nothing", {})), core::Errc::not_found);
    EXPECT_EQ(error_of(ledger().set_enabled("Nothing", true)), core::Errc::not_found);
}

TEST_P(RunLedgerEdits, a_pod_that_comes_later_gets_the_triggers_of_today) {
    ensure({"CleanLogFiles", "a"});
    must(ledger().set_triggers("CleanLogFiles", {}));
    ensure({"CleanLogFiles", "b"});
    const auto b = row({"CleanLogFiles", "b"}, "b");
    EXPECT_TRUE(b.triggers.empty());
    EXPECT_FALSE(b.next_slot);
}

TEST_P(RunLedgerEdits, an_edit_touches_only_slots_that_are_not_claimed) {
    ensure_due(library_scan);
    const auto run = started(pod("a"), library_scan);
    must(ledger().set_triggers("RefreshLibrary", {{tasks::IntervalTrigger{2min}, std::nullopt, {}}}));
    EXPECT_FALSE(row(library_scan).next_slot) << "the live run's end makes the next one";
    EXPECT_EQ(found(run.id).state, RunState::running);
    end(run);
    const auto at = row(library_scan);
    EXPECT_EQ(at.next_slot, *at.last_end + 2min);
}

TEST_P(RunLedgerEdits, posting_the_same_triggers_again_puts_nothing_off) {
    ensure(library_scan);
    const std::vector<tasks::Trigger> triggers{{tasks::IntervalTrigger{1min}, std::nullopt, {}}};
    must(ledger().set_triggers("RefreshLibrary", triggers));
    pass_time(45s);
    must(ledger().set_triggers("RefreshLibrary", triggers));
    pass_time(20s);
    EXPECT_EQ(claim(pod("a"), library_scan).outcome, Outcome::won);
}

TEST_P(RunLedgerEdits, no_triggers_no_slots) {
    ensure(library_scan);
    must(ledger().set_triggers("RefreshLibrary", {}));
    EXPECT_FALSE(row(library_scan).next_slot);
    EXPECT_EQ(claim(pod("a"), library_scan).outcome, Outcome::changed);
    must(ledger().set_triggers("RefreshLibrary", {{tasks::StartupTrigger{}, std::nullopt, {}}}));
    EXPECT_FALSE(row(library_scan).next_slot) << "a start-up slot is no slot in time";
}

TEST_P(RunLedgerEdits, a_daily_slot_of_before_the_edit_does_not_run_late) {
    ensure(library_scan);
    const auto midnight = std::chrono::floor<std::chrono::days>(now());
    const auto an_hour_ago = (now() - midnight + 23h) % core::Millis{24h};
    must(ledger().set_triggers("RefreshLibrary", {{tasks::DailyTrigger{an_hour_ago}, std::nullopt, {}}}));
    const auto at = row(library_scan);
    ASSERT_TRUE(at.next_slot);
    EXPECT_GT(*at.next_slot, now() + 22h);
    // A run by hand, and its end, do not bring it up either.
    end(started_by_hand(pod("a"), library_scan));
    EXPECT_EQ(row(library_scan).next_slot, at.next_slot);
}

}  // namespace
}  // namespace understudy::testing
