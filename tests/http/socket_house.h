// tests/http/socket_house.h: a real server with a real event socket over the house of logins. Used by the tests of the
// socket and of commands to sessions.
#pragma once

#include <memory>
#include <string>

#include "http/login_house.h"
#include "http/socket/hub.h"
#include "http/socket/service_feeds.h"
#include "http/socket_client.h"
#include "store/sql/sql_open_sockets.h"

namespace understudy::testing {

struct SocketHouse : LoginHouse {
    /// `real_time`: the hub's; else it goes on as `clock` is told to.
    explicit SocketHouse(bool real_time = true)
        : hub(http::SocketLimits{}, feeds, real_time ? static_cast<core::Clock&>(time) : clock, chance, log) {
        services.users.sockets = &open_sockets;
        services.sockets = &hub;
        events.listen([this](const cluster::Event& event) { hub.on_event(event); });
        hub.start();
        port = serve();
    }
    ~SocketHouse() {
        events.drop(1);
        hub.stop();
        server->stop(core::Millis{2'000});
        server.reset();  // its connections know the hub
    }

    std::unique_ptr<SocketClient> open(const std::string& token, const std::string& more = {}) const {
        return std::make_unique<SocketClient>(port, "/socket?ApiKey=" + token + more);
    }
    /// Opened, and known as such on all pods.
    std::unique_ptr<SocketClient> open_known(const std::string& token) {
        auto socket = open(token);
        EXPECT_EQ(socket->status(), 101);
        socket->send(R"({"MessageType":"SessionsStart","Data":"0,250"})");
        // Presence is noted after subscribers are told, and then they are told again.
        while (!socket->await("\"Sessions\"").empty()) {
            const auto noted = open_sockets.all();
            if (noted && !noted->empty()) break;
        }
        return socket;
    }

    store::sql::SqlOpenSockets open_sockets{*database};
    http::ServiceFeeds feeds{services};
    core::SystemRandom chance;
    core::SystemClock time;
    http::SocketHub hub;
    std::uint16_t port = 0;
};

}  // namespace understudy::testing
