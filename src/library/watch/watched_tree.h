// library/watch/watched_tree.h: the folders of one library root under watch: which events mean which folder to report.
// No thread of its own; driven by RootWatch.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "library/file_system.h"
#include "library/watch/notifier.h"
#include "model/library.h"

namespace understudy::library {

/// Goes where a walk goes: into hidden and system folders and below `.ignore` files never, through links without
/// looping. What lies at a root's top level is reported by itself, anything else as the folder that holds it.
class WatchedTree {
public:
    struct Parts {
        Notifier& notifier;
        const FileSystem& files;
        std::function<bool()> stop;
        std::function<bool(const std::string& folder)> is_network;  ///< asked where another file system begins
        std::function<void(const std::string& path)> changed;
        std::function<void(const std::string& folder, int error)> unreadable;  ///< once for each
    };
    WatchedTree(std::string root, model::LibraryKind kind, Parts parts);

    enum class State {
        watching,
        lost,       ///< the root is gone or elsewhere, or events were dropped: survey anew and report the root
        exhausted,  ///< the kernel has no watches left: poll
    };
    /// Watches everything below the root; each folder before it is listed, so that nothing slips in between. Folders
    /// that changed at or after `changed_since_ns` (of 1970, by their own times) are reported.
    [[nodiscard]] State survey(std::optional<std::int64_t> changed_since_ns = std::nullopt);
    [[nodiscard]] State on_event(const NotifyEvent& event);
    /// Tries what could not be watched again, and whether the root is still what it was.
    [[nodiscard]] State look_again();

    [[nodiscard]] std::size_t folders() const noexcept { return folders_.size(); }
    /// With those that could not be watched, where the watches ran out.
    [[nodiscard]] std::size_t needed() const noexcept { return folders_.size() + unwatched_; }
    /// Network mounts below the root: to be polled.
    [[nodiscard]] const std::set<std::string>& shares() const noexcept { return shares_; }
    [[nodiscard]] std::uint64_t overflows() const noexcept { return overflows_; }

private:
    struct Folder {
        int watch = 0;
        std::uint64_t device = 0, inode = 0;
        bool excluded = false;  ///< holds a `.ignore`
    };
    using Folders = std::map<std::string, Folder>;

    [[nodiscard]] State watch_all(const std::string& from);
    void watch_one(const std::string& path, std::vector<std::string>& waiting);
    void forget(const std::string& path);
    void drop_watch(int watch);
    void entry_changed(const std::string& folder, const NotifyEvent& event);
    void folder_came(const std::string& path);
    void ignore_file_changed(const std::string& folder);
    void unreadable(const std::string& path, int error);
    [[nodiscard]] bool loops(const std::string& path, const FileStatus& status) const;

    const std::string root_;
    const model::LibraryKind kind_;
    Parts parts_;
    Folders folders_;
    std::unordered_map<int, std::vector<Folders::iterator>> by_watch_;
    std::set<std::string> shares_, unreadable_;
    std::optional<std::int64_t> changed_since_ns_;  ///< during survey()
    std::size_t unwatched_ = 0;
    std::uint64_t overflows_ = 0;
    bool exhausted_ = false;
};

}  // namespace understudy::library
