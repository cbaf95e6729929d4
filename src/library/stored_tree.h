// library/stored_tree.h: the files of a library as the last scan left them, compact, in the byte order of their paths.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.h"
#include "core/result.h"
#include "library/naming/entries.h"
#include "library/path_table.h"
#include "model/library.h"
#include "store/scan_store.h"

namespace understudy::library {

/// What this scan says about a file of the last one.
enum class Fate : unsigned char {
    unseen,  ///< not looked at: out of this scan's scope
    unchanged,
    changed,   ///< size or mtime differ, or a file that could not be read last time is tried again
    returned,  ///< there again, as it was
    kept,      ///< not seen, and nothing proves it gone: stays, unavailable
    vanished,  ///< provably gone
    excluded,  ///< left the library by a person's word: its path was taken out, or an `.ignore` file lies above it
    moved,     ///< seen under another name
};

struct StoredRow {
    PathRef path;
    std::int64_t size_bytes = 0, mtime_ns = 0;
    std::uint64_t inode = 0, device = 0;
    core::ItemId item;       ///< empty: known, but no item
    core::IdBytes sample{};  ///< all zero: none
    bool available = true;
    bool failed = false;  ///< could not be used; tried again only when it changes …
    bool retry = false;   ///< … or at once, where it was an I/O error (stored as failed and unavailable)
    Fate fate = Fate::unseen;
    naming::FileClass sidecar = naming::FileClass::none;  ///< by its name; none: a media file
    bool disused = false;  ///< by its name nothing of a library any more: an earlier version took it up
};

/// There and known as it is, looked at or not.
[[nodiscard]] constexpr bool is_as_it_was(const StoredRow& row) noexcept {
    const bool there =
        row.fate == Fate::unchanged || row.fate == Fate::returned || (row.fate == Fate::unseen && row.available);
    return there && !row.failed;
}
/// It was there and is no more, at least not by this name.
[[nodiscard]] constexpr bool is_gone(const StoredRow& row) noexcept {
    return row.fate == Fate::vanished || row.fate == Fate::excluded || row.fate == Fate::moved;
}

class StoredTree {
public:
    /// Reads all of a library. Errors: as the store's.
    [[nodiscard]] static core::Result<StoredTree> load(store::ScanStore& store, const model::Library& library);
    explicit StoredTree(model::LibraryKind kind = model::LibraryKind::movies) : kind_(kind) {}
    void add(const store::StoredFile& file);
    /// Once, after the last add: puts rows in order where the store's collation did not.
    void finish();

    [[nodiscard]] std::size_t size() const noexcept { return rows_.size(); }
    [[nodiscard]] StoredRow& row(std::size_t index) { return rows_[index]; }
    [[nodiscard]] const StoredRow& row(std::size_t index) const { return rows_[index]; }
    [[nodiscard]] std::string path(std::size_t index) const { return paths_.path(rows_[index].path); }
    void path(std::size_t index, std::string& into) const { paths_.get(rows_[index].path, into); }
    [[nodiscard]] std::string_view folder(std::size_t index) const { return paths_.folder(rows_[index].path); }
    /// The index of the run of rows it lies in: rows of one folder that follow each other have one.
    [[nodiscard]] std::uint32_t folder_index(std::size_t index) const { return rows_[index].path.folder; }
    [[nodiscard]] static std::string_view name_in(const StoredRow& row) { return PathTable::name(row.path); }
    /// How many media files the walk saw in the folder of a row; 0: it was not looked at.
    [[nodiscard]] std::uint32_t media_files(std::size_t index) const;
    void set_media_files(std::size_t index, std::uint32_t count);
    [[nodiscard]] std::optional<std::size_t> find(std::string_view path) const;
    /// The first row whose path is not before `path`.
    [[nodiscard]] std::size_t first_from(std::string_view path) const;

private:
    PathTable paths_;
    std::vector<StoredRow> rows_;
    std::vector<std::uint32_t> media_files_;  ///< by folder_index
    model::LibraryKind kind_;
    bool sorted_ = true;
    std::string last_;
};

[[nodiscard]] std::string sample_text(const core::IdBytes& sample);
[[nodiscard]] core::IdBytes sample_bytes(const std::string& text);

}  // namespace understudy::library
