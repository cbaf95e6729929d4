#include "contract/run_ledger/run_ledger_contract.h"

namespace understudy::testing {
namespace {

class RunLedgerReads : public RunLedgerContract {};
INSTANTIATE_ON_ALL_LEDGERS(RunLedgerReads);

TEST_P(RunLedgerReads, an_overview_has_the_clusters_rows_and_the_pods_own) {
    ensure(library_scan);
    ensure({"CleanLogFiles", "a"});
    ensure({"CleanLogFiles", "b"});
    const auto a = must(ledger().overview("a"));
    std::vector<TaskScope> scopes;
    for (const auto& one : a.tasks) scopes.push_back(one.task);
    EXPECT_THAT(scopes, ::testing::UnorderedElementsAre(library_scan, TaskScope{"CleanLogFiles", "a"}));
    EXPECT_GT(a.now, core::UtcTime{});
    EXPECT_FALSE(a.timers_paused);
}

TEST_P(RunLedgerReads, an_overview_knows_live_open_and_last_runs) {
    ensure_due(library_scan);
    const auto a = pod("a");
    const auto first = started(a, library_scan);
    EXPECT_EQ(row(library_scan).live->id, first.id);
    EXPECT_FALSE(row(library_scan).last_result);
    end(first);
    auto second = started_by_hand(a, library_scan);
    EXPECT_EQ(row(library_scan).live->id, second.id);
    EXPECT_EQ(row(library_scan).last_result->id, first.id);
    EXPECT_FALSE(row(library_scan).open);
    end(second, RunState::yielded);
    EXPECT_FALSE(row(library_scan).live);
    EXPECT_EQ(row(library_scan).open->id, second.id);
    EXPECT_EQ(row(library_scan).last_result->id, second.id);
    EXPECT_EQ(row(library_scan).last_start, second.started_at);
}

TEST_P(RunLedgerReads, runs_are_listed_newest_first_by_page_and_filter) {
    ensure(user_data);
    ensure(library_scan);
    const auto a = pod("a"), b = pod("b");
    std::vector<core::RunId> ids;
    for (int i = 0; i < 5; ++i) {
        const auto run = started_by_hand(i % 2 == 0 ? a : b, user_data);
        ids.insert(ids.begin(), run.id);
        end(run, i == 3 ? RunState::failed : RunState::completed);
        pass_time(1s);
    }
    const auto live = started_by_hand(a, library_scan);
    const auto page = must(ledger().runs({.task = "CleanupUserDataTask", .start_index = 1, .limit = 2}));
    EXPECT_EQ(page.total, 5U);
    ASSERT_EQ(page.items.size(), 2U);
    EXPECT_EQ(page.items[0].id, ids[1]);
    EXPECT_EQ(page.items[1].id, ids[2]);
    const auto all = must(ledger().runs({}));
    EXPECT_EQ(all.total, 6U);
    EXPECT_EQ(all.items.front().id, live.id);
    EXPECT_EQ(must(ledger().runs({.state = RunState::failed})).total, 1U);
    EXPECT_EQ(must(ledger().runs({.pod = "b"})).total, 2U);
    EXPECT_EQ(must(ledger().runs({.state = RunState::running})).items.front().id, live.id);
    EXPECT_TRUE(must(ledger().runs({.start_index = 99})).items.empty());
}

TEST_P(RunLedgerReads, what_waits_is_listed_before_it_runs) {
    const TaskScope by_itself{"CleanActivityLog", "cluster"};  // no triggers; no group
    for (const auto& task : {library_scan, optimize, by_itself}) ensure(task);
    const auto a = pod("a");
    const auto scan = started_by_hand(a, library_scan);
    must(ledger().request_later(by_itself, R"({"n":1})", 1h, 0));
    must(ledger().request_later(library_scan, "{}", 0s, 0));
    pass_time(61s);
    const auto waiting = must(ledger().runs({.waiting = true}));
    ASSERT_EQ(waiting.total, 3U);
    for (const auto& one : waiting.items) {
        EXPECT_TRUE(one.waiting());
        EXPECT_EQ(one.epoch, 0);
        if (one.task == optimize) {
            EXPECT_EQ(one.kind, RunKind::timer);
            EXPECT_EQ(one.slot, row(optimize).next_slot);
            EXPECT_EQ(one.waiting_for, "RefreshLibrary");
        } else if (one.task == library_scan) {
            EXPECT_EQ(one.kind, RunKind::manual);
            EXPECT_EQ(one.waiting_for, "RefreshLibrary");
            EXPECT_LT(one.not_before.value_or(core::UtcTime::max()), now()) << "since when it is wanted";
        } else {
            EXPECT_EQ(one.options, R"({"n":1})");
            EXPECT_GT(one.not_before.value_or(core::UtcTime{}), now()) << "it waits for its time";
            EXPECT_TRUE(one.waiting_for.empty());
        }
    }
    const auto both = must(ledger().runs({.with_waiting = true}));
    EXPECT_EQ(both.total, 4U);
    EXPECT_EQ(both.items.back().id, scan.id);
    const auto page = must(ledger().runs({.with_waiting = true, .start_index = 2, .limit = 5}));
    ASSERT_EQ(page.items.size(), 2U);
    EXPECT_TRUE(page.items[0].waiting());
    EXPECT_EQ(page.items[1].id, scan.id);
    EXPECT_EQ(must(ledger().runs({.task = "OptimizeDatabaseTask", .waiting = true})).total, 1U);
    must(ledger().set_timers_paused(true));
    EXPECT_EQ(must(ledger().runs({.task = "OptimizeDatabaseTask", .waiting = true})).total, 0U);
}

TEST_P(RunLedgerReads, skips_are_noted_once_each_and_bounded) {
    const auto at = now();
    const tasks::SkipRow skip{"RefreshLibrary", at, "a", at, "not_leader", "b"};
    must(ledger().note_skip(skip));
    must(ledger().note_skip(skip));
    auto other = skip;
    other.reason = "claimed";
    other.at = at + 1s;
    must(ledger().note_skip(other));
    auto listed = must(ledger().skips(10));
    ASSERT_EQ(listed.size(), 2U);
    EXPECT_EQ(listed[0].reason, "claimed") << "newest first";
    EXPECT_EQ(listed[1].holder, "b");
    EXPECT_EQ(listed[1].slot, at);
    must(tables().transaction([&](tasks::LedgerTransaction& tx) -> core::Result<void> {
        for (int i = 0; i < 1'100; ++i) tx.insert_skip({"RefreshLibrary", at + 1s * i, "c", at, "paused", ""}, 1'000);
        return {};
    }));
    listed = must(ledger().skips(5'000));
    EXPECT_EQ(listed.size(), 1'000U);
    EXPECT_EQ(listed.front().slot, at + 1'099s);
}

}  // namespace
}  // namespace understudy::testing
