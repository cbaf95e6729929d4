#include "library/keyframe_extraction.h"

#include "core/check.h"
#include "library/library_options.h"
#include "media/keyframes.h"

namespace understudy::library {

namespace {

/// An index is read in milliseconds; a file without one is read whole: 20 MB/s is a slow network share.
core::Millis limit(const store::AnalysableSource& source) {
    constexpr std::int64_t slow_bytes_a_second = 20'000'000;
    return core::Millis{60'000 + 1000 * (source.size_bytes / slow_bytes_a_second)};
}

}  // namespace

const tasks::CatalogueEntry& KeyframeExtraction::info() const noexcept {
    const auto* entry = tasks::find_task("KeyframeExtraction");
    CHECK(entry != nullptr);
    return *entry;
}

core::Result<void> KeyframeExtraction::execute(tasks::Run& run) {
    const auto all = libraries_.all();
    if (!all) return tl::unexpected(all.error());
    AnalysisPlan plan;
    plan.kind = kind;
    plan.task = info().key;
    plan.job = media::Job::keyframes;
    plan.filter.libraries = libraries_that(*all, [](const model::Library& library, const LibraryOptions&) {
        return library.kind != model::LibraryKind::music;
    });
    plan.filter.streams = model::StreamKind::video;
    plan.limit = limit;
    plan.weight = AnalysisWeight::size;
    std::int64_t keyframes = 0;
    plan.accept = [&](const store::AnalysableSource&, std::string&& payload) -> core::Result<std::string> {
        const auto index = media::decode_keyframes(payload);
        if (!index) return tl::unexpected(index.error());
        keyframes += static_cast<std::int64_t>(index->times.size());
        return std::move(payload);
    };
    if (plan.filter.libraries.empty()) {
        run.count("files", 0);
        return {};
    }
    const auto report = AnalysisRun(plan, analyses_, analyst_, clock_, run, {}).work();
    if (!report) return tl::unexpected(report.error());
    count(run, *report, "files");
    if (keyframes > 0) run.count("keyframes", keyframes);
    return {};
}

}  // namespace understudy::library
