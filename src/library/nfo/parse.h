// library/nfo/parse.h: NFO files as Kodi, Jellyfin, Emby and their tools write them. Pure; used by the describing phase
// of a scan, on the run's thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "library/nfo/description.h"

namespace understudy::library::nfo {

constexpr std::size_t longest_file = std::size_t{4} * 1024 * 1024;  ///< bytes; what is beyond is not looked at

struct Parsed {
    /// One for each outermost element that is known (several `<episodedetails>`: one file with several episodes), at
    /// most 1000. A file of URLs alone gives one of subject `unknown` with the ids they hold; ids of a URL behind the
    /// XML (Kodi's combination) are added to the first.
    std::vector<Description> items;
    std::string
        fault;  ///< empty: well formed; else the line and what is wrong there. What stood before it is in `items`
};

/// `bytes`: the file, of any encoding, at most longest_file of it (more is cut and said so). Unknown elements are
/// passed over; values that make no sense (a year 99999, a rating «n/a») are left out.
[[nodiscard]] Parsed parse(std::string_view bytes);

/// Ids in the addresses of IMDb, TMDB, TVDB, TVmaze, AniDB and MusicBrainz anywhere in `text`.
[[nodiscard]] std::map<std::string, std::string> ids_in_urls(std::string_view text);

}  // namespace understudy::library::nfo
