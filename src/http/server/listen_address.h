// http/server/listen_address.h: where to listen, as a setting says it, as a host and a port. Used by the server.
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
/// Errors: invalid, naming `setting` and what is allowed.
[[nodiscard]] core::Result<ListenAddress> parse_listen(std::string_view text,
                                                       std::string_view setting = "Jellyfin:Http:Listen");

}  // namespace understudy::http
