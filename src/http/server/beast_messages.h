// http/server/beast_messages.h: requests and answers between our plain values and Beast's messages. Used by session.cpp
// alone.
#pragma once

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <string>

#include "core/time.h"
#include "http/message.h"

namespace understudy::http {

/// Takes the body out of `message`; the rest of it stays. `peer`: address of the other end.
[[nodiscard]] Request to_request(boost::beast::http::request<boost::beast::http::string_body>& message,
                                 const std::string& peer);
[[nodiscard]] boost::beast::http::response<boost::beast::http::string_body> to_message(
    Response response, unsigned version, const std::string& server, core::UtcTime now, bool keep_alive);

}  // namespace understudy::http
