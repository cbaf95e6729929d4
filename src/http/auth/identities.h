// http/auth/identities.h: port through which the dispatcher learns who a token belongs to. Implemented by TokenOwners.
#pragma once

#include <optional>
#include <string_view>

#include "core/result.h"
#include "http/message.h"

namespace understudy::http {

/// Safe from any thread.
class Identities {
public:
    virtual ~Identities() = default;
    /// The administrator's key, from memory: asked on I/O threads. nullopt: another token, or nobody's.
    [[nodiscard]] virtual std::optional<Caller> find_in_memory(std::string_view token) const = 0;
    /// Whoever the request's token belongs to, by what the database says now: a token that any pod revoked is refused
    /// here at once. Also notes that its owner is active. Blocks. nullopt: nobody's token. Errors: unavailable,
    /// timed_out.
    [[nodiscard]] virtual core::Result<std::optional<Caller>> find(const Request& request) const = 0;
    /// May anybody use the start wizard? Blocks until it is done, from memory then. Errors: unavailable, timed_out.
    [[nodiscard]] virtual core::Result<bool> wizard_open() const = 0;
};

}  // namespace understudy::http
