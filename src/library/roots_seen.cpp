#include "library/roots_seen.h"

#include <algorithm>
#include <condition_variable>
#include <set>
#include <system_error>
#include <thread>

#include "library/roots.h"

namespace understudy::library {

// One thread a root and look; one that hangs in the kernel keeps this alive, and its root is not asked again meanwhile.
class RootsSeen::Looks {
public:
    static std::map<std::string, bool> look(const std::shared_ptr<Looks>& self,
                                            const std::shared_ptr<const FileSystem>& files,
                                            const std::vector<std::string>& paths, core::Millis patience) {
        std::unique_lock lock(self->mutex_);
        for (const auto& path : paths) {
            if (!self->under_way_.insert(path).second) continue;
            self->seen_.erase(path);
            try {
                std::thread([self, files, path] {
                    const bool online = look_at_root(*files, path).online;
                    const std::lock_guard done(self->mutex_);
                    self->seen_[path] = online;
                    self->under_way_.erase(path);
                    self->done_.notify_all();
                }).detach();
            } catch (const std::system_error&) {  // no thread to be had now: asked again at the next look
                self->under_way_.erase(path);
            }
        }
        self->done_.wait_for(lock, patience, [&] {
            return std::ranges::none_of(paths, [&](const auto& path) { return self->under_way_.contains(path); });
        });
        std::map<std::string, bool> seen;
        for (const auto& path : paths) {
            const auto found = self->seen_.find(path);
            seen.emplace(path, found != self->seen_.end() && found->second && !self->under_way_.contains(path));
        }
        return seen;
    }

private:
    std::mutex mutex_;
    std::condition_variable done_;
    std::set<std::string> under_way_;
    std::map<std::string, bool> seen_;
};

RootsSeen::RootsSeen(store::LibraryStore& libraries, std::shared_ptr<const FileSystem> files, core::Millis patience)
    : libraries_(libraries), files_(std::move(files)), patience_(patience), looks_(std::make_shared<Looks>()) {}

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
    return Looks::look(looks_, files_, paths, patience_);
}

}  // namespace understudy::library
