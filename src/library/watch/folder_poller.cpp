#include "library/watch/folder_poller.h"

#include <cerrno>
#include <vector>

#include "library/naming/entries.h"
#include "library/naming/text.h"
#include "library/walk.h"
#include "library/watch/paths.h"
#include "library/watch/watched_names.h"

namespace understudy::library {

FolderPoller::FolderPoller(std::string root, model::LibraryKind kind, Parts parts)
    : root_(std::move(root)), kind_(kind), parts_(std::move(parts)) {}

bool FolderPoller::look(std::optional<std::int64_t> changed_since_ns) {
    FileStatus root;
    if (parts_.files.status(root_, root) != 0 || root.kind != FileKind::directory) {
        folders_.clear();
        root_names_.clear();
        return false;
    }
    if (folders_.empty()) {
        learn(root_, root);
        for (const auto& [path, folder] : folders_)
            if (changed_since_ns && folder.mtime_ns >= *changed_since_ns) parts_.changed(path);
        return !parts_.stop();
    }
    // By their names, because a comparison takes folders in and out.
    for (std::string at = root_; !parts_.stop();) {
        FileStatus status;
        const int error = at == root_ ? 0 : parts_.files.status(at, status);
        if (at == root_) status = root;
        const bool gone = error == ENOENT || error == ENOTDIR || (error == 0 && status.kind != FileKind::directory);
        if (gone) {
            forget(at);  // the folder it lay in has another time too, and is told of
        } else if (error != 0) {
            parts_.unreadable(at, error);
        } else {
            compare(at, status);
        }
        const auto next = folders_.upper_bound(at);
        if (next == folders_.end()) return true;
        at = next->first;
    }
    return false;
}

void FolderPoller::compare(const std::string& path, const FileStatus& status) {
    const auto known = folders_.find(path);
    if (known == folders_.end()) return;
    auto& folder = known->second;
    const bool same = folder.inode == status.inode && folder.device == status.device;
    if (same && folder.mtime_ns == status.mtime_ns) return;
    Folder now{status.mtime_ns, status.inode, status.device};
    Names below, names;
    if (!list(path, now, below, names)) return;  // looked at again next time
    const bool was_excluded = folder.excluded;
    folder = now;
    if (path == root_) {
        for (const auto& name : names)
            if (!root_names_.contains(name)) parts_.changed(join_path(path, name));
        for (const auto& name : root_names_)
            if (!names.contains(name)) parts_.changed(join_path(path, name));
        if (!same || names.contains(std::string(ignore_file)) != root_names_.contains(std::string(ignore_file)))
            parts_.changed(path);
        root_names_ = std::move(names);
    } else if (!now.excluded || !was_excluded) {
        parts_.changed(path);
    }
    std::vector<std::string> gone;
    for (auto child = folders_.upper_bound(path); child != folders_.end() && child->first.starts_with(path); ++child) {
        if (naming::parent_of(child->first) == path && !below.contains(std::string(naming::name_of(child->first))))
            gone.push_back(child->first);
    }
    for (const auto& child : gone) {
        forget(child);
        if (path == root_) parts_.changed(child);
    }
    for (const auto& name : below) {
        const auto child = join_path(path, name);
        FileStatus found;
        if (folders_.contains(child) || parts_.files.status(child, found) != 0) continue;
        if (found.kind != FileKind::directory) continue;
        learn(child, found);
        if (path == root_) parts_.changed(child);
    }
}

void FolderPoller::learn(const std::string& path, const FileStatus& status) {
    std::vector<std::pair<std::string, FileStatus>> waiting{{path, status}};
    while (!waiting.empty() && !parts_.stop()) {
        const auto [at, found] = std::move(waiting.back());
        waiting.pop_back();
        if (loops(at, found)) continue;
        Folder folder{found.mtime_ns, found.inode, found.device};
        Names below, names;
        if (!list(at, folder, below, names)) folder.mtime_ns = 0;  // changed at the next look
        folders_.insert_or_assign(at, folder);
        if (at == root_) root_names_ = std::move(names);
        for (const auto& name : below) {
            auto child = join_path(at, name);
            FileStatus of_child;
            if (parts_.files.status(child, of_child) == 0 && of_child.kind == FileKind::directory)
                waiting.emplace_back(std::move(child), of_child);
        }
    }
}

bool FolderPoller::list(const std::string& path, Folder& folder, Names& below, Names& names) {
    FileStatus self;
    std::unique_ptr<OpenDirectory> directory;
    if (const int error = parts_.files.open_directory(path, self, directory); error != 0) {
        if (error != ENOENT && error != ENOTDIR) parts_.unreadable(path, error);
        return false;
    }
    std::string_view name;
    FileKind kind{};
    int error = 0;
    while (directory->next(name, kind, error)) {
        if (name == ignore_file && kind != FileKind::directory) folder.excluded = true;
        const bool maybe_folder = kind == FileKind::directory || kind == FileKind::link || kind == FileKind::unknown;
        if (maybe_folder && !naming::is_junk(name)) below.emplace(name);
        if (path != root_) continue;
        if (kind == FileKind::directory ? !naming::is_junk(name) : can_matter(name, kind_)) names.emplace(name);
    }
    if (error != 0) parts_.unreadable(path, error);
    if (folder.excluded) below.clear();
    return error == 0;
}

void FolderPoller::forget(const std::string& path) {
    auto first = folders_.lower_bound(path);
    while (first != folders_.end() && first->first.starts_with(path)) {
        if (is_within(first->first, path))
            first = folders_.erase(first);
        else
            ++first;
    }
}

bool FolderPoller::loops(const std::string& path, const FileStatus& status) const {
    for (auto at = naming::parent_of(path); is_within(at, root_) && !at.empty(); at = naming::parent_of(at)) {
        const auto above = folders_.find(std::string(at));
        if (above == folders_.end()) break;
        if (above->second.device == status.device && above->second.inode == status.inode) return true;
        if (at == "/") break;
    }
    return false;
}

}  // namespace understudy::library
