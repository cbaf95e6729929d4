// http/server/framing.h: whether a request's header may be believed, and what is answered where it cannot even be read.
// Used by session.cpp and server.cpp.
#pragma once

#include <boost/beast/http/message.hpp>
#include <boost/system/error_code.hpp>
#include <optional>
#include <string>

#include "http/message.h"
#include "http/server/server.h"

namespace understudy::http {

/// Why a request that could not be read is refused: 400, 414 (where its first line has no end) or 431.
[[nodiscard]] Response unreadable(const boost::system::error_code& error, bool first_line_read,
                                  const ServerSettings& limits);

/// What a proxy before us may have understood otherwise, where its request ends above all (RFC 9112 §6.3, §11.2), is
/// not guessed at: 400, 417, 431 or 501, after which the connection must end. nullopt: go on.
[[nodiscard]] std::optional<Response> refuse_header(
    const boost::beast::http::header<true, boost::beast::http::fields>& header, const ServerSettings& limits);

/// 503 for those above the limit of connections; as bytes, for those whose request is not even read.
[[nodiscard]] Response crowded();
[[nodiscard]] std::string crowded_bytes();

/// Does the client wait for a word before it sends the body?
[[nodiscard]] bool awaits_continue(const boost::beast::http::header<true, boost::beast::http::fields>& header);

}  // namespace understudy::http
