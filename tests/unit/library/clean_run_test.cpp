// The loop that all cleaning tasks share, without a store.
#include "library/clean_run.h"

#include <gtest/gtest.h>

#include "support/library/fake_run.h"

namespace understudy::library {
namespace {

using core::Errc;
using testing::FakeRun;
using Cursors = std::vector<std::string>;

/// Steps "" -> "1" -> "2" -> end; each looks at ten rows and removes one.
struct Steps {
    Cursors asked;
    core::Result<store::CleanStep> operator()(const std::string& cursor, const core::Fence&) {
        asked.push_back(cursor);
        if (cursor.empty()) return store::CleanStep{10, 1, "1"};
        if (cursor == "1") return store::CleanStep{10, 1, "2"};
        if (cursor == "2") return store::CleanStep{10, 1, ""};
        return core::fail(Errc::invalid, "no cursor of mine: " + cursor);
    }
};

TEST(CleanRun, steps_to_the_end_and_says_where_it_is_before_each) {
    FakeRun run;
    Steps steps;
    std::vector<std::int64_t> sums;
    const auto done = clean_in_steps(run, {"phase", ""}, std::ref(steps),
                                     [&](const CleanTotals& totals) { sums.push_back(totals.looked_at); });
    ASSERT_TRUE(done);
    EXPECT_EQ(done->removed, 3);
    EXPECT_EQ(steps.asked, (Cursors{"", "1", "2"}));
    EXPECT_EQ(run.cursors, (Cursors{"phase:", "phase:1", "phase:2"}));
    EXPECT_EQ(sums, (std::vector<std::int64_t>{10, 20, 30}));
}

TEST(CleanRun, goes_on_where_the_run_before_was_at_work) {
    FakeRun run;
    Steps steps;
    ASSERT_TRUE(clean_in_steps(run, CleanPlace::parse("phase:2"), std::ref(steps), {}));
    EXPECT_EQ(steps.asked, (Cursors{"2"}));
}

TEST(CleanRun, a_cursor_that_nobody_knows_is_the_start) {
    FakeRun run;
    Steps steps;
    const auto done = clean_in_steps(run, {"phase", "of another version"}, std::ref(steps), {});
    ASSERT_TRUE(done);
    EXPECT_EQ(steps.asked, (Cursors{"of another version", "", "1", "2"}));
}

TEST(CleanRun, stops_between_two_steps_when_asked_to) {
    FakeRun run;
    Steps steps;
    const auto done = clean_in_steps(run, {"phase", ""}, std::ref(steps), [&](const CleanTotals&) { run.stop = true; });
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, Errc::cancelled);
    EXPECT_EQ(steps.asked.size(), 1U);
}

TEST(CleanRun, a_run_that_was_taken_over_cleans_no_more) {
    FakeRun run;
    run.on_commit = [&](int commits) { run.fenced = commits == 1; };
    Steps steps;
    const auto done = clean_in_steps(run, {"phase", ""}, std::ref(steps), {});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, Errc::fenced);
    EXPECT_EQ(steps.asked.size(), 1U);
}

/// As ActiveRun where the answer to COMMIT was lost: the write says unavailable, the row says that it was applied.
class LosesOneAnswer final : public tasks::Run {
public:
    [[nodiscard]] core::RunId id() const noexcept override { return inner.id(); }
    [[nodiscard]] std::int64_t epoch() const noexcept override { return 1; }
    [[nodiscard]] const std::string& options() const noexcept override { return inner.options(); }
    [[nodiscard]] tasks::RunKind kind() const noexcept override { return inner.kind(); }
    [[nodiscard]] const std::string& cursor() const noexcept override { return inner.cursor(); }
    [[nodiscard]] bool should_stop() const noexcept override { return false; }
    void report(double) noexcept override {}
    void work(std::string_view, double, double) noexcept override {}
    void count(std::string_view, std::int64_t) override {}
    void warn(const std::string&) override {}
    [[nodiscard]] core::Result<void> commit(
        std::optional<std::string> cursor,
        const std::function<core::Result<void>(const core::Fence&)>& write) override {
        if (++commits != 2) return inner.commit(std::move(cursor), write);
        lost = true;
        (void)inner.commit(std::move(cursor), write);
        return {};
    }
    [[nodiscard]] core::Result<void> request_follow_up(const std::string&, core::Millis, int) override { return {}; }
    [[nodiscard]] core::Log& log() noexcept override { return inner.log(); }

    FakeRun inner;
    int commits = 0;
    bool lost = false;
};

TEST(CleanRun, a_step_whose_answer_was_lost_is_repeated_and_not_taken_for_the_last) {
    LosesOneAnswer run;
    Steps steps;
    const auto done =
        clean_in_steps(run, {"phase", ""},
                       [&](const std::string& cursor, const core::Fence& fence) -> core::Result<store::CleanStep> {
                           auto step = steps(cursor, fence);
                           if (std::exchange(run.lost, false))
                               return core::fail(Errc::unavailable, "the answer was lost");
                           return step;
                       },
                       {});
    ASSERT_TRUE(done);
    EXPECT_EQ(steps.asked, (Cursors{"", "1", "1", "2"}));
}

TEST(CleanRun, progress_stays_within_its_part) {
    EXPECT_EQ(progress_within(20, 40, 5, 10), 30);
    EXPECT_EQ(progress_within(20, 40, 50, 10), 40);
    EXPECT_EQ(progress_within(20, 40, 0, 0), 40);
}

}  // namespace
}  // namespace understudy::library
