// http/jellyfin/home/show_order.h: in which order a series is watched, and which episode comes next. Pure; used by the
// handlers of shows. The rules are written down in docs/api.md.
#pragma once

#include <optional>
#include <vector>

#include "store/shows.h"

namespace understudy::http {

/// Season 0.
[[nodiscard]] bool is_special(const store::ShowEpisode& episode) noexcept;
/// A special of which it is known where it is shown among the others.
[[nodiscard]] bool is_placed(const store::ShowEpisode& episode) noexcept;

/// As it was on air: by season and number, a placed special before the episode or season it is said to precede, or
/// after the season that it follows; other specials come last, by number. What is equal keeps its order.
void sort_as_aired(std::vector<store::ShowEpisode>& episodes);

/// Of a series in the order of sort_as_aired: those of a season, with the specials that are shown within it. Of season
/// 0 all specials, by number.
[[nodiscard]] std::vector<store::ShowEpisode> of_season(const std::vector<store::ShowEpisode>& episodes, int season);

struct NextUpRules {
    bool resumable = true;      ///< an episode that was begun may be the next one; else its series has none
    bool first_episode = true;  ///< a series of which only specials were played begins with its first episode
};
/// Of one series in the order of sort_as_aired: the first episode that is not played behind the last one that is. A
/// special counts where it is placed, but is never that last one. nullopt: there is none.
[[nodiscard]] std::optional<core::ItemId> next_up(const std::vector<store::ShowEpisode>& episodes,
                                                  const NextUpRules& rules);

struct Rewatched {
    core::ItemId next;
    core::UtcTime last_watched_at{};
};
/// The first played episode behind the one that was played last by the clock; not one that has been begun again.
[[nodiscard]] std::optional<Rewatched> next_to_rewatch(const std::vector<store::ShowEpisode>& episodes);

}  // namespace understudy::http
