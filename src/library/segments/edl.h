// library/segments/edl.h: reads edit decision lists (`Film.edl` beside `Film.mkv`), as MPlayer made and Kodi and
// Comskip use them. Pure. Used by the `edl` provider.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "library/segments/segment.h"

namespace understudy::library::segments {

struct EdlLineFault {
    std::size_t line = 0;  ///< from 1
    std::string reason;
};

struct EdlList {
    std::vector<Segment> segments;
    std::size_t not_skipped = 0;  ///< mutes and scene markers: understood, nothing to skip
    std::vector<EdlLineFault> faults;
};

/// Longest list that is read, in bytes; the caller reads no more. A film of three hours has a few hundred bytes.
inline constexpr std::size_t most_edl_bytes = std::size_t{256} * 1024;

/// One line each: `start end action`, or `time 2` for a scene marker. Times: seconds (`63.2`), `[hh:]mm:ss[.fff]`, or
/// `#frame` where `frames_per_second` is known (0: unknown). Actions as in Kodi: 0 cut, 1 mute, 2 scene marker,
/// 3 commercial break. Cuts and commercial breaks become commercials (what Comskip writes is 0 by default, and a cut
/// has no other kind in Jellyfin); mutes and markers are no segments. `##` and `//` begin comments. At most 1000 faults
/// are named.
[[nodiscard]] EdlList parse_edl(std::string_view text, double frames_per_second);

}  // namespace understudy::library::segments
