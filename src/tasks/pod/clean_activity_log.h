// tasks/pod/clean_activity_log.h: the task CleanActivityLog: old entries go, in batches under the fence. One run in the
// cluster; it lives here with the other cleaners. Made by app.
#pragma once

#include "tasks/activity_log.h"
#include "tasks/task.h"

namespace understudy::tasks::pod {

class CleanActivityLog final : public ScheduledTask {
public:
    /// `log` outlives the task.
    CleanActivityLog(ActivityLog& log, std::chrono::days keep) : log_(log), keep_(keep) {}
    [[nodiscard]] const CatalogueEntry& info() const noexcept override;
    [[nodiscard]] core::Result<void> execute(Run& run) override;

private:
    ActivityLog& log_;
    std::chrono::days keep_;
};

}  // namespace understudy::tasks::pod
