// Folders that change and folders that one pod does not see: found by the pod that leads, led by a pod that sees them.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <filesystem>

#include "cluster/cluster.h"

namespace understudy::testing {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

class Folders : public ::testing::Test {
protected:
    Cluster& start(ClusterOptions options) { return *(cluster_ = std::make_unique<Cluster>(std::move(options))); }
    void TearDown() override {
        if (cluster_) cluster_->expect_promises_kept();
    }
    /// A library whose files are known, on a cluster that leads.
    PodProcess* scanned(long files) {
        auto* leader = cluster_->await_leader();
        if (leader == nullptr) return nullptr;
        cluster_->add_library(*leader);
        cluster_->run(*leader, "RefreshLibrary");
        EXPECT_TRUE(cluster_->await_end("RefreshLibrary", "completed", 60s));
        EXPECT_EQ(cluster_->items(), files);
        return leader;
    }
    void add_track(const std::string& album, const std::string& name) const {
        const auto quartet = cluster_->media() / "Quartet";
        fs::create_directories(quartet / album);
        fs::copy_file(quartet / "Takes 0" / "1 Take.mp3", quartet / album / name);
    }
    bool await_items(long items) {
        return eventually(40s, [&] { return cluster_->items() == items; });
    }
    bool await_watch(const PodProcess& pod) {
        return eventually(20s, [&] { return Cluster::lines_with(pod, "a library folder is watched") > 0; });
    }
    [[nodiscard]] long runs() {
        return cluster_->count("SELECT count(*) FROM task_runs WHERE task = 'RefreshLibrary'");
    }
    std::string newest(const std::string& column) {
        return cluster_->sql("SELECT " + column +
                             " FROM task_runs WHERE task = 'RefreshLibrary' ORDER BY epoch DESC LIMIT 1");
    }
    PodProcess* await_another_leader(const PodProcess* than) {
        PodProcess* found = nullptr;
        (void)eventually(30s, [&] { return (found = cluster_->leader()) != nullptr && found != than; });
        return found == than ? nullptr : found;
    }
    static std::string stands_back(const PodProcess& pod) {
        const auto shown = pod.get("/cluster/leader");
        const auto* why = shown.is_object() ? shown.get_object().if_contains("standsBack") : nullptr;
        return why != nullptr && why->is_string() ? std::string(why->get_string()) : std::string();
    }
    std::unique_ptr<Cluster> cluster_;
};

TEST_F(Folders, a_new_file_is_listed_without_a_scan_being_asked_for) {
    auto& cluster = start(
        {.settings = {{"Jellyfin:Library:Watch", "auto"}, {"Jellyfin:Library:WatchQuietSeconds", "0.5"}}, .files = 30});
    // Long ago: a pod that takes the lead looks for what changed lately.
    for (const auto& entry : fs::recursive_directory_iterator(cluster.media()))
        fs::last_write_time(entry, fs::file_time_type::clock::now() - 1h);
    fs::last_write_time(cluster.media(), fs::file_time_type::clock::now() - 1h);
    auto* leader = scanned(30);
    ASSERT_NE(leader, nullptr);
    ASSERT_TRUE(await_watch(*leader));
    const auto before = runs();

    add_track("Takes 0", "90 Take.mp3");
    ASSERT_TRUE(await_items(31));
    ASSERT_TRUE(cluster.await_end("RefreshLibrary", "completed", 20s));
    EXPECT_EQ(runs(), before + 1);
    EXPECT_EQ(newest("pod"), leader->name());
    EXPECT_EQ(newest("options"), R"({"paths":[")" + (cluster.media() / "Quartet/Takes 0").string() + R"("]})");

    // A7: had the scan told of itself, its folder would be in this run's request, or a run of its own.
    add_track("Takes 1", "91 Take.mp3");
    ASSERT_TRUE(await_items(32));
    ASSERT_TRUE(cluster.await_end("RefreshLibrary", "completed", 20s));
    EXPECT_EQ(runs(), before + 2);
    EXPECT_EQ(newest("options"), R"({"paths":[")" + (cluster.media() / "Quartet/Takes 1").string() + R"("]})");
    for (auto* pod : cluster.living())
        EXPECT_EQ(Cluster::lines_with(*pod, "a library folder is watched"), pod == leader ? 1 : 0) << pod->name();

    // H11: the leader dies with a change in hand.
    add_track("Takes 0", "92 Take.mp3");
    leader->kill();
    auto* next = await_another_leader(leader);
    ASSERT_NE(next, nullptr);
    EXPECT_TRUE(await_items(33));
    ASSERT_TRUE(await_watch(*next));
    add_track("Takes 2", "93 Take.mp3");
    EXPECT_TRUE(await_items(34));
    add_track("Takes 2", "94 Take.mp3");
    EXPECT_TRUE(await_items(35));
}

TEST_F(Folders, a_leader_that_misses_what_another_pod_sees_gives_the_lead_away_until_it_sees_it_again) {
    if (!PodProcess::can_hide())
        GTEST_SKIP() << "NOT TESTED: this user may not make mount namespaces (run as root, with CAP_SYS_ADMIN)";
    auto& cluster = start({.own_mounts = true, .files = 5});
    auto* blind = scanned(5);
    ASSERT_NE(blind, nullptr);
    blind->hide(cluster.media());
    auto* second = await_another_leader(blind);
    ASSERT_NE(second, nullptr) << "it did not give way";
    EXPECT_TRUE(eventually(10s, [&] {
        return stands_back(*blind).find("does not see the library folder " + cluster.media().string()) !=
               std::string::npos;
    })) << stands_back(*blind);
    EXPECT_EQ(Cluster::lines_with(*blind, "this pod hands the lead over"), 1);
    EXPECT_EQ(blind->request("GET", "/health/ready").status, 200);
    EXPECT_NE(blind->request("GET", "/metrics").body.find("understudy_lease_resigned_for_roots_total 1\n"),
              std::string::npos);

    // The next leader's scan works, and the lead goes round among those that see.
    cluster.set_interval(*second, "RefreshLibrary", 1);
    const auto by_second =
        "SELECT count(*) FROM task_runs WHERE task = 'RefreshLibrary' AND state = 'completed' AND "
        "pod = '" +
        second->name() + "'";
    EXPECT_TRUE(eventually(30s, [&] { return cluster.count(by_second) >= 2; }));
    EXPECT_EQ(cluster.count("SELECT count(*) FROM library_roots WHERE online = 0"), 0);
    EXPECT_EQ(second->request("POST", "/cluster/leader/resign").status, 202);
    auto* third = await_another_leader(second);
    ASSERT_NE(third, nullptr);
    EXPECT_NE(third, blind);

    // Where nobody better lives, it leads all the same.
    second->kill();
    third->kill();
    EXPECT_TRUE(cluster.await_standing(*blind, "leader", 30s));

    // Where all see the same, nobody gives way.
    blind->show(cluster.media());
    EXPECT_TRUE(eventually(10s, [&] { return stands_back(*blind).empty(); }));
    second->start();
    third->start();
    for (auto* pod : {second, third}) EXPECT_TRUE(cluster.await_standing(*pod, "follower"));
    EXPECT_EQ(cluster.leader(), blind);
    EXPECT_EQ(Cluster::lines_with(*blind, "this pod hands the lead over"), 1);
}

}  // namespace
}  // namespace understudy::testing
