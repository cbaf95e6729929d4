// http/jellyfin/users/login_check.h: is that the user's password? Slowed down where it was not too often, by user and
// by address, on all pods. Used by the handlers of logins and of passwords.
#pragma once

#include <optional>
#include <string>

#include "http/message.h"
#include "http/services.h"

namespace understudy::http {

/// Failures that cost nothing, and the longest wait after more (docs/operations.md).
inline constexpr int free_failures_of_user = 5, free_failures_of_address = 20;
inline constexpr core::Millis longest_wait_of_user{30'000}, longest_wait_of_address{300'000};

/// `user`: who is meant; nullopt: nobody has the name that was `typed`, which looks and takes the same as a wrong
/// password. An answer: it is not, or has to wait, or cannot be looked at now. Blocks.
[[nodiscard]] std::optional<Response> refuse_password(const Services& services, const Request& request,
                                                      const std::optional<store::User>& user, std::string_view typed,
                                                      std::string_view password, int status_if_wrong);

}  // namespace understudy::http
