// library/segments/segment.h: parts of a film or episode that a client may offer to skip, as plain values, and the
// check that each must pass. Used by the providers in this folder and by the task TaskExtractMediaSegments.
#pragma once

#include <string>
#include <vector>

#include "core/time.h"
#include "model/segment.h"

namespace understudy::library::segments {

using model::Segment;
using model::SegmentKind;

struct CheckedSegments {
    std::vector<Segment> segments;     ///< by start
    std::vector<std::string> refused;  ///< why each other one was left out, for people
};

/// A segment that ends at or before its start, begins before 0 or beyond the runtime is refused; one that ends a little
/// beyond the runtime is cut there; the same twice is kept once. `runtime` 0: unknown.
[[nodiscard]] CheckedSegments check(std::vector<Segment> segments, core::Millis runtime);

}  // namespace understudy::library::segments
