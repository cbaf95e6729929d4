// tasks/activity_log.h: what an administrator reads about the past (who did what, what went wrong). Port; adapter in
// database/. Written by TaskManager, cleaned by CleanActivityLog.
#pragma once

#include <cstdint>
#include <string>

#include "core/fence.h"
#include "core/result.h"
#include "core/time.h"

namespace understudy::tasks {

struct ActivityEntry {
    std::string kind;      ///< the reference's `Type`: `ScheduledTaskFailed`, …
    std::string severity;  ///< `Information`, `Warning`, `Error`
    std::string title;     ///< one line
    std::string overview;  ///< more, may be empty
};

class ActivityLog {
public:
    virtual ~ActivityLog() = default;
    /// Appends; the time is the database's. Blocks. Errors: unavailable, timed_out.
    [[nodiscard]] virtual core::Result<void> add(const ActivityEntry& entry) = 0;
    /// Removes at most `limit` entries older than `age`, oldest first, under the fence; returns how many.
    /// Errors: fenced, unavailable, timed_out.
    [[nodiscard]] virtual core::Result<std::int64_t> remove_older_than(core::Millis age, std::int64_t limit,
                                                                       const core::Fence& fence) = 0;
};

}  // namespace understudy::tasks
