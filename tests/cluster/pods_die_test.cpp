// Pods that are killed, stopped, paused or cloned by name: one start a slot, no write by a fenced run, no item lost.
#include <gtest/gtest.h>

#include "cluster/cluster.h"

namespace understudy::testing {
namespace {

using namespace std::chrono_literals;

constexpr int many = 4000;  // a scan long enough to be caught in the middle

class PodsDie : public ::testing::Test {
protected:
    Cluster& start(ClusterOptions options = {}) { return *(cluster_ = std::make_unique<Cluster>(std::move(options))); }
    void TearDown() override {
        if (cluster_) cluster_->expect_promises_kept();
    }
    /// A scan that runs on `pod` and has come some way.
    void scan_halfway(PodProcess& pod) {
        cluster_->add_library(pod);
        cluster_->run(pod, "RefreshLibrary");
        ASSERT_TRUE(cluster_->await_progress("RefreshLibrary", 25, 60s));
        ASSERT_EQ(cluster_->newest_state("RefreshLibrary"), "running") << "the scan was over before it could be caught";
    }
    std::unique_ptr<Cluster> cluster_;
};

TEST_F(PodsDie, three_pods_agree_on_one_leader_and_each_names_it) {
    auto& cluster = start();
    auto* leader = cluster.await_leader();
    ASSERT_NE(leader, nullptr);
    for (auto* pod : cluster.living()) {
        EXPECT_TRUE(eventually(5s, [&] {
            const auto view = pod->get("/cluster/leader");
            const auto* holder = view.is_object() ? view.get_object().if_contains("holder") : nullptr;
            return holder != nullptr && holder->is_object() &&
                   holder->get_object().at("pod").as_string() == leader->name().c_str();
        })) << pod->name();
    }
}

TEST_F(PodsDie, a_leader_killed_in_the_middle_of_a_scan_is_followed_and_the_scan_goes_on) {
    auto& cluster = start({.files = many});
    auto* leader = cluster.await_leader();
    ASSERT_NE(leader, nullptr);
    scan_halfway(*leader);
    leader->kill();
    EXPECT_TRUE(cluster.await_end("RefreshLibrary", "completed", 60s)) << cluster.newest_state("RefreshLibrary");
    EXPECT_EQ(cluster.sql("SELECT string_agg(state, ',' ORDER BY epoch) FROM task_runs WHERE task = 'RefreshLibrary'"),
              "aborted,completed");
    EXPECT_EQ(cluster.items(), many);
    EXPECT_GT(cluster.count("SELECT cursor_seq FROM task_runs WHERE state = 'aborted'"), 0)
        << "it had written something";
    EXPECT_NE(cluster.await_leader(), nullptr);
}

TEST_F(PodsDie, a_leader_asked_to_stop_yields_and_the_next_one_takes_up_the_scan_at_once) {
    auto& cluster = start({.files = many});
    auto* leader = cluster.await_leader();
    ASSERT_NE(leader, nullptr);
    scan_halfway(*leader);
    leader->terminate();
    EXPECT_EQ(leader->await_exit(28s), 0);
    EXPECT_TRUE(cluster.await_end("RefreshLibrary", "completed", 60s)) << cluster.newest_state("RefreshLibrary");
    EXPECT_EQ(cluster.sql("SELECT string_agg(state, ',' ORDER BY epoch) FROM task_runs WHERE task = 'RefreshLibrary'"),
              "yielded,completed");
    EXPECT_EQ(cluster.items(), many);
}

TEST_F(PodsDie, a_leader_paused_past_all_limits_wakes_up_fenced) {
    auto& cluster = start({.files = many});
    auto* leader = cluster.await_leader();
    ASSERT_NE(leader, nullptr);
    scan_halfway(*leader);
    leader->freeze();
    EXPECT_TRUE(cluster.await_end("RefreshLibrary", "completed", 90s)) << cluster.newest_state("RefreshLibrary");
    leader->thaw();
    EXPECT_TRUE(cluster.await_standing(*leader, "follower"));
    EXPECT_TRUE(eventually(15s, [&] {
        return leader->log().find("it was taken over, nothing more was written") != std::string::npos;
    })) << "it says so";
    EXPECT_EQ(cluster.items(), many);
    EXPECT_EQ(cluster.sql("SELECT string_agg(state, ',' ORDER BY epoch) FROM task_runs WHERE task = 'RefreshLibrary'"),
              "aborted,completed");
}

TEST_F(PodsDie, every_slot_of_a_short_interval_starts_once_while_leaders_come_and_go) {
    auto& cluster = start();
    cluster.add_library(cluster.pod(1));
    cluster.set_interval(cluster.pod(1), "RefreshLibrary", 1);
    for (int round = 0; round < 3; ++round) {
        auto* leader = cluster.await_leader();
        ASSERT_NE(leader, nullptr);
        const auto before = cluster.count("SELECT count(*) FROM task_slots WHERE task = 'RefreshLibrary'");
        ASSERT_TRUE(eventually(20s, [&] {
            return cluster.count("SELECT count(*) FROM task_slots WHERE task = 'RefreshLibrary'") >= before + 3;
        }));
        leader->kill();
        ASSERT_NE(cluster.await_leader(), nullptr);
        leader->start();
    }
    EXPECT_TRUE(eventually(10s, [&] {
        return cluster.count("SELECT count(*) FROM task_runs WHERE task = 'RefreshLibrary' AND state = 'completed'") >=
               9;
    }));
}

TEST_F(PodsDie, a_manual_run_on_a_follower_runs_there_and_a_second_request_joins_it) {
    auto& cluster = start({.files = many});
    auto* leader = cluster.await_leader();
    ASSERT_NE(leader, nullptr);
    auto living = cluster.living();
    auto* follower = living[0] == leader ? living[1] : living[0];
    scan_halfway(*follower);
    EXPECT_EQ(cluster.sql("SELECT pod FROM task_runs WHERE task = 'RefreshLibrary'"), follower->name());
    const auto first = cluster.sql("SELECT run_id FROM task_runs WHERE task = 'RefreshLibrary'");
    EXPECT_EQ(cluster.run(*leader, "RefreshLibrary"), first);
    EXPECT_TRUE(cluster.await_end("RefreshLibrary", "completed", 60s));
    EXPECT_EQ(cluster.count("SELECT count(*) FROM task_runs WHERE task = 'RefreshLibrary'"), 1);
    EXPECT_EQ(cluster.items(), many);
}

TEST_F(PodsDie, a_run_is_cancelled_from_another_pod_and_leaves_no_process_behind) {
    auto& cluster = start({.files = many});
    auto* leader = cluster.await_leader();
    ASSERT_NE(leader, nullptr);
    scan_halfway(*leader);
    auto living = cluster.living();
    auto* other = living[0] == leader ? living[1] : living[0];
    const auto info = other->get("/ScheduledTasks/RefreshLibrary");
    EXPECT_EQ(other->request("DELETE", "/ScheduledTasks/Running/7738148ffcd07979c7ceb148e06b3aed").status, 204);
    EXPECT_TRUE(cluster.await_end("RefreshLibrary", "cancelled", 5s)) << cluster.newest_state("RefreshLibrary");
}

TEST_F(PodsDie, two_living_pods_with_one_name_elect_one_leader_and_say_so) {
    auto& cluster = start({.names = {{1, "twin"}, {2, "twin"}}});
    ASSERT_NE(cluster.await_leader(), nullptr);
    EXPECT_TRUE(eventually(
        20s, [&] { return cluster.pod(1).log().find("two living pods are called 'twin'") != std::string::npos; }));
    cluster.add_library(cluster.pod(1));
    cluster.set_interval(cluster.pod(1), "RefreshLibrary", 1);
    EXPECT_TRUE(eventually(
        20s, [&] { return cluster.count("SELECT count(*) FROM task_slots WHERE task = 'RefreshLibrary'") >= 4; }));
}

TEST_F(PodsDie, resign_hands_the_lead_over_and_the_pod_goes_on_as_a_follower) {
    auto& cluster = start();
    auto* leader = cluster.await_leader();
    ASSERT_NE(leader, nullptr);
    auto living = cluster.living();
    auto* follower = living[0] == leader ? living[1] : living[0];
    EXPECT_EQ(follower->request("POST", "/cluster/leader/resign").status, 409);
    EXPECT_EQ(leader->request("POST", "/cluster/leader/resign").status, 202);
    EXPECT_TRUE(eventually(10s, [&] {
        auto* next = cluster.leader();
        return next != nullptr && next != leader;
    }));
    EXPECT_EQ(leader->request("GET", "/health/ready").status, 200);
    EXPECT_TRUE(cluster.await_standing(*leader, "follower"));
}

TEST_F(PodsDie, a_resigned_pod_leads_again_as_soon_as_the_only_other_pod_has_said_good_bye) {
    auto& cluster =
        start({.pods = 2, .redis = false, .settings = {{"Jellyfin:ScanLeader:LeaseDurationSeconds", "60"}}});
    auto* resigned = cluster.await_leader();
    ASSERT_NE(resigned, nullptr);
    auto* other = &cluster.pod(1) == resigned ? &cluster.pod(2) : &cluster.pod(1);
    // A pod that has not heard of the other one yet takes the lead back at once, and is asked again.
    ASSERT_TRUE(eventually(10s, [&] {
        if (cluster.standing(*resigned) == "leader") (void)resigned->request("POST", "/cluster/leader/resign");
        return cluster.standing(*other) == "leader";
    }));
    EXPECT_EQ(resigned->request("GET", "/cluster/leader").body.find("\"abstainsUntil\":null"), std::string::npos);
    other->terminate();
    EXPECT_EQ(other->await_exit(28s), 0);
    EXPECT_TRUE(cluster.await_standing(*resigned, "leader", 5s)) << "a minute of abstention is left, and nobody else";
}

}  // namespace
}  // namespace understudy::testing
