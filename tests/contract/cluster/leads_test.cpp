// The history of who led, over both databases.
#include <optional>

#include "cluster/database/lead_history.h"
#include "contract/cluster/cluster_fixture.h"

namespace understudy::testing {
namespace {

using namespace std::chrono_literals;

class Leads : public ClusterFixture {
protected:
    static core::BootId boot(std::uint8_t number) { return core::BootId{core::IdBytes{number}}; }
    std::vector<cluster::Lead> all(std::size_t limit = 100) {
        auto found = history_->newest(limit);
        EXPECT_TRUE(found) << found.error().context;
        return found.value_or(std::vector<cluster::Lead>{});
    }
    void SetUp() override {
        ClusterFixture::SetUp();
        history_.emplace(*database_);
    }
    std::optional<cluster::DatabaseLeadHistory> history_;
};

TEST_P(Leads, a_term_is_new_once_and_goes_on_until_it_ends) {
    EXPECT_TRUE(all().empty());
    const auto first = history_->note("a", boot(1), 1, 5s);
    ASSERT_TRUE(first) << first.error().context;
    EXPECT_TRUE(*first);
    const auto before = all().front();
    EXPECT_EQ(before.pod, "a");
    EXPECT_EQ(before.boot, boot(1));
    EXPECT_EQ(before.term, 1);
    EXPECT_EQ(before.seen_at - before.began_at, 5s);
    EXPECT_FALSE(before.ended_at);
    EXPECT_FALSE(*history_->note("a", boot(1), 1, 9s)) << "known";
    EXPECT_EQ(all().front().began_at, before.began_at) << "when it began stays";
    ASSERT_TRUE(history_->end(boot(1), 1));
    const auto after = all().front();
    ASSERT_TRUE(after.ended_at);
    EXPECT_EQ(*after.ended_at, after.seen_at);
    ASSERT_TRUE(history_->end(boot(1), 1));
    EXPECT_EQ(all().front().ended_at, after.ended_at) << "an end is an end";
    ASSERT_TRUE(history_->end(boot(7), 3)) << "nobody's";
}

TEST_P(Leads, a_new_term_of_the_same_life_ends_the_one_that_nobody_closed) {
    ASSERT_TRUE(history_->note("a", boot(1), 1, 60s));
    ASSERT_TRUE(history_->note("b", boot(2), 1, 40s));
    ASSERT_TRUE(history_->note("a", boot(1), 2, 20s));
    const auto leads = all();
    ASSERT_EQ(leads.size(), 3U);
    EXPECT_EQ(leads[0].term, 2);
    EXPECT_EQ(leads[1].pod, "b") << "the newest first";
    EXPECT_FALSE(leads[1].ended_at) << "another pod's is not touched";
    ASSERT_TRUE(leads[2].ended_at);
    EXPECT_LE(*leads[2].ended_at, leads[0].began_at);
    EXPECT_EQ(all(1).size(), 1U);
    EXPECT_EQ(all(1).front().term, 2);
}

TEST_P(Leads, are_kept_for_90_days) {
    ASSERT_TRUE(history_->note("old", boot(1), 1, std::chrono::hours{24 * 91}));
    ASSERT_TRUE(history_->note("younger", boot(2), 1, std::chrono::hours{24 * 89}));
    ASSERT_TRUE(history_->note("now", boot(3), 1, 0s));
    const auto leads = all();
    ASSERT_EQ(leads.size(), 2U);
    EXPECT_EQ(leads[1].pod, "younger");
}

INSTANTIATE_TEST_SUITE_P(adapters, Leads, ::testing::Values(ClusterKind::sqlite, ClusterKind::postgresql),
                         cluster_kind_name);

}  // namespace
}  // namespace understudy::testing
