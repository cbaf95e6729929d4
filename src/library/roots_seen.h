// library/roots_seen.h: which library roots this pod sees, for its heartbeat and its health. Used by
// app.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "library/file_system.h"
#include "store/libraries.h"

namespace understudy::library {

/// Safe from any thread.
class RootsSeen {
public:
    explicit RootsSeen(store::LibraryStore& libraries,
                       std::shared_ptr<const FileSystem> files = std::make_shared<PosixFileSystem>());

    /// Path bytes -> seen: it can be listed and holds anything. Asks the store for the paths (while it is away, those
    /// of the last look) and the discs; may block on a slow mount.
    [[nodiscard]] std::map<std::string, bool> look();

private:
    store::LibraryStore& libraries_;
    std::shared_ptr<const FileSystem> files_;
    std::mutex mutex_;
    std::vector<std::string> paths_;
};

}  // namespace understudy::library
