#include "model/segment.h"

#include <array>
#include <utility>

namespace understudy::model {
namespace {

constexpr std::array<std::pair<SegmentKind, std::string_view>, 5> names{{{SegmentKind::intro, "intro"},
                                                                         {SegmentKind::outro, "outro"},
                                                                         {SegmentKind::recap, "recap"},
                                                                         {SegmentKind::preview, "preview"},
                                                                         {SegmentKind::commercial, "commercial"}}};

}  // namespace

std::string_view to_string(SegmentKind kind) noexcept {
    for (const auto& [known, name] : names) {
        if (known == kind) return name;
    }
    return "";
}

std::optional<SegmentKind> parse_segment_kind(std::string_view text) noexcept {
    for (const auto& [kind, name] : names) {
        if (name == text) return kind;
    }
    return std::nullopt;
}

}  // namespace understudy::model
