// media/ffmpeg/still_image.h: image files decoded: JPEG, PNG, WebP, GIF, BMP, TIFF, AVIF. Used by the jobs `cover` and
// `scale`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/result.h"
#include "media/byte_source.h"
#include "media/ffmpeg/picture_maker.h"
#include "media/ffmpeg/stream_decoder.h"
#include "media/image_header.h"

namespace understudy::media {

struct StillImage {
    ImageHeader header;
    std::vector<std::uint8_t> bytes;  ///< of the whole file; empty for AVIF, whose demuxer reads by itself
};

/// nullopt: the file is no image. More than most_image_pixels are refused before the rest is read. Errors: unsupported
/// (too large), corrupt (its header says no size), unavailable.
[[nodiscard]] core::Result<std::optional<StillImage>> read_still(ByteSource& bytes);

/// Unsupported, if a header says more pixels than are decoded.
[[nodiscard]] core::Result<void> check_pixels(std::int64_t width, std::int64_t height);

/// The picture, of an animation the first frame; not AVIF. `halvings`: of both sides, which a JPEG's decoder does for
/// less than nothing. Errors: corrupt, unsupported.
[[nodiscard]] core::Result<FramePtr> decode_still(std::span<const std::uint8_t> image, const ImageHeader& header,
                                                  int halvings = 0);
/// An AVIF is read by the demuxer of MP4, its one picture by dav1d. Errors: as above.
[[nodiscard]] core::Result<FramePtr> decode_avif(ByteSource& bytes);

/// Nothing shows through `picture`, which has an alpha channel.
[[nodiscard]] bool opaque(const Raster& picture);
/// Its colours as they stand.
[[nodiscard]] Raster without_alpha(const Raster& picture);

}  // namespace understudy::media
