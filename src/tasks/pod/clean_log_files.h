// tasks/pod/clean_log_files.h: the task CleanLogFiles: old log files of this pod go; other files in the folder stay.
// Made by app.
#pragma once

#include <functional>

#include "tasks/pod/aged_files.h"

namespace understudy::tasks::pod {

class CleanLogFiles final : public ScheduledTask {
public:
    /// `clock` outlives the task. `keep` is asked at the start of each run, and may block.
    CleanLogFiles(std::filesystem::path log_folder, std::function<std::chrono::days()> keep, LibraryPaths libraries,
                  const core::Clock& clock);
    [[nodiscard]] const CatalogueEntry& info() const noexcept override;
    [[nodiscard]] core::Result<void> execute(Run& run) override;

private:
    AgedFiles files_;
    std::function<std::chrono::days()> keep_;
    LibraryPaths libraries_;
    const core::Clock& clock_;
};

/// `understudy-2026-05-01.log`, as core/spdlog_log.h names its files, or `upload_….log`, which a client left there.
[[nodiscard]] bool is_log_file(std::string_view name) noexcept;

}  // namespace understudy::tasks::pod
