// model/segment.h: a stretch of a film or episode that has a meaning of its own. Plain values.
#pragma once

#include <compare>
#include <optional>
#include <string_view>

#include "core/time.h"

namespace understudy::model {

enum class SegmentKind { intro, outro, recap, preview, commercial };
[[nodiscard]] std::string_view to_string(SegmentKind kind) noexcept;  ///< `intro`, …: as stored
[[nodiscard]] std::optional<SegmentKind> parse_segment_kind(std::string_view text) noexcept;

struct Segment {
    SegmentKind kind = SegmentKind::intro;
    core::Millis start{}, end{};  ///< end > start
    friend bool operator==(const Segment&, const Segment&) = default;
};

}  // namespace understudy::model
