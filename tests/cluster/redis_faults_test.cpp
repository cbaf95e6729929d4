// Redis stopped, frozen, emptied, locked or full: scans go on, each slot once, and every pod says what is wrong.
#include <gtest/gtest.h>

#include <fstream>

#include "cluster/cluster.h"

namespace understudy::testing {
namespace {

using namespace std::chrono_literals;

constexpr const char* lease_key = "jellyfin:scan-leader";

class RedisFaults : public ::testing::Test {
protected:
    Cluster& start(ClusterOptions options = {}) {
        cluster_ = std::make_unique<Cluster>(std::move(options));
        EXPECT_NE(cluster_->await_leader(), nullptr);
        cluster_->add_library(cluster_->pod(1));
        cluster_->set_interval(cluster_->pod(1), "RefreshLibrary", 1);
        return *cluster_;
    }
    void TearDown() override {
        if (cluster_) cluster_->expect_promises_kept();
    }
    long slots() { return cluster_->count("SELECT count(*) FROM task_slots WHERE task = 'RefreshLibrary'"); }
    /// Slots go on, at least `more` of them.
    void expect_work_goes_on(long more, core::Millis at_most = 40s) {
        const auto before = slots();
        EXPECT_TRUE(eventually(at_most, [&] { return slots() >= before + more; }))
            << slots() - before << " of " << more << " slots";
    }
    void expect_all(const std::string& standing, core::Millis at_most = 20s) {
        for (auto* pod : cluster_->living())
            EXPECT_TRUE(cluster_->await_standing(*pod, standing, at_most))
                << pod->name() << " is " << cluster_->standing(*pod);
    }
    /// Degraded in words, still ready, and the leader view names the class.
    void expect_degraded(const std::string& cause_class) {
        for (auto* pod : cluster_->living()) {
            EXPECT_TRUE(eventually(10s, [&] { return pod->request("GET", "/health").body == "Degraded"; }))
                << pod->request("GET", "/health").body;
            EXPECT_EQ(pod->request("GET", "/health/ready").status, 200);
            EXPECT_NE(pod->request("GET", "/cluster/leader").body.find("\"" + cause_class + "\""), std::string::npos)
                << pod->request("GET", "/cluster/leader").body;
        }
    }
    void expect_recovered() {
        EXPECT_NE(cluster_->await_leader(30s), nullptr);
        for (auto* pod : cluster_->living())
            EXPECT_TRUE(eventually(10s, [&] { return pod->request("GET", "/health").body == "Healthy"; }))
                << pod->request("GET", "/health/ready").body;
        expect_work_goes_on(2);
    }
    std::unique_ptr<Cluster> cluster_;
};

TEST_F(RedisFaults, stopped_every_pod_leads_itself_and_each_slot_still_runs_once) {
    auto& cluster = start();
    cluster.redis().kill();
    expect_all("self_appointed");
    expect_degraded("unreachable");
    expect_work_goes_on(4);
    cluster.redis().restart_empty();
    expect_recovered();
}

TEST_F(RedisFaults, frozen_is_the_same_as_stopped_and_no_call_hangs) {
    auto& cluster = start();
    cluster.redis().freeze();
    expect_all("self_appointed");
    expect_degraded("unreachable");
    expect_work_goes_on(3);
    cluster.redis().thaw();
    expect_recovered();
}

TEST_F(RedisFaults, restarted_empty_under_a_leader_leaves_one_leader) {
    auto& cluster = start();
    cluster.redis().restart_empty();
    expect_recovered();
    cluster.redis().command({"FLUSHALL"});
    expect_recovered();
}

TEST_F(RedisFaults, scripts_flushed_again_and_again_change_nothing) {
    auto& cluster = start();
    auto* leader = cluster.await_leader();
    for (int i = 0; i < 5; ++i) {
        cluster.redis().command({"SCRIPT", "FLUSH"});
        expect_work_goes_on(1);
    }
    EXPECT_EQ(cluster.leader(), leader);
}

TEST_F(RedisFaults, a_changed_password_is_named_with_its_setting) {
    auto& cluster = start();
    cluster.redis().command({"CONFIG", "SET", "requirepass", "secret"});
    cluster.redis().set_password("secret");
    cluster.redis().command({"CLIENT", "KILL", "TYPE", "normal"});
    cluster.redis().command({"CLIENT", "KILL", "TYPE", "pubsub"});
    expect_all("self_appointed");
    expect_degraded("misconfigured");
    for (auto* pod : cluster.living()) EXPECT_NE(pod->log().find("RedisConnectionString"), std::string::npos);
    expect_work_goes_on(2);
    cluster.redis().command({"CONFIG", "SET", "requirepass", ""});
    cluster.redis().set_password("");
    expect_recovered();
}

TEST_F(RedisFaults, a_password_that_was_changed_in_the_secrets_file_is_taken_without_a_restart) {
    auto& cluster = start({.pods = 2, .redis_secret_file = true});
    cluster.redis().command({"CONFIG", "SET", "requirepass", "secret"});
    cluster.redis().set_password("secret");
    cluster.redis().command({"CLIENT", "KILL", "TYPE", "normal"});
    cluster.redis().command({"CLIENT", "KILL", "TYPE", "pubsub"});
    expect_all("self_appointed");
    std::ofstream(cluster.redis_secret()) << cluster.redis().address() << ",password=secret\n";
    expect_recovered();
}

TEST_F(RedisFaults, a_primary_that_becomes_a_replica_is_left_and_found_again) {
    auto& cluster = start();
    RedisServer other;
    cluster.redis().command({"REPLICAOF", "127.0.0.1", std::to_string(other.port())});
    expect_all("self_appointed");
    expect_degraded("transient");
    expect_work_goes_on(2);
    cluster.redis().command({"REPLICAOF", "NO", "ONE"});
    expect_recovered();
}

TEST_F(RedisFaults, a_foreign_value_under_the_lease_key_is_named_and_never_touched) {
    auto& cluster = start();
    cluster.redis().command({"DEL", lease_key});
    cluster.redis().command({"LPUSH", lease_key, "somebody else's"});
    if (cluster.redis().command({"TYPE", lease_key}) != "list") {  // a pod was faster: take its key away once more
        cluster.redis().command({"DEL", lease_key});
        cluster.redis().command({"LPUSH", lease_key, "somebody else's"});
    }
    ASSERT_EQ(cluster.redis().command({"TYPE", lease_key}), "list");
    expect_all("self_appointed");
    expect_degraded("misconfigured");
    expect_work_goes_on(2);
    EXPECT_EQ(cluster.redis().command({"LRANGE", lease_key, "0", "-1"}), "somebody else's");
    cluster.redis().command({"DEL", lease_key});
    expect_recovered();
}

TEST_F(RedisFaults, full_memory_lets_the_leader_renew) {
    auto& cluster = start();
    auto* leader = cluster.await_leader();
    cluster.redis().command({"CONFIG", "SET", "maxmemory", "1"});
    expect_work_goes_on(6);
    EXPECT_EQ(cluster.leader(), leader) << "a renewal needs no memory";
    cluster.redis().command({"CONFIG", "SET", "maxmemory", "0"});
    expect_recovered();
}

TEST_F(RedisFaults, with_tls_a_leader_is_elected_and_followed) {
    ClusterOptions options;
    options.redis_options.tls = true;
    RedisServer probe(
        options.redis_options);  // certificates live beside the server: this one's are used by the test below
    ClusterOptions cluster_options;
    cluster_options.redis_connection = "127.0.0.1:" + std::to_string(probe.tls_port()) +
                                       ",ssl=true,sslHost=localhost,sslCaFile=" + probe.certificates().ca.string();
    auto& cluster = start(std::move(cluster_options));
    auto* leader = cluster.await_leader();
    ASSERT_NE(leader, nullptr);
    leader->kill();
    auto* next = cluster.await_leader();
    ASSERT_NE(next, nullptr);
    expect_work_goes_on(2);
}

}  // namespace
}  // namespace understudy::testing
