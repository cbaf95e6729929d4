// tasks/database/sql_activity_log.h: the activity log as rows of the shared database
// (store/migrations/0006_activity.sql, 0019_system.sql). Made by app.
#pragma once

#include "store/sql/session.h"
#include "tasks/activity_log.h"

namespace understudy::tasks::database {

/// Safe from any thread.
class SqlActivityLog final : public ActivityLog, public ActivityHistory {
public:
    /// `database` is migrated and outlives the log.
    explicit SqlActivityLog(store::sql::Database& database) : database_(database) {}
    [[nodiscard]] core::Result<std::int64_t> add(const ActivityEntry& entry) override;
    [[nodiscard]] core::Result<std::int64_t> remove_older_than(core::Millis age, std::int64_t limit,
                                                               const core::Fence& fence) override;
    [[nodiscard]] core::Result<ActivityPage> list(const ActivityQuery& query) override;

private:
    store::sql::Database& database_;
};

}  // namespace understudy::tasks::database
