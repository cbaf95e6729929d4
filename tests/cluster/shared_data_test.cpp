// What people did through one pod is there for all: users, marks and playlists; and a command line that follows a run
// on though the pod it talks to dies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <sstream>
#include <thread>

#include "app/cli/cli.h"
#include "cluster/cluster.h"

namespace understudy::testing {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

std::string id_in(const app::Reply& reply) {
    EXPECT_EQ(reply.status, 200) << reply.body;
    const auto value = json::parse(reply.body);
    return std::string(value.at("Id").as_string());
}

TEST(SharedData, three_pods_see_the_same_marks_and_playlists) {
    Cluster cluster({.files = 5});
    ASSERT_NE(cluster.await_leader(), nullptr);
    cluster.add_library(cluster.pod(1));
    cluster.run(cluster.pod(1), "RefreshLibrary");
    ASSERT_TRUE(cluster.await_end("RefreshLibrary", "completed", 60s));

    const auto user = id_in(cluster.pod(1).request("POST", "/Users/New", R"({"Name":"Ann"})"));
    const auto page = cluster.pod(1).get("/Items?recursive=true&includeItemTypes=Audio&sortBy=SortName");
    std::vector<std::string> tracks;
    for (const auto& item : page.at("Items").as_array()) tracks.emplace_back(item.at("Id").as_string());
    ASSERT_EQ(tracks.size(), 5U);
    ASSERT_EQ(cluster.pod(2).request("POST", "/UserPlayedItems/" + tracks[0]).status, 200);
    ASSERT_EQ(cluster.pod(3).request("POST", "/UserFavoriteItems/" + tracks[1]).status, 200);
    const auto list = id_in(cluster.pod(2).request("POST", "/Playlists?name=Songs&ids=" + tracks[0] + "," + tracks[1]));
    ASSERT_EQ(cluster.pod(3).request("POST", "/Playlists/" + list + "/Items?position=0&ids=" + tracks[4]).status, 204);
    const auto set = id_in(cluster.pod(1).request("POST", "/Collections?name=Best&ids=" + tracks[2]));

    for (int number = 1; number <= 3; ++number) {
        auto& pod = cluster.pod(number);
        const auto names = [&](const std::string& query) {
            std::vector<std::string> ids;
            const auto items = pod.get(query);
            for (const auto& item : items.at("Items").as_array()) ids.emplace_back(item.at("Id").as_string());
            return ids;
        };
        SCOPED_TRACE(pod.name());
        EXPECT_EQ(names("/Items?recursive=true&includeItemTypes=Audio&isPlayed=true&userId=" + user),
                  std::vector{tracks[0]});
        EXPECT_EQ(names("/Items?recursive=true&filters=IsFavorite&userId=" + user), std::vector{tracks[1]});
        EXPECT_EQ(names("/Playlists/" + list + "/Items"), (std::vector{tracks[4], tracks[0], tracks[1]}));
        EXPECT_EQ(names("/Items?parentId=" + set), std::vector{tracks[2]});
        EXPECT_EQ(names("/Items?recursive=true&includeItemTypes=BoxSet,Playlist"), (std::vector{set, list}));
        EXPECT_EQ(pod.get("/UserItems/" + tracks[0] + "/UserData?userId=" + user).at("PlayCount"), 1);
    }
    cluster.expect_promises_kept();
}

TEST(SharedData, tasks_run_wait_goes_on_at_another_pod_where_the_one_it_talks_to_dies) {
    constexpr int many = 4000;  // as in pods_die_test: long enough to be caught in the middle
    Cluster cluster({.files = many});
    ASSERT_NE(cluster.await_leader(), nullptr);
    cluster.add_library(cluster.pod(1));
    std::vector<std::string> words{"understudy", "tasks", "run", "RefreshLibrary", "--wait", "--key", cluster.key()};
    for (int number = 1; number <= 3; ++number) words.insert(words.end(), {"--url", cluster.pod(number).url()});
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    std::ostringstream out, err;
    int code = -1;
    std::jthread person([&] { code = app::run_cli(static_cast<int>(argv.size()), argv.data(), out, err); });
    ASSERT_TRUE(cluster.await_progress("RefreshLibrary", 25, 60s));
    ASSERT_EQ(cluster.newest_state("RefreshLibrary"), "running") << "the scan was over before it could be caught";
    cluster.pod(1).kill();  // talked to, and the scan's own pod
    person.join();
    EXPECT_EQ(code, 0) << out.str() << err.str();
    EXPECT_THAT(err.str(), ::testing::HasSubstr("going on at " + cluster.pod(2).url()));
    EXPECT_THAT(err.str(), ::testing::HasSubstr("is aborted on " + cluster.pod(1).name()));
    EXPECT_THAT(out.str(), ::testing::HasSubstr("RefreshLibrary: completed"));
    EXPECT_EQ(cluster.items(), many);
    cluster.expect_promises_kept();
}

}  // namespace
}  // namespace understudy::testing
