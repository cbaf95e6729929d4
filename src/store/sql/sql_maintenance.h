// store/sql/sql_maintenance.h: PRAGMA optimize, VACUUM and ANALYZE where they pay. Made by app.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/time.h"
#include "store/maintenance.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

struct MaintenanceSettings {
    // SQLite: VACUUM writes the whole file anew and holds the one writer meanwhile, so it must pay and end within the
    // 10 s that other writers wait: at a disc's 100 MB/s for the bytes in use.
    double vacuum_share = 0.2;  ///< of the file that is free
    std::int64_t vacuum_bytes = std::int64_t{32} * 1024 * 1024;
    std::int64_t vacuum_most_bytes = std::int64_t{1024} * 1024 * 1024;  ///< in use; more is for a time without a server
    // PostgreSQL: a table is vacuumed from so many dead rows on, and analysed from so many changed ones.
    std::int64_t dead_rows = 5'000, changed_rows = 500;
    double dead_share = 0.1, changed_share = 0.05;  ///< and at least this part of the living rows
    core::Millis table_limit = std::chrono::minutes{30};
    /// Bytes free on the disc of a folder; the default asks the system. Negative: unknown.
    std::function<std::int64_t(const std::string& folder)> free_space;
};

class SqlMaintenance final : public Maintenance {
public:
    /// `database` must be migrated and outlive it.
    explicit SqlMaintenance(Database& database, MaintenanceSettings settings = {});
    [[nodiscard]] core::Result<void> pass(const core::Fence& fence) override;
    [[nodiscard]] core::Result<std::vector<UpkeepStep>> plan() override;
    [[nodiscard]] core::Result<UpkeepResult> carry_out(const UpkeepStep& step,
                                                       const std::function<bool()>& stop) override;

private:
    Database& database_;
    MaintenanceSettings settings_;
};

}  // namespace understudy::store::sql
