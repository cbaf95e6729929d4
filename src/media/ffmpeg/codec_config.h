// media/ffmpeg/codec_config.h: reads the decoder configuration records that containers keep in their headers, so that
// most files need no packet read. Used by container.cpp.
#pragma once

extern "C" {
#include <libavcodec/codec_id.h>
}

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace understudy::media {

struct CodecConfig {
    int profile = -1;  ///< libavcodec's number; -1: the record does not say
    int level = 0;
    int bit_depth = 0;  ///< 0 for audio
    std::string pixel_format;
    int channel_config = 0;  ///< AAC: 1..7, 0: not said
};

/// avcC, hvcC, av1C and AudioSpecificConfig; VP8 needs none. nullopt: unknown or broken record, packets must tell.
[[nodiscard]] std::optional<CodecConfig> read_codec_config(AVCodecID codec, std::span<const std::uint8_t> record);

}  // namespace understudy::media
