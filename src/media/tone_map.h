// media/tone_map.h: brings small pictures of HDR or wide-gamut video to SDR BT.709, pixel by pixel, on the processor.
// Pure arithmetic. Used by media/ffmpeg/picture_maker.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace understudy::media {

/// How the video's numbers become light.
enum class Transfer : std::uint8_t { sdr, pq, hlg };

struct Colour {
    Transfer transfer = Transfer::sdr;
    bool wide = false;        ///< primaries of BT.2020, else of BT.709
    double peak_nits = 1000;  ///< brightest that the film was mastered for; PQ only

    friend bool operator==(const Colour&, const Colour&) = default;
};

/// Tables for one kind of video: about 6 ms to make, then some 10 ns a pixel.
class ToneMap {
public:
    explicit ToneMap(const Colour& colour);
    /// Interleaved RGB of 16 bits a channel, full range, as the video codes it; out: interleaved RGB of 8 bits for a
    /// BT.709 screen. `out` is as long as `in`.
    void apply(std::span<const std::uint16_t> in, std::span<std::uint8_t> out) const;

private:
    [[nodiscard]] double compress(double peak_channel) const;

    Colour colour_;
    std::vector<float> light_;           ///< of a code: 1 is the white of paper
    std::vector<float> gain_;            ///< of the brightest channel's light, by its square root
    double brightest_ = 1;               ///< light at the table's end
    std::vector<std::uint8_t> display_;  ///< code of a light of 0..1, by its square root
};

}  // namespace understudy::media
