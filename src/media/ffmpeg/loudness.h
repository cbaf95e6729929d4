// media/ffmpeg/loudness.h: measures a file's loudness by libebur128 over libavcodec. Used by the worker.
#pragma once

#include "core/result.h"
#include "media/byte_source.h"
#include "media/loudness.h"

namespace understudy::media {

/// Decodes all of the first audio stream. A file that was cut off or has broken parts is measured by what is there, if
/// that is at least half of what its header promises. Channels weigh as in ffmpeg's ebur128 filter, which players go by
/// (all at the side and back 1.41, LFE nothing); mono is one channel, not two alike.
/// Errors: corrupt, unsupported (no audio, or a codec that we do not decode), unavailable (a read failed).
[[nodiscard]] core::Result<Loudness> measure_loudness(ByteSource& bytes, const LoudnessParameters& parameters);

}  // namespace understudy::media
