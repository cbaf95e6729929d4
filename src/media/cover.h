// media/cover.h: parameters and result of the job `cover`: the picture inside a media file, or an image file, in a size
// that clients can use. The worker makes it (media/ffmpeg/cover.cpp), the library's image tasks ask and decode.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.h"

namespace understudy::media {

enum class ImageKind : std::uint8_t { jpeg, png, webp, gif, bmp, tiff, avif };

[[nodiscard]] std::string_view mime_type(ImageKind kind) noexcept;

struct CoverParameters {
    static constexpr int largest_side = 8192;
    static constexpr std::int64_t largest_original = std::int64_t{15} * 1024 * 1024;

    int max_side = 1000;  ///< pixels of the longer side, 16..largest_side; nothing is scaled up
    int quality = 90;     ///< 1..100, where JPEG comes out
    /// A JPEG, PNG, WebP or GIF of at most max_side and this many bytes goes out as it is, 0..largest_original.
    std::int64_t original_bytes = std::int64_t{1024} * 1024;

    friend bool operator==(const CoverParameters&, const CoverParameters&) = default;
};

struct CoverResult {
    static constexpr std::size_t most_bytes = std::size_t{15} * 1024 * 1024;  ///< a worker's answer: 16 MiB

    ImageKind kind = ImageKind::jpeg;             ///< of `bytes`
    int width = 0, height = 0;                    ///< of `bytes`
    int original_width = 0, original_height = 0;  ///< as in the file
    bool is_original = false;                     ///< `bytes` are the file's own
    std::string bytes;

    friend bool operator==(const CoverResult&, const CoverResult&) = default;
};

[[nodiscard]] std::string encode(const CoverParameters& parameters);
[[nodiscard]] std::string encode(const CoverResult& result);
/// Foreign bytes: everything is checked. Errors: corrupt.
[[nodiscard]] core::Result<CoverParameters> decode_cover_parameters(std::string_view bytes);
[[nodiscard]] core::Result<CoverResult> decode_cover_result(std::string_view bytes);

}  // namespace understudy::media
