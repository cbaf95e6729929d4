// media/ffmpeg/scaled.h: the job `scale` on one image file. Called by the worker's dispatch.
#pragma once

#include "core/result.h"
#include "media/byte_source.h"
#include "media/scaled.h"

namespace understudy::media {

/// Upright as Exif says, never the original's bytes; of an animation the first frame. Errors: unsupported (no image,
/// too many pixels), corrupt, unavailable.
[[nodiscard]] core::Result<CoverResult> make_scaled(ByteSource& bytes, const ScaleParameters& parameters);

}  // namespace understudy::media
