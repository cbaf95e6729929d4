#include <gtest/gtest.h>

#include "core/random.h"
#include "support/databases.h"
#include "tasks/database/sql_activity_log.h"
#include "tasks/database/sql_ledger_tables.h"
#include "tasks/transactional_run_ledger.h"

namespace understudy::testing {
namespace {

using namespace std::chrono_literals;

class ActivityLogContract : public ::testing::TestWithParam<DatabaseKind> {
protected:
    void SetUp() override {
        const auto migrated = store::sql::migrate(*database_);
        ASSERT_TRUE(migrated) << migrated.error().context;
        ASSERT_TRUE(ledger_.ensure_task(*tasks::find_task("CleanActivityLog"), "cluster"));
        const tasks::PodRef pod{"a", core::BootId::make(random_), {}};
        const auto claim =
            ledger_.claim_manual(pod, {"CleanActivityLog", "cluster"}, core::RunId::make(random_), "{}", {});
        ASSERT_TRUE(claim) << claim.error().context;
        fence_ = {claim->run->id, claim->run->epoch, claim->run->cursor_seq, std::nullopt};
    }
    void add(int count) {
        for (int i = 0; i < count; ++i)
            ASSERT_TRUE(log_.add({"ScheduledTaskFailed", "Error", "Scan failed", "because"}));
    }

    std::unique_ptr<TestDatabase> base_ = make_test_database(GetParam());
    std::unique_ptr<store::sql::Database> database_ = base_->open(2);
    tasks::database::SqlLedgerTables tables_{*database_};
    tasks::TransactionalRunLedger ledger_{tables_, {}, tasks::Zone()};
    tasks::database::SqlActivityLog log_{*database_};
    core::SystemRandom random_;
    core::Fence fence_;
};

TEST_P(ActivityLogContract, removes_what_is_old_up_to_the_limit) {
    add(5);
    EXPECT_EQ(log_.remove_older_than(1h, 100, fence_).value(), 0);
    ++fence_.cursor_seq;
    EXPECT_EQ(log_.remove_older_than(-1h, 3, fence_).value(), 3);  // an hour ahead: everything is old
    ++fence_.cursor_seq;
    EXPECT_EQ(log_.remove_older_than(-1h, 3, fence_).value(), 2);
}

TEST_P(ActivityLogContract, removes_nothing_for_a_run_that_was_fenced) {
    add(2);
    auto stale = fence_;
    stale.epoch -= 1;
    EXPECT_EQ(log_.remove_older_than(-1h, 100, stale).error().code, core::Errc::fenced);
    EXPECT_EQ(log_.remove_older_than(-1h, 100, fence_).value(), 2);
}

TEST_P(ActivityLogContract, lists_the_newest_first_page_by_page) {
    const auto ann = core::UserId::make(random_);
    const auto first = log_.add({"UserCreated", "Information", "User Ann was made", "by root", ann});
    ASSERT_TRUE(first) << first.error().context;
    const auto second = log_.add({"ScheduledTaskFailed", "Error", "Scan \xFF failed", "because"});
    ASSERT_TRUE(second) << second.error().context;
    EXPECT_GT(*second, *first);
    add(3);
    auto page = log_.list({.start = 0, .limit = 2});
    ASSERT_TRUE(page) << page.error().context;
    EXPECT_EQ(page->total, 5);
    ASSERT_EQ(page->entries.size(), 2U);
    EXPECT_GT(page->entries[0].id, page->entries[1].id);
    page = log_.list({.start = 3, .limit = 10});
    ASSERT_EQ(page.value().entries.size(), 2U);
    EXPECT_EQ(page->entries[0].entry.title, "Scan \xEF\xBF\xBD failed");
    EXPECT_TRUE(page->entries[0].entry.user.empty());
    const auto& oldest = page->entries[1];
    EXPECT_EQ(oldest.id, *first);
    EXPECT_EQ(oldest.entry.kind, "UserCreated");
    EXPECT_EQ(oldest.entry.severity, "Information");
    EXPECT_EQ(oldest.entry.overview, "by root");
    EXPECT_EQ(oldest.entry.user, ann);
    EXPECT_EQ(log_.list({.limit = 0}).value().total, 5) << "only counts";
    EXPECT_TRUE(log_.list({.limit = 0}).value().entries.empty());
}

TEST_P(ActivityLogContract, lists_by_time_and_by_whether_somebody_is_meant) {
    const auto ann = core::UserId::make(random_);
    ASSERT_TRUE(log_.add({"UserCreated", "Information", "User Ann was made", "", ann}));
    add(2);
    EXPECT_EQ(log_.list({.has_user = true}).value().total, 1);
    EXPECT_EQ(log_.list({.has_user = false}).value().total, 2);
    const auto at = log_.list({.has_user = true}).value().entries.at(0).at;
    EXPECT_EQ(log_.list({.from = at}).value().total, 3) << "the first one is from that very time";
    EXPECT_EQ(log_.list({.from = at + 1h}).value().total, 0);
    EXPECT_EQ(log_.list({.until = at - 1h}).value().total, 0);
    EXPECT_EQ(log_.list({.from = at - 1h, .until = at + 1h}).value().total, 3);
}

INSTANTIATE_TEST_SUITE_P(databases, ActivityLogContract, both_databases(), database_name);

}  // namespace
}  // namespace understudy::testing
