// The event socket over a real server, with a client that speaks the protocol byte by byte.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <thread>

#include "http/raw_client.h"
#include "http/socket_house.h"

namespace understudy::http {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;
using testing::id_of;
using testing::post;
using testing::SocketClient;
using testing::SocketHouse;

constexpr const char* force = "\"ForceKeepAlive\"";
constexpr const char* alive = R"({"MessageType":"KeepAlive"})";

std::string as_text(const json::value& value) {
    return std::string(value.as_string());
}

TEST(Socket, lets_in_with_each_form_of_credentials) {
    SocketHouse house;
    house.add("Ann", "sea");
    const auto token = house.log_in("Ann", "sea");
    const std::string key = testing::admin_key;
    for (const auto& [target, headers] : {std::pair{"/socket?api_key=" + token + "&deviceId=tv", std::string()},
                                          {"/socket?ApiKey=" + token, {}},
                                          {"/emby/socket?api_key=" + key, {}},
                                          {"/Socket", "Authorization: MediaBrowser Token=\"" + token + "\"\r\n"},
                                          {"/socket", "X-Emby-Token: " + key + "\r\n"}}) {
        SCOPED_TRACE(target);
        SocketClient client(house.port, target, headers);
        ASSERT_EQ(client.status(), 101) << client.head();
        EXPECT_THAT(client.head(), HasSubstr("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));  // RFC 6455 §1.3
        const auto hello = json::parse(client.await(force));
        EXPECT_EQ(hello.at("Data"), 60);
        EXPECT_EQ(as_text(hello.at("MessageId")).size(), 32U);
    }
}

TEST(Socket, refuses_before_the_upgrade_who_is_not_known) {
    SocketHouse house;
    EXPECT_EQ(SocketClient(house.port, "/socket").status(), 403);
    EXPECT_EQ(SocketClient(house.port, "/socket?api_key=wrong").status(), 403);
    house.identities.broken = core::Error{core::Errc::unavailable, "away"};
    EXPECT_EQ(SocketClient(house.port, "/socket?api_key=wrong").status(), 503);
    house.identities.broken.reset();
    EXPECT_EQ(house.get("/socket").status, 426);
    EXPECT_EQ(house.hub.open(), 0U);
}

TEST(Socket, keeps_to_the_protocol) {
    SocketHouse house;
    SocketClient client(house.port, std::string("/socket?ApiKey=") + testing::admin_key);
    ASSERT_EQ(client.status(), 101);
    client.send("are you there", 9);
    while (const auto frame = client.read()) {
        if (frame->opcode != 10) continue;
        EXPECT_EQ(frame->data, "are you there");
        break;
    }
    for (const auto* text : {"{", "", "{\"MessageType\":\"Fly\"}", "[1]"}) client.send(text);
    client.send(alive);
    EXPECT_THAT(client.await("KeepAlive"), HasSubstr("\"KeepAlive\"")) << "what cannot be read is passed over";
    client.send("binary", 2);
    EXPECT_EQ(client.await_close(), 1003);

    SocketClient other(house.port, std::string("/socket?ApiKey=") + testing::admin_key);
    other.send(R"({"MessageType":"KeepAlive","Data":")" + std::string(60'000, 'x') + "\"}");
    EXPECT_FALSE(other.await("\"KeepAlive\"").empty()) << "just below the limit";
    other.send(std::string(70'000, 'x'));
    EXPECT_EQ(other.await_close(), 1009);
}

TEST(Socket, tells_of_tasks_and_of_their_ends) {
    SocketHouse house;
    house.tasks.add("RefreshLibrary");
    tasks::RunRow run;
    run.id = id_of<core::RunId>('a');
    run.task = {"RefreshLibrary", "cluster"};
    run.state = tasks::RunState::completed;
    house.ledger.rows = {run};
    const auto client = house.open(testing::admin_key);
    client->send(R"({"MessageType":"ScheduledTasksInfoStart","Data":"0,1000"})");
    auto told = json::parse(client->await("\"ScheduledTasksInfo\""));
    EXPECT_EQ(told.at("Data"), testing::parsed(house.get("/ScheduledTasks"))) << "as the API answers";
    EXPECT_TRUE(house.events.publish("run.ended", R"({"run":")" + run.id.str() + R"(","task":"RefreshLibrary"})"));
    told = json::parse(client->await("\"ScheduledTaskEnded\""));
    EXPECT_EQ(told.at("Data").at("Status"), "Completed");
    EXPECT_EQ(told.at("Data").at("Key"), "RefreshLibrary");
    EXPECT_FALSE(client->await("\"ScheduledTasksInfo\"").empty()) << "an end is told at once";
    for (const char* kind : {"task.edited", "timers"}) {
        EXPECT_TRUE(house.events.publish(kind, R"({"paused":"true"})"));
        EXPECT_FALSE(client->await("\"ScheduledTasksInfo\"").empty()) << kind;
    }
}

TEST(Socket, tells_a_user_of_their_data_on_all_their_devices) {
    SocketHouse house;
    const auto ann = house.add("Ann", "sea");
    house.add("Bo", "bay");
    const auto tv = house.log_in("Ann", "sea"), phone = house.log_in("Ann", "sea", "phone");
    const auto theirs = house.open(phone), other = house.open(house.log_in("Bo", "bay"));
    EXPECT_FALSE(theirs->await(force).empty());
    EXPECT_FALSE(other->await(force).empty());
    EXPECT_EQ(house.as(tv, post, "/UserFavoriteItems/" + std::string(32, '1')).status, 200);
    const auto told = json::parse(theirs->await("\"UserDataChanged\""));
    EXPECT_EQ(told.at("Data").at("UserId"), ann.c_str());
    const auto& data = told.at("Data").at("UserDataList").at(0);
    EXPECT_EQ(data.at("ItemId"), std::string(32, '1').c_str());
    EXPECT_EQ(data.at("IsFavorite"), true);
    EXPECT_TRUE(house.events.publish("session.tokens", "{}"));  // something that comes after it
    other->send(alive);
    const auto next = other->read();
    ASSERT_TRUE(next);
    EXPECT_THAT(next->data, HasSubstr("\"KeepAlive\"")) << "nothing of what is Ann's";
}

TEST(Socket, tells_a_user_of_names_and_people_that_they_like) {
    SocketHouse house;
    house.add("Ann", "sea");
    const auto tv = house.log_in("Ann", "sea");
    const auto theirs = house.open(house.log_in("Ann", "sea", "phone"));
    EXPECT_FALSE(theirs->await(force).empty());
    for (const auto& id : {store::name_id(store::NameKind::genre, "drama, slow").str(),
                           store::name_id(store::NameKind::year, "1999").str(), std::string(32, 'd')}) {
        EXPECT_EQ(house.as(tv, post, "/UserFavoriteItems/" + id).status, 200) << id;
        const auto told = json::parse(theirs->await(id));
        const auto& data = told.at("Data").at("UserDataList").at(0);
        EXPECT_EQ(data.at("ItemId"), id.c_str());
        EXPECT_EQ(data.at("IsFavorite"), true);
    }
}

TEST(Socket, closes_where_its_token_is_revoked) {
    SocketHouse house;
    const auto bo = house.add("Bo", "bay");
    house.add("Ann", "sea");
    const auto closed = [&](const std::unique_ptr<SocketClient>& socket) { return socket->await_close(); };
    auto token = house.log_in("Ann", "sea");
    auto socket = house.open(token);
    EXPECT_EQ(house.as(token, post, "/Sessions/Logout").status, 204);
    EXPECT_EQ(closed(socket), 1008) << "logged out";

    socket = house.open(house.log_in("Ann", "sea"));
    const auto again = house.log_in("Ann", "sea");
    EXPECT_EQ(closed(socket), 1008) << "a new login on the same device";

    const auto kept = house.open(again);
    socket = house.open(house.log_in("Ann", "sea", "phone"));
    EXPECT_EQ(house.ask(Method::del, "/Devices?id=phone").status, 204);
    EXPECT_EQ(closed(socket), 1008) << "the device was removed";

    socket = house.open(house.log_in("Bo", "bay"));
    EXPECT_EQ(house.post("/Users/" + bo + "/Policy", R"({"IsDisabled":true})").status, 204);
    EXPECT_EQ(closed(socket), 1008) << "disabled";

    socket = house.open(house.log_in("Ann", "sea", "desk"));
    EXPECT_EQ(house.as(again, post, "/Users/Password", R"({"CurrentPw":"sea","NewPw":"lake"})").status, 204);
    EXPECT_EQ(closed(socket), 1008) << "the password was changed elsewhere";

    EXPECT_EQ(house.post("/Auth/Keys?app=Sonarr").status, 204);
    const auto keys = testing::parsed(house.get("/Auth/Keys"));
    const auto key = as_text(keys.at("Items").at(0).at("AccessToken"));
    socket = house.open(key);
    EXPECT_EQ(house.ask(Method::del, "/Auth/Keys/" + key).status, 204);
    EXPECT_EQ(closed(socket), 1008) << "the key was revoked";

    kept->send(alive);
    EXPECT_FALSE(kept->await("\"KeepAlive\"").empty()) << "whoever changed the password stays";
}

TEST(Socket, a_slow_reader_is_cut_off_and_holds_nobody_up) {
    SocketHouse house;
    house.add("Ann", "sea");
    const auto token = house.log_in("Ann", "sea");
    const auto id = as_text(testing::parsed(house.get("/Sessions")).at(0).at("Id"));
    const auto slow = house.open(token);
    const auto quick = house.open(testing::admin_key);
    EXPECT_FALSE(slow->await(force).empty());
    const auto large =
        R"({"sessionId":")" + id + R"(","message":{"MessageType":"Play","Data":")" + std::string(40'000, 'x') + "\"}}";
    for (int i = 0; i < 600; ++i) EXPECT_TRUE(house.events.publish("session.message", large));
    EXPECT_TRUE(house.events.publish("activity.added", "{}"));
    quick->send(alive);
    EXPECT_FALSE(quick->await("\"KeepAlive\"").empty());
    while (house.hub.open() > 1) std::this_thread::yield();  // its queue is full: nothing was read meanwhile
    int read = 0;
    while (!slow->await("\"Play\"").empty()) ++read;
    EXPECT_LT(read, 600);
    EXPECT_EQ(slow->await_close(), 0) << "without a good-bye that it would not read";
}

TEST(Socket, who_is_silent_is_asked_and_then_closed_whatever_it_does_with_what_it_is_sent) {
    using namespace std::chrono_literals;
    SocketHouse house(false);
    house.add("Ann", "sea");
    const auto deaf = house.open(house.log_in("Ann", "sea"));
    const auto id = as_text(testing::parsed(house.get("/Sessions")).at(0).at("Id"));
    const auto mute = house.open(testing::admin_key), half = house.open(testing::admin_key);
    for (const auto* client : {&deaf, &mute, &half}) EXPECT_FALSE((*client)->await(force).empty());
    constexpr char begin_of_frame[] = {'\x81', '\xfe', '\x10', '\x00', 0, 0, 0, 0, 'x'};
    EXPECT_GT(::send(half->fd(), begin_of_frame, sizeof begin_of_frame, MSG_NOSIGNAL), 0);
    const auto large =
        R"({"sessionId":")" + id + R"(","message":{"MessageType":"Play","Data":")" + std::string(40'000, 'x') + "\"}}";
    for (int i = 0; i < 90; ++i) EXPECT_TRUE(house.events.publish("session.message", large));

    house.clock.advance(45s);
    house.hub.check_silence();
    EXPECT_FALSE(mute->await(force).empty()) << "asked";
    house.clock.advance(15s);
    house.hub.check_silence();
    EXPECT_EQ(mute->await_close(), 1001);
    EXPECT_EQ(half->await_close(), 1001);
    while (house.hub.open() > 0 || house.counters.connections > 0) std::this_thread::yield();
    EXPECT_EQ(house.get("/System/Ping").status, 200);
}

TEST(Socket, says_why_when_the_pod_stops) {
    SocketHouse house;
    const auto client = house.open(testing::admin_key);
    EXPECT_FALSE(client->await(force).empty());
    house.hub.stop();
    EXPECT_FALSE(client->await("\"ServerShuttingDown\"").empty());
    EXPECT_EQ(client->await_close(), 1001);
    EXPECT_EQ(SocketClient(house.port, std::string("/socket?ApiKey=") + testing::admin_key).status(), 503);
}

TEST(Socket, a_reconnect_makes_no_new_session) {
    SocketHouse house;
    house.add("Ann", "sea");
    const auto token = house.log_in("Ann", "sea");
    for (int i = 0; i < 5; ++i) EXPECT_EQ(house.open(token, "&deviceId=tv" + std::to_string(i))->status(), 101);
    EXPECT_EQ(testing::parsed(house.get("/Sessions")).as_array().size(), 1U);
}

}  // namespace
}  // namespace understudy::http
