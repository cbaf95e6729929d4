// The loop of the tasks that decode: what is pending, what is remembered, what a dead or stopped run leaves.
#include "library/analysis_run.h"

#include "store/sql/sql_analyses.h"
#include "support/library/fake_analyst.h"
#include "unit/library/scan_fixture.h"

namespace understudy::library {
namespace {

using ::testing::Contains;
using testing::film;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Analysing : public ScanTest {
protected:
    Analysing() : analyses(*database) {
        plan.kind = "test";
        plan.task = "KeyframeExtraction";
        plan.limit = [](const store::AnalysableSource&) { return core::Millis{1'000}; };
    }
    void films(int number) {
        for (int i = 0; i < number; ++i) {
            const auto name = "Film " + std::to_string(i);
            tree.file("lib/" + name + "/" + name + ".mkv");
        }
        prober.say(".mkv", film());
        library = add_library(model::LibraryKind::movies, {tree.path("lib")});
        scan();
    }
    core::Result<AnalysisReport> analyse() {
        run = std::make_unique<testing::FakeRun>();
        return analyse_as_set_up();
    }
    core::Result<AnalysisReport> analyse_as_set_up() {
        register_run();
        analyst.asked.clear();
        return AnalysisRun(plan, analyses, analyst, clock, *run, {}).work();
    }
    std::int64_t pending() {
        const auto totals = analyses.totals(plan.kind, store::AnalysisState::pending, plan.filter);
        EXPECT_TRUE(totals);
        return totals ? totals->files : -1;
    }

    store::sql::SqlAnalyses analyses;
    testing::FakeAnalyst analyst;
    AnalysisPlan plan;
    core::LibraryId library;
};

TEST_P(Analysing, looks_at_every_file_once_and_then_at_none) {
    films(3);
    const auto first = analyse();
    ASSERT_TRUE(first) << first.error().context;
    EXPECT_EQ(first->done, 3);
    EXPECT_EQ(run->reports.back(), 100.0);
    EXPECT_TRUE(std::ranges::is_sorted(run->reports)) << "progress never goes back";
    const auto second = analyse();
    ASSERT_TRUE(second);
    EXPECT_EQ(second->done, 0);
    EXPECT_THAT(analyst.asked, IsEmpty());
}

TEST_P(Analysing, a_renamed_folder_costs_nothing) {
    films(2);
    ASSERT_TRUE(analyse());
    tree.rename("lib/Film 0", "lib/Film Zero (2001)");
    scan();
    ASSERT_TRUE(analyse());
    EXPECT_THAT(analyst.asked, IsEmpty());
}

TEST_P(Analysing, remembers_a_broken_file_until_it_changes_and_tells_of_it) {
    films(2);
    analyst.answer = [](const media::AnalysisRequest& request) -> core::Result<std::string> {
        if (request.path.ends_with("Film 1.mkv")) return core::fail(core::Errc::corrupt, "no index in it");
        return std::string("good");
    };
    const auto first = analyse();
    ASSERT_TRUE(first) << first.error().context;
    EXPECT_EQ(first->done, 1);
    EXPECT_EQ(first->failed, 1);
    EXPECT_THAT(run->warnings, Contains(HasSubstr("no index in it")));
    EXPECT_EQ(pending(), 0);
    ASSERT_TRUE(analyse());
    EXPECT_THAT(analyst.asked, IsEmpty());

    tree.append("lib/Film 1/Film 1.mkv", "more");
    scan();
    ASSERT_TRUE(analyse());
    EXPECT_THAT(analyst.asked, SizeIs(1));
}

TEST_P(Analysing, a_file_that_cannot_be_read_now_stays_pending) {
    films(2);
    analyst.answer = [](const media::AnalysisRequest& request) -> core::Result<std::string> {
        if (request.path.ends_with("Film 1.mkv"))
            return core::fail(core::Errc::unavailable, "read: Input/output error");
        return std::string("good");
    };
    const auto first = analyse();
    ASSERT_TRUE(first);
    EXPECT_EQ(first->unread, 1);
    EXPECT_EQ(pending(), 1);
}

TEST_P(Analysing, that_can_read_nothing_fails_and_says_why) {
    films(2);
    analyst.answer = [](const media::AnalysisRequest&) -> core::Result<std::string> {
        return core::fail(core::Errc::unavailable, "set Jellyfin:Media:WorkerPath");
    };
    const auto result = analyse();
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().context, HasSubstr("Jellyfin:Media:WorkerPath"));
}

TEST_P(Analysing, keeps_nothing_of_a_file_that_changed_meanwhile) {
    films(1);
    analyst.before_stamp = [&](const media::AnalysisRequest&) { tree.append("lib/Film 0/Film 0.mkv", "x"); };
    const auto result = analyse();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->changed, 1);
    EXPECT_EQ(pending(), 1);
}

TEST_P(Analysing, a_file_with_nothing_in_it_for_the_task_is_not_asked_again) {
    films(1);
    plan.parameters = [](const store::AnalysableSource&) -> core::Result<std::string> {
        return core::fail(core::Errc::unsupported, "no chapters");
    };
    const auto result = analyse();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->skipped, 1);
    EXPECT_EQ(pending(), 0);
    EXPECT_THAT(run->warnings, IsEmpty());
}

TEST_P(Analysing, that_is_stopped_keeps_what_was_done) {
    films(5);
    run = std::make_unique<testing::FakeRun>();
    analyst.answer = [&](const media::AnalysisRequest&) -> core::Result<std::string> {
        if (analyst.asked.size() == 2) run->stop = true;
        return std::string("good");
    };
    const auto result = analyse_as_set_up();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, core::Errc::cancelled);
    EXPECT_EQ(pending(), 3);
    analyst.answer = nullptr;
    const auto next = analyse();
    ASSERT_TRUE(next);
    EXPECT_EQ(next->done, 3);
}

TEST_P(Analysing, whose_epoch_is_over_writes_nothing) {
    films(2);
    run = std::make_unique<testing::FakeRun>();
    register_run();
    run->fenced = true;
    const auto result = AnalysisRun(plan, analyses, analyst, clock, *run, {}).work();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, core::Errc::fenced);
    EXPECT_EQ(pending(), 2);
}

TEST_P(Analysing, a_database_error_in_accept_ends_the_run_and_a_bad_payload_does_not) {
    films(2);
    plan.accept = [](const store::AnalysableSource& source, std::string&&) -> core::Result<std::string> {
        if (source.path.ends_with("0.mkv")) return core::fail(core::Errc::corrupt, "nonsense");
        return std::string("kept");
    };
    const auto result = analyse();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->failed, 1);
    EXPECT_EQ(result->done, 1);
    plan.kind = "other";
    plan.accept = [](const store::AnalysableSource&, std::string&&) -> core::Result<std::string> {
        return core::fail(core::Errc::unavailable, "the database is gone");
    };
    const auto broken = analyse();
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().context, "the database is gone");
}

INSTANTIATE_TEST_SUITE_P(Stores, Analysing, ::testing::Values(StoreKind::sqlite, StoreKind::postgresql), store_name);

}  // namespace
}  // namespace understudy::library
