// tests/unit/media/wave_file.h: PCM made in the test, and as a WAV file. Used by the tests of loudness.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace understudy::media {

/// 16 bits, interleaved.
struct Pcm {
    unsigned rate_hz = 48000;
    std::size_t channels = 2;
    std::vector<std::int16_t> samples;

    /// Adds a sine of 1 kHz; `peak_dbfs` has the level of each channel's peak.
    void add_sine(double seconds, const std::vector<double>& peak_dbfs, double hertz = 1000) {
        const auto frames = static_cast<std::size_t>(std::llround(seconds * rate_hz));
        for (std::size_t i = 0; i < frames; ++i)
            for (const double level : peak_dbfs) {
                const double wave = std::sin(2 * M_PI * hertz * static_cast<double>(i) / rate_hz);
                samples.push_back(static_cast<std::int16_t>(std::lround(32767 * std::pow(10, level / 20) * wave)));
            }
    }
    [[nodiscard]] std::size_t frames() const { return samples.size() / channels; }
};

/// WAVE_FORMAT_EXTENSIBLE; `mask` says which speakers the channels are, 0: none are named.
inline std::string wave_bytes(unsigned rate_hz, std::size_t channels, unsigned bits, bool floats, std::uint32_t mask,
                              std::string data) {
    std::string out;
    const auto number = [&](std::uint64_t value, int bytes) {
        for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
    };
    const std::size_t frame_bytes = channels * bits / 8;
    out += "RIFF";
    number(60 + data.size(), 4);
    out += "WAVEfmt ";
    number(40, 4), number(0xFFFE, 2), number(channels, 2), number(rate_hz, 4), number(rate_hz * frame_bytes, 4);
    number(frame_bytes, 2), number(bits, 2), number(22, 2), number(bits, 2), number(mask, 4);
    number(floats ? 3 : 1, 2);
    out += std::string("\x00\x00\x00\x00\x10\x00\x80\x00\x00\xAA\x00\x38\x9B\x71", 14);
    out += "data";
    number(data.size(), 4);
    return out + data;
}

inline std::string wave_bytes(const Pcm& pcm, std::uint32_t mask) {
    return wave_bytes(
        pcm.rate_hz, pcm.channels, 16, false, mask,
        std::string(reinterpret_cast<const char*>(pcm.samples.data()), pcm.samples.size() * sizeof(std::int16_t)));
}

}  // namespace understudy::media
