// tests/contract/home/discovery_contract.h: what every Discovery must say.
#pragma once

#include "contract/home/home_fixture.h"
#include "store/sql/sql_discovery.h"

namespace understudy::testing {

class DiscoveryContract : public HomeFixture {
protected:
    void SetUp() override {
        HomeFixture::SetUp();
        discovery_ = std::make_unique<store::sql::SqlDiscovery>(*database_);
    }
    static store::NewIn films() { return {library_id(1), {Kind::movie}, std::nullopt}; }
    static store::NewIn shows() { return {library_id(2), {Kind::episode}, std::nullopt}; }
    static store::NewIn music() { return {library_id(3), {Kind::track}, std::nullopt}; }
    static store::LatestQuery in(std::vector<store::NewIn> places) {
        store::LatestQuery query;
        query.places = std::move(places);
        query.user = user_id(1);
        return query;
    }
    /// Number of what is shown, and how many it stands for.
    std::vector<std::pair<std::uint32_t, std::int64_t>> latest(const store::LatestQuery& query) {
        const auto found = discovery_->latest(query);
        ok(found);
        std::vector<std::pair<std::uint32_t, std::int64_t>> pairs;
        for (const auto& one : *found) pairs.emplace_back(number_of(one.shown), one.items);
        return pairs;
    }

    std::unique_ptr<store::Discovery> discovery_;
};
using Latest = std::vector<std::pair<std::uint32_t, std::int64_t>>;

TEST_P(DiscoveryContract, latest_shows_a_series_for_several_episodes_and_an_album_for_its_tracks) {
    EXPECT_EQ(latest(in({films()})), (Latest{{3, 0}, {2, 0}, {1, 0}}));
    EXPECT_EQ(latest(in({films(), shows(), music()})), (Latest{{30, 2}, {21, 2}, {10, 3}, {3, 0}, {2, 0}, {1, 0}}));
    auto query = in({films(), shows(), music()});
    query.limit = 4;
    EXPECT_EQ(latest(query), (Latest{{30, 2}, {21, 2}, {10, 3}, {3, 0}}));
    query.grouped = false;
    EXPECT_EQ(latest(query), (Latest{{33, 0}, {32, 0}, {23, 0}, {22, 0}}));
    EXPECT_EQ(latest(in({})), Latest{});
    query.limit = 0;
    EXPECT_EQ(latest(query), Latest{});
}

TEST_P(DiscoveryContract, latest_shows_a_lone_episode_itself_and_an_album_for_one_track_too) {
    ok(remove_items({item_id(32)}, 2));
    ok(remove_items({item_id(22)}, 3));
    EXPECT_EQ(latest(in({shows(), music()})), (Latest{{33, 0}, {21, 1}, {10, 3}}));
}

TEST_P(DiscoveryContract, latest_leaves_out_what_its_user_has_played_where_asked) {
    watched(3, 1);
    watched(33, 1);
    watched(1, 1, 2);  // somebody else
    auto unseen_films = films(), unseen_shows = shows();
    unseen_films.played = unseen_shows.played = false;
    EXPECT_EQ(latest(in({unseen_films, unseen_shows})), (Latest{{32, 0}, {10, 3}, {2, 0}, {1, 0}}));
    unseen_films.played = true;
    EXPECT_EQ(latest(in({unseen_films})), (Latest{{3, 0}}));
    auto of_nobody = in({unseen_shows});
    of_nobody.user = {};
    EXPECT_EQ(latest(of_nobody), (Latest{{30, 2}, {10, 3}}));
}

TEST_P(DiscoveryContract, latest_looks_below_a_parent) {
    auto query = in({shows()});
    query.parent = item_id(10);
    EXPECT_EQ(latest(query), (Latest{{10, 3}}));
    query.parent = item_id(11);
    query.grouped = false;
    EXPECT_EQ(latest(query), (Latest{{14, 0}, {13, 0}}));
    auto folders = in({{library_id(2), {Kind::series, Kind::season}, std::nullopt}});
    EXPECT_EQ(latest(folders), (Latest{{31, 0}, {30, 0}, {12, 0}, {11, 0}, {10, 0}})) << "folders stand for themselves";
}

TEST_P(DiscoveryContract, latest_goes_on_behind_one_large_group) {
    std::vector<model::Item> many;
    for (std::uint32_t number = 1'000; number < 1'450; ++number)
        many.push_back(episode(number, 11, 1, static_cast<int>(number)));
    ok(apply_items(std::move(many), 2));
    auto query = in({films(), shows()});
    query.limit = 3;
    EXPECT_EQ(latest(query), (Latest{{10, 453}, {30, 2}, {3, 0}})) << "in more steps than one";
    for (auto number : {1'000U, 1'449U}) watched(number, 1);
    query.places[1].played = false;
    EXPECT_EQ(latest(query), (Latest{{10, 451}, {30, 2}, {3, 0}}));
}

TEST_P(DiscoveryContract, latest_tells_items_of_one_moment_apart) {
    std::vector<model::Item> many;
    for (std::uint32_t number = 2'000; number < 2'450; ++number) {
        many.push_back(film(number));
        many.back().created_at = core::from_unix_ms(1'800'000'000'000);
    }
    ok(apply_items(std::move(many)));
    auto query = in({films()});
    query.limit = 1'000;
    EXPECT_EQ(latest(query).size(), 453U) << "none twice, none left out between two steps";
}

}  // namespace understudy::testing
