#include "library/embedded_covers.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "library/library_options.h"
#include "media/cover.h"

namespace understudy::library {

namespace {

constexpr std::size_t page = 500;
constexpr core::Millis limit{30'000};  // of one file: the head of it is read and one picture scaled

/// Whose `TypeOptions` speak for the library.
const char* type_of(model::LibraryKind kind) {
    switch (kind) {
        case model::LibraryKind::movies:
            return "Movie";
        case model::LibraryKind::tvshows:
            return "Episode";
        case model::LibraryKind::music:
            return "Audio";
    }
    return "";
}

}  // namespace

core::Result<void> EmbeddedCovers::refresh(tasks::Run& run, const std::vector<model::Library>& libraries,
                                           ProgressSlice slice) {
    run.count("covers", 0);
    const auto takes = [](const model::Library& library, const LibraryOptions& options) {
        return !options.covers_off.contains(type_of(library.kind));
    };
    const auto on = libraries_that(libraries, takes);
    const auto off =
        libraries_that(libraries, [&](const auto& library, const auto& options) { return !takes(library, options); });
    if (auto hidden = hide(run, off); !hidden) return hidden;

    std::set<store::ContentKey> asked;
    for (bool again = true; again;) {
        if (run.should_stop()) return core::fail(core::Errc::cancelled, "covers");
        auto due = covers_.due(on);
        if (!due) return tl::unexpected(due.error());
        std::vector<store::DueCover> known, wanted;
        again = false;
        for (auto& one : *due) {
            if (one.known || one.content.sample.empty()) {
                known.push_back(std::move(one));
            } else if (asked.insert(one.content).second) {
                wanted.push_back(std::move(one));
            } else {
                again = true;  // another item with these bytes: known when they have been looked at
            }
        }
        if (auto shown = show(run, known); !shown) return shown;
        if (wanted.empty()) break;  // what is due still could not be read
        // Another round is seldom, and has most of its way behind it.
        const double to = slice.from + (slice.to - slice.from) * 0.9;
        const auto report = look_into(run, wanted, {slice.from, to});
        if (!report) return tl::unexpected(report.error());
        again |= report->failed > 0;  // another file of the item may have one
        slice.from = to;
    }
    run.report(slice.to);
    return {};
}

core::Result<void> EmbeddedCovers::hide(tasks::Run& run, const std::vector<core::LibraryId>& libraries) {
    const auto items = covers_.shown_in(libraries);
    if (!items) return tl::unexpected(items.error());
    std::vector<store::DueCover> none;
    for (const auto& item : *items) none.push_back({item, {}, 0, {}, false});
    return show(run, none);
}

core::Result<void> EmbeddedCovers::show(tasks::Run& run, const std::vector<store::DueCover>& covers) {
    for (std::size_t at = 0; at < covers.size(); at += page) {
        if (run.should_stop()) return core::fail(core::Errc::cancelled, "covers");
        const std::vector<store::DueCover> part(
            covers.begin() + static_cast<std::ptrdiff_t>(at),
            covers.begin() + static_cast<std::ptrdiff_t>(std::min(covers.size(), at + page)));
        const auto stored =
            run.commit(std::nullopt, [&](const core::Fence& fence) { return covers_.show(part, fence); });
        if (!stored) return stored;
        const auto removed = std::ranges::count_if(part, [](const auto& one) { return one.content.sample.empty(); });
        run.count("covers", static_cast<std::int64_t>(part.size()) - removed);
        if (removed > 0) run.count("covers_removed", removed);
    }
    return {};
}

core::Result<AnalysisReport> EmbeddedCovers::look_into(tasks::Run& run, const std::vector<store::DueCover>& wanted,
                                                       ProgressSlice slice) {
    std::map<store::ContentKey, core::ItemId> item_of;
    for (const auto& one : wanted) item_of.emplace(one.content, one.item);
    std::vector<store::FoundCover> found;

    AnalysisPlan plan;
    plan.kind = store::cover_kind;
    plan.task = "RefreshLibrary";
    plan.subject = "embedded picture";
    plan.job = media::Job::cover;
    plan.weight = AnalysisWeight::files;
    plan.limit = [](const store::AnalysableSource&) { return limit; };
    plan.parameters = [](const store::AnalysableSource&) -> core::Result<std::string> {
        return media::encode(media::CoverParameters{});
    };
    plan.accept = [&](const store::AnalysableSource& source, std::string&& payload) -> core::Result<std::string> {
        auto cover = media::decode_cover_result(payload);
        if (!cover) return tl::unexpected(cover.error());
        const auto blob = blobs_.put(cover->bytes);
        if (!blob) return tl::unexpected(blob.error());
        const auto size = static_cast<std::int64_t>(cover->bytes.size());
        found.push_back({item_of[source.content], source.content, {*blob, size, cover->width, cover->height}});
        return std::string{};
    };
    plan.before_rows = [&]() -> core::Result<void> {
        if (found.empty()) return {};
        auto stored = run.commit(std::nullopt, [&](const core::Fence& fence) { return covers_.put(found, fence); });
        if (!stored) return stored;
        run.count("covers", static_cast<std::int64_t>(found.size()));
        found.clear();
        return {};
    };
    GivenSources given;
    given.files = static_cast<std::int64_t>(wanted.size());
    given.stream = [&](const std::function<bool(store::AnalysableSource &&)>& each) -> core::Result<void> {
        for (std::size_t at = 0; at < wanted.size(); at += page) {
            auto sources = covers_.sources(std::span(wanted).subspan(at, std::min(page, wanted.size() - at)));
            if (!sources) return tl::unexpected(sources.error());
            for (auto& source : *sources) {
                if (!each(std::move(source))) return {};
            }
        }
        return {};
    };
    auto report = AnalysisRun(plan, analyses_, analyst_, clock_, run, slice).work(given);
    if (report && report->failed > 0) run.count("covers_failed", report->failed);
    if (report && report->unread > 0) run.count("covers_unreadable", report->unread);
    return report;
}

}  // namespace understudy::library
