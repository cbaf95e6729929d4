#include "tasks/active_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "task_fakes.h"

namespace understudy::tasks {
namespace {

using testing::FakeDatabase;
using testing::FakeEvents;
using testing::FakeLedger;
using testing::FakeTask;
using testing::LinesLog;
using testing::MemoryFault;
using testing::SteppingClock;
using testing::TaskRun;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ActiveRunTest : public ::testing::Test {
protected:
    ActiveRunTest() { EXPECT_TRUE(ledger.ledger.ensure_task(entry, "cluster")); }
    RunRow claim() {
        const auto claim =
            ledger.ledger.claim_manual(pod, {"RefreshLibrary", "cluster"}, core::RunId::make(random), "{}", {});
        EXPECT_EQ(claim.value().outcome, Claim::Outcome::won);
        return *claim->run;
    }
    std::unique_ptr<ActiveRun> run(FakeTask& task, std::optional<core::Millis> max_runtime = std::nullopt) {
        auto row = claim();
        row.max_runtime = max_runtime;
        return std::make_unique<ActiveRun>(task, row, clock.now(), RunTiming{10s, 45s}, ledger.ledger, clock, log,
                                           &events);
    }
    RunRow stored(const ActiveRun& run) { return ledger.ledger.find_run(run.id()).value().value(); }

    SteppingClock clock;
    FakeDatabase database{clock};
    FakeLedger ledger{database};
    core::SeededRandom random{1};
    LinesLog log;
    FakeEvents events;
    PodRef pod{"a", core::BootId::make(random), {}};
    const CatalogueEntry& entry = *find_task("RefreshLibrary");
};

TEST_F(ActiveRunTest, a_task_that_returns_completes_with_its_counts) {
    FakeTask task("RefreshLibrary", [](TaskRun& run) {
        run.report(40);
        run.report(30);
        run.report(std::nan(""));
        run.count("added", 12);
        run.count("added");
        run.warn("one folder cannot be read");
        run.warn("one folder cannot be read");
        return core::Result<void>{};
    });
    const auto one = run(task);
    EXPECT_EQ(one->execute(), RunFate::ended);
    const auto row = stored(*one);
    EXPECT_EQ(row.state, RunState::completed);
    EXPECT_EQ(row.progress, 100);
    EXPECT_EQ(row.counts, (Counts{{"added", 13}}));
    EXPECT_THAT(row.warnings, ElementsAre("one folder cannot be read"));
    EXPECT_THAT(events.kinds(), ElementsAre("run.started", "run.ended"));
    EXPECT_TRUE(log.has("run=" + one->id().str()));
    EXPECT_TRUE(log.has("epoch=1"));
}

TEST_F(ActiveRunTest, an_error_or_an_exception_fails_the_run_with_its_words) {
    FakeTask failing("RefreshLibrary", [](TaskRun&) { return core::fail(core::Errc::corrupt, "the index is broken"); });
    const auto one = run(failing);
    EXPECT_EQ(one->execute(), RunFate::ended);
    EXPECT_EQ(stored(*one).state, RunState::failed);
    EXPECT_EQ(stored(*one).error, "the index is broken");
    FakeTask throwing("RefreshLibrary",
                      [](TaskRun&) -> core::Result<void> { throw std::runtime_error("out of luck"); });
    const auto two = run(throwing);
    EXPECT_EQ(two->execute(), RunFate::ended);
    EXPECT_EQ(stored(*two).state, RunState::failed);
    EXPECT_EQ(stored(*two).error, "out of luck");
}

TEST_F(ActiveRunTest, a_hundred_distinct_warnings_are_kept_and_the_rest_counted) {
    FakeTask task("RefreshLibrary", [](TaskRun& run) {
        for (int i = 0; i < 130; ++i) run.warn("file " + std::to_string(i));
        return core::Result<void>{};
    });
    const auto one = run(task);
    EXPECT_EQ(one->execute(), RunFate::ended);
    EXPECT_EQ(stored(*one).warnings.size(), 100U);
    EXPECT_EQ(stored(*one).counts, (Counts{{"warnings_not_kept", 30}}));
}

TEST_F(ActiveRunTest, says_how_fast_it_works_and_how_long_it_has_left) {
    FakeTask task("RefreshLibrary", [&](TaskRun& run) -> core::Result<void> {
        for (int second = 0; second <= 10; ++second) {
            run.report(second);
            run.work("s of media", 40.0 * second, 1000);
            if (second < 10) clock.advance(1s);
        }
        (void)dynamic_cast<ActiveRun&>(run).beat();
        EXPECT_EQ(ledger.ledger.find_run(run.id()).value()->pace, (Pace{"s of media", 40, core::Millis{15'000}}));
        return {};
    });
    const auto one = run(task);
    EXPECT_EQ(one->execute(), RunFate::ended);
}

TEST_F(ActiveRunTest, the_cancel_flag_comes_with_a_beat_within_two_seconds) {
    FakeTask task("RefreshLibrary");
    const auto one = run(task);
    EXPECT_FALSE(one->should_stop());
    ASSERT_TRUE(ledger.ledger.cancel({"RefreshLibrary", "cluster"}, "asked by ann").value());
    for (auto passed = 0ms; passed < 2s; passed += 250ms) {
        clock.advance(250ms);
        (void)one->should_stop();  // the task moves
        (void)one->beat();
    }
    EXPECT_TRUE(one->should_stop());
}

TEST_F(ActiveRunTest, a_cancelled_run_says_who_asked) {
    FakeTask task("RefreshLibrary", [&](TaskRun& run) -> core::Result<void> {
        run.report(55);
        EXPECT_FALSE(run.should_stop());
        dynamic_cast<ActiveRun&>(run).request_cancel("asked by ann");
        EXPECT_TRUE(run.should_stop());
        return core::fail(core::Errc::cancelled, "stopped");
    });
    const auto one = run(task);
    EXPECT_EQ(one->execute(), RunFate::ended);
    EXPECT_EQ(stored(*one).state, RunState::cancelled);
    EXPECT_EQ(stored(*one).error, "asked by ann");
    EXPECT_EQ(stored(*one).progress, 55);
}

TEST_F(ActiveRunTest, max_runtime_cancels_and_keeps_the_progress) {
    FakeTask task("RefreshLibrary", [&](TaskRun& run) -> core::Result<void> {
        run.report(20);
        clock.advance(59s);
        (void)dynamic_cast<ActiveRun&>(run).beat();
        EXPECT_FALSE(run.should_stop());
        clock.advance(1s);
        EXPECT_TRUE(run.should_stop());
        return core::fail(core::Errc::cancelled, "stopped");
    });
    const auto one = run(task, 60s);
    EXPECT_EQ(one->execute(), RunFate::ended);
    EXPECT_EQ(stored(*one).state, RunState::cancelled);
    EXPECT_EQ(stored(*one).error, "MaxRuntimeTicks reached");
    EXPECT_EQ(stored(*one).progress, 20);
}

TEST_F(ActiveRunTest, a_drained_run_yields_and_stays_open) {
    FakeTask task("RefreshLibrary", [&](TaskRun& run) -> core::Result<void> {
        EXPECT_TRUE(run.commit("half", [&](const core::Fence& fence) { return ledger.ledger.checkpoint(fence); }));
        dynamic_cast<ActiveRun&>(run).drain();
        EXPECT_TRUE(run.should_stop());
        return core::fail(core::Errc::cancelled, "stopped");
    });
    const auto one = run(task);
    EXPECT_EQ(one->execute(), RunFate::ended);
    EXPECT_EQ(stored(*one).state, RunState::yielded);
    EXPECT_EQ(stored(*one).cursor, "half");
    EXPECT_TRUE(ledger.ledger.overview("b").value().tasks.at(0).open);
}

TEST_F(ActiveRunTest, it_beats_only_while_its_code_moves) {
    FakeTask task("RefreshLibrary");
    const auto one = run(task);
    one->report(1);
    clock.advance(2s);
    (void)one->beat();
    EXPECT_EQ(stored(*one).beat, 1);
    EXPECT_EQ(stored(*one).progress, 1);
    for (int i = 0; i < 40; ++i) {  // the task hangs
        clock.advance(1s);
        (void)one->beat();
    }
    EXPECT_EQ(stored(*one).beat, 1);
    EXPECT_TRUE(one->should_stop());  // 42 s without a beat: 2/3 of DeadAfter are over
}

TEST_F(ActiveRunTest, progress_is_stored_once_a_second_and_told_once) {
    FakeTask task("RefreshLibrary");
    const auto one = run(task);
    for (int i = 0; i < 40; ++i) {  // 10 s, a change each quarter
        one->report(i);
        clock.advance(250ms);
        (void)one->beat();
    }
    EXPECT_GE(stored(*one).beat, 10);
    EXPECT_LE(stored(*one).beat, 14);
    EXPECT_GE(stored(*one).progress, 36);
    EXPECT_GE(events.kinds().size(), 6U);
    EXPECT_LE(events.kinds().size(), 10U);
}

TEST_F(ActiveRunTest, no_beat_acknowledged_for_two_thirds_of_dead_after_stops_it) {
    FakeTask task("RefreshLibrary");
    const auto one = run(task);
    ledger.fault(MemoryFault::unreachable, 1'000);
    for (int i = 0; i < 29; ++i) {
        clock.advance(1s);
        EXPECT_FALSE(one->should_stop()) << i;
        (void)one->beat();
    }
    clock.advance(1s);
    EXPECT_TRUE(one->should_stop());
}

TEST_F(ActiveRunTest, trust_counts_from_when_the_beat_was_sent) {
    FakeTask task("RefreshLibrary");
    const auto one = run(task);
    clock.advance(5s);
    EXPECT_FALSE(one->should_stop());
    ledger.tables.on_call = [&](bool) {
        clock.advance(8s);  // a slow answer
        return MemoryFault::none;
    };
    (void)one->beat();
    ledger.tables.on_call = nullptr;
    clock.advance(22s - 1ms);
    EXPECT_FALSE(one->should_stop());
    clock.advance(1ms);
    EXPECT_TRUE(one->should_stop());  // 30 s after it was sent
}

TEST_F(ActiveRunTest, a_beat_whose_reply_was_lost_fences_nobody) {
    FakeTask task("RefreshLibrary");
    const auto one = run(task);
    (void)one->should_stop();
    clock.advance(2s);
    ledger.fault(MemoryFault::reply_lost);
    (void)one->beat();  // applied, though this pod does not know
    EXPECT_EQ(stored(*one).beat, 1);
    clock.advance(2s);
    (void)one->beat();
    EXPECT_EQ(stored(*one).beat, 2);
    EXPECT_FALSE(one->should_stop());
}

TEST_F(ActiveRunTest, a_run_that_was_taken_over_is_fenced_at_its_beat_and_ends_nothing) {
    FakeTask task("RefreshLibrary", [&](TaskRun& run) -> core::Result<void> {
        clock.advance(50s);
        const auto seen = ledger.ledger.find_run(run.id()).value().value();
        const PodRef other{"b", core::BootId::make(random), {}};
        const auto taken = ledger.ledger.take_over(other, seen, true, core::RunId::make(random));
        EXPECT_EQ(taken.value().outcome, Claim::Outcome::won);
        EXPECT_FALSE(run.commit("late", [&](const core::Fence& fence) { return ledger.ledger.checkpoint(fence); }));
        EXPECT_TRUE(run.should_stop());
        return core::fail(core::Errc::cancelled, "stopped");
    });
    const auto one = run(task);
    EXPECT_EQ(one->execute(), RunFate::fenced);
    EXPECT_EQ(stored(*one).state, RunState::aborted);
    EXPECT_EQ(one->outcome(), std::nullopt);
}

TEST_F(ActiveRunTest, a_write_whose_reply_was_lost_is_not_written_twice) {
    int written = 0;
    FakeTask task("RefreshLibrary", [&](TaskRun& run) -> core::Result<void> {
        ledger.fault(MemoryFault::reply_lost, 1, true);
        EXPECT_TRUE(run.commit("1", [&](const core::Fence& fence) {
            ++written;
            return ledger.ledger.checkpoint(fence);
        }));
        EXPECT_TRUE(run.commit("2", [&](const core::Fence& fence) { return ledger.ledger.checkpoint(fence); }));
        return {};
    });
    const auto one = run(task);
    EXPECT_EQ(one->execute(), RunFate::ended);
    EXPECT_EQ(written, 1);
    EXPECT_EQ(stored(*one).cursor, "2");
    EXPECT_EQ(stored(*one).state, RunState::completed);
}

TEST_F(ActiveRunTest, a_write_that_did_not_arrive_is_repeated) {
    int tries = 0;
    FakeTask task("RefreshLibrary", [&](TaskRun& run) -> core::Result<void> {
        ledger.fault(MemoryFault::unreachable, 3);
        return run.commit("1", [&](const core::Fence& fence) {
            ++tries;
            return ledger.ledger.checkpoint(fence);
        });
    });
    const auto one = run(task);
    EXPECT_EQ(one->execute(), RunFate::ended);
    EXPECT_EQ(tries, 3);  // write, look, write, look that answers, write
    EXPECT_EQ(stored(*one).cursor, "1");
    EXPECT_EQ(stored(*one).cursor_seq, 2);
}

TEST_F(ActiveRunTest, a_database_that_stays_away_makes_the_run_yield_once_it_is_back) {
    FakeTask task("RefreshLibrary", [&](TaskRun& run) -> core::Result<void> {
        EXPECT_TRUE(run.commit("1", [&](const core::Fence& fence) { return ledger.ledger.checkpoint(fence); }));
        const auto back_at = clock.now().boot + 40s;
        ledger.tables.on_call = [this, back_at](bool) {
            return clock.now().boot < back_at ? MemoryFault::unreachable : MemoryFault::none;
        };
        const auto written = run.commit("2", [&](const core::Fence& fence) { return ledger.ledger.checkpoint(fence); });
        EXPECT_EQ(written.error().code, core::Errc::unavailable);
        EXPECT_TRUE(run.should_stop());
        return written;
    });
    const auto one = run(task);
    EXPECT_EQ(one->execute(), RunFate::ended);
    EXPECT_EQ(stored(*one).state, RunState::yielded);
    EXPECT_EQ(stored(*one).cursor, "1");
}

TEST_F(ActiveRunTest, an_abandoned_run_waits_for_no_database) {
    FakeTask task("RefreshLibrary", [&](TaskRun& run) -> core::Result<void> {
        ledger.fault(MemoryFault::unreachable, 1'000'000);
        dynamic_cast<ActiveRun&>(run).abandon();
        EXPECT_TRUE(run.should_stop());
        return core::fail(core::Errc::cancelled, "stopped");
    });
    const auto one = run(task);
    EXPECT_EQ(one->execute(), RunFate::abandoned);
}

TEST_F(ActiveRunTest, its_end_is_written_once_although_the_reply_was_lost) {
    FakeTask task("RefreshLibrary", [&](TaskRun&) -> core::Result<void> {
        ledger.fault(MemoryFault::reply_lost, 1, true);
        return {};
    });
    const auto one = run(task);
    EXPECT_EQ(one->execute(), RunFate::ended);
    EXPECT_EQ(stored(*one).state, RunState::completed);
}

}  // namespace
}  // namespace understudy::tasks
