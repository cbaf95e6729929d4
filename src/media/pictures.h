// media/pictures.h: parameters and result of the job `pictures`: scaled stills of one video at given times (chapter
// pictures). The worker makes them (media/ffmpeg/pictures.cpp), the library's chapter task asks and decodes.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace understudy::media {

enum class PictureFormat : std::uint8_t { jpeg, webp };

/// `exact`: the first picture that begins at or after the time, all before it decoded. `keyframe`: the keyframe at or
/// before the time; at least ten times quicker.
enum class PictureChoice : std::uint8_t { exact, keyframe };

struct PicturesParameters {
    static constexpr std::size_t most_times = 1000;
    static constexpr int widest = 3840;

    std::vector<std::chrono::microseconds> times;  ///< sorted, from the start of the file, at most most_times
    int max_width = 400;  ///< 16..widest pixels; a narrower video is never scaled up; the shape is kept
    PictureFormat format = PictureFormat::jpeg;
    int quality = 85;  ///< 1..100, as JPEG libraries count
    PictureChoice choice = PictureChoice::exact;

    friend bool operator==(const PicturesParameters&, const PicturesParameters&) = default;
};

/// One time's picture, or why there is none.
struct Picture {
    static constexpr std::size_t most_bytes = std::size_t{4} * 1024 * 1024;

    int width = 0, height = 0;              ///< pixels of the coded picture; 0: none
    std::chrono::microseconds shown_at{0};  ///< time of the video's picture that was taken
    std::string bytes;
    std::string reason;  ///< not empty where there is no picture: for people

    friend bool operator==(const Picture&, const Picture&) = default;
};

struct PicturesResult {
    /// All pictures together are no larger (an answer of a worker is at most 16 MiB); those that would be beyond have a
    /// reason. 400 pixels wide a picture has some 30 KB: ask for at most some 200 times at once.
    static constexpr std::size_t most_bytes = std::size_t{15} * 1024 * 1024;

    std::vector<Picture> pictures;  ///< one for each time, in the order of the times

    friend bool operator==(const PicturesResult&, const PicturesResult&) = default;
};

[[nodiscard]] std::string encode(const PicturesParameters& parameters);
[[nodiscard]] std::string encode(const PicturesResult& result);
/// Foreign bytes: every length, number and order is checked. Errors: corrupt.
[[nodiscard]] core::Result<PicturesParameters> decode_pictures_parameters(std::string_view bytes);
[[nodiscard]] core::Result<PicturesResult> decode_pictures_result(std::string_view bytes);

}  // namespace understudy::media
