// library/watch/folder_poller.h: finds changed folders where nobody tells of them, by comparing their times with the
// look before. Used by RootWatch on its own thread, which may hang with a dead share.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "library/file_system.h"
#include "model/library.h"

namespace understudy::library {

/// The first look remembers, later ones compare: one stat a folder, and a listing of each that changed. A file that is
/// written anew under its name changes no folder's time: that is the full scan's to find.
class FolderPoller {
public:
    struct Parts {
        const FileSystem& files;
        std::function<bool()> stop;
        std::function<void(const std::string& path)> changed;
        std::function<void(const std::string& folder, int error)> unreadable;  ///< may be told at each look
    };
    FolderPoller(std::string root, model::LibraryKind kind, Parts parts);

    /// False: stopped, or the root is away, and nothing is known any more. `changed_since_ns`: as
    /// WatchedTree::survey, at the first look.
    [[nodiscard]] bool look(std::optional<std::int64_t> changed_since_ns = std::nullopt);
    [[nodiscard]] std::size_t folders() const noexcept { return folders_.size(); }

private:
    struct Folder {
        std::int64_t mtime_ns = 0;
        std::uint64_t inode = 0, device = 0;
        bool excluded = false;
    };
    using Names = std::set<std::string>;

    [[nodiscard]] bool list(const std::string& path, Folder& folder, Names& below, Names& names);
    void learn(const std::string& path, const FileStatus& status);
    void compare(const std::string& path, const FileStatus& status);
    void forget(const std::string& path);
    [[nodiscard]] bool loops(const std::string& path, const FileStatus& status) const;

    const std::string root_;
    const model::LibraryKind kind_;
    Parts parts_;
    std::map<std::string, Folder> folders_;
    Names root_names_;  ///< what matters at the root's top level: there each entry is told by itself
};

}  // namespace understudy::library
