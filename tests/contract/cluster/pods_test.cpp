#include "contract/cluster/pods_contract.h"
#include "support/manual_clock.h"

namespace understudy::testing {

INSTANTIATE_TEST_SUITE_P(adapters, PodsContract, all_cluster_kinds(), cluster_kind_name);

TEST(LocalPods, the_silent_ones_are_left_out_and_removed_after_a_day) {
    ManualClock clock;
    cluster::LocalPodRegistry registry(clock);
    cluster::PodInfo a, b;
    a.boot = core::BootId{core::IdBytes{1}};
    b.boot = core::BootId{core::IdBytes{2}};
    ASSERT_TRUE(registry.heartbeat(a));
    clock.advance(60s);
    ASSERT_TRUE(registry.heartbeat(b));
    EXPECT_EQ(registry.pods(59s)->size(), 1U);
    EXPECT_EQ(registry.pods(60s)->size(), 2U);
    clock.advance(24h);
    ASSERT_TRUE(registry.heartbeat(b));
    EXPECT_EQ(registry.pods(std::chrono::hours{1000})->size(), 1U);
}

class DatabasePods : public PodsContract {};

TEST_P(DatabasePods, the_silent_ones_are_left_out_and_removed_after_a_day) {
    const auto age = [&](std::int64_t ms) {
        ASSERT_TRUE(database_->with(store::sql::Access::write, [&](store::sql::Session& session) -> core::Result<void> {
            auto aged = session.execute("UPDATE pods SET heartbeat_at_ms = {now_ms} - ?", {ms});
            if (!aged) return tl::unexpected(aged.error());
            return {};
        }));
    };
    ASSERT_TRUE(make_registry()->heartbeat(pod(1, "a")));
    age(100'000);
    ASSERT_TRUE(make_registry()->heartbeat(pod(2, "b")));
    EXPECT_EQ(make_registry()->pods(90s)->size(), 1U);
    EXPECT_EQ(make_registry()->pods(200s)->size(), 2U);
    age(86'400'000 + 1);
    ASSERT_TRUE(make_registry()->heartbeat(pod(3, "c")));
    EXPECT_EQ(make_registry()->pods(std::chrono::hours{1000})->size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(adapters, DatabasePods, ::testing::Values(ClusterKind::sqlite, ClusterKind::postgresql),
                         cluster_kind_name);

}  // namespace understudy::testing
