// app/health.h: what this process knows of its own health, kept in memory; and the thread that looks after the
// database.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/log.h"
#include "core/time.h"
#include "http/admin/health.h"
#include "store/sql/session.h"

namespace understudy::app {

/// Safe from any thread.
class Health final : public http::HealthSource {
public:
    [[nodiscard]] http::HealthReport report() const override;
    void set_phase(http::HealthReport::Phase phase, std::string detail = {});
    void set_database(bool reachable, bool migrated, std::string detail = {});
    /// Asked at each report, from memory: pods that differ, names in use twice.
    void ask_for_differences(std::function<std::vector<std::string>()> differences);
    /// Library folders that this pod sees (true) or misses, as last looked at.
    void set_roots(const std::map<std::string, bool>& roots);

private:
    mutable std::mutex mutex_;
    http::HealthReport report_;
    std::function<std::vector<std::string>()> differences_;
    std::vector<std::string> missing_roots_;
};

/// Asks the database for a sign of life every two seconds and keeps Health true; a line in the log at each change.
class DatabaseWatch {
public:
    DatabaseWatch(store::sql::Database& database, Health& health, core::Clock& clock, core::Log& log);
    ~DatabaseWatch();
    DatabaseWatch(const DatabaseWatch&) = delete;
    DatabaseWatch& operator=(const DatabaseWatch&) = delete;

private:
    void run();

    store::sql::Database& database_;
    Health& health_;
    core::Clock& clock_;
    core::Log& log_;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace understudy::app
