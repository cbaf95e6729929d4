// library/roots_seen.h: which library roots this pod sees, for its heartbeat and its health. Used by
// app.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/time.h"
#include "library/file_system.h"
#include "store/libraries.h"

namespace understudy::library {

/// Safe from any thread.
class RootsSeen {
public:
    /// @param patience a root that has not answered by then counts as not seen: a share that hangs must not keep this
    /// pod from saying that it lives.
    explicit RootsSeen(store::LibraryStore& libraries,
                       std::shared_ptr<const FileSystem> files = std::make_shared<PosixFileSystem>(),
                       core::Millis patience = core::Millis{3'000});

    /// Path bytes -> seen: it can be listed and holds anything. Asks the store for the paths (while it is away, those
    /// of the last look) and the discs. Blocks for `patience` at most, apart from the store.
    [[nodiscard]] std::map<std::string, bool> look();

private:
    class Looks;
    store::LibraryStore& libraries_;
    std::shared_ptr<const FileSystem> files_;
    const core::Millis patience_;
    std::shared_ptr<Looks> looks_;
    std::mutex mutex_;
    std::vector<std::string> paths_;
};

}  // namespace understudy::library
