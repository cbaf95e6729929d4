// http/auth/secrets.h: access tokens and API keys: made once, found again by their hash. Used by the handlers of logins
// and keys, and by TokenOwners.
#pragma once

#include <string>
#include <string_view>

#include "core/random.h"

namespace understudy::http {

/// 128 random bits as 32 hex digits.
[[nodiscard]] std::string new_secret(core::Random& random);
/// BLAKE2b-256: 32 bytes. A secret of 128 random bits needs no slow hash: nobody guesses it.
[[nodiscard]] std::string hash_secret(std::string_view secret);

}  // namespace understudy::http
