#include "tasks/announced_activity_log.h"

#include <string>

namespace understudy::tasks {

core::Result<std::int64_t> AnnouncedActivityLog::add(const ActivityEntry& entry) {
    auto id = kept_.add(entry);
    if (!id) return id;
    const auto told = events_.publish("activity.added", R"({"id":)" + std::to_string(*id) + "}");
    if (!told) log_.debug("an entry of the activity log was not announced", {{"error", told.error().context}});
    return id;
}

core::Result<std::int64_t> AnnouncedActivityLog::remove_older_than(core::Millis age, std::int64_t limit,
                                                                   const core::Fence& fence) {
    return kept_.remove_older_than(age, limit, fence);
}

}  // namespace understudy::tasks
