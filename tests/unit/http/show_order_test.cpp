// Which episode of a series comes next, and in which order they are watched.
#include "http/jellyfin/home/show_order.h"

#include <gtest/gtest.h>

#include <string>

namespace understudy::http {
namespace {

using store::ShowEpisode;
using Episodes = std::vector<ShowEpisode>;

/// `s01e02`: the id says it too, so that answers can be read back.
ShowEpisode at(int season, int number) {
    ShowEpisode episode;
    episode.id =
        core::ItemId{core::IdBytes{0xee, static_cast<std::uint8_t>(season), static_cast<std::uint8_t>(number)}};
    episode.season_number = season;
    episode.number = number;
    return episode;
}
ShowEpisode seen(ShowEpisode episode, std::int64_t when_ms = 0) {
    episode.played = true;
    if (when_ms != 0) episode.last_played_at = core::from_unix_ms(when_ms);
    return episode;
}
ShowEpisode begun(ShowEpisode episode) {
    episode.position = core::Millis{60'000};
    return episode;
}
ShowEpisode up_to(ShowEpisode episode, int end) {
    episode.number_end = end;
    return episode;
}
ShowEpisode before(ShowEpisode special, int season, std::optional<int> number = std::nullopt) {
    special.airs_before_season = season;
    special.airs_before_episode = number;
    return special;
}
ShowEpisode after(ShowEpisode special, int season) {
    special.airs_after_season = season;
    return special;
}
std::string name(core::ItemId id) {
    return "s" + std::to_string(id.bytes()[1]) + "e" + std::to_string(id.bytes()[2]);
}
std::string names(const Episodes& episodes) {
    std::string all;
    for (const auto& episode : episodes) all += (all.empty() ? "" : " ") + name(episode.id);
    return all;
}
std::string next_of(Episodes episodes, const NextUpRules& rules = {}) {
    sort_as_aired(episodes);
    const auto next = next_up(episodes, rules);
    return next ? name(*next) : "none";
}

TEST(ShowOrder, puts_specials_where_they_were_on_air_and_the_others_last) {
    ShowEpisode unnumbered = at(1, 9), nowhere = at(9, 9);
    unnumbered.number.reset();
    nowhere.season_number.reset();
    Episodes episodes{at(0, 4),   nowhere,
                      at(2, 1),   after(at(0, 3), 1),
                      unnumbered, at(1, 2),
                      at(0, 1),   before(at(0, 2), 2),
                      at(1, 1),   before(at(0, 5), 1, 2)};
    sort_as_aired(episodes);
    EXPECT_EQ(names(episodes), "s1e1 s0e5 s1e2 s1e9 s0e3 s0e2 s2e1 s9e9 s0e1 s0e4");
    EXPECT_EQ(names(of_season(episodes, 1)), "s1e1 s0e5 s1e2 s1e9 s0e3");
    EXPECT_EQ(names(of_season(episodes, 2)), "s0e2 s2e1");
    EXPECT_EQ(names(of_season(episodes, 0)), "s0e1 s0e2 s0e3 s0e4 s0e5") << "all specials, by number";
    EXPECT_EQ(names(of_season(episodes, 3)), "");
}

TEST(NextUp, is_the_first_unplayed_episode_behind_the_last_played_one) {
    struct Row {
        const char* why;
        Episodes episodes;
        NextUpRules rules;
        const char* want;
    };
    const NextUpRules usual, not_begun{.resumable = false}, no_first{.first_episode = false};
    const Row rows[] = {
        {"the next one", {seen(at(1, 1)), at(1, 2), at(1, 3)}, usual, "s1e2"},
        {"a gap before it is no matter", {at(1, 1), seen(at(1, 2)), at(1, 3)}, usual, "s1e3"},
        {"what is played behind a gap counts", {seen(at(1, 1)), at(1, 2), seen(at(1, 3)), at(1, 4)}, usual, "s1e4"},
        {"the next season", {seen(at(1, 8)), at(2, 1)}, usual, "s2e1"},
        {"all played", {seen(at(1, 1)), seen(at(1, 2))}, usual, "none"},
        {"nothing played: the first one", {at(1, 1), at(1, 2)}, usual, "s1e1"},
        {"but not where nobody wants it", {at(1, 1), at(1, 2)}, no_first, "none"},
        {"a begun one", {seen(at(1, 1)), begun(at(1, 2)), at(1, 3)}, usual, "s1e2"},
        {"a begun one is to be resumed, not next", {seen(at(1, 1)), begun(at(1, 2)), at(1, 3)}, not_begun, "none"},
        {"the second half of a file is no episode of its own",
         {seen(up_to(at(1, 1), 2)), at(1, 2), at(1, 3)},
         usual,
         "s1e3"},
        {"a special without a place is never next", {seen(at(1, 1)), at(0, 1)}, usual, "none"},
        {"nor the first", {at(0, 1), at(1, 1)}, usual, "s1e1"},
        {"a special before an episode", {seen(at(1, 1)), at(1, 2), before(at(0, 1), 1, 2)}, usual, "s0e1"},
        {"one that is behind us", {at(1, 1), seen(at(1, 2)), at(1, 3), before(at(0, 1), 1, 2)}, usual, "s1e3"},
        {"one that was seen", {seen(at(1, 1)), at(1, 2), seen(before(at(0, 1), 1, 2))}, usual, "s1e2"},
        {"a special after the season", {seen(at(1, 2)), after(at(0, 1), 1), at(2, 1)}, usual, "s0e1"},
        {"a special before a season", {seen(at(1, 2)), before(at(0, 1), 2), at(2, 1)}, usual, "s0e1"},
        {"a seen special does not move on",
         {seen(at(1, 1)), at(1, 2), seen(after(at(0, 1), 1)), at(2, 1)},
         usual,
         "s1e2"},
        {"only a special was seen", {seen(at(0, 1)), at(1, 1)}, usual, "s1e1"},
        {"only a special was seen, no first one wanted", {seen(at(0, 1)), at(1, 1)}, no_first, "none"},
        {"no episodes", {}, usual, "none"},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.why);
        EXPECT_EQ(next_of(row.episodes, row.rules), row.want);
    }
}

TEST(NextUp, of_what_is_watched_again_goes_on_behind_the_one_played_last_by_the_clock) {
    const auto again = [](Episodes episodes) -> std::string {
        sort_as_aired(episodes);
        const auto next = next_to_rewatch(episodes);
        return next ? name(next->next) + " " + std::to_string(core::to_unix_ms(next->last_watched_at)) : "none";
    };
    EXPECT_EQ(again({seen(at(1, 1), 50), seen(at(1, 2), 20), seen(at(1, 3), 30)}), "s1e2 50");
    EXPECT_EQ(again({seen(at(1, 1), 10), seen(at(1, 2), 20), at(1, 3)}), "none") << "the third is next up, not again";
    EXPECT_EQ(again({seen(at(1, 1), 50), at(1, 2), seen(at(1, 3), 30)}), "s1e3 50");
    EXPECT_EQ(again({seen(at(1, 1)), seen(at(1, 2))}), "none") << "nobody noted when: the later one was last";
    EXPECT_EQ(again({seen(at(1, 1), 50), begun(seen(at(1, 2), 20))}), "none") << "that one is to be resumed";
    EXPECT_EQ(again({seen(at(0, 1), 90), seen(at(1, 1), 50), seen(at(1, 2), 40)}), "s1e2 50");
    EXPECT_EQ(again({}), "none");
}

}  // namespace
}  // namespace understudy::http
