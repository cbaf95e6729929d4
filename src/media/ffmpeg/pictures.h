// media/ffmpeg/pictures.h: the job `pictures` on one file. Called by the worker's dispatch and by benchmarks.
#pragma once

#include "core/result.h"
#include "media/byte_source.h"
#include "media/pictures.h"

namespace understudy::media {

/// Opens the file once and goes through it forwards once, in this thread. A time without a picture has its reason; the
/// others stand. Memory: the decoder's pictures (H.264 and HEVC: at most 17, of 12 MB at 4K, 25 MB where they have ten
/// bits; usually 6) and one more; 8K of ten bits can need more than the sandbox gives: that is an error, not a death.
/// Errors: corrupt, unsupported, unavailable: nothing could be decoded at all. May throw std::bad_alloc.
[[nodiscard]] core::Result<PicturesResult> make_pictures(ByteSource& bytes, const PicturesParameters& parameters);

}  // namespace understudy::media
