// http/jellyfin/events/library_events.h: what follows a change of a library: pods and administrators hear of it, and a
// scan is asked for. Used by the handlers of libraries.
#pragma once

#include <string>

#include "http/message.h"
#include "http/services.h"
#include "model/library.h"

namespace understudy::http {

inline constexpr const char* refresh_task = "RefreshLibrary";

/// The library stands already: a refresh that cannot be asked for now is said in the log, the next timer brings it.
void ask_for_refresh(const Services& services);
/// Raises `library.changed` for all pods.
void tell_change(const Services& services, const model::Library& library, const char* change);
/// In the activity log. While the wizard is open nobody may be known.
void note_library(const Services& services, const Request& request, const char* kind, std::string title);

}  // namespace understudy::http
