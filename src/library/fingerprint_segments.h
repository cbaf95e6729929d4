// library/fingerprint_segments.h: the provider `fingerprint`: the intro and the credits that the episodes of a season
// have in common, by their sound. Made by app for the task TaskExtractMediaSegments.
#pragma once

#include <optional>
#include <set>

#include "core/time.h"
#include "library/segment_edges.h"
#include "library/segment_provider.h"
#include "library/segments/season.h"
#include "media/analyst.h"
#include "media/fingerprint.h"

namespace understudy::library {

struct FingerprintSettings {
    double intro_share = 0.25;             ///< of an episode, from its start …
    core::Millis intro_most{10 * 60'000};  ///< … and no more
    core::Millis credits{7 * 60'000};      ///< at its end; no more than its second half
    segments::MatchSettings intro;
    segments::MatchSettings outro = segments::credits_settings();
    /// Every pair of episodes is compared: longer seasons in portions of neighbours, who have their intro in common.
    std::size_t most_together = 40;
};

/// What of an episode is listened to. A window too short for what is looked for is none; both may touch.
struct EpisodeWindows {
    std::optional<media::TimeSpan> intro, credits;
};
/// `duration` 0: unknown, then there are no credits.
[[nodiscard]] EpisodeWindows episode_windows(core::Millis duration, const FingerprintSettings& settings);

/// Episodes in portions of one season, none of less than half of `most` beside others. In the order given.
[[nodiscard]] std::vector<SegmentGroup> season_groups(const std::vector<SegmentItem>& items, std::size_t most);

class FingerprintSegments final : public SegmentProvider {
public:
    /// References outlive it.
    FingerprintSegments(FingerprintSettings settings, store::Analyses& analyses, media::Analyst& analyst,
                        core::Clock& clock);

    [[nodiscard]] std::string_view name() const noexcept override { return "fingerprint"; }
    [[nodiscard]] bool serves(model::LibraryKind kind) const noexcept override {
        return kind == model::LibraryKind::tvshows;
    }
    [[nodiscard]] std::string_view counted_as(segments::SegmentKind kind) const noexcept override {
        return kind == segments::SegmentKind::outro ? "credits" : "intros";
    }
    [[nodiscard]] core::Result<double> seconds_ahead(core::LibraryId library) override;
    [[nodiscard]] core::Result<void> prepare(core::LibraryId library, tasks::Run& run, ProgressSlice slice) override;
    [[nodiscard]] std::vector<SegmentGroup> groups(const std::vector<SegmentItem>& items) const override {
        return season_groups(items, settings_.most_together);
    }
    [[nodiscard]] std::vector<core::Result<std::string>> bases(const SegmentGroup& group) override;
    [[nodiscard]] core::Result<std::vector<ItemAnswer>> segments(const SegmentGroup& group, tasks::Run& run) override;

    /// Of `analyses` rows that hold a media::FingerprintResult, with all that they depend on in it.
    [[nodiscard]] const std::string& kind() const noexcept { return kind_; }

private:
    struct Episode {
        const store::AnalysableSource* source = nullptr;  ///< null: nothing was heard of it
        segments::Fingerprint intro, credits;             ///< without words: none
        std::vector<segments::Span> intro_silences, credits_silences;
        std::optional<segments::CommonPart> intro_part, credits_part;
    };

    [[nodiscard]] store::SourceFilter filter(core::LibraryId library) const;
    [[nodiscard]] core::Result<void> forget_other_kinds(tasks::Run& run);
    /// In the order of the group's items.
    [[nodiscard]] core::Result<std::vector<Episode>> load(const SegmentGroup& group);
    [[nodiscard]] bool hear(const store::AnalysableSource& source, const std::string& payload, Episode& into) const;
    /// Fills in the parts; false: fewer than two episodes were heard.
    [[nodiscard]] bool compare(std::vector<Episode>& episodes) const;
    [[nodiscard]] static std::vector<EdgeQuestion> edges_of(const std::vector<Episode>& episodes);
    [[nodiscard]] static std::vector<segments::Segment> refined(const Episode& episode,
                                                                const std::vector<segments::Span>& blacks);

    FingerprintSettings settings_;
    store::Analyses& analyses_;
    media::Analyst& analyst_;
    core::Clock& clock_;
    SegmentEdges edges_;
    std::string kind_;
    std::set<store::ContentKey> pending_;  ///< of the library at work: could not be heard now
};

}  // namespace understudy::library
