#include "library/segments/segment.h"

#include <algorithm>
#include <tuple>

namespace understudy::library::segments {

namespace {

std::string seconds_text(core::Millis time) {
    const auto count = time.count();
    const auto magnitude = count < 0 ? -count : count;
    std::string decimals = std::to_string(magnitude % 1000);
    decimals.insert(0, 3 - decimals.size(), '0');
    return (count < 0 ? "-" : "") + std::to_string(magnitude / 1000) + "." + decimals + " s";
}

}  // namespace

CheckedSegments check(std::vector<Segment> segments, core::Millis runtime) {
    CheckedSegments out;
    for (auto& segment : segments) {
        const std::string what = std::string(model::to_string(segment.kind)) + " from " + seconds_text(segment.start) +
                                 " to " + seconds_text(segment.end);
        if (segment.end <= segment.start) {
            out.refused.push_back(what + ": ends before it begins");
        } else if (segment.start < core::Millis{0}) {
            out.refused.push_back(what + ": begins before the film");
        } else if (runtime > core::Millis{0} && segment.start >= runtime) {
            out.refused.push_back(what + ": begins beyond the end (" + seconds_text(runtime) + ")");
        } else {
            if (runtime > core::Millis{0}) segment.end = std::min(segment.end, runtime);
            out.segments.push_back(segment);
        }
    }
    std::ranges::sort(out.segments, {}, [](const Segment& s) { return std::tuple(s.start, s.end, s.kind); });
    out.segments.erase(std::unique(out.segments.begin(), out.segments.end()), out.segments.end());
    return out;
}

}  // namespace understudy::library::segments
