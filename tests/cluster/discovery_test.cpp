// Two real pods that answer clients which look for servers: one server at two addresses, until one of them ends.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <string>

#include "cluster/cluster.h"
#include "http/discovery_client.h"

namespace understudy::testing {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

std::uint16_t udp_port_of(const PodProcess& pod) {
    const auto log = pod.log();
    constexpr std::string_view mark = R"("udp_port":")";
    const auto found = log.find(mark);
    return found == std::string::npos ? std::uint16_t{0}
                                      : static_cast<std::uint16_t>(std::stoi(log.substr(found + mark.size())));
}

TEST(Discovery, leads_to_either_pod_of_one_server) {
    Cluster cluster({.pods = 2,
                     .redis = false,
                     .settings = {{"Jellyfin:Http:Discovery", "127.0.0.1:0"}, {"Jellyfin:ServerName", "Den"}}});
    ASSERT_NE(cluster.await_leader(), nullptr);
    const Seeker seeker;
    std::string id;
    for (const int number : {1, 2}) {
        auto& pod = cluster.pod(number);
        const auto port = udp_port_of(pod);
        ASSERT_NE(port, 0) << pod.log();
        ASSERT_TRUE(seeker.ask(port));
        const auto told = json::parse(seeker.await()).as_object();
        EXPECT_EQ(told.at("Address"), json::string(pod.url()));
        EXPECT_EQ(told.at("Name"), "Den");
        const auto info = pod.get("/System/Info/Public");
        EXPECT_EQ(told.at("Id"), info.at("Id"));
        if (id.empty()) id = std::string(told.at("Id").as_string());
        EXPECT_EQ(told.at("Id"), json::string(id)) << "clients take both for one server";
        EXPECT_EQ(pod.get("/System/Configuration/network").at("AutoDiscovery"), true);
    }
    const auto port = udp_port_of(cluster.pod(1));
    cluster.pod(1).terminate();
    EXPECT_EQ(cluster.pod(1).await_exit(15s), 0);
    EXPECT_TRUE(seeker.ask(port));
    EXPECT_EQ(seeker.got(), std::nullopt);
}

}  // namespace
}  // namespace understudy::testing
