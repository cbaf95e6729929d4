// http/socket/message.h: what travels on the event socket: {MessageType, MessageId, Data}. Used by the hub.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/random.h"
#include "core/result.h"
#include "core/time.h"

namespace understudy::http {

/// `data`: JSON; empty: the message has none.
[[nodiscard]] std::shared_ptr<const std::string> socket_message(std::string_view type, std::string_view data,
                                                                core::Random& random);

struct ClientMessage {
    std::string type;
    std::string data;  ///< where it is a text or a number; else empty
};
/// Errors: invalid, with the reason.
[[nodiscard]] core::Result<ClientMessage> read_client_message(std::string_view text);

/// How soon and how often a subscriber wants to be told.
struct Pace {
    core::Millis due{0};         ///< until the first message; at most a minute
    core::Millis period{1'000};  ///< between two; 250 ms to an hour
};
/// Of `1000,1500` (milliseconds: due, period). What is out of bounds is clamped. Errors: invalid.
[[nodiscard]] core::Result<Pace> read_pace(std::string_view text);

}  // namespace understudy::http
