// media/ffmpeg/picture_maker.h: from a decoded frame to the bytes of a small upright picture in SDR. Used by
// pictures.cpp and cover.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "media/tone_map.h"

struct AVFrame;
struct AVStream;
struct SwsContext;

namespace understudy::media {

/// Pixels that need no libav to look at: rows without gaps, R G B or R G B A of 8 bits. Behind them, in every copy, lie
/// `slack` bytes more: swscale reads and writes whole vectors and overruns the last row of a packed picture.
class Raster {
public:
    static constexpr std::size_t slack = 64;

    Raster(int width, int height, bool alpha);

    [[nodiscard]] int width() const noexcept { return width_; }
    [[nodiscard]] int height() const noexcept { return height_; }
    [[nodiscard]] bool alpha() const noexcept { return alpha_; }
    [[nodiscard]] int channels() const noexcept { return alpha_ ? 4 : 3; }
    [[nodiscard]] std::span<std::uint8_t> pixels() noexcept { return {bytes_.data(), bytes_.size() - slack}; }
    [[nodiscard]] std::span<const std::uint8_t> pixels() const noexcept {
        return {bytes_.data(), bytes_.size() - slack};
    }
    /// Pixels and slack.
    [[nodiscard]] std::span<const std::uint8_t> storage() const noexcept { return bytes_; }

private:
    int width_, height_;
    bool alpha_;
    std::vector<std::uint8_t> bytes_;
};

enum class Coding : std::uint8_t { jpeg, webp, png, bmp };

/// How a picture stands upright: the matrix of its display side data reduced to quarter turns and mirrors. Output pixel
/// (x, y) lies along the source's columns and rows as given.
struct Turn {
    bool swap = false;                        ///< rows become columns
    bool mirror_x = false, mirror_y = false;  ///< of the output
};
[[nodiscard]] Turn turn_of(const AVStream* stream, const AVFrame& frame);

struct Size {
    int width = 0, height = 0;
};
/// Size that shows a frame in its shape (`aspect`: of a pixel, num/den, 0: square), no wider (after the turn) than
/// `max_width`, no higher than `max_height`, never scaled up.
[[nodiscard]] Size fit(int width, int height, int aspect_num, int aspect_den, const Turn& turn, int max_width,
                       int max_height);

/// Scales and codes picture after picture of one file; keeps what is dear to make.
class PictureMaker {
public:
    PictureMaker();
    ~PictureMaker();
    PictureMaker(const PictureMaker&) = delete;
    PictureMaker& operator=(const PictureMaker&) = delete;

    /// Upright, in the video's shape, at most max_width by max_height. `stream` may be null. With `keep_alpha` an alpha
    /// channel of the frame is kept. Errors: corrupt, unsupported.
    [[nodiscard]] core::Result<Raster> scale(const AVFrame& frame, const AVStream* stream, int max_width,
                                             int max_height, bool keep_alpha);
    /// Upright and of exactly this size, up or down, whatever shape its pixels have. Errors: corrupt, unsupported.
    [[nodiscard]] core::Result<Raster> scale_to(const AVFrame& frame, Size upright, bool keep_alpha);
    /// An alpha channel is coded as WebP and PNG have it. Errors: unsupported (this libavcodec has no such encoder),
    /// corrupt (too large).
    [[nodiscard]] core::Result<std::string> code(const Raster& picture, Coding coding, int quality);

private:
    [[nodiscard]] core::Result<Raster> scaled(const AVFrame& frame, const AVStream* stream, Size size, const Turn& turn,
                                              bool keep_alpha);

    struct FreeScaler {
        void operator()(SwsContext* scaler) const noexcept;
    };
    std::unique_ptr<SwsContext, FreeScaler> scaler_;
    std::array<int, 8> scaler_key_{};
    std::optional<ToneMap> tone_map_;
    Colour tone_map_colour_;
};

}  // namespace understudy::media
