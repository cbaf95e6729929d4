// app/event_socket.h: the event socket of this pod, wired to the events of all pods. Made and kept by Parts.
#pragma once

#include "http/services.h"
#include "http/socket/hub.h"
#include "http/socket/service_feeds.h"

namespace understudy::app {

class EventSocket {
public:
    /// `services`, whose `sockets` it becomes, and `random` outlive it.
    EventSocket(http::Services& services, core::Random& random)
        : services_(services),
          feeds_(services),
          hub_(http::SocketLimits{}, feeds_, services.clock, random, services.log) {
        services.sockets = &hub_;
    }
    ~EventSocket() { stop(); }
    EventSocket(const EventSocket&) = delete;
    EventSocket& operator=(const EventSocket&) = delete;

    void start() {
        hub_.start();
        listener_ = services_.events.listen([this](const cluster::Event& event) { hub_.on_event(event); });
    }
    /// Before stop(): who is connected hears that this pod comes back.
    void will_restart() { hub_.will_restart(); }
    /// Says good-bye to all who are connected. Repeating it does nothing.
    void stop() {
        if (listener_ != 0) services_.events.drop(std::exchange(listener_, 0));
        hub_.stop();
    }

private:
    http::Services& services_;
    http::ServiceFeeds feeds_;
    http::SocketHub hub_;
    int listener_ = 0;
};

}  // namespace understudy::app
