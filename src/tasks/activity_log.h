// tasks/activity_log.h: what an administrator reads about the past (who did what, what went wrong). Ports; adapter in
// database/. Written by TaskManager, app and http, read by http, cleaned by CleanActivityLog.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/fence.h"
#include "core/ids.h"
#include "core/result.h"
#include "core/time.h"

namespace understudy::tasks {

struct ActivityEntry {
    std::string kind;        ///< the reference's `Type`: `ScheduledTaskFailed`, …
    std::string severity;    ///< `Information`, `Warning`, `Error`
    std::string title;       ///< one line
    std::string overview;    ///< more, may be empty
    core::UserId user = {};  ///< whom it is about; empty: nobody in particular
};

struct KeptActivity {
    std::int64_t id = 0;
    core::UtcTime at{};
    ActivityEntry entry;
};

struct ActivityQuery {
    std::size_t start = 0;
    std::size_t limit = 100;                             ///< 0: only count
    std::optional<core::UtcTime> from = {}, until = {};  ///< both inclusive
    std::optional<bool> has_user = {};
};

struct ActivityPage {
    std::vector<KeptActivity> entries;
    std::int64_t total = 0;  ///< of all pages
};

class ActivityLog {
public:
    virtual ~ActivityLog() = default;
    /// Appends; the time is the database's. Returns the entry's id. Blocks. Errors: unavailable, timed_out.
    [[nodiscard]] virtual core::Result<std::int64_t> add(const ActivityEntry& entry) = 0;
    /// Removes at most `limit` entries older than `age`, oldest first, under the fence; returns how many.
    /// Errors: fenced, unavailable, timed_out.
    [[nodiscard]] virtual core::Result<std::int64_t> remove_older_than(core::Millis age, std::int64_t limit,
                                                                       const core::Fence& fence) = 0;
};

class ActivityHistory {
public:
    virtual ~ActivityHistory() = default;
    /// Newest first. Blocks. Errors: unavailable, timed_out.
    [[nodiscard]] virtual core::Result<ActivityPage> list(const ActivityQuery& query) = 0;
};

}  // namespace understudy::tasks
