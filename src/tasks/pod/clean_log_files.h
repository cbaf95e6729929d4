// tasks/pod/clean_log_files.h: the task CleanLogFiles: old log files of this pod go; other files in the folder stay.
// Made by app.
#pragma once

#include "tasks/pod/aged_files.h"

namespace understudy::tasks::pod {

class CleanLogFiles final : public ScheduledTask {
public:
    /// `clock` outlives the task.
    CleanLogFiles(std::filesystem::path log_folder, std::chrono::days keep, LibraryPaths libraries,
                  const core::Clock& clock);
    [[nodiscard]] const CatalogueEntry& info() const noexcept override;
    [[nodiscard]] core::Result<void> execute(Run& run) override;

private:
    AgedFiles files_;
    LibraryPaths libraries_;
    const core::Clock& clock_;
};

/// `understudy-2026-05-01.log`, as core/spdlog_log.h names its files.
[[nodiscard]] bool is_log_file(std::string_view name) noexcept;

}  // namespace understudy::tasks::pod
