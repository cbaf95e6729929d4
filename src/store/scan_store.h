// store/scan_store.h: what a scan reads of the last one, and where it puts what it found. Used by library/ alone.
// Contract for all adapters: tests/contract/scan_store.h
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/fence.h"
#include "core/ids.h"
#include "core/result.h"
#include "model/item.h"
#include "model/library.h"

namespace understudy::store {

/// A file as the last scan left it. `item` is empty for files that are known but yield no item (failed, ignored).
struct StoredFile {
    model::FileState file;
    core::ItemId item;
    std::string content_sample;
    bool available = true;
    std::string failure;  ///< why it could not be used, remembered for this (size, mtime); empty: it could
    core::UtcTime failed_since{};
};

/// A directory as the last scan left it, so that a nested mount that went away is told from a deleted folder.
struct StoredDirectory {
    std::string path;
    std::uint64_t device = 0;
    std::int64_t entries = 0;
};

/// An entry or a folder that scans cannot use: a link to nothing, a pipe, an unreadable folder.
struct StoredProblem {
    std::string path;
    std::string reason;
    core::UtcTime since{};
};

/// An item without its files, as the resolver needs it to keep ids.
struct StoredItem {
    core::ItemId id;
    model::ItemKind kind = model::ItemKind::movie;
    core::ItemId parent;
    std::string original_key;
    std::string name;
    bool available = true;
    std::string folder;  ///< series, seasons, artists, albums: their own (model::Item::folder)
};

/// One fenced step of a scan: all of it or nothing; repeating it changes nothing.
struct ScanBatch {
    core::LibraryId library;
    std::vector<model::Item> upsert_items;  ///< at most 500, parents before children; sources replace the stored ones
    std::vector<StoredFile> upsert_files;   ///< every file seen, its state and failure; `file.path` is the key
    std::vector<StoredDirectory> upsert_directories;
    std::vector<std::string> remove_files;  ///< path bytes
    std::vector<std::string> remove_directories;
    std::vector<core::ItemId> remove_items;  ///< with sources and streams; childless parents are the caller's business
    std::vector<core::ItemId> mark_available, mark_unavailable;
    std::vector<std::string> files_available, files_unavailable;  ///< path bytes
    std::vector<StoredProblem> upsert_problems;
    std::vector<std::string> remove_problems;            ///< path bytes
    std::optional<std::vector<model::RootState>> roots;  ///< replaces the library's
    std::optional<core::UtcTime> scanned_at;
};

class ScanStore {
public:
    virtual ~ScanStore() = default;
    /// Streams the library's files in byte order of their paths. Errors: unavailable, timed_out.
    [[nodiscard]] virtual core::Result<void> files(core::LibraryId library,
                                                   const std::function<void(StoredFile&&)>& each) = 0;
    [[nodiscard]] virtual core::Result<void> directories(core::LibraryId library,
                                                         const std::function<void(StoredDirectory&&)>& each) = 0;
    [[nodiscard]] virtual core::Result<void> problems(core::LibraryId library,
                                                      const std::function<void(StoredProblem&&)>& each) = 0;
    [[nodiscard]] virtual core::Result<void> items(core::LibraryId library,
                                                   const std::function<void(StoredItem&&)>& each) = 0;
    /// Whose files these paths (at most 500) are, in any library that is not being removed; of several the first. What
    /// yields no item is left out. Errors: unavailable, timed_out.
    [[nodiscard]] virtual core::Result<std::map<std::string, core::ItemId>> items_at(
        const std::vector<std::string>& paths) = 0;
    /// Full items (with all that is under them) by id, for those that a change touches. Unknown ids are left out.
    [[nodiscard]] virtual core::Result<std::vector<model::Item>> load(const std::vector<core::ItemId>& ids) = 0;
    /// Under the fence (core/fence.h), compared in the same transaction. Errors: fenced, unavailable, timed_out.
    [[nodiscard]] virtual core::Result<void> apply(const ScanBatch& batch, const core::Fence& fence) = 0;
    /// The same without a run: for an explicit, confirmed action of a person (`POST /Library/Missing/Remove`). Removes
    /// items marked unavailable whose root is online or empty, and extras with what they belong to; returns how many.
    [[nodiscard]] virtual core::Result<std::int64_t> remove_missing(core::LibraryId library) = 0;
};

}  // namespace understudy::store
