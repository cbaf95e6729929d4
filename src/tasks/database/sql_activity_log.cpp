#include "tasks/database/sql_activity_log.h"

namespace understudy::tasks::database {

using store::sql::Access;
using store::sql::Session;

core::Result<void> SqlActivityLog::add(const ActivityEntry& entry) {
    return database_.with(Access::write, [&](Session& session) -> core::Result<void> {
        const auto added = session.execute(
            "INSERT INTO activity_log (at_ms, kind, severity, title, overview) VALUES ({now_ms}, ?, ?, ?, ?)",
            {entry.kind, entry.severity, entry.title, entry.overview});
        if (!added) return tl::unexpected(added.error());
        return {};
    });
}

core::Result<std::int64_t> SqlActivityLog::remove_older_than(core::Millis age, std::int64_t limit,
                                                             const core::Fence& fence) {
    std::int64_t removed = 0;
    const auto done = database_.with(Access::write, [&](Session& session) {
        return session.transaction([&]() -> core::Result<void> {
            removed = 0;
            if (const auto passed = store::sql::pass_fence(session, fence); !passed) return passed;
            const auto gone = session.execute(
                "DELETE FROM activity_log WHERE id IN "
                "(SELECT id FROM activity_log WHERE at_ms < {now_ms} - ? ORDER BY at_ms LIMIT ?)",
                {age.count(), limit});
            if (!gone) return tl::unexpected(gone.error());
            removed = *gone;
            return {};
        });
    });
    if (!done) return tl::unexpected(done.error());
    return removed;
}

}  // namespace understudy::tasks::database
