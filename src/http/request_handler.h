// http/request_handler.h: what the server needs of whoever answers. Implemented by Dispatcher and by tests of the
// server.
#pragma once

#include <optional>

#include "http/message.h"

namespace understudy::http {

/// Called from several threads at once; never throws.
class RequestHandler {
public:
    virtual ~RequestHandler() = default;
    /// On an I/O thread, first: what can be answered from memory. nullopt: call handle() with the same request.
    [[nodiscard]] virtual std::optional<Response> at_once(Request& request) noexcept = 0;
    /// Is it answered even where the server has too many connections? What an orchestrator judges a pod by. From
    /// memory.
    [[nodiscard]] virtual bool is_vital(const Request& request) const noexcept = 0;
    /// May its body be as large as a picture (ServerSettings::max_large_body_bytes)? Asked before it is read. From
    /// memory.
    [[nodiscard]] virtual bool takes_large_body(const Request& request) const noexcept = 0;
    /// On a thread of the pool, may block, before at_once: may the sender of a body as large as that be listened to?
    /// nullopt: yes, and at_once goes on from what `request` says by then; rights that are taken away while the body
    /// comes count from the next request on. A response: no, for this reason.
    [[nodiscard]] virtual std::optional<Response> admit(Request& request) noexcept = 0;
    /// On a thread of the pool; may block.
    [[nodiscard]] virtual Response handle(Request& request) noexcept = 0;
};

}  // namespace understudy::http
