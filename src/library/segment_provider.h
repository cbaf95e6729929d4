// library/segment_provider.h: port of what knows of intros, credits and commercials: chapter names, EDL sidecars,
// fingerprints. Asked by the task TaskExtractMediaSegments; implemented by chapter_segments.h, edl_segments.h,
// fingerprint_segments.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/ids.h"
#include "core/result.h"
#include "library/progress_slice.h"
#include "library/segments/segment.h"
#include "model/library.h"
#include "store/analyses.h"
#include "tasks/task.h"

namespace understudy::library {

/// A film or an episode with its files, by number; there is at least one.
struct SegmentItem {
    core::ItemId id;
    core::ItemId parent;  ///< an episode's season
    model::ItemKind kind = model::ItemKind::movie;
    std::vector<store::AnalysableSource> sources;

    [[nodiscard]] core::Millis runtime() const { return sources.front().duration; }
    /// For people: where its first file is, as text.
    [[nodiscard]] std::string shown() const;
    /// The sources whose times hold for the item: an item has one list of segments, that of its first source, and what
    /// runs as long as that is the same film in another coding. A director's cut or a second part has other times.
    [[nodiscard]] std::vector<const store::AnalysableSource*> sources_in_step() const;
};

/// Items that are asked for in one call; in the order of their paths.
struct SegmentGroup {
    std::vector<const SegmentItem*> items;
    bool together = false;  ///< what is said of one depends on the others: if one changed, all are asked for
};

using ItemAnswer = core::Result<std::vector<segments::Segment>>;

/// Used on the run's thread.
class SegmentProvider {
public:
    virtual ~SegmentProvider() = default;
    /// As in MediaSegmentProviderOrder and in the store: `chapters`.
    [[nodiscard]] virtual std::string_view name() const noexcept = 0;
    [[nodiscard]] virtual bool serves(model::LibraryKind kind) const noexcept = 0;
    /// Under which name a found segment is counted, for people.
    [[nodiscard]] virtual std::string_view counted_as(segments::SegmentKind kind) const noexcept = 0;

    /// Seconds of media that prepare() would decode.
    [[nodiscard]] virtual core::Result<double> seconds_ahead(core::LibraryId) { return 0.0; }
    /// Long work on files before any question; its results are kept by content. Errors: cancelled, fenced, others are
    /// this provider's failure.
    [[nodiscard]] virtual core::Result<void> prepare(core::LibraryId, tasks::Run&, ProgressSlice) { return {}; }
    /// Every item at most once, at most 500 in a group. The pointers are those given.
    [[nodiscard]] virtual std::vector<SegmentGroup> groups(const std::vector<SegmentItem>& items) const = 0;
    /// For each item all that the answer follows from, as a short text; empty: there is nothing to look at. Cheap: it
    /// is asked for every item at every run, and where it is as it was the item is left alone.
    [[nodiscard]] virtual std::vector<core::Result<std::string>> bases(const SegmentGroup& group) = 0;
    /// One answer for each item. An item's `unavailable` is asked again next time; its other errors count as looked at
    /// and nothing found. Errors of the whole: as prepare().
    [[nodiscard]] virtual core::Result<std::vector<ItemAnswer>> segments(const SegmentGroup& group,
                                                                         tasks::Run& run) = 0;
};

/// In groups of some size, each item for itself.
[[nodiscard]] std::vector<SegmentGroup> pages_of(const std::vector<SegmentItem>& items);

/// A short text that differs where what was added differs (FNV-1a, 64 bits): for bases, never against an enemy.
class BasisHash {
public:
    BasisHash& add(std::string_view text);
    BasisHash& add(std::int64_t number);
    BasisHash& add(const store::AnalysableSource& source);  ///< its content and length
    [[nodiscard]] std::uint64_t value() const noexcept { return hash_; }
    [[nodiscard]] std::string str() const;  ///< 16 hex digits

private:
    std::uint64_t hash_ = 14695981039346656037U;
};

}  // namespace understudy::library
