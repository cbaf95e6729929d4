#include "library/refresh_chapter_images.h"

#include <algorithm>
#include <map>

#include "core/check.h"
#include "library/library_options.h"
#include "library/naming/text.h"

namespace understudy::library {

namespace {

using namespace std::chrono_literals;

constexpr core::Millis dark_beginning = 15s;
constexpr core::Millis least_gap = 1s;
constexpr std::size_t most_dummies = 200;
/// A worker's answer is at most 16 MiB: 80 kB each, several times what a picture of the usual width takes.
constexpr std::size_t most_pictures = 200;
constexpr const char* kind_prefix = "pictures:";

/// Exact pictures decode all between a keyframe and its target, one file on one core; measured 4K HEVC: 15 frames a
/// second, targets up to 10 s behind their keyframe.
core::Millis limit(std::size_t pictures) {
    return core::Millis{60'000 + 20'000 * static_cast<std::int64_t>(pictures)};
}

}  // namespace

std::vector<ChapterTime> chapter_times(const std::vector<model::Chapter>& chapters, core::Millis runtime) {
    std::vector<ChapterTime> times;
    for (std::size_t i = 0; i < chapters.size(); ++i) {
        const auto start = std::max(chapters[i].start, core::Millis{0});
        if (runtime > 0ms && start >= runtime) continue;
        times.push_back({static_cast<int>(i), start});
    }
    std::ranges::stable_sort(times, {}, &ChapterTime::at);
    if (times.size() > 1) {
        const auto span = times.back().at - times.front().at;
        if (span < least_gap * static_cast<std::int64_t>(times.size() - 1)) return {};
    }
    for (auto& time : times) {
        if (time.at != 0ms) break;
        time.at = runtime > 0ms ? std::min(dark_beginning, runtime) : dark_beginning;
    }
    std::ranges::stable_sort(times, {}, &ChapterTime::at);
    return times;
}

std::vector<model::Chapter> dummy_chapters(core::Millis runtime, std::chrono::seconds every) {
    std::vector<model::Chapter> chapters;
    if (every <= 0s || runtime <= 0ms) return chapters;
    for (core::Millis at{0}; at < runtime && chapters.size() < most_dummies; at += every) chapters.push_back({at, {}});
    return chapters;
}

RefreshChapterImages::RefreshChapterImages(ChapterImageSettings settings, store::LibraryStore& libraries,
                                           store::ScanStore& items, store::Analyses& analyses,
                                           store::ChapterPictures& pictures, store::BlobStore& blobs,
                                           media::Analyst& analyst, core::Clock& clock)
    : settings_(settings),
      libraries_(libraries),
      items_(items),
      analyses_(analyses),
      pictures_(pictures),
      blobs_(blobs),
      analyst_(analyst),
      clock_(clock) {}

const tasks::CatalogueEntry& RefreshChapterImages::info() const noexcept {
    const auto* entry = tasks::find_task("RefreshChapterImages");
    CHECK(entry != nullptr);
    return *entry;
}

std::string RefreshChapterImages::kind() const {
    std::string kind = kind_prefix + std::string("w") + std::to_string(settings_.width);
    kind += settings_.format == media::PictureFormat::jpeg ? ":jpeg" : ":webp";
    kind += std::to_string(settings_.quality);
    if (settings_.choice == media::PictureChoice::keyframe) kind += ":keyframe";
    if (settings_.dummy > 0s) kind += ":dummy" + std::to_string(settings_.dummy.count());
    return kind;
}

core::Result<std::vector<ChapterTime>> RefreshChapterImages::times_of(const store::AnalysableSource& source) const {
    const auto loaded = items_.load({source.item});
    if (!loaded) return tl::unexpected(loaded.error());
    for (const auto& item : *loaded) {
        for (const auto& of : item.sources) {
            if (of.file.path != source.path) continue;
            if (of.info.chapters.size() > 1 || settings_.dummy <= 0s)
                return chapter_times(of.info.chapters, of.info.duration);
            return chapter_times(dummy_chapters(of.info.duration, settings_.dummy), of.info.duration);
        }
    }
    return std::vector<ChapterTime>{};
}

core::Result<void> RefreshChapterImages::execute(tasks::Run& run) {
    const auto all = libraries_.all();
    if (!all) return tl::unexpected(all.error());
    AnalysisPlan plan;
    plan.kind = kind();
    plan.task = info().key;
    plan.job = media::Job::pictures;
    plan.filter.libraries = libraries_that(*all, [](const model::Library& library, const LibraryOptions& options) {
        return library.kind != model::LibraryKind::music && options.chapter_pictures;
    });
    plan.filter.streams = model::StreamKind::video;
    if (plan.filter.libraries.empty()) {
        run.count("pictures", 0);
        return {};
    }

    std::map<store::ContentKey, std::vector<ChapterTime>> asked;  // of the files in flight
    plan.parameters = [&](const store::AnalysableSource& source) -> core::Result<std::string> {
        auto times = times_of(source);
        if (!times) return tl::unexpected(times.error());
        if (times->empty()) return core::fail(core::Errc::unsupported, "no chapters");
        media::PicturesParameters parameters;
        parameters.max_width = settings_.width;
        parameters.format = settings_.format;
        parameters.quality = settings_.quality;
        parameters.choice = settings_.choice;
        if (times->size() > most_pictures) times->resize(most_pictures);
        for (const auto& time : *times) parameters.times.emplace_back(time.at);
        asked[source.content] = std::move(*times);
        return encode(parameters);
    };
    plan.limit = [&](const store::AnalysableSource& source) { return limit(asked[source.content].size()); };
    std::int64_t made = 0;
    plan.accept = [&](const store::AnalysableSource& source, std::string&& payload) -> core::Result<std::string> {
        const auto times = asked.extract(source.content);
        auto result = media::decode_pictures_result(payload);
        if (!result) return tl::unexpected(result.error());
        if (times.empty() || result->pictures.size() != times.mapped().size())
            return core::fail(core::Errc::corrupt, "the worker answered for other chapters than asked");
        std::vector<store::ChapterPicture> rows;
        std::string reason;
        for (std::size_t i = 0; i < result->pictures.size(); ++i) {
            const auto& picture = result->pictures[i];
            if (picture.width == 0) {
                if (reason.empty()) reason = picture.reason;
                continue;
            }
            const auto blob = blobs_.put(picture.bytes);
            if (!blob) return tl::unexpected(blob.error());
            rows.push_back({times.mapped()[i].number, *blob, picture.width, picture.height,
                            settings_.format == media::PictureFormat::jpeg ? "jpeg" : "webp"});
        }
        if (rows.empty()) return core::fail(core::Errc::corrupt, "no picture: " + reason);
        if (!reason.empty())
            run.warn(naming::display_text(source.path) +
                     ": some chapters have no picture: " + naming::display_text(reason));
        made += static_cast<std::int64_t>(rows.size());
        // Before the row that says the file is done; both may be repeated.
        const auto stored = run.commit(std::nullopt, [&](const core::Fence& fence) {
            return pictures_.put_pictures({{source.content, rows}}, fence);
        });
        if (!stored) return tl::unexpected(stored.error());
        return std::string{};
    };
    const auto report = AnalysisRun(plan, analyses_, analyst_, clock_, run, {}).work();
    if (!report) return tl::unexpected(report.error());
    run.count("pictures", made);
    count(run, *report, "files");

    // What other settings made was replaced file by file; their rows go, and with them the last word of their blobs.
    constexpr std::int64_t portion = 1'000;
    for (std::int64_t gone = portion; gone == portion && !run.should_stop();) {
        const auto purged = run.commit(std::nullopt, [&](const core::Fence& fence) -> core::Result<void> {
            const auto removed = analyses_.purge_kinds(kind_prefix, plan.kind, portion, fence);
            if (!removed) return tl::unexpected(removed.error());
            gone = *removed;
            return {};
        });
        if (!purged) return tl::unexpected(purged.error());
    }
    return {};
}

}  // namespace understudy::library
