// library/roots.h: does this machine see a library's folder? Asked by scans, and by each pod for its heartbeat.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "library/file_system.h"
#include "model/library.h"

namespace understudy::library {

struct RootLook {
    bool online = false;
    std::string reason;  ///< `missing`, `empty`, «Permission denied», …
};

/// Online: it can be listed and holds anything but hidden and system names. Reads no further than the first such entry.
[[nodiscard]] RootLook look_at_root(const FileSystem& files, const std::string& root);
/// Path -> seen, over all libraries.
[[nodiscard]] std::map<std::string, bool> roots_seen(const FileSystem& files,
                                                     const std::vector<model::Library>& libraries);

}  // namespace understudy::library
