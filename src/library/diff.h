// library/diff.h: what is new, changed, gone or away: one merge of two sorted lists, the walk and the stored files,
// with the rule that only proof removes (ARCHITECTURE.md). Pure but for the walk it reads; used by the scanner.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "library/path_table.h"
#include "library/stored_tree.h"
#include "library/walk.h"

namespace understudy::library {

constexpr std::uint32_t none = UINT32_MAX;

/// A file that needs work.
struct FoundFile {
    PathRef path;  ///< in Difference::paths
    std::int64_t size_bytes = 0, mtime_ns = 0;
    std::uint64_t inode = 0, device = 0;
    std::uint32_t stored = none;      ///< the row of the same path, where it changed
    std::uint32_t moved_from = none;  ///< the row it was before (identity.h)
    std::uint32_t media_files = 0;    ///< in its folder, itself included
    std::uint32_t root = 0;           ///< index into Difference::roots
    naming::FileClass file_class = naming::FileClass::none;
    bool again = false;  ///< unchanged; what is beside it changed, so it is described again from what is stored
};

struct FoundRoot {
    std::string path;
    bool online = true;
    std::string reason;  ///< where it is not
    std::uint64_t device = 0;
    std::int64_t entries = 0;  ///< listed below it, for the next scan's progress
    std::int64_t kept = 0;     ///< files kept below it without having been seen
};

/// A folder or an entry that cannot be used as it is.
struct Note {
    std::string path, reason;
    bool storage = false;  ///< a disc that is away: said at every scan, because what is on it is unavailable
    [[nodiscard]] std::string text() const;
};

struct Difference {
    PathTable paths;
    std::vector<FoundFile> work;           ///< new and changed, in the order of the walk
    std::vector<FoundFile> sidecars;       ///< new and changed ones, in the order of the walk
    std::vector<std::uint32_t> refreshed;  ///< unchanged rows whose inode or device moved (already put right)
    std::vector<FoundRoot> roots;
    std::map<std::string, std::uint64_t> mounts;      ///< folders on another device than the one they lie in
    std::vector<std::string> mounts_gone;             ///< stored ones that are mounts no more
    std::map<std::string, std::uint64_t> renumbered;  ///< roots and mounts proven to be there on another device
    std::vector<Note> notes;
    std::vector<std::string> unlisted;  ///< folders whose listing says nothing of what is below them
    /// Of media files; vanished and kept count sidecars too.
    std::int64_t unchanged = 0, returned = 0, kept = 0, vanished = 0, entries = 0;
};

struct DiffInput {
    const ScanScope* scope = nullptr;
    std::map<std::string, std::uint64_t> stored_devices;  ///< of roots and mounts, as the last scan saw them
    std::set<std::string> emptied_roots;  ///< empty roots whose grace is over: their emptiness is believed
    bool nfo = true;                      ///< as in WalkSettings: false lets known NFO files go
    std::function<void(std::int64_t entries)> progress;  ///< after each folder
};

/// Sets each row's fate. Step::stopped: the difference is worth nothing.
[[nodiscard]] WalkSource::Step compare(WalkSource& walk, StoredTree& stored, const DiffInput& input,
                                       Difference& difference);

}  // namespace understudy::library
