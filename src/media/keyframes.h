// media/keyframes.h: where a video can be entered without decoding what comes before. The job `keyframes` answers with
// it; it has no parameters. Used by the worker and by the task that keeps them.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace understudy::media {

struct Keyframes {
    std::chrono::microseconds duration{};  ///< of the file; 0: unknown
    /// Presentation times as they stand in the file, ascending, each once. A file need not begin at 0.
    std::vector<std::chrono::microseconds> times;

    friend bool operator==(const Keyframes&, const Keyframes&) = default;
};

/// About two bytes a keyframe.
[[nodiscard]] std::string encode(const Keyframes& keyframes);
/// Errors: corrupt.
[[nodiscard]] core::Result<Keyframes> decode_keyframes(std::string_view payload);

}  // namespace understudy::media
