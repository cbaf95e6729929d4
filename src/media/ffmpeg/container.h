// media/ffmpeg/container.h: what libavformat knows of a film, an episode or any file that TagLib does not. Used by the
// worker.
#pragma once

#include <string>

#include "core/result.h"
#include "media/byte_source.h"
#include "model/media.h"

namespace understudy::media {

/// libavformat's name for what the first bytes say. Empty where they only hint (a few bits of magic): its own probe
/// decides then.
[[nodiscard]] std::string demuxer_for(ByteSource& bytes);

/// Fills all of MediaInfo but content_sample, size_bytes and mtime_ns. Reads packets only where the header leaves
/// something open. Errors: corrupt, unsupported (no stream of video or audio), unavailable (a read failed).
[[nodiscard]] core::Result<model::MediaInfo> read_container(ByteSource& bytes);

}  // namespace understudy::media
