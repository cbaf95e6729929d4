// http/auth/identities.h: port through which the dispatcher learns who a token belongs to. Implemented by AdminKeys.
#pragma once

#include <optional>
#include <string_view>

#include "http/message.h"

namespace understudy::http {

/// Safe from any thread; answers from memory, as it is asked on I/O threads.
class Identities {
public:
    virtual ~Identities() = default;
    /// nullopt: nobody's token.
    [[nodiscard]] virtual std::optional<Caller> find(std::string_view token) const = 0;
};

}  // namespace understudy::http
