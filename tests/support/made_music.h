// tests/support/made_music.h: sound made here, the same for the same seed and nowhere twice alike: for tests of what
// compares sounds. Header only.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <random>
#include <vector>

namespace understudy::test {

using Sound = std::vector<float>;
inline constexpr int sound_rate = 22'050;

[[nodiscard]] inline double seconds_of(const Sound& sound) {
    return static_cast<double>(sound.size()) / sound_rate;
}

/// Chords of random notes, each of some 0.2 to 0.7 s, with noise over it: tonal enough for Chromaprint.
inline void add_music(Sound& to, double seconds, unsigned seed) {
    std::mt19937 engine(seed);
    const auto end = to.size() + static_cast<std::size_t>(seconds * sound_rate);
    while (to.size() < end) {
        const auto length = std::min<std::size_t>(
            static_cast<std::size_t>(sound_rate) / 5 + engine() % (static_cast<std::size_t>(sound_rate) / 2),
            end - to.size());
        std::array<double, 4> steps{};
        for (auto& step : steps)
            step = 2 * std::numbers::pi * 110 * std::pow(2.0, static_cast<double>(engine() % 48) / 12) / sound_rate;
        for (std::size_t i = 0; i < length; ++i) {
            double value = 0;
            for (const auto step : steps) value += 0.12 * std::sin(step * static_cast<double>(i));
            value += 0.02 * (static_cast<double>(engine() % 2001) / 1000 - 1);
            to.push_back(static_cast<float>(value));
        }
    }
}

/// Mono, 16 bits.
inline void write_wav(const std::filesystem::path& file, const Sound& sound) {
    std::vector<std::int16_t> samples;
    samples.reserve(sound.size());
    for (const float value : sound)
        samples.push_back(static_cast<std::int16_t>(std::lround(std::clamp(value, -1.0F, 1.0F) * 32'000)));
    const auto bytes = static_cast<std::uint32_t>(samples.size() * 2);
    std::ofstream out(file, std::ios::binary);
    const auto number = [&](std::uint32_t value, int length) {
        for (int i = 0; i < length; ++i) out.put(static_cast<char>((value >> (8 * i)) & 0xFF));
    };
    out << "RIFF";
    number(36 + bytes, 4);
    out << "WAVEfmt ";
    number(16, 4), number(1, 2), number(1, 2), number(sound_rate, 4), number(sound_rate * 2, 4);
    number(2, 2), number(16, 2);
    out << "data";
    number(bytes, 4);
    out.write(reinterpret_cast<const char*>(samples.data()), static_cast<std::streamsize>(bytes));
}

}  // namespace understudy::test
