// store/shows.h: series as somebody watches them: which they have begun, the episodes with what was watched of them,
// and what comes. Used by http (next up, episodes of a series, upcoming). Contract for all adapters:
// tests/contract/home/shows_contract.h
#pragma once

#include <optional>
#include <vector>

#include "core/ids.h"
#include "core/result.h"
#include "core/time.h"
#include "store/viewer.h"

namespace understudy::store {

/// What decides where an episode stands in its series, and what a user did with it.
struct ShowEpisode {
    core::ItemId id, series, season;
    std::optional<int> season_number, number, number_end;  ///< season 0: a special
    std::optional<int> airs_before_season, airs_before_episode, airs_after_season;
    bool played = false;
    core::Millis position{};
    std::optional<core::UtcTime> last_played_at;
    friend bool operator==(const ShowEpisode&, const ShowEpisode&) = default;
};

struct BegunSeries {
    core::ItemId series;
    core::UtcTime last_watched_at{};  ///< 1970: nobody noted when
    friend bool operator==(const BegunSeries&, const BegunSeries&) = default;
};

struct ShowsFilter {
    std::optional<Viewer> viewer;
    std::optional<core::LibraryId> library;
    std::optional<core::ItemId> series;
    std::optional<core::UtcTime> since;  ///< watched, or on air, then or later
};

struct UpcomingEpisodes {
    std::vector<core::ItemId> episodes;
    std::size_t total = 0;
};

/// All calls block, and each is one query, `upcoming` two. Errors of all: unavailable, timed_out.
class Shows {
public:
    virtual ~Shows() = default;
    /// Series of which `user` has played an episode, also a special: the one last watched first.
    [[nodiscard]] virtual core::Result<std::vector<BegunSeries>> begun(core::UserId user,
                                                                       const ShowsFilter& filter) = 0;
    /// The episodes of these series (at most 500), those of one behind the other by season, number and name, the
    /// unknown last. `user` may be none.
    [[nodiscard]] virtual core::Result<std::vector<ShowEpisode>> episodes(core::UserId user,
                                                                          const std::vector<core::ItemId>& series,
                                                                          const std::optional<Viewer>& viewer) = 0;
    /// On air at `filter.since` or later, the first one first.
    [[nodiscard]] virtual core::Result<UpcomingEpisodes> upcoming(const ShowsFilter& filter, std::size_t start_index,
                                                                  std::size_t limit) = 0;
};

}  // namespace understudy::store
