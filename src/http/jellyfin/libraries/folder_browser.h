// http/jellyfin/libraries/folder_browser.h: what lies where on this pod, for who chooses a library's folders. Used by
// the handlers of /Environment, on threads that may hang (http/patience.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::http {

struct FolderEntry {
    std::string name;
    bool directory = false;
};

struct FolderListing {
    int error = 0;                     ///< errno; 0: none
    bool closed = false;               ///< a place that is never shown
    std::vector<FolderEntry> entries;  ///< by name
    std::size_t left_out = 0;          ///< names that are no UTF-8, and what is beyond most_entries
};
inline constexpr std::size_t most_folder_entries = 10'000;

/// The kernel's own trees (/proc, /sys, /dev) show processes and devices, and no media: `path` leads there, links
/// followed.
[[nodiscard]] bool leads_to_the_kernel(const std::string& path);
/// Absolute. A link is what it leads to; one that leads to nothing is a file. Blocks.
[[nodiscard]] FolderListing list_folder(const std::string& path);

enum class PathVerdict { fine, not_there, forbidden, failed };
/// May this process read `path` (and write there)? Nothing is written to find out. Blocks.
enum class PathKind { any, file, directory };
[[nodiscard]] PathVerdict check_path(const std::string& path, PathKind kind, bool writable);

/// `/` and where other disks and shares are mounted, as the kernel lists them: none of them is touched.
[[nodiscard]] std::vector<std::string> mount_points();

/// `/a/b/` -> `/a/b`. Slashes at the end do not count; `/` stays.
[[nodiscard]] std::string without_trailing_slash(std::string_view path);

}  // namespace understudy::http
