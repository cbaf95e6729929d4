// http/server/linger.h: the end of a connection whose client may still be sending. Used by session.cpp alone.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace understudy::http {

/// Ends our side, then reads and drops what comes, at most 64 MiB, until the client ends its own or the wait is
/// cancelled. Closing over unread bytes would reset the connection, and the client might never see the answer.
[[nodiscard]] boost::asio::awaitable<void> drop_the_rest(boost::asio::ip::tcp::socket& socket);

}  // namespace understudy::http
