#include "contract/run_ledger/run_ledger_contract.h"

namespace understudy::testing {
namespace {

class RunLedgerEnds : public RunLedgerContract {};
INSTANTIATE_ON_ALL_LEDGERS(RunLedgerEnds);

TEST_P(RunLedgerEnds, each_write_needs_the_count_of_the_one_before) {
    ensure_due(library_scan);
    auto run = started(pod("a"), library_scan);
    write(run, "one");
    const auto copied_process = run;
    write(run, "two");
    auto late = fence_of(copied_process);
    late.cursor = "one and a half";
    EXPECT_EQ(error_of(ledger().checkpoint(late)), core::Errc::fenced);
    EXPECT_EQ(error_of(ledger().end(late, {})), core::Errc::fenced);
    EXPECT_EQ(found(run.id).cursor, "two");
    EXPECT_EQ(found(run.id).cursor_seq, 2);
    auto older = fence_of(run);
    older.epoch = 0;
    EXPECT_EQ(error_of(ledger().checkpoint(older)), core::Errc::fenced);
    EXPECT_EQ(error_of(ledger().end(older, {})), core::Errc::fenced);
    EXPECT_EQ(error_of(ledger().checkpoint({id(), 1, 0, {}})), core::Errc::fenced);
    EXPECT_EQ(error_of(ledger().end({id(), 1, 0, {}}, {})), core::Errc::fenced);
    must(ledger().checkpoint(fence_of(run)));  // without a cursor it stays
    EXPECT_EQ(found(run.id).cursor, "two");
}

TEST_P(RunLedgerEnds, an_end_keeps_what_a_person_wants_to_know) {
    ensure_due(library_scan);
    const auto run = started(pod("a"), library_scan);
    tasks::RunEnd how;
    how.state = RunState::failed;
    how.progress = 42.5;
    how.error = "no such folder: /media/ñ";
    how.counts = {{"added", 12}, {"kept_offline", 40}};
    how.warnings = {"first", "second \"quoted\""};
    auto fence = fence_of(run);
    fence.cursor = "films/z";
    must(ledger().end(fence, how));
    const auto ended = found(run.id);
    EXPECT_EQ(ended.state, RunState::failed);
    EXPECT_DOUBLE_EQ(ended.progress, 42.5);
    EXPECT_EQ(ended.error, how.error);
    EXPECT_EQ(ended.counts, how.counts);
    EXPECT_EQ(ended.warnings, how.warnings);
    EXPECT_EQ(ended.cursor, "films/z");
    EXPECT_TRUE(ended.ended_at);
    EXPECT_TRUE(ended.heartbeat_at);
    EXPECT_EQ(row(library_scan).last_result->id, run.id);
    EXPECT_TRUE(must(ledger().live_runs()).empty());
}

TEST_P(RunLedgerEnds, an_odd_file_name_in_a_warning_does_not_keep_a_run_from_ending) {
    ensure_due(library_scan);
    const auto run = started(pod("a"), library_scan);
    tasks::RunEnd how;
    how.warnings = {std::string("bad \xFF\xC3 name"), std::string("a\0b", 3)};
    how.error = "\xED\xA0\x80";
    how.counts = {{"\xF5", 1}};
    must(ledger().end(fence_of(run), how));
    EXPECT_EQ(found(run.id).state, RunState::completed);
    EXPECT_EQ(found(run.id).warnings.size(), 2U);
}

TEST_P(RunLedgerEnds, the_same_end_again_after_a_lost_reply_is_answered_as_the_first_time) {
    ensure_due(library_scan);
    const auto run = started(pod("a"), library_scan);
    end(run);
    const auto ended = found(run.id).ended_at;
    pass_time(0ms);
    end(run);
    EXPECT_EQ(found(run.id).ended_at, ended);
    tasks::RunEnd otherwise;
    otherwise.state = RunState::failed;
    EXPECT_EQ(error_of(ledger().end(fence_of(run), otherwise)), core::Errc::fenced);
    EXPECT_EQ(error_of(ledger().end(fence_of(run), {RunState::running, 0, "", {}, {}})), core::Errc::invalid);
}

TEST_P(RunLedgerEnds, yielded_is_no_end) {
    ensure_due(library_scan);
    const auto run = started(pod("a"), library_scan);
    end(run, RunState::yielded);
    auto at = row(library_scan);
    EXPECT_FALSE(at.last_end);
    EXPECT_FALSE(at.next_slot) << "the interval goes on counting from the end of this work";
    ASSERT_TRUE(at.open && at.last_result);
    EXPECT_EQ(at.open->id, run.id);
    EXPECT_EQ(at.last_result->id, run.id);
}

TEST_P(RunLedgerEnds, beats_go_by_compare_and_set_and_bring_the_cancel_flag_back) {
    ensure_due(library_scan);
    const auto run = started(pod("a"), library_scan);
    const tasks::Pace pace{"s of media", 41.5, core::Millis{90'000}};
    auto answer = must(ledger().beat(run.id, run.epoch, 0, {30, {{"seen", 3}}, pace}));
    EXPECT_TRUE(answer.still_ours);
    EXPECT_FALSE(answer.cancel_requested);
    EXPECT_EQ(found(run.id).pace, pace);
    EXPECT_EQ(row(library_scan).live->pace, pace);
    EXPECT_FALSE(must(ledger().beat(run.id, run.epoch, 0, {30, {}, {}})).still_ours)
        << "a copied process beats at the old count";
    EXPECT_FALSE(must(ledger().beat(run.id, run.epoch + 1, 1, {30, {}, {}})).still_ours);
    auto now_at = found(run.id);
    EXPECT_DOUBLE_EQ(now_at.progress, 30);
    EXPECT_TRUE(must(ledger().cancel(library_scan, "asked by anna")));
    answer = must(ledger().beat(run.id, run.epoch, now_at.beat, {20, {{"seen", 4}}, {}}));
    EXPECT_TRUE(answer.still_ours);
    EXPECT_TRUE(answer.cancel_requested);
    EXPECT_EQ(answer.cancel_reason, "asked by anna");
    EXPECT_DOUBLE_EQ(found(run.id).progress, 30) << "progress never goes back";
    EXPECT_EQ(found(run.id).counts, (tasks::Counts{{"seen", 4}}));
    EXPECT_EQ(found(run.id).pace, tasks::Pace{}) << "it says no more";
    EXPECT_DOUBLE_EQ(row(library_scan).live->progress, 30);
    answer = must(ledger().beat(run.id, run.epoch, found(run.id).beat, {40, {}, pace}));
    end(run, RunState::cancelled);
    EXPECT_EQ(found(run.id).pace, tasks::Pace{}) << "what has ended has no pace";
    EXPECT_FALSE(must(ledger().beat(run.id, run.epoch, found(run.id).beat, {50, {}, {}})).still_ours);
    EXPECT_FALSE(must(ledger().beat(id(), 1, 0, {50, {}, {}})).still_ours);
}

TEST_P(RunLedgerEnds, cancel_reaches_live_and_open_work_and_kept_requests) {
    ensure(user_data);
    EXPECT_FALSE(must(ledger().cancel(user_data, "x"))) << "an idle task has nothing to cancel";
    auto run = started_by_hand(pod("a"), user_data);
    EXPECT_TRUE(must(ledger().cancel(user_data, "asked by anna")));
    EXPECT_TRUE(must(ledger().cancel(user_data, "asked by ben")));
    EXPECT_EQ(found(run.id).cancel_reason, "asked by anna");
    EXPECT_EQ(row(user_data).live->state, RunState::cancelling);
    run.cursor_seq = found(run.id).cursor_seq;
    write(run, "still its own until it has stopped");
    end(run, RunState::cancelled);

    const auto open = started_by_hand(pod("a"), user_data);
    end(open, RunState::yielded);
    EXPECT_TRUE(must(ledger().cancel(user_data, "asked by anna")));
    EXPECT_EQ(found(open.id).state, RunState::cancelled);
    EXPECT_FALSE(row(user_data).open);
    EXPECT_TRUE(row(user_data).last_end);

    must(ledger().request_later(user_data, "{}", 1h, 0));
    EXPECT_FALSE(must(ledger().cancel(user_data, "x"))) << "its time has not come";
    pass_time(61min);
    EXPECT_TRUE(must(ledger().cancel(user_data, "x")));
    EXPECT_FALSE(row(user_data).pending);
    EXPECT_FALSE(ledger().cancel({"Nothing", "cluster"}, "x"));
}

TEST_P(RunLedgerEnds, history_is_kept_by_number_and_age_but_never_what_is_live_or_open) {
    settle({.keep_runs = 3, .keep_for = std::chrono::days{90}});
    ensure_due(library_scan);
    const auto a = pod("a");
    std::vector<core::RunId> runs;
    for (int i = 0; i < 5; ++i) {
        const auto run = started(a, library_scan);
        runs.push_back(run.id);
        end(run);
        pass_time(61s);
    }
    EXPECT_EQ(must(ledger().runs({.task = "RefreshLibrary"})).total, 3U);
    EXPECT_FALSE(must(ledger().find_run(runs[1])));
    EXPECT_TRUE(must(ledger().find_run(runs[2])));

    pass_time(std::chrono::days{91});
    const auto open = started(a, library_scan);
    end(open, RunState::yielded);
    EXPECT_EQ(must(ledger().runs({.task = "RefreshLibrary"})).total, 1U) << "older than 90 days";
    pass_time(std::chrono::days{91});
    ASSERT_TRUE(row(library_scan).open);
    const auto resumed = must(ledger().take_over(a, *row(library_scan).open, false, id()));
    ASSERT_EQ(resumed.outcome, Outcome::won);
    pass_time(std::chrono::days{91});
    EXPECT_EQ(found(resumed.run->id).state, RunState::running);
    end(*resumed.run);
    EXPECT_EQ(must(ledger().runs({.task = "RefreshLibrary"})).total, 1U);
    EXPECT_EQ(row(library_scan).last_result->id, resumed.run->id);
}

}  // namespace
}  // namespace understudy::testing
