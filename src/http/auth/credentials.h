// http/auth/credentials.h: finds the token in a request, in whichever of the seven forms the client sends it.
#pragma once

#include <string_view>

#include "http/auth/client_info.h"
#include "http/message.h"

namespace understudy::http {

/// `MediaBrowser Client="a, b", DeviceId="eA==", Token=abc`: values quoted or bare, percent-encoded or raw, any order,
/// names in any case, unknown ones ignored. `text` comes without the scheme.
[[nodiscard]] ClientInfo parse_client_info(std::string_view text);

/// The first form that carries a token wins, in the order of the reference: authorization header, X-Emby-Authorization,
/// X-Emby-Token, X-MediaBrowser-Token, ?ApiKey=, ?api_key=.
[[nodiscard]] Credentials find_credentials(const Request& request, bool legacy_allowed);

}  // namespace understudy::http
