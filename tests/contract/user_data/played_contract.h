// tests/contract/user_data/played_contract.h: what every UserData and Catalog must say of what a user played, also of
// folders and collections.
#pragma once

#include "contract/media_stores/media_fixture.h"
#include "core/random.h"
#include "store/sql/item_rows.h"
#include "store/sql/sql_collections.h"
#include "store/sql/sql_user_data.h"
#include "store/sql/sql_users.h"

namespace understudy::testing {

/// Films 1 to 3, a series (10) of two seasons (11: 13, 14; 12: 15), an artist (20) with an album (21: 22 to 24), an
/// empty series (30), a box set (100: film 1 and the series) and a playlist (101: 24, 1, 24).
class PlayedContract : public MediaFixture {
protected:
    using Names = std::vector<std::string>;

    void SetUp() override {
        MediaFixture::SetUp();
        users_ = std::make_unique<store::sql::SqlUsers>(*database_);
        data_ = std::make_unique<store::sql::SqlUserData>(*database_);
        add_library(1, "One", {"/media"});
        ok(apply_items({film(1), film(2), film(3)}));
        for (const auto number : {std::uint8_t{1}, std::uint8_t{2}})
            ok(users_->add({user_id(number), "User " + std::to_string(number), {}}));
        auto first = item(11, Kind::season, "Item 11", 10), specials = item(12, Kind::season, "Item 12", 10);
        const auto episode = [&](std::uint32_t number, std::uint32_t parent, int season, int in_season) {
            auto made = media(number, Kind::episode, "/media/e" + std::to_string(number), {Stream::video}, parent);
            made.season_number = season;
            made.episode_number = in_season;
            return made;
        };
        const auto track = [&](std::uint32_t number, int disc, int on_disc) {
            auto made = media(number, Kind::track, "/media/t" + std::to_string(number), {Stream::audio}, 21);
            made.disc_number = disc;
            made.track_number = on_disc;
            return made;
        };
        ok(apply_items({item(10, Kind::series, "Item 10"), first, specials, episode(13, 11, 1, 2),
                        episode(14, 11, 1, 1), episode(15, 12, 0, 1), item(20, Kind::artist, "Item 20"),
                        item(21, Kind::album, "Item 21", 20), track(22, 2, 1), track(23, 1, 2), track(24, 1, 1),
                        item(30, Kind::series, "Item 30")}));
        collections_ = std::make_unique<store::sql::SqlCollections>(*database_, random_);
        store::Collection made;
        made.id = item_id(100);
        made.kind = Kind::box_set;
        made.name = "Set";
        ok(collections_->create(made, {item_id(1), item_id(10)}));
        made.id = item_id(101);
        made.kind = Kind::playlist;
        made.name = "List";
        ok(collections_->create(made, {item_id(24), item_id(1), item_id(24)}));
    }
    static core::UserId user_id(std::uint8_t number) { return core::UserId{core::IdBytes{0xcc, number}}; }
    store::UserItemData get(std::uint32_t item) {
        const auto found = data_->get(user_id(1), {item_id(item)});
        ok(found);
        return found->at(item_id(item));
    }
    void play(std::uint8_t user, const std::vector<std::uint32_t>& items) {
        std::vector<core::ItemId> ids;
        for (const auto number : items) ids.push_back(item_id(number));
        store::UserItemChange change;
        change.played = true;
        ok(data_->change(user_id(user), ids, change));
    }
    static store::ItemQuery query_of(std::uint8_t user, const std::vector<Kind>& kinds = {}) {
        store::ItemQuery query;
        query.user = user_id(user);
        query.recursive = true;
        query.kinds = kinds;
        return query;
    }
    Names names(const store::ItemQuery& query) {
        const auto page = catalog_->list(query);
        ok(page);
        Names found;
        if (!page) return found;
        for (const auto& listed : page->items) found.push_back(listed.item.name);
        EXPECT_EQ(page->total, found.size());
        return found;
    }
    store::Below below(std::uint8_t user, std::uint32_t folder) {
        const auto found = data_->below(user_id(user), {item_id(folder)}, viewer_);
        ok(found);
        const auto at = found->find(item_id(folder));
        return at == found->end() ? store::Below{} : at->second;
    }
    std::vector<std::uint32_t> playable(std::uint32_t folder, std::optional<std::size_t> most = {}) {
        const auto found = data_->playable_below(item_id(folder), viewer_, most);
        ok(found);
        std::vector<std::uint32_t> numbers;
        for (const auto& id : *found) numbers.push_back(std::uint32_t{id.bytes()[14]} * 256 + id.bytes()[15]);
        return numbers;
    }

