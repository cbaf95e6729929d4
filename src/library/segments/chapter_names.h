// library/segments/chapter_names.h: intros, recaps, credits … by the names that people gave to chapters. Pure. Used by
// the `chapters` provider.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "library/segments/segment.h"

namespace understudy::library::segments {

/// The kind that a chapter's whole name says, in any of our languages, case and accents aside, with a number before or
/// after («03 - Opening», «Credits 2»). A name that only begins like one («Introduction to Chemistry») says none: as a
/// title of content it must never be skipped.
[[nodiscard]] std::optional<SegmentKind> kind_of_chapter(std::string_view name);

struct NamedChapter {
    core::Millis start{};
    std::string name;
};

/// A chapter ends where the next one begins, the last at `runtime` (0: unknown, then it is none). Names alone are not
/// believed where length or place speak against them: an intro or recap lies in the first half and lasts at most 5 min,
/// a preview at most 5 min, credits lie in the second half, a commercial lasts at most 15 min; each at least 3 s.
[[nodiscard]] std::vector<Segment> segments_from_chapters(std::span<const NamedChapter> chapters, core::Millis runtime);

}  // namespace understudy::library::segments
