// http/socket/wire.h: one websocket seen from both ends, without Beast: who writes to it (SocketHub) and who is told
// what comes in. The server makes wires, the hub peers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace understudy::http {

/// RFC 6455 §7.4.1.
enum class SocketClose : std::uint16_t { going_away = 1001, unsupported = 1003, refused = 1008 };

/// Safe from any thread; never blocks.
class SocketWire {
public:
    virtual ~SocketWire() = default;
    /// Queues one text frame. Whoever reads so slowly that the queue's bound is passed is cut off.
    virtual void send(std::shared_ptr<const std::string> text) = 0;
    /// Says good-bye when what is queued was sent, and cuts after a short while. Repeating it does nothing.
    virtual void close(SocketClose code, std::string reason) = 0;
};

/// Told by the connection, one call at a time; destroyed when the connection has ended, opened or not.
class SocketPeer {
public:
    virtual ~SocketPeer() = default;
    virtual void opened(std::shared_ptr<SocketWire> wire) = 0;
    /// A text frame, whole.
    virtual void received(std::string_view text) = 0;
    /// A ping or pong of the protocol.
    virtual void alive() = 0;
};

}  // namespace understudy::http
