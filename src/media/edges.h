// media/edges.h: parameters and result of the job `edges`: where short windows of a video are black. The worker makes
// it (media/ffmpeg/edges.cpp); the library moves the edges of intros and credits to them (library/segments).
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "media/fingerprint.h"

namespace understudy::media {

struct EdgesParameters {
    static constexpr std::size_t most_windows = 64;
    static constexpr std::chrono::minutes longest_window{10};

    std::vector<TimeSpan> windows;  ///< sorted, apart, none longer than longest_window
    // The two thresholds are those of ffmpeg's blackdetect.
    double picture_black_ratio = 0.98;  ///< share of black pixels in a black picture, 0..1
    double pixel_black = 0.10;          ///< share of the luma range up to which a pixel is black, 0..1
    std::chrono::microseconds shortest = std::chrono::milliseconds{80};  ///< two pictures at 25 a second

    friend bool operator==(const EdgesParameters&, const EdgesParameters&) = default;
};

struct EdgesResult {
    static constexpr std::size_t most_blacks = 4096;
    std::vector<std::vector<TimeSpan>> blacks;  ///< for each window, in order; cut at the window's ends

    friend bool operator==(const EdgesResult&, const EdgesResult&) = default;
};

[[nodiscard]] std::string encode(const EdgesParameters& parameters);
[[nodiscard]] std::string encode(const EdgesResult& result);
/// Foreign bytes: everything is checked. Errors: corrupt.
[[nodiscard]] core::Result<EdgesParameters> decode_edges_parameters(std::string_view bytes);
[[nodiscard]] core::Result<EdgesResult> decode_edges_result(std::string_view bytes);

}  // namespace understudy::media
