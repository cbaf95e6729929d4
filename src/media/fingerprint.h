// media/fingerprint.h: parameters and result of the job `fingerprint`: what windows of a file sound like (raw words of
// Chromaprint) and where they are silent. The worker makes it (media/ffmpeg/fingerprint.cpp); the library compares the
// episodes of a season (library/segments).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace understudy::media {

/// From `start` to before `end`, from the start of the file.
struct TimeSpan {
    std::chrono::microseconds start{0}, end{0};
    friend bool operator==(const TimeSpan&, const TimeSpan&) = default;
};

struct FingerprintParameters {
    static constexpr std::size_t most_windows = 16;
    static constexpr std::chrono::hours longest_window{2};

    std::vector<TimeSpan> windows;  ///< sorted, apart, none longer than longest_window
    double silence_dbfs = -50;      ///< quieter in every channel and sample: silence; -120..0
    std::chrono::microseconds shortest_silence = std::chrono::milliseconds{300};

    friend bool operator==(const FingerprintParameters&, const FingerprintParameters&) = default;
};

struct FingerprintWindow {
    std::chrono::microseconds start{0};  ///< of the first sample heard; word i begins at start + i * item
    std::chrono::microseconds heard{0};  ///< length of what was heard; less than asked where the file ends
    std::chrono::microseconds item{0};   ///< from word to word
    std::chrono::microseconds span{0};   ///< of sound that one word tells of: item plus Chromaprint's delay
    std::vector<std::uint32_t> words;
    std::vector<TimeSpan> silences;

    friend bool operator==(const FingerprintWindow&, const FingerprintWindow&) = default;
};

struct FingerprintResult {
    static constexpr std::size_t most_words = 65'536;  ///< a window: 2 h are 58,000 words of 124 ms
    static constexpr std::size_t most_silences = 8192;

    std::vector<FingerprintWindow> windows;  ///< one for each asked, in order

    friend bool operator==(const FingerprintResult&, const FingerprintResult&) = default;
};

[[nodiscard]] std::string encode(const FingerprintParameters& parameters);
[[nodiscard]] std::string encode(const FingerprintResult& result);
/// Foreign bytes: everything is checked. Errors: corrupt.
[[nodiscard]] core::Result<FingerprintParameters> decode_fingerprint_parameters(std::string_view bytes);
[[nodiscard]] core::Result<FingerprintResult> decode_fingerprint_result(std::string_view bytes);

}  // namespace understudy::media
