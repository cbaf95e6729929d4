#include "app/health.h"

#include <utility>

namespace understudy::app {

http::HealthReport Health::report() const {
    std::function<std::vector<std::string>()> differences;
    http::HealthReport report;
    {
        const std::lock_guard lock(mutex_);
        report = report_;
        differences = differences_;
        for (const auto& root : missing_roots_) {
            report.degradations.push_back(
                {"media",
                 "library folder " + root + " is missing, empty or unreadable on this pod; its items are kept"});
        }
    }
    if (differences) {
        for (auto& difference : differences()) report.degradations.push_back({"pods", std::move(difference)});
    }
    return report;
}

void Health::set_phase(http::HealthReport::Phase phase, std::string detail) {
    const std::lock_guard lock(mutex_);
    report_.phase = phase;
    report_.phase_detail = std::move(detail);
}

void Health::set_database(bool reachable, bool migrated, std::string detail) {
    const std::lock_guard lock(mutex_);
    report_.database_reachable = reachable;
    report_.database_migrated = migrated;
    report_.database_detail = std::move(detail);
}

void Health::ask_for_differences(std::function<std::vector<std::string>()> differences) {
    const std::lock_guard lock(mutex_);
    differences_ = std::move(differences);
}

void Health::set_roots(const std::map<std::string, bool>& roots) {
    std::vector<std::string> missing;
    for (const auto& [root, seen] : roots) {
        if (!seen) missing.push_back(root);
    }
    const std::lock_guard lock(mutex_);
    missing_roots_ = std::move(missing);
}

}  // namespace understudy::app
