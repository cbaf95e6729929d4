#include "http/jellyfin/home/show_order.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>

namespace understudy::http {
namespace {

using store::ShowEpisode;
using Episodes = std::vector<ShowEpisode>;
constexpr int unknown = std::numeric_limits<int>::max();

// Season, episode, and what stands before (0) and after (2) an episode (1) there; then the special's own number.
std::tuple<int, int, int, int> place_of(const ShowEpisode& episode) {
    const int number = episode.number.value_or(unknown);
    if (!is_special(episode)) return {episode.season_number.value_or(unknown), number, 1, 0};
    if (episode.airs_before_season)
        return {*episode.airs_before_season, episode.airs_before_episode.value_or(-1), 0, number};
    if (episode.airs_after_season) return {*episode.airs_after_season, unknown, 2, number};
    return {unknown, unknown, 2, number};
}

// A file with several episodes was played with all of them.
bool is_within(const ShowEpisode& episode, const ShowEpisode& played) {
    return !is_special(episode) && episode.season_number == played.season_number && episode.number &&
           played.number_end && *episode.number <= *played.number_end;
}

template <class Fits>
Episodes::const_iterator next_after(const Episodes& episodes, Episodes::const_iterator last, const Fits& fits) {
    const auto from = last == episodes.end() ? episodes.begin() : std::next(last);
    return std::find_if(from, episodes.end(), [&](const ShowEpisode& episode) {
        if (is_special(episode) && !is_placed(episode)) return false;
        return fits(episode) && (last == episodes.end() || !is_within(episode, *last));
    });
}

}  // namespace

bool is_special(const ShowEpisode& episode) noexcept {
    return episode.season_number == 0;
}

bool is_placed(const ShowEpisode& episode) noexcept {
    return is_special(episode) && (episode.airs_before_season || episode.airs_after_season);
}

void sort_as_aired(Episodes& episodes) {
    std::ranges::stable_sort(episodes, {}, place_of);
}

Episodes of_season(const Episodes& episodes, int season) {
    Episodes found;
    std::ranges::copy_if(episodes, std::back_inserter(found), [&](const ShowEpisode& episode) {
        if (episode.season_number == season) return true;
        return is_placed(episode) && std::get<0>(place_of(episode)) == season;
    });
    if (season == 0) std::ranges::stable_sort(found, {}, [](const auto& one) { return one.number.value_or(unknown); });
    return found;
}

std::optional<core::ItemId> next_up(const Episodes& episodes, const NextUpRules& rules) {
    auto last = episodes.end();
    for (auto at = episodes.begin(); at != episodes.end(); ++at) {
        if (at->played && !is_special(*at)) last = at;
    }
    if (last == episodes.end() && !rules.first_episode) return std::nullopt;
    const auto next = next_after(episodes, last, [](const ShowEpisode& episode) { return !episode.played; });
    if (next == episodes.end() || (next->position.count() > 0 && !rules.resumable)) return std::nullopt;
    return next->id;
}

std::optional<Rewatched> next_to_rewatch(const Episodes& episodes) {
    auto last = episodes.end();
    for (auto at = episodes.begin(); at != episodes.end(); ++at) {
        if (!at->played || is_special(*at)) continue;
        // Of two at the same time, and where nobody noted when, the later one in the series.
        if (last == episodes.end() || at->last_played_at >= last->last_played_at) last = at;
    }
    if (last == episodes.end()) return std::nullopt;
    const auto next = next_after(episodes, last, [](const ShowEpisode& episode) { return episode.played; });
    if (next == episodes.end() || next->position.count() > 0) return std::nullopt;
    return Rewatched{next->id, last->last_played_at.value_or(core::UtcTime{})};
}

}  // namespace understudy::http
