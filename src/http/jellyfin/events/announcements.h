// http/jellyfin/events/announcements.h: what handlers tell all pods, so that event sockets hear of it. Used by the
// handlers of users, logins and user data. An announcement that fails is a debug line: what it speaks of is stored, and
// clients ask again.
#pragma once

#include <string>
#include <vector>

#include "http/services.h"

namespace understudy::http {

/// Tells all pods that what /Sessions shows has changed.
void tell_sessions_changed(const Services& services);

/// Tells all pods that tokens may be gone or in other hands: of a user, or (where that is empty) on a device. Sockets
/// opened with them are closed within a second.
void tell_tokens_changed(const Services& services, core::UserId user, const std::string& device = {});
/// The same of API keys.
void tell_keys_changed(const Services& services);

/// Tells all pods that a user was changed or removed.
void tell_user_changed(const Services& services, core::UserId user, bool removed = false);

/// Tells all pods that a user did something with items; the first 500 are named.
void tell_user_data_changed(const Services& services, core::UserId user, const std::vector<core::ItemId>& items);

}  // namespace understudy::http
