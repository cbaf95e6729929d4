// store/analyses.h: what was learned of a file by decoding it, kept by content: a rename or move costs nothing. Used by
// the library's tasks (library/analysis_run.h). Contract for all adapters:
// tests/contract/media_stores/analyses_contract.h
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/fence.h"
#include "core/ids.h"
#include "core/result.h"
#include "model/item.h"
#include "store/clean_step.h"

namespace understudy::store {

/// A file's bytes as far as analyses tell them apart. A move keeps both parts.
struct ContentKey {
    std::string sample;  ///< MediaInfo::content_sample
    std::int64_t mtime_ns = 0;
    friend auto operator<=>(const ContentKey&, const ContentKey&) = default;
    friend bool operator==(const ContentKey&, const ContentKey&) = default;
};

struct SourceFilter {
    std::vector<core::LibraryId> libraries;    ///< empty: all
    std::vector<model::ItemKind> kinds;        ///< empty: all
    std::optional<model::StreamKind> streams;  ///< with at least one such stream; an attached picture is no video
};

/// A media source of an item that is there, of a library that is not being removed.
struct AnalysableSource {
    core::ItemId item;
    int number = 0;  ///< which of the item's sources
    core::ItemId parent;
    core::LibraryId library;
    model::ItemKind kind = model::ItemKind::movie;
    std::string path;
    ContentKey content;
    std::int64_t size_bytes = 0;
    core::Millis duration{};
};

/// `done` includes what failed.
enum class AnalysisState { pending, done, failed };

struct SourceTotals {
    std::int64_t files = 0, size_bytes = 0;
    core::Millis duration{};
};

struct Analysis {
    std::string kind;  ///< `keyframes`, `loudness`; where settings change the result they are part of it
    ContentKey content;
    std::int64_t size_bytes = 0;
    std::string task;  ///< key of the task, shown beside a failure in Catalog::problems
    std::string payload;
    std::string failure;  ///< empty: none. A file is tried again only when it changes
    core::UtcTime at{};
};

/// All calls block. Errors: unavailable, timed_out; fenced where there is a fence.
class Analyses {
public:
    virtual ~Analyses() = default;
    /// Streams sources by library and path, as they are when the call begins: an album's or a season's files stand
    /// together. No session is held while `each` works, so it may take its time; false ends the stream. Two sources of
    /// the same content both come.
    [[nodiscard]] virtual core::Result<void> sources(const std::string& kind, AnalysisState state,
                                                     const SourceFilter& filter,
                                                     const std::function<bool(AnalysableSource&&)>& each) = 0;
    /// What `sources` would stream, summed up.
    [[nodiscard]] virtual core::Result<SourceTotals> totals(const std::string& kind, AnalysisState state,
                                                            const SourceFilter& filter) = 0;
    /// Adds or replaces; at most 500. Repeating it changes nothing.
    [[nodiscard]] virtual core::Result<void> put(const std::vector<Analysis>& rows, const core::Fence& fence) = 0;
    /// In the order asked for; what is not known is left out.
    [[nodiscard]] virtual core::Result<std::vector<Analysis>> get(const std::string& kind,
                                                                  const std::vector<ContentKey>& contents) = 0;
    /// Removes rows whose content no media source has any more, with the chapter pictures and covers of such content. A
    /// library that is offline keeps its sources, so nothing of it goes. At most 5,000 rows are looked at. Start with
    /// an empty cursor.
    [[nodiscard]] virtual core::Result<CleanStep> purge_unreferenced(const std::string& cursor,
                                                                     const core::Fence& fence) = 0;
    /// Removes what other settings made: rows whose kind begins with `prefix` and is not `keep`. At most `limit`;
    /// returns how many.
    [[nodiscard]] virtual core::Result<std::int64_t> purge_kinds(const std::string& prefix, const std::string& keep,
                                                                 std::int64_t limit, const core::Fence& fence) = 0;
};

}  // namespace understudy::store
