// PostgreSQL restarted or frozen under a run, a pod stopped inside a transaction, and the lease without Redis.
#include <gtest/gtest.h>
#include <signal.h>

#include "cluster/cluster.h"

namespace understudy::testing {
namespace {

using namespace std::chrono_literals;

constexpr int many = 4000;

class DatabaseFaults : public ::testing::Test {
protected:
    Cluster& start(ClusterOptions options = {}) { return *(cluster_ = std::make_unique<Cluster>(std::move(options))); }
    void TearDown() override {
        if (cluster_) cluster_->expect_promises_kept();
    }
    void scan_halfway(PodProcess& pod) {
        cluster_->add_library(pod);
        cluster_->run(pod, "RefreshLibrary");
        ASSERT_TRUE(cluster_->await_progress("RefreshLibrary", 25, 60s));
        ASSERT_EQ(cluster_->newest_state("RefreshLibrary"), "running");
    }
    /// Until the newest run is completed: whoever carries it there.
    void expect_scan_done() {
        EXPECT_TRUE(cluster_->await_end("RefreshLibrary", "completed", 90s))
            << cluster_->newest_state("RefreshLibrary");
        EXPECT_EQ(cluster_->items(), many);
    }
    std::unique_ptr<Cluster> cluster_;
};

TEST_F(DatabaseFaults, restarted_in_the_middle_of_a_scan_loses_nothing) {
    auto& cluster = start({.files = many});
    auto* leader = cluster.await_leader();
    ASSERT_NE(leader, nullptr);
    scan_halfway(*leader);
    cluster.postgres().restart();
    expect_scan_done();
    for (auto* pod : cluster.living()) {
        EXPECT_TRUE(eventually(15s, [&] { return pod->request("GET", "/health/ready").status == 200; }));
    }
}

TEST_F(DatabaseFaults, killed_in_the_middle_of_a_scan_loses_nothing) {
    auto& cluster = start({.files = many});
    auto* leader = cluster.await_leader();
    ASSERT_NE(leader, nullptr);
    scan_halfway(*leader);
    cluster.postgres().kill();
    for (auto* pod : cluster.living()) {
        EXPECT_TRUE(eventually(15s, [&] { return pod->request("GET", "/health/ready").status == 503; }))
            << "it says that it is of no use";
        EXPECT_EQ(pod->request("GET", "/health/live").status, 200);
    }
    cluster.postgres().start();
    expect_scan_done();
    for (auto* pod : cluster.living()) {
        EXPECT_TRUE(eventually(15s, [&] { return pod->request("GET", "/health/ready").status == 200; }));
        EXPECT_EQ(Cluster::lines_with(*pod, "the database does not answer"), 1) << "one outage, one line";
        EXPECT_EQ(Cluster::lines_with(*pod, "the database answers again"), 1);
        for (const char* other : {"the pod registry", "the task ledger", "events between pods"})
            EXPECT_EQ(Cluster::lines_with(*pod, other), 0) << other;
    }
}

TEST_F(DatabaseFaults, frozen_for_longer_than_the_dead_limit_makes_nobody_dead) {
    auto& cluster = start({.files = many});
    auto* leader = cluster.await_leader();
    ASSERT_NE(leader, nullptr);
    scan_halfway(*leader);
    cluster.postgres().freeze();
    // Longer than DeadAfter: seen from outside, by the pods' own words.
    EXPECT_TRUE(eventually(20s, [&] { return leader->request("GET", "/health/ready").status == 503; }));
    cluster.postgres().thaw();
    expect_scan_done();
}

TEST_F(DatabaseFaults, a_pod_stopped_inside_a_transaction_holds_no_lock_for_longer_than_the_limits) {
    auto& cluster = start({.files = many});
    auto* leader = cluster.await_leader();
    ASSERT_NE(leader, nullptr);
    scan_halfway(*leader);
    // Stop it again and again until one of its sessions is caught idle inside a transaction.
    const auto caught = [&] {
        leader->freeze();
        const bool inside = cluster.count(
                                "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname "
                                "= current_database()") > 0;
        if (!inside) leader->thaw();
        return inside;
    };
    const bool inside = eventually(20s, caught);
    if (!inside) leader->freeze();
    EXPECT_TRUE(cluster.await_end("RefreshLibrary", "completed", 90s)) << cluster.newest_state("RefreshLibrary");
    leader->thaw();
    EXPECT_EQ(cluster.items(), many);
    EXPECT_TRUE(cluster.await_standing(*leader, "follower", 20s));
}

TEST_F(DatabaseFaults, pods_started_while_it_is_away_become_ready_when_it_comes) {
    auto& cluster = start();
    auto& pod = cluster.pod(3);
    pod.kill();
    cluster.postgres().stop();
    // Back at the end, however this test ends: other tests share it.
    std::shared_ptr<void> back(&cluster, [](Cluster* of) { of->postgres().start(); });
    pod.start();
    EXPECT_EQ(pod.request("GET", "/health/live").status, 200);
    EXPECT_EQ(pod.request("GET", "/health/ready").status, 503);
    EXPECT_EQ(pod.request("GET", "/ScheduledTasks").status, 503);
    back.reset();
    EXPECT_TRUE(eventually(20s, [&] { return pod.request("GET", "/health/ready").status == 200; }));
}

TEST_F(DatabaseFaults, the_lease_is_a_row_where_there_is_no_redis) {
    auto& cluster = start({.redis = false});
    auto* leader = cluster.await_leader();
    ASSERT_NE(leader, nullptr);
    EXPECT_NE(leader->request("GET", "/cluster/leader").body.find("\"database\""), std::string::npos);
    cluster.add_library(*leader);
    cluster.set_interval(*leader, "RefreshLibrary", 1);
    ASSERT_TRUE(eventually(
        20s, [&] { return cluster.count("SELECT count(*) FROM task_slots WHERE task = 'RefreshLibrary'") >= 3; }));
    leader->kill();
    auto* next = cluster.await_leader();
    ASSERT_NE(next, nullptr);
    next->terminate();
    EXPECT_EQ(next->await_exit(28s), 0);
    EXPECT_NE(cluster.await_leader(5s), nullptr) << "released, so nobody waits for the ttl";
    const auto before = cluster.count("SELECT count(*) FROM task_slots WHERE task = 'RefreshLibrary'");
    EXPECT_TRUE(eventually(20s, [&] {
        return cluster.count("SELECT count(*) FROM task_slots WHERE task = 'RefreshLibrary'") >= before + 3;
    }));
}

}  // namespace
}  // namespace understudy::testing
