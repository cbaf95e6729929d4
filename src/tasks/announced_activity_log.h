// tasks/announced_activity_log.h: an activity log whose new entries all pods hear of, for the event sockets of clients.
// Made by app.
#pragma once

#include "cluster/events.h"
#include "core/log.h"
#include "tasks/activity_log.h"

namespace understudy::tasks {

/// Raises `activity.added` {"id"} after each entry; where that fails the entry is kept all the same. Safe from any
/// thread.
class AnnouncedActivityLog final : public ActivityLog {
public:
    /// All outlive it.
    AnnouncedActivityLog(ActivityLog& kept, cluster::EventLog& events, core::Log& log)
        : kept_(kept), events_(events), log_(log) {}
    [[nodiscard]] core::Result<std::int64_t> add(const ActivityEntry& entry) override;
    [[nodiscard]] core::Result<std::int64_t> remove_older_than(core::Millis age, std::int64_t limit,
                                                               const core::Fence& fence) override;

private:
    ActivityLog& kept_;
    cluster::EventLog& events_;
    core::Log& log_;
};

}  // namespace understudy::tasks
