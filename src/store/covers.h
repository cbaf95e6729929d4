// store/covers.h: pictures inside media files, and which of them an item shows. Written by RefreshLibrary
// (library/embedded_covers.h), read by http through Catalog. Contract for all adapters:
// tests/contract/media_stores/covers_contract.h
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/fence.h"
#include "core/ids.h"
#include "core/result.h"
#include "store/analyses.h"
#include "store/blob_hash.h"

namespace understudy::store {

/// Kind of the analyses that remember which files have a picture that cannot be used.
inline constexpr const char* cover_kind = "cover";

struct Cover {
    BlobHash blob;
    std::int64_t size_bytes = 0;
    int width = 0, height = 0;
    friend bool operator==(const Cover&, const Cover&) = default;
};

/// An item whose picture is to be seen to, and the one file that is its turn.
struct DueCover {
    core::ItemId item;         ///< a film, an episode or an album
    core::ItemId source_item;  ///< the item itself, or the album's track
    int source_number = 0;
    ContentKey content;  ///< empty: no file of it has a picture any more
    bool known = false;  ///< the picture of this content is there: nothing is to be decoded
};

/// The picture that was found in a file with this content, for this item.
struct FoundCover {
    core::ItemId item;
    ContentKey content;
    Cover cover;
};

/// All calls block. Errors: unavailable, timed_out; fenced where there is a fence.
class Covers {
public:
    virtual ~Covers() = default;
    /// Items of these libraries, in the order of the files' paths, that show no picture of a file of theirs, though one
    /// has some and none lies beside it as Primary; and those whose file with the shown picture is gone. Of an album
    /// the first track by disc and number is due, of a film its first version; the next one once a failure of
    /// `cover_kind` is kept for its content. Files that are away now are not due.
    [[nodiscard]] virtual core::Result<std::vector<DueCover>> due(const std::vector<core::LibraryId>& libraries) = 0;
    /// The files of these, in their order; those that are gone or changed are left out.
    [[nodiscard]] virtual core::Result<std::vector<AnalysableSource>> sources(std::span<const DueCover> covers) = 0;
    /// Keeps what was found and shows it; at most 500. Items that are gone are left out. Repeating it changes nothing.
    [[nodiscard]] virtual core::Result<void> put(const std::vector<FoundCover>& found, const core::Fence& fence) = 0;
    /// Shows the known picture of `content`, none where that is empty; at most 500.
    [[nodiscard]] virtual core::Result<void> show(const std::vector<DueCover>& covers, const core::Fence& fence) = 0;
    /// Items of these libraries that show one.
    [[nodiscard]] virtual core::Result<std::vector<core::ItemId>> shown_in(
        const std::vector<core::LibraryId>& libraries) = 0;
    /// What these items show.
    [[nodiscard]] virtual core::Result<std::map<core::ItemId, Cover>> covers(
        const std::vector<core::ItemId>& items) = 0;
};

}  // namespace understudy::store
