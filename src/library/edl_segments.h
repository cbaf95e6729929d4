// library/edl_segments.h: the provider `edl`: edit decision lists beside films (`Film.edl` beside `Film.mkv`). Made by
// app for the task TaskExtractMediaSegments.
#pragma once

#include <memory>
#include <optional>

#include "library/file_system.h"
#include "library/segment_provider.h"
#include "store/scan_store.h"

namespace understudy::library {

class EdlSegments final : public SegmentProvider {
public:
    /// `items` outlives it.
    EdlSegments(store::ScanStore& items, std::shared_ptr<const FileSystem> files)
        : items_(items), files_(std::move(files)) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "edl"; }
    [[nodiscard]] bool serves(model::LibraryKind kind) const noexcept override {
        return kind != model::LibraryKind::music;
    }
    [[nodiscard]] std::string_view counted_as(segments::SegmentKind) const noexcept override { return "from_edl"; }
    /// The sidecars of before are forgotten: a new round begins.
    [[nodiscard]] core::Result<void> prepare(core::LibraryId, tasks::Run&, ProgressSlice) override;
    [[nodiscard]] std::vector<SegmentGroup> groups(const std::vector<SegmentItem>& items) const override {
        return pages_of(items);
    }
    [[nodiscard]] std::vector<core::Result<std::string>> bases(const SegmentGroup& group) override;
    [[nodiscard]] core::Result<std::vector<ItemAnswer>> segments(const SegmentGroup& group, tasks::Run& run) override;

private:
    struct Sidecar {
        std::string path;
        std::int64_t size_bytes = 0, mtime_ns = 0;
        const store::AnalysableSource* source = nullptr;
    };
    /// Of the first source that has one.
    [[nodiscard]] core::Result<std::optional<Sidecar>> sidecar_of(const SegmentItem& item);
    [[nodiscard]] core::Result<void> list(std::string_view folder);
    [[nodiscard]] ItemAnswer read(const SegmentItem& item, tasks::Run& run);
    [[nodiscard]] core::Result<double> frame_rate(const SegmentItem& item, const std::string& path);

    store::ScanStore& items_;
    std::shared_ptr<const FileSystem> files_;
    /// The lists in the folder looked into last: a folder is listed once for all that lies in it, which costs less than
    /// a question for each file where there is mostly none.
    std::optional<std::string> folder_;
    std::vector<std::string> names_;
};

}  // namespace understudy::library
