// media/scaled.h: parameters of the job `scale`: an image file in the size and format that a client asked for; its
// result is a CoverResult (media/cover.h). The worker makes it (media/ffmpeg/scaled.cpp), ImageScaler asks for it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.h"
#include "media/cover.h"

namespace understudy::media {

/// `by_need`: PNG where something shows through, else JPEG. `bmp`: plain pixels on black, 24 bits each, the last row
/// first, for whoever puts pictures together.
enum class ScaledFormat : std::uint8_t { by_need, jpeg, png, webp, bmp };

/// As the reference's query parameters of the same names; 0: not said. `width` and `height` are kept to the letter, the
/// other one following the shape where one is said; `max_…` fits inside and `fill_…` covers a box, both without scaling
/// up.
struct ScaleParameters {
    static constexpr int largest_side = 4096;

    int width = 0, height = 0;  ///< pixels of the upright picture, 0..largest_side, as all of these
    int max_width = 0, max_height = 0;
    int fill_width = 0, fill_height = 0;
    int quality = 90;  ///< 1..100, where JPEG or WebP comes out
    ScaledFormat format = ScaledFormat::by_need;

    friend bool operator==(const ScaleParameters&, const ScaleParameters&) = default;
};

struct ScaledSize {
    int width = 0, height = 0;
    friend bool operator==(const ScaledSize&, const ScaledSize&) = default;
};

/// What becomes of an upright picture of `width` x `height` pixels, both at least 1. No side is longer than
/// largest_side or shorter than 1.
[[nodiscard]] ScaledSize scaled_size(int width, int height, const ScaleParameters& parameters);

[[nodiscard]] std::string encode(const ScaleParameters& parameters);
/// Foreign bytes: everything is checked. Errors: corrupt.
[[nodiscard]] core::Result<ScaleParameters> decode_scale_parameters(std::string_view bytes);

}  // namespace understudy::media
