// media/image_header.h: kind and size of an image from its first bytes, so that an image bomb is refused before
// anything is allocated for it, and a fitting image needs no decoder. Used by media/ffmpeg/cover.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "media/cover.h"

namespace understudy::media {

/// An image of more is decoded for nobody: 8660 x 5773.
inline constexpr std::int64_t most_image_pixels = 50'000'000;

struct ImageHeader {
    ImageKind kind = ImageKind::jpeg;
    std::uint32_t width = 0, height = 0;  ///< pixels as stored, before any rotation; 0: not in the header (AVIF)
    bool animated = false;                ///< WebP with several frames
    bool turned = false;                  ///< JPEG whose Exif orientation is not the plain one
};

/// By magic number, never by name. nullopt: no image that we know, or a broken header. Never reads outside `bytes`.
[[nodiscard]] std::optional<ImageHeader> read_image_header(std::span<const std::uint8_t> bytes);

}  // namespace understudy::media
