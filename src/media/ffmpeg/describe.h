// media/ffmpeg/describe.h: turns an open libavformat context into plain values. Used by container.cpp.
#pragma once

#include <optional>

#include "core/time.h"
#include "media/ffmpeg/codec_config.h"
#include "model/media.h"

struct AVFormatContext;
struct AVStream;

namespace understudy::media {

/// The container's duration, else its longest stream's; 0: unknown.
[[nodiscard]] core::Millis duration_of(const AVFormatContext& context);
/// What the stream's configuration record in the header says.
[[nodiscard]] std::optional<CodecConfig> config_of(const AVStream& stream);
[[nodiscard]] model::MediaInfo describe(const AVFormatContext& context, std::int64_t size_bytes);

}  // namespace understudy::media
