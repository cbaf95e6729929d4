#include "library/watch/watched_tree.h"

#include <cerrno>

#include "library/naming/entries.h"
#include "library/naming/text.h"
#include "library/walk.h"
#include "library/watch/paths.h"
#include "library/watch/watched_names.h"

namespace understudy::library {

using Kind = NotifyEvent::Kind;

WatchedTree::WatchedTree(std::string root, model::LibraryKind kind, Parts parts)
    : root_(std::move(root)), kind_(kind), parts_(std::move(parts)) {}

WatchedTree::State WatchedTree::survey(std::optional<std::int64_t> changed_since_ns) {
    changed_since_ns_ = changed_since_ns;
    const auto state = watch_all(root_);
    changed_since_ns_.reset();
    if (state == State::exhausted || folders_.contains(root_)) return state;
    return State::lost;
}

WatchedTree::State WatchedTree::watch_all(const std::string& from) {
    std::vector<std::string> waiting{from};
    while (!waiting.empty() && !parts_.stop()) {
        const auto path = std::move(waiting.back());
        waiting.pop_back();
        watch_one(path, waiting);
    }
    return exhausted_ ? State::exhausted : State::watching;
}

void WatchedTree::watch_one(const std::string& path, std::vector<std::string>& waiting) {
    int watch = -1;
    if (exhausted_) {
        ++unwatched_;  // only counted on, so that the operator learns how many are needed
    } else if (const int error = parts_.notifier.add(path, watch); error == ENOSPC) {
        exhausted_ = true;
        ++unwatched_;
    } else if (error != 0) {
        unreadable(path, error);
        return;
    }
    FileStatus self;
    std::unique_ptr<OpenDirectory> directory;
    const int error = parts_.files.open_directory(path, self, directory);
    const auto above = folders_.find(std::string(naming::parent_of(path)));
    const bool other_device = above != folders_.end() && above->second.device != self.device;
    if (error == 0 && (loops(path, self) || (other_device && parts_.is_network(path)))) {
        if (!loops(path, self)) shares_.insert(path);
        if (watch >= 0 && !by_watch_.contains(watch)) parts_.notifier.remove(watch);
        return;
    }
    Folder* folder = nullptr;
    if (watch >= 0) {
        const auto [known, is_new] = folders_.try_emplace(path);
        if (!is_new) std::erase(by_watch_[known->second.watch], known);
        known->second = Folder{watch, self.device, self.inode};
        by_watch_[watch].push_back(known);
        folder = &known->second;
    }
    if (error != 0) {
        unreadable(path, error);  // watched all the same, where the kernel allows it
        return;
    }
    if (changed_since_ns_ && self.mtime_ns >= *changed_since_ns_) parts_.changed(path);
    std::vector<std::string> below;
    std::string_view name;
    FileKind kind{};
    int read_error = 0;
    bool excluded = false;
    while (directory->next(name, kind, read_error)) {
        if (name == ignore_file && kind != FileKind::directory) excluded = true;
        if (naming::is_junk(name)) continue;
        if (kind == FileKind::link || kind == FileKind::unknown) {
            FileStatus status;
            const std::string text(name);
            if (directory->status(text.c_str(), true, status) != 0 || status.kind != FileKind::directory) continue;
        } else if (kind != FileKind::directory) {
            continue;
        }
        below.push_back(join_path(path, name));
    }
    if (read_error != 0)
        unreadable(path, read_error);
    else
        unreadable_.erase(path);
    if (folder != nullptr) folder->excluded = excluded && path != root_;
    if (!excluded || path == root_) waiting.insert(waiting.end(), below.begin(), below.end());
}

void WatchedTree::unreadable(const std::string& path, int error) {
    if (error == ENOENT || error == ENOTDIR || error == ELOOP) return;  // gone meanwhile, or a link that leads nowhere
    if (unreadable_.insert(path).second) parts_.unreadable(path, error);
}

bool WatchedTree::loops(const std::string& path, const FileStatus& status) const {
    if (path == root_) return false;
    for (auto at = naming::parent_of(path); is_within(at, root_) && !at.empty(); at = naming::parent_of(at)) {
        const auto above = folders_.find(std::string(at));
        if (above != folders_.end() && above->second.device == status.device && above->second.inode == status.inode)
            return true;
        if (at == root_ || at == "/") break;
    }
    return false;
}

void WatchedTree::forget(const std::string& path) {
    for (auto folder = folders_.lower_bound(path); folder != folders_.end() && folder->first.starts_with(path);) {
        if (!is_within(folder->first, path)) {
            ++folder;
            continue;
        }
        const int watch = folder->second.watch;
        auto& names = by_watch_[watch];
        std::erase(names, folder);
        if (names.empty()) {
            by_watch_.erase(watch);
            parts_.notifier.remove(watch);
        }
        folder = folders_.erase(folder);
    }
    std::erase_if(shares_, [&](const std::string& share) { return is_within(share, path); });
    std::erase_if(unreadable_, [&](const std::string& folder) { return is_within(folder, path); });
}

void WatchedTree::drop_watch(int watch) {
    const auto found = by_watch_.find(watch);
    if (found == by_watch_.end()) return;
    const auto names = std::move(found->second);
    by_watch_.erase(found);
    for (const auto& folder : names) folders_.erase(folder);
}

WatchedTree::State WatchedTree::on_event(const NotifyEvent& event) {
    if (event.kind == Kind::overflow) {
        ++overflows_;
        return State::lost;
    }
    const auto found = by_watch_.find(event.watch);
    if (found == by_watch_.end()) return State::watching;  // of a folder that was forgotten meanwhile
    std::vector<std::string> paths;                        // a folder may go by several names
    for (const auto& folder : found->second) paths.push_back(folder->first);
    switch (event.kind) {
        case Kind::unwatched:
            drop_watch(event.watch);
            for (const auto& path : paths) {
                if (path == root_) return State::lost;
                // Deleted: told of already by the folder it lay in. Unmounted: another folder shows here now.
                FileStatus status;
                if (parts_.files.status(path, status) == 0) folder_came(path);
            }
            break;
        case Kind::moved:
            for (const auto& path : paths)
                if (path == root_) return State::lost;
            break;
        case Kind::created:
        case Kind::written:
        case Kind::arrived:
        case Kind::removed:
            for (const auto& path : paths) entry_changed(path, event);
            break;
        case Kind::overflow:
            break;
    }
    return exhausted_ ? State::exhausted : State::watching;
}

void WatchedTree::entry_changed(const std::string& folder, const NotifyEvent& event) {
    const auto known = folders_.find(folder);
    if (known == folders_.end()) return;
    if (event.name == ignore_file && !event.is_folder) {
        ignore_file_changed(folder);
        return;
    }
    if (known->second.excluded || naming::is_junk(event.name)) return;
    const auto path = join_path(folder, event.name);
    const bool comes = event.kind == Kind::created || event.kind == Kind::arrived;
    if (event.kind == Kind::removed && (event.is_folder || folders_.contains(path))) {
        forget(path);
        parts_.changed(path);
        return;
    }
    const bool whole = comes && !event.is_folder && parts_.notifier.is_whole(path);
    FileStatus status;
    const bool leads_to_folder = whole && parts_.files.status(path, status) == 0 && status.kind == FileKind::directory;
    if (comes && (event.is_folder || leads_to_folder)) {
        folder_came(path);
        return;
    }
    // A new file is told of when its writer closes it, unless nobody will.
    if (event.is_folder || (event.kind == Kind::created && !whole) || !can_matter(event.name, kind_)) return;
    parts_.changed(folder == root_ ? path : folder);
}

void WatchedTree::folder_came(const std::string& path) {
    forget(path);
    (void)watch_all(path);
    parts_.changed(path);  // files may have come before the watch
}

void WatchedTree::ignore_file_changed(const std::string& folder) {
    if (folder != root_) {
        forget(folder);
        (void)watch_all(folder);
    }
    parts_.changed(folder);
}

WatchedTree::State WatchedTree::look_again() {
    FileStatus status;
    const auto root = folders_.find(root_);
    if (root == folders_.end() || parts_.files.status(root_, status) != 0 || status.inode != root->second.inode ||
        status.device != root->second.device)
        return State::lost;
    const auto again = unreadable_;
    for (const auto& path : again) {
        if (parts_.stop()) break;
        FileStatus self;
        const int error = parts_.files.status(path, self);
        if (error == ENOENT || error == ENOTDIR) {
            unreadable_.erase(path);
            continue;
        }
        (void)watch_all(path);
        if (!unreadable_.contains(path)) parts_.changed(path);  // whatever came while nobody could look
    }
    return exhausted_ ? State::exhausted : State::watching;
}

}  // namespace understudy::library
