#include "tasks/pod/delete_cache_files.h"

#include <utility>

namespace understudy::tasks::pod {

DeleteCacheFiles::DeleteCacheFiles(std::filesystem::path cache_folder, std::chrono::days keep, LibraryPaths libraries,
                                   const core::Clock& clock)
    : libraries_(std::move(libraries)), clock_(clock) {
    files_.folder = std::move(cache_folder);
    files_.setting = "Jellyfin:CacheDir";
    files_.keep = keep;
}

const CatalogueEntry& DeleteCacheFiles::info() const noexcept {
    return *find_task("DeleteCacheFiles");
}

core::Result<void> DeleteCacheFiles::execute(Run& run) {
    return remove_aged_files(run, files_, libraries_, clock_);
}

}  // namespace understudy::tasks::pod
