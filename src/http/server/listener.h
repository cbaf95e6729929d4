// http/server/listener.h: from `Jellyfin:Http:Listen` to a socket that listens. Used by the server.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <string>

#include "core/result.h"

namespace understudy::http {

/// Opens, binds and listens. Blocks while the name is looked up. Errors: invalid (no address of this machine), conflict
/// (the port is taken), unavailable; each names the setting and the way out.
[[nodiscard]] core::Result<void> listen_at(boost::asio::ip::tcp::acceptor& acceptor, const std::string& listen);

}  // namespace understudy::http
