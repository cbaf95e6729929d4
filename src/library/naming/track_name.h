// library/naming/track_name.h: what folders and names say about a track, where its tags are silent. Pure; used by the
// resolver.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::library::naming {

/// `Disc 1`, `CD2`, `Disk 03 - Live`: a folder inside an album's.
[[nodiscard]] std::optional<int> parse_disc_folder(std::string_view name);

struct TrackFile {
    std::string title, album, artist;  ///< for people; album and artist may be empty
    std::optional<int> track, disc, year;
};

/// `parts`: the path below the root, the file's name last: artist / album / [disc /] `03 - Title`.
[[nodiscard]] TrackFile parse_track_path(const std::vector<std::string_view>& parts);

}  // namespace understudy::library::naming
