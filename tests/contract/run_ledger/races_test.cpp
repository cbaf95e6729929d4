// Real threads against one database: nothing here may depend on who is quicker.
#include <barrier>
#include <thread>
#include <vector>

#include "contract/run_ledger/run_ledger_contract.h"

namespace understudy::testing {
namespace {

class RunLedgerRaces : public RunLedgerContract {
protected:
    /// Runs all at once and waits for them.
    template <class... Work>
    static void race(Work... work) {
        std::barrier start(static_cast<std::ptrdiff_t>(sizeof...(work)));
        std::vector<std::jthread> threads;
        (threads.emplace_back([&start, work] {
            start.arrive_and_wait();
            work();
        }),
         ...);
    }
};
INSTANTIATE_ON_ALL_LEDGERS(RunLedgerRaces);

TEST_P(RunLedgerRaces, eight_pods_claim_the_same_slot_and_one_wins_each_time) {
    constexpr std::size_t pods = 8;
    const int rounds = GetParam() == LedgerKind::sqlite ? 50 : 200;
    ensure_due(library_scan, 1s);
    std::vector<tasks::PodRef> all;
    for (std::size_t i = 0; i < pods; ++i) all.push_back(pod("pod" + std::to_string(i)));
    std::set<core::UtcTime> slots;
    for (int round = 0; round < rounds; ++round) {
        const auto seen = row(library_scan);
        std::array<core::RunId, pods> ids;
        for (auto& one : ids) one = id();
        std::array<Claim, pods> claims;
        std::barrier start(static_cast<std::ptrdiff_t>(pods));
        {
            std::vector<std::jthread> threads;
            for (std::size_t i = 0; i < pods; ++i) {
                threads.emplace_back([&, i] {
                    start.arrive_and_wait();
                    claims[i] = must(ledger().claim_slot(all[i], seen, ids[i]));
                });
            }
        }
        const RunRow* winner = nullptr;
        for (const auto& one : claims) {
            if (one.outcome == Outcome::won) {
                ASSERT_EQ(winner, nullptr) << "round " << round;
                winner = &*one.run;
            } else {
                ASSERT_EQ(one.outcome, Outcome::running) << to_string(one.outcome);
            }
        }
        ASSERT_NE(winner, nullptr);
        ASSERT_EQ(winner->epoch, round + 1);
        ASSERT_EQ(must(ledger().live_runs()).size(), 1U);
        end(*winner);
        pass_time(1100ms);
    }
}

TEST_P(RunLedgerRaces, a_claim_and_an_edit_come_one_after_the_other) {
    ensure_due(library_scan);
    const auto a = pod("a");
    for (int round = 0; round < 60; ++round) {
        const auto seen = row(library_scan);
        ASSERT_TRUE(seen.next_slot);
        Claim claimed;
        const auto run = id();
        race([&] { claimed = must(ledger().claim_slot(a, seen, run)); },
             [&] {
                 must(ledger().set_triggers(
                     "RefreshLibrary", {{tasks::IntervalTrigger{core::Millis{60'000 + round}}, std::nullopt, {}}}));
             });
        const auto after = row(library_scan);
        ASSERT_EQ(after.version, seen.version + 1);
        if (claimed.outcome == Outcome::won) {
            ASSERT_EQ(after.live->id, run);
            ASSERT_FALSE(after.next_slot) << "the edit came second and left the claimed slot alone";
            end(*claimed.run);
        } else {
            ASSERT_EQ(claimed.outcome, Outcome::changed);
            ASSERT_FALSE(after.live);
            ASSERT_EQ(after.epoch, seen.epoch);
        }
        pass_time(61s);
    }
}

TEST_P(RunLedgerRaces, a_beat_saves_its_run_or_comes_too_late_but_never_both) {
    ensure_due(library_scan);
    auto run = started(pod("a"), library_scan);
    for (int round = 0; round < 60; ++round) {
        pass_time(46s);
        const auto seen = found(run.id);
        tasks::BeatAnswer answer;
        Claim taken;
        const auto b = pod("b");
        const auto next = id();
        race(
            [&] {
                answer = must(ledger().beat(run.id, run.epoch, seen.beat, {0, {}, {}}));
            },
            [&] { taken = must(ledger().take_over(b, seen, true, next)); });
        ASSERT_NE(answer.still_ours, taken.outcome == Outcome::won) << "round " << round;
        if (taken.outcome == Outcome::won) {
            end(*taken.run);
            pass_time(61s);
            run = started(pod("a"), library_scan);
        }
    }
}

TEST_P(RunLedgerRaces, no_write_is_accepted_after_the_takeover) {
    ensure_due(library_scan);
    for (int round = 0; round < 25; ++round) {
        const auto run = started(pod("a"), library_scan);
        pass_time(46s);
        const auto seen = found(run.id);
        const auto b = pod("b");
        const auto next = id();
        Claim taken;
        std::int64_t accepted = 0;
        race(
            [&] {
                auto fence = fence_of(run);
                for (;; ++fence.cursor_seq, ++accepted) {
                    fence.cursor = "item " + std::to_string(fence.cursor_seq);
                    const auto done = ledger().checkpoint(fence);
                    if (done) continue;
                    EXPECT_EQ(done.error().code, core::Errc::fenced) << done.error().context;
                    return;
                }
            },
            [&] { taken = must(ledger().take_over(b, seen, true, next)); });
        ASSERT_EQ(taken.outcome, Outcome::won);
        const auto old = found(run.id);
        ASSERT_EQ(old.state, RunState::aborted);
        ASSERT_EQ(old.cursor_seq, accepted) << "every accepted write counts";
        ASSERT_EQ(taken.run->cursor, old.cursor) << "and the successor goes on after the last of them";
        end(*taken.run);
        pass_time(61s);
    }
}

TEST_P(RunLedgerRaces, two_pods_that_bury_one_run_leave_one_successor) {
    ensure_due(library_scan);
    auto run = started(pod("a"), library_scan);
    for (int round = 0; round < 40; ++round) {
        write(run, std::to_string(round));
        const auto seen = found(run.id);
        pass_time(46s);
        const auto b = pod("b"), c = pod("c");
        const auto run_b = id(), run_c = id();
        Claim by_b, by_c;
        race([&] { by_b = must(ledger().take_over(b, seen, true, run_b)); },
             [&] { by_c = must(ledger().take_over(c, seen, true, run_c)); });
        ASSERT_NE(by_b.outcome == Outcome::won, by_c.outcome == Outcome::won);
        run = by_b.outcome == Outcome::won ? *by_b.run : *by_c.run;
        ASSERT_EQ(run.epoch, round + 2);
    }
}

TEST_P(RunLedgerRaces, tasks_that_exclude_each_other_never_run_together) {
    for (const auto& task : {library_scan, people, optimize}) ensure(task);
    const auto a = pod("a"), b = pod("b"), c = pod("c");
    for (int round = 0; round < 40; ++round) {
        for (const auto& task : {library_scan, people, optimize}) must(ledger().set_triggers(task.task, {}));
        const auto r1 = id(), r2 = id(), r3 = id();
        Claim scan, peoples, optimisation;
        race([&] { scan = must(ledger().claim_manual(a, library_scan, r1, "{}")); },
             [&] { peoples = must(ledger().claim_manual(b, people, r2, "{}")); },
             [&] { optimisation = must(ledger().claim_manual(c, optimize, r3, "{}")); });
        const bool library = scan.outcome == Outcome::won || peoples.outcome == Outcome::won;
        ASSERT_NE(library, optimisation.outcome == Outcome::won);
        for (const auto* one : {&scan, &peoples, &optimisation})
            if (one->outcome == Outcome::won) end(*one->run);
    }
}

TEST_P(RunLedgerRaces, pods_that_start_together_make_each_row_once) {
    race([&] { ensure(library_scan); }, [&] { ensure(library_scan); },
         [&] {
             ensure({"CleanLogFiles", "a"});
         },
         [&] {
             ensure({"CleanLogFiles", "b"});
         },
         [&] { ensure(library_scan); });
    EXPECT_EQ(row(library_scan).version, 1);
    EXPECT_EQ(must(ledger().overview("a")).tasks.size(), 2U);
}

}  // namespace
}  // namespace understudy::testing
