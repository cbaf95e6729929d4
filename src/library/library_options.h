// library/library_options.h: what a library asks for, read from the JSON that clients sent (Jellyfin's LibraryOptions).
// Used by the library's tasks.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/result.h"
#include "model/library.h"

namespace understudy::library {

/// Defaults are Jellyfin's. A field of another type than expected counts as not given; the rest of the object is the
/// clients' own.
struct LibraryOptions {
    bool loudness = true;                      ///< `EnableLUFSScan`
    bool chapter_pictures = false;             ///< `EnableChapterImageExtraction`
    bool watch = true;                         ///< `EnableRealtimeMonitor`
    std::vector<std::string> segment_order;    ///< `MediaSegmentProviderOrder`; those not named follow in our order
    std::set<std::string> segments_off;        ///< `DisabledMediaSegmentProviders`
    std::set<std::string> local_metadata_off;  ///< `DisabledLocalMetadataReaders`: `Nfo`
    /// Types (`Movie`, `Episode`, `Audio`) whose `TypeOptions` list `ImageFetchers` but not the one that takes pictures
    /// out of files.
    std::set<std::string> covers_off;

    [[nodiscard]] static LibraryOptions parse(const std::string& json);
};

/// The ids of those of `libraries` that `wanted` takes. Empty: none does (which a store's filter would read as all).
template <class Wanted>
[[nodiscard]] std::vector<core::LibraryId> libraries_that(const std::vector<model::Library>& libraries, Wanted wanted) {
    std::vector<core::LibraryId> ids;
    for (const auto& library : libraries)
        if (wanted(library, LibraryOptions::parse(library.options))) ids.push_back(library.id);
    return ids;
}

}  // namespace understudy::library
