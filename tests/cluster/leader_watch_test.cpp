// `understudy leader watch` beside three real pods, of which the leader is killed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <boost/json.hpp>

#include "cluster/cli_process.h"
#include "cluster/cluster.h"

namespace understudy::testing {
namespace {

using namespace std::chrono_literals;
namespace json = boost::json;

struct Line {
    std::string event, pod, before;
    long long gap_ms = -1;
};
std::vector<Line> lines_in(const CliProcess& watch) {
    std::vector<Line> lines;
    std::istringstream text(watch.said());
    for (std::string one; std::getline(text, one);) {
        boost::system::error_code error;
        const auto value = json::parse(one, error);
        if (error || !value.is_object()) continue;
        Line line;
        const auto word = [&](const char* name) {
            const auto* found = value.get_object().if_contains(name);
            return found == nullptr ? std::string{} : std::string(found->as_string());
        };
        line.event = word("event");
        line.pod = word("pod");
        line.before = word("before");
        if (const auto* gap = value.get_object().if_contains("gapMs")) line.gap_ms = gap->to_number<long long>();
        lines.push_back(line);
    }
    return lines;
}

TEST(LeaderWatchCommand, tells_a_takeover_with_its_gap_and_ends_with_0) {
    Cluster cluster;
    auto* first = cluster.await_leader();
    ASSERT_NE(first, nullptr);
    const TempFolder folder;
    std::string urls;
    for (auto* pod : cluster.living()) urls += (urls.empty() ? "" : ",") + pod->url();
    CliProcess watch({folder.path(), {}, {"leader", "watch", "--json", "--url", urls, "--key", Cluster::key()}});
    ASSERT_TRUE(eventually(10s, [&] { return lines_in(watch).size() == 1; })) << watch.said();
    EXPECT_EQ(lines_in(watch)[0].event, "leads");
    EXPECT_EQ(lines_in(watch)[0].pod, first->name());

    first->kill();
    ASSERT_TRUE(eventually(20s, [&] {
        const auto lines = lines_in(watch);
        return lines.back().event == "leads" && lines.back().pod != first->name();
    })) << watch.said();
    const auto takeover = lines_in(watch).back();
    EXPECT_EQ(takeover.before, first->name());
    EXPECT_GT(takeover.gap_ms, 500) << "the lease of 3 s had to run out: " << watch.said();
    EXPECT_LT(takeover.gap_ms, 10'000);
    auto* second = cluster.await_leader();
    ASSERT_NE(second, nullptr);
    EXPECT_EQ(takeover.pod, second->name());

    for (auto* pod : cluster.living()) pod->kill();
    EXPECT_TRUE(eventually(10s, [&] { return lines_in(watch).back().event == "noAnswer"; })) << watch.said();
    EXPECT_FALSE(watch.ended());
    watch.signal(SIGINT);
    EXPECT_EQ(watch.await_exit(5s), 0);
}

TEST(LeaderWatchCommand, ends_where_the_key_is_wrong) {
    Cluster cluster({.pods = 1});
    const TempFolder folder;
    CliProcess watch({folder.path(), {}, {"leader", "watch", "--url", cluster.pod(1).url(), "--key", "wrong"}});
    EXPECT_EQ(watch.await_exit(10s), 5) << watch.said();
}

}  // namespace
}  // namespace understudy::testing
