// Event sockets on three real pods: what happens on one is heard on all, in order, within a second, also after
// PostgreSQL was away; a token that is void closes its sockets everywhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "cluster/cluster.h"
#include "http/raw_client.h"
#include "http/socket_client.h"

namespace understudy::testing {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

std::uint16_t port_of(const PodProcess& pod) {
    return static_cast<std::uint16_t>(std::stoi(pod.url().substr(pod.url().rfind(':') + 1)));
}

RawAnswer as(const PodProcess& pod, const std::string& token, const std::string& method, const std::string& target,
             const std::string& body = {}, const std::string& device = "tv") {
    RawClient client(port_of(pod));
    return client.ask(method + " " + target +
                      " HTTP/1.1\r\nHost: x\r\nAuthorization: MediaBrowser Client=\"Web\", Device=\"F\", DeviceId=\"" +
                      device + "\", Version=\"1\", Token=\"" + token +
                      "\"\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
}

class Sockets : public ::testing::Test {
protected:
    void SetUp() override {
        cluster_ = std::make_unique<Cluster>(ClusterOptions{.pods = 3, .redis = false});
        ASSERT_EQ(as(a(), {}, "POST", "/Startup/User", R"({"Name":"Root","Password":"deep"})").status, 204);
        ASSERT_EQ(as(a(), {}, "POST", "/Startup/Complete").status, 204);
    }
    PodProcess& a() { return cluster_->pod(1); }
    PodProcess& b() { return cluster_->pod(2); }
    PodProcess& c() { return cluster_->pod(3); }
    /// The token and the session's id.
    std::pair<std::string, std::string> log_in(const std::string& device) {
        const auto answer =
            as(a(), {}, "POST", "/Users/AuthenticateByName", R"({"Username":"Root","Pw":"deep"})", device);
        EXPECT_EQ(answer.status, 200) << answer.body;
        const auto value = json::parse(answer.body);
        return {std::string(value.at("AccessToken").as_string()),
                std::string(value.at("SessionInfo").at("Id").as_string())};
    }
    static std::unique_ptr<SocketClient> open(const PodProcess& pod, const std::string& token) {
        auto socket = std::make_unique<SocketClient>(port_of(pod), "/socket?api_key=" + token + "&deviceId=x");
        EXPECT_EQ(socket->status(), 101);
        EXPECT_FALSE(socket->await("\"ForceKeepAlive\"").empty());
        return socket;
    }
    static int say(const PodProcess& pod, const std::string& session, int number) {
        return pod
            .request("POST", "/Sessions/" + session + "/Message", R"({"Text":"n)" + std::to_string(number) + "\"}")
            .status;
    }
    static std::string text_of(const std::string& message) {
        if (message.empty()) return {};
        const auto value = json::parse(message);
        return std::string(value.at("Data").at("Arguments").at("Text").as_string());
    }
    /// Sent through two pods in turn, heard by a third one's socket: all, in order, each within a second.
    void expect_heard(SocketClient& socket, const std::string& session, int first, int count) {
        for (int i = first; i < first + count; ++i) {
            const auto begun = Clock::now();
            ASSERT_EQ(say(i % 2 == 0 ? a() : c(), session, i), 204);
            const auto heard = text_of(socket.await("DisplayMessage"));
            ASSERT_EQ(heard, "n" + std::to_string(i));
            ASSERT_LT(Clock::now() - begun, 1s);
        }
        for (int i = 0; i < count; ++i) ASSERT_EQ(say(a(), session, 1000 + i), 204);  // none waits for the one before
        for (int i = 0; i < count; ++i)
            ASSERT_EQ(text_of(socket.await("DisplayMessage")), "n" + std::to_string(1000 + i));
    }
    bool delivers(const std::string& session, int number) {
        return eventually(20s, [&] { return say(a(), session, number) == 204 && say(c(), session, number) == 204; });
    }
    std::unique_ptr<Cluster> cluster_;
};

TEST_F(Sockets, hear_what_happens_on_any_pod_and_again_after_the_database_was_away) {
    const auto [token, session] = log_in("tv");
    auto socket = open(b(), token);
    ASSERT_TRUE(eventually(5s, [&] { return say(a(), session, -1) == 204; })) << "each pod knows who has a socket";
    ASSERT_EQ(text_of(socket->await("DisplayMessage")), "n-1");
    expect_heard(*socket, session, 0, 40);

    // A run that one pod makes is seen on the others.
    const auto watcher = open(b(), Cluster::key());
    watcher->send(R"({"MessageType":"ScheduledTasksInfoStart","Data":"0,1000"})");
    EXPECT_FALSE(watcher->await("\"ScheduledTasksInfo\"").empty());
    cluster_->run(c(), "RefreshLibrary");
    EXPECT_THAT(watcher->await("\"ScheduledTaskEnded\""), ::testing::HasSubstr("RefreshLibrary"));

    cluster_->postgres().restart();
    const auto end_mark = 5000;
    ASSERT_TRUE(delivers(session, end_mark));
    std::string heard;  // whatever was said while it came back
    while (heard != "n5000") ASSERT_FALSE((heard = text_of(socket->await("DisplayMessage"))).empty());
    ASSERT_EQ(say(a(), session, 6000), 204);
    while (heard != "n6000") ASSERT_FALSE((heard = text_of(socket->await("DisplayMessage"))).empty());
    expect_heard(*socket, session, 0, 20);
}

TEST_F(Sockets, close_on_all_pods_when_their_token_is_void) {
    for (auto* closing : {&b(), &c()}) {
        const auto token = log_in("tv").first;
        auto socket = open(*closing, token);
        const auto begun = Clock::now();
        ASSERT_EQ(as(a(), token, "POST", "/Sessions/Logout").status, 204);
        EXPECT_EQ(socket->await_close(), 1008);
        EXPECT_LT(Clock::now() - begun, 1s);
    }
    // Gone without an event, as for a pod that has missed it: noticed when the database is back.
    const auto phone = log_in("phone").first, desk = log_in("desk").first;
    const auto lost = open(b(), phone), kept = open(b(), desk);
    cluster_->sql("DELETE FROM sessions WHERE device_id = 'phone'");
    cluster_->postgres().restart();
    EXPECT_EQ(lost->await_close(), 1008);
    kept->send(R"({"MessageType":"KeepAlive"})");
    EXPECT_FALSE(kept->await("\"KeepAlive\"").empty());
}

TEST_F(Sockets, a_pod_that_died_or_stopped_is_no_place_to_send_to) {
    const auto [token, session] = log_in("tv");
    auto socket = open(b(), token);
    ASSERT_TRUE(eventually(5s, [&] { return say(a(), session, 1) == 204; }));
    b().kill();
    EXPECT_TRUE(eventually(15s, [&] { return say(a(), session, 2) == 409; })) << "once it counts as dead";
    socket = open(c(), token);
    ASSERT_TRUE(eventually(5s, [&] { return say(a(), session, 3) == 204; }));
    c().terminate();
    EXPECT_FALSE(socket->await("\"ServerShuttingDown\"").empty());
    EXPECT_EQ(socket->await_close(), 1001);
    EXPECT_EQ(c().await_exit(30s), 0);
    EXPECT_TRUE(eventually(5s, [&] { return say(a(), session, 4) == 409; }));
}

}  // namespace
}  // namespace understudy::testing
