// library/chapter_segments.h: the provider `chapters`: intros, recaps, credits by the names of stored chapters. No file
// is opened. Made by app for the task TaskExtractMediaSegments.
#pragma once

#include "library/segment_provider.h"
#include "store/scan_store.h"

namespace understudy::library {

class ChapterSegments final : public SegmentProvider {
public:
    /// `items` outlives it.
    explicit ChapterSegments(store::ScanStore& items) : items_(items) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "chapters"; }
    [[nodiscard]] bool serves(model::LibraryKind kind) const noexcept override {
        return kind != model::LibraryKind::music;
    }
    [[nodiscard]] std::string_view counted_as(segments::SegmentKind) const noexcept override { return "from_chapters"; }
    [[nodiscard]] std::vector<SegmentGroup> groups(const std::vector<SegmentItem>& items) const override {
        return pages_of(items);
    }
    [[nodiscard]] std::vector<core::Result<std::string>> bases(const SegmentGroup& group) override;
    [[nodiscard]] core::Result<std::vector<ItemAnswer>> segments(const SegmentGroup& group, tasks::Run& run) override;

private:
    store::ScanStore& items_;
};

}  // namespace understudy::library
