// library/roots.h: does this machine see a library's folder? Asked by scans and RootsSeen.
#pragma once

#include <cstdint>
#include <string>

#include "library/file_system.h"

namespace understudy::library {

struct RootLook {
    bool online = false;
    std::string reason;        ///< `missing`, `empty`, «Permission denied», …
    std::uint64_t device = 0;  ///< where it is online
};

/// Online: it can be listed and holds anything but hidden and system names. Reads no further than the first such entry.
[[nodiscard]] RootLook look_at_root(const FileSystem& files, const std::string& root);

}  // namespace understudy::library
