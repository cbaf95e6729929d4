// library/segments/segment.h: parts of a film or episode that a client may offer to skip, as plain values, and the
// check that each must pass. Used by the providers in this folder and by the task TaskExtractMediaSegments.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/time.h"

namespace understudy::library::segments {

/// Jellyfin's MediaSegmentType; `outro` is what people call credits.
enum class SegmentKind : std::uint8_t { intro, recap, preview, outro, commercial };

/// `intro`, `recap`, …: as stored.
[[nodiscard]] std::string_view to_string(SegmentKind kind) noexcept;

struct Segment {
    SegmentKind kind = SegmentKind::intro;
    core::Millis start{}, end{};
    friend bool operator==(const Segment&, const Segment&) = default;
};

struct CheckedSegments {
    std::vector<Segment> segments;     ///< by start
    std::vector<std::string> refused;  ///< why each other one was left out, for people
};

/// A segment that ends at or before its start, begins before 0 or beyond the runtime is refused; one that ends a little
/// beyond the runtime is cut there; the same twice is kept once. `runtime` 0: unknown.
[[nodiscard]] CheckedSegments check(std::vector<Segment> segments, core::Millis runtime);

}  // namespace understudy::library::segments
