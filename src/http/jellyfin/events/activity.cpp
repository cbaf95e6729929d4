#include "http/jellyfin/events/activity.h"

#include <utility>

namespace understudy::http {

void note_activity(const Services& services, tasks::ActivityEntry entry) {
    if (services.system.activity == nullptr) return;
    const auto noted = services.system.activity->add(entry);
    if (!noted) {
        services.log.warning("an entry is missing in the activity log",
                             {{"entry", entry.title}, {"cause", noted.error().context}});
    }
}

void note_activity(const Services& services, const char* kind, std::string title, std::string overview,
                   core::UserId user) {
    note_activity(services, {kind, "Information", std::move(title), std::move(overview), user});
}

}  // namespace understudy::http
