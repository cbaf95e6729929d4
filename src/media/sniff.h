// media/sniff.h: names a file's format from its first bytes, never from its name. Used by media/ffmpeg and
// media/taglib.
#pragma once

#include <cstdint>
#include <string_view>

#include "media/byte_source.h"

namespace understudy::media {

struct Sniffed {
    std::string_view demuxer;    ///< libavformat's short name; empty: no magic number that we know
    std::string_view variant;    ///< what is inside an Ogg: `vorbis`, `opus`, `flac`, `speex`
    std::int64_t tag_bytes = 0;  ///< length of an ID3v2 tag before the format's own start
};

/// Cheap: a few comparisons, at most one read.
[[nodiscard]] Sniffed sniff(ByteSource& bytes);

}  // namespace understudy::media
