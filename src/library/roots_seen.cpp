#include "library/roots_seen.h"

#include "library/roots.h"

namespace understudy::library {

RootsSeen::RootsSeen(store::LibraryStore& libraries, std::shared_ptr<const FileSystem> files)
    : libraries_(libraries), files_(std::move(files)) {}

std::map<std::string, bool> RootsSeen::look() {
    std::vector<std::string> paths;
    if (const auto libraries = libraries_.all()) {
        for (const auto& library : *libraries) paths.insert(paths.end(), library.paths.begin(), library.paths.end());
        const std::lock_guard lock(mutex_);
        paths_ = paths;
    } else {
        const std::lock_guard lock(mutex_);
        paths = paths_;
    }
    std::map<std::string, bool> seen;
    for (const auto& path : paths) seen.emplace(path, look_at_root(*files_, path).online);
    return seen;
}

}  // namespace understudy::library
