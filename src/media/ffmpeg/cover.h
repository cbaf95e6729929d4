// media/ffmpeg/cover.h: the job `cover` on one file. Called by the worker's dispatch.
#pragma once

#include "core/result.h"
#include "media/byte_source.h"
#include "media/cover.h"

namespace understudy::media {

/// An image file's own picture, or the one attached to a media file: the front cover, else the first. Of an animation
/// the first frame. An image whose header says more than 50 million pixels is refused before anything is allocated for
/// it; decoding takes at most some 8 bytes a pixel. Errors: unsupported (no picture, or of a kind that we cannot read,
/// or too large), corrupt, unavailable. May throw std::bad_alloc.
[[nodiscard]] core::Result<CoverResult> make_cover(ByteSource& bytes, const CoverParameters& parameters);

}  // namespace understudy::media
