// media/sample_tables.h: what an MP4's own tables say of a track's keyframes. libavformat keeps the way from decoding
// to presentation time (ctts) to itself; packet by packet it costs more than all else. Used by
// media/ffmpeg/keyframes.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "media/byte_source.h"

namespace understudy::media {

/// Of each keyframe (stss; without one, of each sample), in the track's time scale and before any edit list.
struct KeySample {
    std::int64_t decoding_time = 0;
    std::int64_t offset = 0;  ///< presentation less decoding time
};

/// nullopt: no such track, or tables that are not plain.
[[nodiscard]] std::optional<std::vector<KeySample>> read_key_samples(ByteSource& bytes, std::uint32_t track_id);

/// True also where the boxes make no sense: the tables in front then do not say all.
[[nodiscard]] bool may_have_fragments(ByteSource& bytes);

}  // namespace understudy::media
