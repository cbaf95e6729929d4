// http/jellyfin/sessions/session_presence.h: which logins have an event socket open, on whatever pod that lives. Used
// by the handlers of sessions and by the event socket.
#pragma once

#include <set>

#include "http/services.h"

namespace understudy::http {

/// Two queries, whatever their number. What pods left behind that are not heard from any more does not count. Blocks.
/// Errors: unavailable, timed_out.
[[nodiscard]] core::Result<std::set<store::SessionId>> sessions_with_socket(const Services& services);

/// May `controller` send commands to a session of `owner`?
[[nodiscard]] bool may_control(const store::User& controller, core::UserId owner);

}  // namespace understudy::http
