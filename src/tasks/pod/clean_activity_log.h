// tasks/pod/clean_activity_log.h: the task CleanActivityLog: old entries go, in batches under the fence. One run in the
// cluster; it lives here with the other cleaners. Made by app.
#pragma once

#include <functional>
#include <utility>

#include "tasks/activity_log.h"
#include "tasks/task.h"

namespace understudy::tasks::pod {

class CleanActivityLog final : public ScheduledTask {
public:
    /// `log` outlives the task. `keep` is asked at the start of each run, and may block.
    CleanActivityLog(ActivityLog& log, std::function<std::chrono::days()> keep) : log_(log), keep_(std::move(keep)) {}
    [[nodiscard]] const CatalogueEntry& info() const noexcept override;
    [[nodiscard]] core::Result<void> execute(Run& run) override;

private:
    ActivityLog& log_;
    std::function<std::chrono::days()> keep_;
};

}  // namespace understudy::tasks::pod