    core::SeededRandom random_{3};
    std::optional<store::Viewer> viewer_;  ///< of below() and playable()
    std::unique_ptr<store::Users> users_;
    std::unique_ptr<store::UserData> data_;
    std::unique_ptr<store::Collections> collections_;
};

TEST_P(PlayedContract, what_is_below_a_folder_is_counted_a_user_each) {
    play(1, {13, 1});
    play(2, {13, 14, 15});
    EXPECT_EQ(below(1, 10), (store::Below{3, 2}));
    EXPECT_EQ(below(1, 11), (store::Below{2, 1}));
    EXPECT_EQ(below(2, 10), (store::Below{3, 0}));
    EXPECT_EQ(below(1, 20), (store::Below{3, 3}));
    EXPECT_EQ(below(1, 100), (store::Below{4, 2})) << "a box set's film, and the episodes below its series";
    EXPECT_EQ(below(1, 101), (store::Below{2, 1})) << "a track that stands twice in a playlist counts once";
    const auto both = data_->below(user_id(1), {item_id(10), item_id(30), item_id(99), item_id(1)}, viewer_);
    ok(both);
    EXPECT_EQ(both->size(), 1U) << "nothing below: an empty series, an unknown id, a film";
    EXPECT_TRUE(data_->below(user_id(1), {}, viewer_)->empty());
}

TEST_P(PlayedContract, what_can_be_played_below_a_folder_comes_in_playing_order) {
    using Numbers = std::vector<std::uint32_t>;
    EXPECT_EQ(playable(10), (Numbers{15, 14, 13}));
    EXPECT_EQ(playable(20), (Numbers{24, 23, 22}));
    EXPECT_EQ(playable(100), (Numbers{1, 15, 14, 13}));
    EXPECT_EQ(playable(101), (Numbers{24, 1, 24}));
    EXPECT_EQ(playable(101, 2), (Numbers{24, 1})) << "the first ones";
    EXPECT_EQ(playable(100, 9), playable(100));
    EXPECT_EQ(playable(30), Numbers{});
    EXPECT_EQ(playable(99), Numbers{});
}

TEST_P(PlayedContract, of_a_collection_counts_what_it_holds_itself_and_a_stored_loop_ends) {
    store::Collection outer;
    outer.id = item_id(102);
    outer.kind = Kind::box_set;
    outer.name = "Outer";
    ok(collections_->create(outer, {item_id(2), item_id(100), item_id(3)}));
    EXPECT_EQ(playable(102), (std::vector<std::uint32_t>{2, 3})) << "nothing of the one within it";
    ok(collections_->add(item_id(100), {item_id(2)}, {}));
    // Past the store, which refuses it; an earlier version let it in.
    ok(database_->with(store::sql::Access::write, [&](store::sql::Session& session) -> core::Result<void> {
        const auto turned = session.execute(
            "UPDATE collection_members SET item_id = ? WHERE collection_id = ? AND item_id = ?",
            {store::sql::id_value(item_id(102)), store::sql::id_value(item_id(100)), store::sql::id_value(item_id(2))});
        if (!turned) return tl::unexpected(turned.error());
        return {};
    }));
    EXPECT_EQ(below(1, 100), (store::Below{4, 4}));
    EXPECT_EQ(below(1, 102), (store::Below{2, 2}));
    EXPECT_EQ(collections_->add(item_id(101), {item_id(100)}, {}).value(), 1);
    EXPECT_EQ(collections_->add(item_id(100), {item_id(101)}, {}).error().code, Errc::invalid);
}

TEST_P(PlayedContract, lists_hold_what_a_user_played_or_not) {
    play(1, {13, 14, 2});
    auto query = query_of(1, {Kind::movie, Kind::episode});
    query.played = true;
    EXPECT_EQ(names(query), (Names{"Item 13", "Item 14", "Item 2"}));
    query.played = false;
    EXPECT_EQ(names(query), (Names{"Item 1", "Item 15", "Item 3"}));
    query = query_of(2, {Kind::movie});
    query.played = false;
    EXPECT_EQ(names(query).size(), 3U) << "what another user played does not count";
}

TEST_P(PlayedContract, a_folder_is_played_where_all_below_it_is) {
    auto query = query_of(1, {Kind::series, Kind::season, Kind::album, Kind::box_set});
    query.played = true;
    EXPECT_EQ(names(query), Names{}) << "an empty series is not played";
    play(1, {13, 14});
    EXPECT_EQ(names(query), Names{"Item 11"});
    play(1, {15, 22, 23, 24});
    EXPECT_EQ(names(query), (Names{"Item 10", "Item 11", "Item 12", "Item 21"}));
    play(1, {1});
    EXPECT_EQ(names(query).back(), "Set");
    query.played = false;
    EXPECT_EQ(names(query), Names{"Item 30"});
    play(1, {30});
    EXPECT_EQ(names(query), Names{}) << "a folder with nothing below it goes by its own mark";
}

TEST_P(PlayedContract, lists_hold_favourites_and_what_is_in_progress_in_the_order_of_playing) {
    store::UserItemChange change;
    change.favourite = true;
    ok(data_->change(user_id(1), {item_id(10), item_id(3)}, change));
    auto query = query_of(1);
    query.favourite = true;
    EXPECT_EQ(names(query), (Names{"Item 10", "Item 3"}));
    query.kinds = {Kind::movie};
    query.favourite = false;
    EXPECT_EQ(names(query), (Names{"Item 1", "Item 2"}));

    for (const auto& [number, minute] : {std::pair{2U, 5}, std::pair{14U, 9}, std::pair{1U, 7}}) {
        store::UserItemChange watching;
        watching.position = 60s;
        watching.last_played_at = core::from_unix_ms(minute * 60'000);
        watching.more_plays = minute;
        ok(data_->change(user_id(1), {item_id(number)}, watching));
    }
    query = query_of(1);
    query.in_progress = true;
    query.sort_by = {store::ItemSort::date_played};
    query.descending = true;
    EXPECT_EQ(names(query), (Names{"Item 14", "Item 1", "Item 2"}));
    query.sort_by = {store::ItemSort::play_count};
    query.descending = false;
    EXPECT_EQ(names(query), (Names{"Item 2", "Item 1", "Item 14"}));
    query.user = user_id(2);
    EXPECT_EQ(names(query), Names{});
}

TEST_P(PlayedContract, a_mark_keeps_the_first_date_and_counts_at_least_one_play) {
    store::UserItemChange mark;
    mark.played = true;
    mark.at_least_plays = 1;
    mark.first_played_at = core::from_unix_ms(5'000);
    ok(data_->change(user_id(1), {item_id(1)}, mark));
    mark.first_played_at = core::from_unix_ms(9'000);
    ok(data_->change(user_id(1), {item_id(1)}, mark));
    EXPECT_EQ(get(1).play_count, 1);
    EXPECT_EQ(get(1).last_played_at, core::from_unix_ms(5'000));
    store::UserItemChange play;
    play.more_plays = 2;
    play.at_least_plays = 2;
    ok(data_->change(user_id(1), {item_id(1), item_id(2)}, play));
    EXPECT_EQ(get(1).play_count, 3);
    EXPECT_EQ(get(2).play_count, 2);
    play.play_count = 0;
    play.more_plays = 0;
    ok(data_->change(user_id(1), {item_id(1)}, play));
    EXPECT_EQ(get(1).play_count, 2);
}

TEST_P(PlayedContract, a_collection_has_as_many_children_as_members) {
    auto query = query_of(1, {Kind::box_set, Kind::playlist});
    const auto page = catalog_->list(query);
    ok(page);
    ASSERT_EQ(page->items.size(), 2U);
    EXPECT_EQ(page->items[0].child_count, 3);
    EXPECT_EQ(page->items[1].child_count, 2);
}

TEST_P(PlayedContract, what_is_in_closed_libraries_is_neither_counted_nor_played_below_a_collection) {
    add_library(2, "Two", {"/two"});
    ok(apply_items({film(41, 2), film(42, 2)}, 2));
    ok(collections_->replace(item_id(100), {item_id(41), item_id(1), item_id(10), item_id(42)}));
    viewer_ = store::Viewer{user_id(1), std::nullopt};
    EXPECT_EQ(playable(100), (std::vector<std::uint32_t>{41, 1, 15, 14, 13, 42}));
    EXPECT_EQ(below(1, 100), (store::Below{6, 6}));
    viewer_->libraries = std::vector{library_id(2)};
    play(1, {41});
    EXPECT_EQ(playable(100), (std::vector<std::uint32_t>{41, 42}));
    EXPECT_EQ(below(1, 100), (store::Below{2, 1}));
    EXPECT_EQ(below(1, 101), store::Below{});
    auto query = query_of(1, {Kind::box_set});
    query.played = true;
    query.viewer = viewer_;
    EXPECT_EQ(names(query), Names{});
    play(1, {42});
    EXPECT_EQ(names(query), Names{"Set"}) << "played is what its user may play of it";
    query.viewer.reset();
    EXPECT_EQ(names(query), Names{});
    viewer_->libraries->clear();
    EXPECT_EQ(playable(100), std::vector<std::uint32_t>{});
}

TEST_P(PlayedContract, the_members_of_a_collection_are_replaced) {
    ok(collections_->replace(item_id(101), {item_id(2), item_id(99), item_id(2)}));
    EXPECT_EQ(playable(101), (std::vector<std::uint32_t>{2, 2})) << "what is gone is left out";
    ok(collections_->replace(item_id(100), {item_id(3), item_id(3)}));
    EXPECT_EQ(playable(100), std::vector<std::uint32_t>{3}) << "a box set holds an item once";
    EXPECT_EQ(collections_->replace(item_id(1), {}).error().code, Errc::not_found);
}

}  // namespace understudy::testing
