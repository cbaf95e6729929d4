// http/socket/websocket.h: the protocol of a websocket over a connection that the server has accepted. Used by
// session.cpp alone.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <memory>
#include <string>

#include "http/socket/wire.h"

namespace understudy::http {

struct WebSocketLimits {
    std::size_t message_bytes = std::size_t{64} * 1024;  ///< of one message that a client sends
    std::size_t queued_messages = 256;                   ///< that wait for a client to read
    std::size_t queued_bytes = std::size_t{4} * 1024 * 1024;
};

/// Belongs to the socket's strand, but for what SocketWire allows.
class WebSocket : public SocketWire {
public:
    using Upgrade = boost::beast::http::request<boost::beast::http::string_body>;
    /// `owner` keeps `socket` alive, for as long as this lives. `peer` is let go when the connection has ended.
    [[nodiscard]] static std::shared_ptr<WebSocket> make(boost::asio::ip::tcp::socket& socket,
                                                         std::shared_ptr<void> owner, std::shared_ptr<SocketPeer> peer,
                                                         WebSocketLimits limits = {});
    /// Answers the upgrade, then tells the peer what comes in, until the connection has ended.
    [[nodiscard]] virtual boost::asio::awaitable<void> run(Upgrade request, std::string server) = 0;
    /// At once, without good-bye.
    virtual void cut() = 0;
};

}  // namespace understudy::http
