// http/jellyfin/events/activity.h: what handlers note for administrators. Used by those that change users, logins, keys
// and libraries.
#pragma once

#include <string>

#include "http/services.h"
#include "tasks/activity_log.h"

namespace understudy::http {

/// Appends to the activity log, if one is kept. What it is about has happened already: where the entry cannot be
/// written, the log has a line and the request goes on. Blocks.
void note_activity(const Services& services, tasks::ActivityEntry entry);
/// `Information`, about `user` (empty: nobody).
void note_activity(const Services& services, const char* kind, std::string title, std::string overview = {},
                   core::UserId user = {});

}  // namespace understudy::http
