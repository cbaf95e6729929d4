// Against peers that a real Redis never is: silent, mad, gone. What a real one does: tests/contract/lease_store.
#include "redis/connection.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "support/redis_server.h"

namespace understudy::redis {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

ConnectionSettings at(const std::string& text) {
    return parse_connection_string(text).value();
}

/// Accepts one connection after the other and sends each `greeting` once it has read something (or at once).
class FakePeer {
public:
    FakePeer(std::string greeting, bool at_once, bool then_close)
        : greeting_(std::move(greeting)), at_once_(at_once), then_close_(then_close) {
        listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size), 0);
        EXPECT_EQ(::listen(listener_, 8), 0);
        ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
        port_ = ntohs(address.sin_port);
        thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
    }
    ~FakePeer() {
        thread_.request_stop();
        ::shutdown(listener_, SHUT_RDWR);
        thread_.join();
        ::close(listener_);
    }
    [[nodiscard]] std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

private:
    void serve(const std::stop_token& stop) {
        std::vector<int> open;
        while (!stop.stop_requested()) {
            const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
            if (fd < 0) break;
            char byte = 0;
            if (!at_once_) (void)!::read(fd, &byte, 1);
            (void)!::send(fd, greeting_.data(), greeting_.size(), MSG_NOSIGNAL);
            if (then_close_) {
                ::close(fd);
            } else {
                open.push_back(fd);
            }
        }
        for (const int fd : open) ::close(fd);
    }

    std::string greeting_;
    bool at_once_, then_close_;
    int listener_ = -1;
    int port_ = 0;
    std::jthread thread_;
};

TEST(Connection, gives_up_at_the_deadline_on_a_peer_that_says_nothing) {
    FakePeer peer("", true, false);
    Loop loop;
    Connection connection(loop, 2s);
    const auto from = Clock::now();
    const auto opened = connection.open(at(peer.address()), from + 200ms);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().kind, ErrorClass::unreachable);
    EXPECT_GE(Clock::now() - from, 200ms);
    EXPECT_LT(Clock::now() - from, 1s);
    EXPECT_FALSE(connection.is_open());
}

TEST(Connection, allocates_nothing_for_a_mad_header_and_closes) {
    FakePeer peer("*1000000000\r\n", false, false);
    Loop loop;
    Connection connection(loop, 2s);
    const auto opened = connection.open(at(peer.address()), Clock::now() + 5s);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().cause, Cause::protocol);
    EXPECT_FALSE(connection.is_open());
}

TEST(Connection, says_that_a_web_server_is_no_redis) {
    FakePeer peer("HTTP/1.1 400 Bad Request\r\n\r\n", false, true);
    Loop loop;
    Connection connection(loop, 2s);
    const auto opened = connection.open(at(peer.address()), Clock::now() + 5s);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().cause, Cause::protocol);
}

TEST(Connection, reads_the_reason_that_comes_before_the_question) {
    FakePeer peer("-ERR max number of clients reached\r\n", true, true);
    Loop loop;
    Connection connection(loop, 2s);
    const auto opened = connection.open(at(peer.address()), Clock::now() + 5s);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().kind, ErrorClass::transient) << opened.error().detail;
}

TEST(Connection, refuses_a_sentinel) {
    FakePeer peer("*2\r\n$8\r\nsentinel\r\n*0\r\n", false, false);
    Loop loop;
    Connection connection(loop, 2s);
    const auto opened = connection.open(at(peer.address()), Clock::now() + 5s);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().kind, ErrorClass::misconfigured);
    EXPECT_NE(opened.error().detail.find("Sentinel"), std::string::npos);
}

TEST(Connection, goes_on_to_the_next_endpoint_and_past_a_replica) {
    FakePeer replica("*5\r\n$5\r\nslave\r\n$1\r\nh\r\n:1\r\n$9\r\nconnected\r\n:0\r\n", false, false);
    testing::RedisServer server;
    const auto closed = "127.0.0.1:" + std::to_string(testing::free_port());
    Loop loop;
    Connection connection(loop, 2s);
    const auto settings = at(closed + "," + replica.address() + "," + server.address());
    const auto opened = connection.open(settings, Clock::now() + 5s);
    ASSERT_TRUE(opened) << opened.error().detail;
    EXPECT_EQ(connection.peer(), server.address());
    const auto alone = connection.open(at(replica.address()), Clock::now() + 5s);
    ASSERT_FALSE(alone);
    EXPECT_EQ(alone.error().kind, ErrorClass::transient);
    EXPECT_EQ(alone.error().cause, Cause::role);
}

TEST(Connection, names_a_host_that_does_not_resolve) {
    Loop loop;
    Connection connection(loop, 2s);
    const auto opened = connection.open(at("no-such-host.invalid"), Clock::now() + 10s);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().kind, ErrorClass::unreachable);
    EXPECT_EQ(opened.error().cause, Cause::name);
    EXPECT_NE(opened.error().detail.find("no-such-host.invalid"), std::string::npos);
}

TEST(Connection, sees_that_the_server_went_away_while_nobody_asked) {
    testing::RedisServer server;
    Loop loop;
    Connection connection(loop, 2s);
    ASSERT_TRUE(connection.open(at(server.address()), Clock::now() + 5s));
    server.kill();
    EXPECT_TRUE(loop.run_until(Clock::now() + 5s, [&] { return !connection.is_open(); }));
    const auto asked = connection.call({"TIME"}, Clock::now() + 5s);
    ASSERT_FALSE(asked);
    EXPECT_FALSE(asked.error().maybe_applied);
}

TEST(Connection, has_its_name_and_database) {
    testing::RedisServer server;
    Loop loop;
    Connection connection(loop, 2s);
    ASSERT_TRUE(connection.open(at(server.address() + ",name=pod-1,defaultDatabase=3"), Clock::now() + 5s));
    EXPECT_NE(server.command({"CLIENT", "LIST"}).find("name=pod-1 "), std::string::npos);
    EXPECT_EQ(connection.call({"SET", "here", "1"}, Clock::now() + 5s)->text, "OK");
    EXPECT_EQ(server.command({"GET", "here"}), "(nil)");
    const auto beyond = connection.open(at(server.address() + ",defaultDatabase=99"), Clock::now() + 5s);
    ASSERT_FALSE(beyond);
    EXPECT_EQ(beyond.error().cause, Cause::database);
}

TEST(Connection, evaluates_again_with_the_text_where_the_server_forgot_the_script) {
    testing::RedisServer server;
    Loop loop;
    Connection connection(loop, 2s);
    ASSERT_TRUE(connection.open(at(server.address()), Clock::now() + 5s));
    const Script script("return {KEYS[1], ARGV[1]}");
    const std::string_view keys[] = {"k"};
    const std::string_view arguments[] = {"a"};
    for (int i = 0; i < 3; ++i) {
        const auto reply = connection.evaluate(script, keys, arguments, Clock::now() + 5s);
        ASSERT_TRUE(reply);
        ASSERT_EQ(reply->elements.size(), 2U) << reply->text;
        EXPECT_EQ(reply->elements[1].text, "a");
        EXPECT_EQ(server.command({"SCRIPT", "EXISTS", script.sha1()}), "1");
        server.command({"SCRIPT", "FLUSH"});
    }
}

}  // namespace
}  // namespace understudy::redis
