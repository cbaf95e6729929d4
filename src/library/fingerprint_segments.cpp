#include "library/fingerprint_segments.h"

#include <algorithm>
#include <unordered_map>

#include "library/analysis_run.h"
#include "library/naming/text.h"

namespace understudy::library {

namespace {

using namespace std::chrono_literals;
using segments::Micros;
using segments::Span;

/// To be raised when the comparison says something else of the same fingerprints.
constexpr std::string_view version = "1:";
constexpr const char* kind_prefix = "fingerprint:";
constexpr const char* task_key = "TaskExtractMediaSegments";

core::Millis length(const std::optional<media::TimeSpan>& window) {
    return window ? std::chrono::duration_cast<core::Millis>(window->end - window->start) : 0ms;
}

/// Sound is decoded at some 100 times its speed, a slow machine under load at 2; a file without an index is read up to
/// its end, at 20 MB/s from a slow network share.
core::Millis limit(const store::AnalysableSource& source, const EpisodeWindows& windows) {
    constexpr std::int64_t slow_bytes_a_second = 20'000'000;
    return core::Millis{60'000 + 1000 * (source.size_bytes / slow_bytes_a_second)} +
           (length(windows.intro) + length(windows.credits)) / 2;
}

std::string kind_of(const FingerprintSettings& settings) {
    std::string kind = kind_prefix + std::string("v1");
    kind += ":i" + std::to_string(static_cast<int>(settings.intro_share * 1000)) + "/" +
            std::to_string(settings.intro_most.count() / 1000);
    kind += ":c" + std::to_string(settings.credits.count() / 1000);
    return kind;
}

void take(media::FingerprintWindow&& window, segments::Fingerprint& print, std::vector<Span>& silences) {
    print = {window.start, window.item, window.span, std::move(window.words)};
    for (const auto& silence : window.silences) silences.push_back({silence.start, silence.end});
}

/// The parts of those that have words, in the places of all.
template <class Episodes, class Print, class Part>
void find_parts(Episodes& episodes, Print print, Part part, const segments::MatchSettings& settings) {
    std::vector<segments::Fingerprint> prints;
    std::vector<std::size_t> places;
    // The same bytes twice have all in common with themselves. By their sample: copies have dates of their own.
    std::map<std::string, std::size_t> by_sample;
    for (std::size_t i = 0; i < episodes.size(); ++i) {
        auto& episode = episodes[i];
        if (episode.source == nullptr || (episode.*print).words.empty()) continue;
        if (!by_sample.emplace(episode.source->content.sample, i).second) continue;
        prints.push_back(std::move(episode.*print));
        places.push_back(i);
    }
    const auto parts = segments::common_parts(prints, settings);
    for (std::size_t i = 0; i < parts.size(); ++i) episodes[places[i]].*part = parts[i];
    for (auto& episode : episodes) {
        if (episode.source == nullptr) continue;
        const auto first = by_sample.find(episode.source->content.sample);
        if (first != by_sample.end()) episode.*part = episodes[first->second].*part;
    }
}

segments::Segment segment(segments::SegmentKind kind, const Span& span) {
    return {kind, std::chrono::round<core::Millis>(span.start), std::chrono::round<core::Millis>(span.end)};
}

}  // namespace

EpisodeWindows episode_windows(core::Millis duration, const FingerprintSettings& settings) {
    EpisodeWindows windows;
    const auto of = [](core::Millis start, core::Millis end, Micros shortest) -> std::optional<media::TimeSpan> {
        if (Micros(end - start) < shortest) return std::nullopt;
        return media::TimeSpan{start, end};
    };
    if (duration <= 0ms) {
        windows.intro = of(0ms, settings.intro_most, settings.intro.shortest);
        return windows;
    }
    const core::Millis share{static_cast<std::int64_t>(settings.intro_share * static_cast<double>(duration.count()))};
    const auto intro_end = std::min(share, settings.intro_most);
    windows.intro = of(0ms, intro_end, settings.intro.shortest);
    windows.credits =
        of(std::max({duration - settings.credits, duration / 2, intro_end}), duration, settings.outro.shortest);
    return windows;
}

std::vector<SegmentGroup> season_groups(const std::vector<SegmentItem>& items, std::size_t most) {
    std::vector<std::vector<const SegmentItem*>> seasons;
    std::unordered_map<core::ItemId, std::size_t> places;
    for (const auto& item : items) {
        if (item.kind != model::ItemKind::episode) continue;
        const auto [place, is_new] = places.try_emplace(item.parent, seasons.size());
        if (is_new) seasons.emplace_back();
        seasons[place->second].push_back(&item);
    }
    std::vector<SegmentGroup> groups;
    for (const auto& season : seasons) {
        // Whole portions from the first on, so that a new episode changes the last one only.
        for (std::size_t at = 0; at < season.size();) {
            const std::size_t left = season.size() - at;
            const std::size_t size = left < most + most / 2 ? left : most;
            SegmentGroup group;
            group.together = true;
            group.items.assign(season.begin() + static_cast<std::ptrdiff_t>(at),
                               season.begin() + static_cast<std::ptrdiff_t>(at + size));
            groups.push_back(std::move(group));
            at += size;
        }
    }
    return groups;
}

FingerprintSegments::FingerprintSegments(FingerprintSettings settings, store::Analyses& analyses,
                                         media::Analyst& analyst, core::Clock& clock)
    : settings_(settings),
      analyses_(analyses),
      analyst_(analyst),
      clock_(clock),
      edges_(analyses, analyst, clock),
      kind_(kind_of(settings)) {}

store::SourceFilter FingerprintSegments::filter(core::LibraryId library) const {
    store::SourceFilter filter;
    filter.libraries = {library};
    filter.kinds = {model::ItemKind::episode};
    filter.streams = model::StreamKind::audio;
    return filter;
}

core::Result<double> FingerprintSegments::seconds_ahead(core::LibraryId library) {
    const auto totals = analyses_.totals(kind_, store::AnalysisState::pending, filter(library));
    if (!totals) return tl::unexpected(totals.error());
    return static_cast<double>(totals->duration.count()) / 1000;
}

core::Result<void> FingerprintSegments::prepare(core::LibraryId library, tasks::Run& run, ProgressSlice slice) {
    pending_.clear();
    const auto totals = analyses_.totals(kind_, store::AnalysisState::pending, filter(library));
    if (!totals) return tl::unexpected(totals.error());
    if (totals->files == 0) {
        run.count("files_fingerprinted", 0);
        return {};
    }
    AnalysisPlan plan;
    plan.kind = kind_;
    plan.task = task_key;
    plan.job = media::Job::fingerprint;
    plan.filter = filter(library);
    plan.parameters = [this](const store::AnalysableSource& source) -> core::Result<std::string> {
        const auto windows = episode_windows(source.duration, settings_);
        media::FingerprintParameters parameters;
        if (windows.intro) parameters.windows.push_back(*windows.intro);
        if (windows.credits) parameters.windows.push_back(*windows.credits);
        if (parameters.windows.empty()) return core::fail(core::Errc::unsupported, "too short");
        return encode(parameters);
    };
    plan.limit = [this](const store::AnalysableSource& source) {
        return limit(source, episode_windows(source.duration, settings_));
    };
    plan.accept = [](const store::AnalysableSource&, std::string&& payload) -> core::Result<std::string> {
        if (const auto result = media::decode_fingerprint_result(payload); !result)
            return tl::unexpected(result.error());
        return std::move(payload);
    };
    const auto report = AnalysisRun(plan, analyses_, analyst_, clock_, run, slice).work();
    if (report) {
        count(run, *report, "files_fingerprinted");
    } else if (report.error().code == core::Errc::unavailable) {
        // None of those left could be read: the seasons that are known are compared all the same. Where it is the store
        // that does not answer, the next call says so.
        run.warn(naming::display_text(report.error().context));
        run.count("files_fingerprinted", 0);
    } else {
        return tl::unexpected(report.error());
    }
    if (auto forgotten = forget_other_kinds(run); !forgotten) return forgotten;
    return analyses_.sources(kind_, store::AnalysisState::pending, plan.filter, [&](store::AnalysableSource&& source) {
        pending_.insert(std::move(source.content));
        return true;
    });
}

core::Result<void> FingerprintSegments::forget_other_kinds(tasks::Run& run) {
    constexpr std::int64_t portion = 1'000;
    for (std::int64_t gone = portion; gone == portion && !run.should_stop();) {
        auto purged = run.commit(std::nullopt, [&](const core::Fence& fence) -> core::Result<void> {
            const auto removed = analyses_.purge_kinds(kind_prefix, kind_, portion, fence);
            if (!removed) return tl::unexpected(removed.error());
            gone = *removed;
            return {};
        });
        if (!purged) return purged;
    }
    return {};
}

std::vector<core::Result<std::string>> FingerprintSegments::bases(const SegmentGroup& group) {
    // Of the whole portion, whatever its order: a renamed episode changes nothing.
    std::vector<std::uint64_t> members;
    for (const auto* item : group.items) {
        BasisHash hash;
        for (const auto* source : item->sources_in_step())
            if (!pending_.contains(source->content)) hash.add(*source);
        members.push_back(hash.value());
    }
    std::ranges::sort(members);
    BasisHash all;
    all.add(kind_);
    for (const auto* match : {&settings_.intro, &settings_.outro})
        all.add(std::int64_t{match->shortest.count()}).add(std::int64_t{match->longest.count()});
    for (const auto member : members) all.add(static_cast<std::int64_t>(member));
    return {group.items.size(), core::Result<std::string>(std::string(version) + all.str())};
}

core::Result<std::vector<ItemAnswer>> FingerprintSegments::segments(const SegmentGroup& group, tasks::Run& run) {
    auto episodes = load(group);
    if (!episodes) return tl::unexpected(episodes.error());
    if (compare(*episodes)) run.count("seasons_compared");
    const auto edges = edges_.blacks(edges_of(*episodes), run);
    if (!edges) return tl::unexpected(edges.error());
    std::vector<ItemAnswer> answers;
    for (const auto& episode : *episodes) {
        const auto content = episode.source == nullptr ? store::ContentKey{} : episode.source->content;
        if (const auto unread = edges->unread.find(content); unread != edges->unread.end()) {
            answers.emplace_back(core::fail(core::Errc::unavailable, unread->second.context));
            continue;
        }
        const auto black = edges->blacks.find(content);
        answers.emplace_back(refined(episode, black == edges->blacks.end() ? std::vector<Span>{} : black->second));
    }
    return answers;
}

core::Result<std::vector<FingerprintSegments::Episode>> FingerprintSegments::load(const SegmentGroup& group) {
    std::vector<store::ContentKey> contents;
    for (const auto* item : group.items)
        for (const auto* source : item->sources_in_step()) contents.push_back(source->content);
    const auto rows = analyses_.get(kind_, contents);
    if (!rows) return tl::unexpected(rows.error());
    std::map<store::ContentKey, const store::Analysis*> by_content;
    for (const auto& row : *rows) by_content.emplace(row.content, &row);
    std::vector<Episode> episodes(group.items.size());
    for (std::size_t i = 0; i < episodes.size(); ++i) {
        // The first version that could be heard: one broken file costs no item that has another.
        for (const auto* source : group.items[i]->sources_in_step()) {
            const auto row = by_content.find(source->content);
            if (row == by_content.end() || row->second->payload.empty()) continue;
            if (hear(*source, row->second->payload, episodes[i])) break;
        }
    }
    return episodes;
}

bool FingerprintSegments::hear(const store::AnalysableSource& source, const std::string& payload, Episode& into) const {
    auto result = media::decode_fingerprint_result(payload);
    if (!result) return false;
    const auto windows = episode_windows(source.duration, settings_);
    const std::size_t asked = (windows.intro ? 1u : 0u) + (windows.credits ? 1u : 0u);
    if (result->windows.size() != asked) return false;
    into.source = &source;
    if (windows.intro) take(std::move(result->windows.front()), into.intro, into.intro_silences);
    if (windows.credits) take(std::move(result->windows.back()), into.credits, into.credits_silences);
    return true;
}

bool FingerprintSegments::compare(std::vector<Episode>& episodes) const {
    const auto heard = std::ranges::count_if(episodes, [](const Episode& one) { return one.source != nullptr; });
    if (heard < 2) return false;
    find_parts(episodes, &Episode::intro, &Episode::intro_part, settings_.intro);
    find_parts(episodes, &Episode::credits, &Episode::credits_part, settings_.outro);
    return true;
}

std::vector<EdgeQuestion> FingerprintSegments::edges_of(const std::vector<Episode>& episodes) {
    std::vector<EdgeQuestion> questions;
    std::set<store::ContentKey> asked;
    for (const auto& episode : episodes) {
        EdgeQuestion question{episode.source, {}};
        for (const auto* part : {&episode.intro_part, &episode.credits_part})
            if (*part) question.edges.insert(question.edges.end(), {(*part)->where.start, (*part)->where.end});
        if (!question.edges.empty() && asked.insert(episode.source->content).second)
            questions.push_back(std::move(question));
    }
    return questions;
}

std::vector<segments::Segment> FingerprintSegments::refined(const Episode& episode, const std::vector<Span>& blacks) {
    std::vector<segments::Segment> found;
    if (episode.source == nullptr) return found;
    const Micros runtime = episode.source->duration;
    const auto add = [&](segments::SegmentKind kind, const std::optional<segments::CommonPart>& part,
                         const std::vector<Span>& silences) {
        if (part)
            found.push_back(
                segment(kind, segments::refine(part->where, silences, blacks, segments::refine_reach, runtime)));
    };
    add(segments::SegmentKind::intro, episode.intro_part, episode.intro_silences);
    add(segments::SegmentKind::outro, episode.credits_part, episode.credits_silences);
    return found;
}

}  // namespace understudy::library
