// tasks/pod/delete_cache_files.h: the task DeleteCacheFiles: old files of this pod's cache folder go. Made by app.
#pragma once

#include "tasks/pod/aged_files.h"

namespace understudy::tasks::pod {

class DeleteCacheFiles final : public ScheduledTask {
public:
    /// `clock` outlives the task.
    DeleteCacheFiles(std::filesystem::path cache_folder, std::chrono::days keep, LibraryPaths libraries,
                     const core::Clock& clock);
    [[nodiscard]] const CatalogueEntry& info() const noexcept override;
    [[nodiscard]] core::Result<void> execute(Run& run) override;

private:
    AgedFiles files_;
    LibraryPaths libraries_;
    const core::Clock& clock_;
};

}  // namespace understudy::tasks::pod
