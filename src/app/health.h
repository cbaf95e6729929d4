// app/health.h: what this process knows of its own health, kept in memory. The database's part is told by
// app/database_watch.h.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "http/admin/health.h"

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

}  // namespace understudy::app
