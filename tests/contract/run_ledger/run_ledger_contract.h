// tests/contract/run_ledger/run_ledger_contract.h: what every RunLedger must do, run on memory, SQLite and PostgreSQL.
// The fixture of the suites beside it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "contract/run_ledger/ledger_database.h"
#include "core/random.h"
#include "tasks/catalogue.h"
#include "tasks/transactional_run_ledger.h"

namespace understudy::tasks {
inline void PrintTo(Claim::Outcome outcome, std::ostream* out) {
    *out << to_string(outcome);
}
inline void PrintTo(RunState state, std::ostream* out) {
    *out << to_string(state);
}
}  // namespace understudy::tasks

namespace understudy::testing {

using namespace std::chrono_literals;
using tasks::Claim;
using tasks::RunKind;
using tasks::RunRow;
using tasks::RunState;
using tasks::TaskScope;
using tasks::TaskStateRow;
using Outcome = tasks::Claim::Outcome;

inline const TaskScope library_scan{"RefreshLibrary", "cluster"};            // every 12 h; group library
inline const TaskScope people{"RefreshPeople", "cluster"};                   // every 7 d; group library
inline const TaskScope optimize{"OptimizeDatabaseTask", "cluster"};          // every 6 h; group optimize
inline const TaskScope segments{"TaskExtractMediaSegments", "cluster"};      // every 12 h; group library
inline const TaskScope clean_up{"CleanCollectionsAndPlaylists", "cluster"};  // at start-up; group optimize
inline const TaskScope user_data{"CleanupUserDataTask", "cluster"};          // no triggers; group optimize

/// Value of a Result, or a test failure and an empty value.
template <class T>
T must(core::Result<T> result) {
    if (!result) {
        ADD_FAILURE() << to_string(result.error().code) << ": " << result.error().context;
        return T{};
    }
    return std::move(*result);
}
inline void must(const core::Result<void>& result) {
    if (!result) ADD_FAILURE() << to_string(result.error().code) << ": " << result.error().context;
}
inline core::Errc error_of(const core::Result<void>& result) {
    if (result) ADD_FAILURE() << "an error was expected";
    return result ? core::Errc{} : result.error().code;
}

class RunLedgerContract : public ::testing::TestWithParam<LedgerKind> {
protected:
    RunLedgerContract() : database_(make_ledger_database(GetParam())) { settle({}); }

    /// Another ledger over the same rows.
    void settle(tasks::LedgerSettings settings) {
        settings_ = std::move(settings);
        ledger_ = std::make_unique<tasks::TransactionalRunLedger>(database_->tables(), settings_, tasks::Zone{});
    }
    [[nodiscard]] tasks::RunLedger& ledger() { return *ledger_; }
    [[nodiscard]] tasks::LedgerTables& tables() { return database_->tables(); }
    void pass_time(core::Millis by) { database_->pass_time(by); }
    [[nodiscard]] core::UtcTime now() { return must(ledger().now()); }

    [[nodiscard]] core::RunId id() { return core::RunId::make(random_); }
    /// A pod that booted now.
    [[nodiscard]] tasks::PodRef pod(std::string label) {
        return {std::move(label), core::BootId::make(random_), now()};
    }

    void ensure(const TaskScope& task) {
        const auto* entry = tasks::find_task(task.task);
        ASSERT_NE(entry, nullptr);
        must(ledger().ensure_task(*entry, task.scope));
    }
    /// A task that every minute wants to run, and is due now.
    void ensure_due(const TaskScope& task, core::Millis every = 60s) {
        ensure(task);
        must(ledger().set_triggers(task.task, {{tasks::IntervalTrigger{every}, std::nullopt, {}}}));
        pass_time(std::min(every, core::Millis{60s}) + 1s);
    }
    [[nodiscard]] TaskStateRow row(const TaskScope& task, const std::string& pod_label = "a") {
        const auto overview = must(ledger().overview(pod_label));
        for (const auto& one : overview.tasks)
            if (one.task == task) return one;
        ADD_FAILURE() << "no row of " << task.task << " in " << task.scope;
        return {};
    }
    [[nodiscard]] Claim claim(const tasks::PodRef& by, const TaskScope& task) {
        return must(ledger().claim_slot(by, row(task, by.label), id()));
    }
    /// The run of a due slot, won.
    [[nodiscard]] RunRow started(const tasks::PodRef& by, const TaskScope& task) {
        const auto claimed = claim(by, task);
        EXPECT_EQ(claimed.outcome, Outcome::won) << to_string(claimed.outcome) << ' ' << claimed.waiting_for;
        return claimed.run.value_or(RunRow{});
    }
    [[nodiscard]] RunRow started_by_hand(const tasks::PodRef& by, const TaskScope& task,
                                         const std::string& options = "{}") {
        const auto claimed = must(ledger().claim_manual(by, task, id(), options));
        EXPECT_EQ(claimed.outcome, Outcome::won) << to_string(claimed.outcome) << ' ' << claimed.waiting_for;
        return claimed.run.value_or(RunRow{});
    }
    [[nodiscard]] RunRow found(core::RunId run) {
        const auto row = must(ledger().find_run(run));
        EXPECT_TRUE(row.has_value());
        return row.value_or(RunRow{});
    }
    [[nodiscard]] static core::Fence fence_of(const RunRow& run) { return {run.id, run.epoch, run.cursor_seq, {}}; }
    /// Writes under the fence; `run` then knows what it has written.
    void write(RunRow& run, const std::string& cursor) {
        auto fence = fence_of(run);
        fence.cursor = cursor;
        must(ledger().checkpoint(fence));
        run.cursor = cursor;
        ++run.cursor_seq;
    }
    void end(const RunRow& run, RunState state = RunState::completed) {
        tasks::RunEnd how;
        how.state = state;
        must(ledger().end(fence_of(run), how));
    }
    /// Lets `run` die unseen, and takes it over on `by`.
    [[nodiscard]] Claim take_over_dead(const tasks::PodRef& by, const RunRow& run) {
        const auto seen = found(run.id);
        pass_time(settings_.dead_after + 1s);
        return must(ledger().take_over(by, seen, true, id()));
    }

private:
    core::SeededRandom random_{4711};
    std::unique_ptr<LedgerDatabase> database_;
    tasks::LedgerSettings settings_;
    std::unique_ptr<tasks::TransactionalRunLedger> ledger_;
};

#define INSTANTIATE_ON_ALL_LEDGERS(suite)                                                                       \
    INSTANTIATE_TEST_SUITE_P(ledgers, suite,                                                                    \
                             ::testing::Values(LedgerKind::memory, LedgerKind::sqlite, LedgerKind::postgresql), \
                             [](const auto& one) {                                                              \
                                 std::ostringstream name;                                                       \
                                 name << one.param;                                                             \
                                 return name.str();                                                             \
                             })

}  // namespace understudy::testing
