// tests/contract/cluster/pods_contract.h: what every PodRegistry must do.
#pragma once

#include "contract/cluster/cluster_fixture.h"

namespace understudy::testing {

using namespace std::chrono_literals;

class PodsContract : public ClusterFixture {
protected:
    static cluster::PodInfo pod(std::uint8_t number, const std::string& label) {
        cluster::PodInfo info;
        info.boot = core::BootId{core::IdBytes{number}};
        info.label = label;
        info.version = "1.2.3";
        info.standing = "unknown";
        return info;
    }
};

TEST_P(PodsContract, a_heartbeat_registers_and_later_ones_update) {
    const auto registry = make_registry();
    auto self = pod(1, "a");
    const auto first = registry->heartbeat(self);
    ASSERT_TRUE(first) << first.error().context;
    self.standing = "leader";
    self.facts = {{"zone", "Europe/Zürich"}, {"gated_tasks", "A,B"}};
    self.roots = {{"/media/\xff", true}, {"/media/b", false}};
    const auto second = registry->heartbeat(self);
    ASSERT_TRUE(second);
    const auto pods = registry->pods(1min);
    ASSERT_TRUE(pods) << pods.error().context;
    ASSERT_EQ(pods->size(), 1U);
    const auto& found = pods->front();
    EXPECT_EQ(found.boot, self.boot);
    EXPECT_EQ(found.label, "a");
    EXPECT_EQ(found.version, "1.2.3");
    EXPECT_EQ(found.standing, "leader");
    EXPECT_EQ(found.facts, self.facts);
    EXPECT_EQ(found.roots, self.roots);
    EXPECT_EQ(found.started_at, *first);
    EXPECT_EQ(found.heartbeat_at, *second);
}

TEST_P(PodsContract, two_pods_may_have_one_label) {
    const auto registry = make_registry();
    ASSERT_TRUE(registry->heartbeat(pod(1, "same")));
    ASSERT_TRUE(registry->heartbeat(pod(2, "same")));
    EXPECT_EQ(registry->pods(1min)->size(), 2U);
}

TEST_P(PodsContract, the_newest_heartbeat_comes_first) {
    const auto registry = make_registry();
    ASSERT_TRUE(registry->heartbeat(pod(1, "a")));
    ASSERT_TRUE(registry->heartbeat(pod(2, "b")));
    // The clock ticks in milliseconds: beat until it has moved on.
    const auto before = registry->heartbeat(pod(2, "b"));
    for (auto now = before; *now == *before;) {
        now = registry->heartbeat(pod(1, "a"));
        ASSERT_TRUE(now);
    }
    const auto pods = registry->pods(1min);
    ASSERT_EQ(pods->size(), 2U);
    EXPECT_EQ(pods->front().label, "a");
}

TEST_P(PodsContract, who_leaves_is_gone) {
    const auto registry = make_registry();
    ASSERT_TRUE(registry->heartbeat(pod(1, "a")));
    ASSERT_TRUE(registry->heartbeat(pod(2, "b")));
    ASSERT_TRUE(registry->leave(pod(1, "a").boot));
    ASSERT_TRUE(registry->leave(pod(9, "never was").boot));
    const auto pods = registry->pods(1min);
    ASSERT_EQ(pods->size(), 1U);
    EXPECT_EQ(pods->front().label, "b");
}

}  // namespace understudy::testing
