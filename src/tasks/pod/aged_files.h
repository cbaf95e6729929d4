// tasks/pod/aged_files.h: removes old files from a folder of this pod, and nothing that belongs to a library. Used by
// DeleteCacheFiles and CleanLogFiles.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/time.h"
#include "tasks/task.h"

namespace understudy::tasks::pod {

/// The folders of all libraries, as the database has them now.
using LibraryPaths = std::function<core::Result<std::vector<std::string>>()>;

struct AgedFiles {
    std::filesystem::path folder;
    std::string setting;  ///< that names it, for errors: `Jellyfin:CacheDir`
    core::Millis keep{};  ///< files whose last change is longer ago go
    bool below = true;    ///< also in the folders below, which go when they are empty
    std::function<bool(std::string_view name)> wanted = [](std::string_view) { return true; };
};

/// Follows no link, crosses into no other file system, and refuses a folder that overlaps a library. A file that cannot
/// be removed is a warning, not the end. Counts: `removed`, `bytes_freed`, `kept`, `failed`.
/// Errors: conflict (overlap; names both), unavailable (the libraries are not known now), cancelled.
[[nodiscard]] core::Result<void> remove_aged_files(Run& run, const AgedFiles& what, const LibraryPaths& libraries,
                                                   const core::Clock& clock);

/// Is one of the folders within the other, by path or by what the paths lead to (links, bind mounts)?
[[nodiscard]] bool overlap(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace understudy::tasks::pod
