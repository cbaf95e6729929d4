// media/ffmpeg/edges.h: the job `edges` on one file. Called by the worker's dispatch.
#pragma once

#include "core/result.h"
#include "media/byte_source.h"
#include "media/edges.h"

namespace understudy::media {

/// Decodes the video within the windows only (each from the keyframe before it) and finds black spans as ffmpeg's
/// blackdetect does. Memory as for pictures. Errors: corrupt, unsupported, unavailable. May throw std::bad_alloc.
[[nodiscard]] core::Result<EdgesResult> find_edges(ByteSource& bytes, const EdgesParameters& parameters);

}  // namespace understudy::media
