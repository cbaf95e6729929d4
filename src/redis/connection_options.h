// redis/connection_options.h: the options a connection string may hold, by name. Used by connection_string.cpp only.
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"
#include "redis/connection_string.h"

namespace understudy::redis {

/// Sets one option, its key in any case. `value` is already decoded and trimmed.
/// Errors: as parse_connection_string, without the setting's name in front.
[[nodiscard]] core::Result<void> apply_option(ConnectionSettings& into, std::string_view key, std::string_view value);
/// Is this the option whose value is a secret?
[[nodiscard]] bool is_secret_option(std::string_view key);
/// The known option with the fewest edits to `key`.
[[nodiscard]] std::string_view nearest_option(std::string_view key);
[[nodiscard]] bool is_known_option(std::string_view key);
/// `10.0.0.1`, `redis:6380`, `[::1]:6379`, `::1`. Errors: invalid, without the setting's name in front.
[[nodiscard]] core::Result<Endpoint> parse_endpoint(std::string_view text, std::uint16_t default_port);

}  // namespace understudy::redis
