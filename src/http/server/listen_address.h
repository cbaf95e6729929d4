// http/server/listen_address.h: `Jellyfin:Http:Listen` as a host and a port. Used by the server, and by app to check
// its configuration.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.h"

namespace understudy::http {

struct ListenAddress {
    std::string host;  ///< without brackets
    std::uint16_t port = 0;
};
/// Errors: invalid, naming Jellyfin:Http:Listen and what is allowed.
[[nodiscard]] core::Result<ListenAddress> parse_listen(std::string_view text);

}  // namespace understudy::http
