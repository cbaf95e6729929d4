// tests/contract/home/shows_contract.h: what every Shows must say.
#pragma once

#include "contract/home/home_fixture.h"
#include "store/sql/sql_shows.h"

namespace understudy::testing {

class ShowsContract : public HomeFixture {
protected:
    void SetUp() override {
        HomeFixture::SetUp();
        shows_ = std::make_unique<store::sql::SqlShows>(*database_);
    }
    /// Of the first user: series and when it was last watched.
    std::vector<std::pair<std::uint32_t, std::int64_t>> begun(const store::ShowsFilter& filter = {}) {
        const auto found = shows_->begun(user_id(1), filter);
        ok(found);
        std::vector<std::pair<std::uint32_t, std::int64_t>> pairs;
        for (const auto& one : *found) pairs.emplace_back(number_of(one.series), core::to_unix_ms(one.last_watched_at));
        return pairs;
    }
    Numbers upcoming(const store::ShowsFilter& filter = {}, std::size_t start = 0, std::size_t limit = 100) {
        const auto found = shows_->upcoming(filter, start, limit);
        ok(found);
        total_ = found->total;
        return numbers(found->episodes);
    }

    std::unique_ptr<store::Shows> shows_;
    std::size_t total_ = 0;
};
using Begun = std::vector<std::pair<std::uint32_t, std::int64_t>>;

TEST_P(ShowsContract, begun_are_series_of_which_something_was_played_last_watched_first) {
    EXPECT_EQ(begun(), Begun{});
    watched(13, 5'000);
    watched(14, 9'000);
    watched(32, 7'000);
    watched(1, 99'000);      // a film is in no series
    watched(33, 88'000, 2);  // another user
    EXPECT_EQ(begun(), (Begun{{10, 9'000}, {30, 7'000}}));
    watched(33, 10'000);  // straight below its series
    EXPECT_EQ(begun(), (Begun{{30, 10'000}, {10, 9'000}}));
    store::UserItemData half;
    half.position = 60s;
    half.last_played_at = core::from_unix_ms(50'000);
    put(15, half);
    EXPECT_EQ(begun(), (Begun{{30, 10'000}, {10, 9'000}})) << "an episode that was begun is there to be resumed";
    watched(15, 20'000);
    EXPECT_EQ(begun().front(), std::pair(10U, std::int64_t{20'000})) << "a special counts";
}

TEST_P(ShowsContract, begun_keeps_to_a_library_a_series_a_day_and_a_viewer) {
    watched(13, 5'000);
    watched(32, 0);
    EXPECT_EQ(begun(), (Begun{{10, 5'000}, {30, 0}})) << "nobody noted when";
    store::ShowsFilter filter;
    filter.since = core::from_unix_ms(5'000);
    EXPECT_EQ(begun(filter), (Begun{{10, 5'000}}));
    filter.since = core::from_unix_ms(5'001);
    EXPECT_EQ(begun(filter), Begun{});
    filter = {};
    filter.series = item_id(30);
    EXPECT_EQ(begun(filter), (Begun{{30, 0}}));
    filter = {};
    filter.library = library_id(1);
    EXPECT_EQ(begun(filter), Begun{});
    filter.library = library_id(2);
    EXPECT_EQ(begun(filter).size(), 2U);
    filter = {};
    filter.viewer = viewer({library_id(1)});
    EXPECT_EQ(begun(filter), Begun{});
    filter.viewer = viewer({library_id(2)});
    EXPECT_EQ(begun(filter).size(), 2U);
    ok(sql("UPDATE libraries SET removing = 1 WHERE name = 'Shows'"));
    EXPECT_EQ(begun(), Begun{});
}

TEST_P(ShowsContract, episodes_come_by_series_season_and_number_with_what_was_watched) {
    watched(14, 9'000);
    store::UserItemData half;
    half.position = 60s;
    put(15, half);
    auto found = shows_->episodes(user_id(1), {item_id(10), item_id(30), item_id(1), item_id(99)}, std::nullopt);
    ok(found);
    std::vector<core::ItemId> ids;
    for (const auto& one : *found) ids.push_back(one.id);
    EXPECT_EQ(numbers(ids), (Numbers{15, 14, 13, 32, 33}));
    store::ShowEpisode special;
    special.id = item_id(15);
    special.series = item_id(10);
    special.season = item_id(12);
    special.season_number = 0;
    special.number = 1;
    special.airs_before_season = 1;
    special.airs_before_episode = 2;
    special.airs_after_season = 3;
    special.position = 60s;
    EXPECT_EQ(found->at(0), special);
    store::ShowEpisode first;
    first.id = item_id(14);
    first.series = item_id(10);
    first.season = item_id(11);
    first.season_number = 1;
    first.number = 1;
    first.played = true;
    first.last_played_at = core::from_unix_ms(9'000);
    EXPECT_EQ(found->at(1), first);
    EXPECT_EQ(found->at(4).series, item_id(30));
    EXPECT_FALSE(found->at(4).season_number);
    found = shows_->episodes({}, {item_id(10)}, std::nullopt);
    ok(found);
    ASSERT_EQ(found->size(), 3U);
    EXPECT_FALSE(found->at(1).played) << "nobody watches";
    EXPECT_TRUE(shows_->episodes(user_id(1), {item_id(10)}, viewer({library_id(1)}))->empty());
    EXPECT_EQ(shows_->episodes(user_id(1), {item_id(10)}, viewer({library_id(2)}))->size(), 3U);
    EXPECT_TRUE(shows_->episodes(user_id(1), {}, std::nullopt)->empty());
}

TEST_P(ShowsContract, upcoming_is_what_is_on_air_from_a_day_on_the_first_one_first) {
    auto early = episode(40, 11, 1, 3), late = episode(41, 11, 1, 4), other = episode(42, 31, 1, 2);
    early.about.premiered = core::from_unix_ms(1'000);
    late.about.premiered = core::from_unix_ms(3'000);
    other.about.premiered = core::from_unix_ms(2'000);
    ok(apply_items({late, early, other}, 2));
    auto premiere = film(43);
    premiere.about.premiered = core::from_unix_ms(2'500);
    ok(apply_items({premiere}));  // no episode
    EXPECT_EQ(upcoming(), (Numbers{40, 42, 41}));
    EXPECT_EQ(total_, 3U);
    EXPECT_EQ(upcoming({}, 1, 1), (Numbers{42}));
    EXPECT_EQ(total_, 3U);
    store::ShowsFilter filter;
    filter.since = core::from_unix_ms(2'000);
    EXPECT_EQ(upcoming(filter), (Numbers{42, 41}));
    filter.series = item_id(10);
    EXPECT_EQ(upcoming(filter), (Numbers{41}));
    filter = {};
    filter.viewer = viewer({library_id(1)});
    EXPECT_EQ(upcoming(filter), Numbers{});
    EXPECT_EQ(total_, 0U);
    filter = {};
    filter.library = library_id(2);
    EXPECT_EQ(upcoming(filter).size(), 3U);
}

}  // namespace understudy::testing
