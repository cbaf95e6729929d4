// tests/contract/user_data/user_data_contract.h: what every Users and UserData must do.
#pragma once

#include <thread>

#include "contract/media_stores/media_fixture.h"
#include "store/sql/sql_user_data.h"
#include "store/sql/sql_users.h"

namespace understudy::testing {

inline core::UserId user_id(std::uint8_t number) {
    return core::UserId{core::IdBytes{0xcc, number}};
}

class UserDataContract : public MediaFixture {
protected:
    using Data = store::UserItemData;

    void SetUp() override {
        MediaFixture::SetUp();
        users_ = std::make_unique<store::sql::SqlUsers>(*database_);
        data_ = std::make_unique<store::sql::SqlUserData>(*database_);
        add_library(1, "One", {"/media"});
        add_library(2, "Two", {"/two"});
        ok(apply_items({film(1), film(2), film(3)}));
        add_user(1, "Ann");
        add_user(2, "Bo");
    }
    void add_user(std::uint8_t number, const std::string& name) {
        ok(users_->add({user_id(number), name, core::from_unix_ms(1'700'000'000'000)}));
    }
    void put(std::uint8_t user, std::uint32_t item, const Data& data) {
        const auto written = data_->put({{user_id(user), item_id(item), data}});
        ok(written);
        EXPECT_EQ(*written, 1);
    }
    std::optional<Data> get(std::uint8_t user, std::uint32_t item) {
        const auto found = data_->get(user_id(user), {item_id(item)});
        ok(found);
        const auto at = found->find(item_id(item));
        return at == found->end() ? std::nullopt : std::optional<Data>(at->second);
    }
    static Data watched() {
        Data data;
        data.played = true;
        data.play_count = 2;
        data.position = 90s;
        data.favourite = true;
        data.rating = 7.5;
        data.last_played_at = core::from_unix_ms(1'700'000'000'123);
        data.audio_index = 2;
        data.subtitle_index = -1;
        return data;
    }
    std::int64_t clean(core::UtcTime before) {
        std::int64_t removed = 0;
        std::string cursor;
        do {
            const auto step =
                fenced([&](const core::Fence& fence) { return data_->remove_detached(before, cursor, fence); });
            ok(step);
            if (!step) return -1;
            removed += step->removed;
            cursor = step->cursor;
        } while (!cursor.empty());
        return removed;
    }
    static core::UtcTime in_a_year() { return core::from_unix_ms(4'000'000'000'000); }
    /// The same file under another id and name.
    static model::Item renamed(std::uint32_t content, std::uint32_t id, std::uint8_t library = 1) {
        auto made = film(content, library);
        made.id = item_id(id);
        made.name = "Other name";
        made.sources[0].file.path = "/elsewhere/" + std::to_string(id);
        return made;
    }

    std::unique_ptr<store::Users> users_;
    std::unique_ptr<store::UserData> data_;
};

TEST_P(UserDataContract, users_are_kept_by_name_in_any_case) {
    auto refused = users_->add({user_id(3), "ANN", {}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::conflict);
    EXPECT_NE(refused.error().context.find("ANN"), std::string::npos);
    EXPECT_EQ(users_->all()->size(), 2U);
    EXPECT_EQ(users_->all()->front().name, "Ann");
    EXPECT_EQ(users_->find_by_name("aNN")->value().id, user_id(1));
    EXPECT_EQ(users_->find(user_id(2))->value().name, "Bo");
    EXPECT_FALSE(*users_->find(user_id(9)));
    ok(users_->rename(user_id(2), "Bob"));
    EXPECT_EQ(users_->rename(user_id(2), "ann").error().code, Errc::conflict);
    EXPECT_EQ(users_->rename(user_id(9), "x").error().code, Errc::not_found);
    EXPECT_EQ(users_->find(user_id(2))->value().created_at, core::from_unix_ms(1'700'000'000'000));
}

TEST_P(UserDataContract, a_user_goes_with_all_data_of_theirs) {
    put(1, 1, watched());
    put(2, 1, watched());
    ok(users_->remove(user_id(1)));
    EXPECT_EQ(count("user_data"), 1);
    EXPECT_EQ(users_->remove(user_id(1)).error().code, Errc::not_found);
    EXPECT_EQ(data_->put({{user_id(1), item_id(1), watched()}}).value(), 0);
    EXPECT_EQ(data_->change(user_id(1), {item_id(1)}, {}).value(), 0);
    EXPECT_EQ(count("user_data"), 1);
}

TEST_P(UserDataContract, data_comes_back_as_it_was_put) {
    put(1, 1, watched());
    put(1, 2, {});
    EXPECT_EQ(get(1, 1), watched());
    EXPECT_EQ(get(1, 2), Data{});
    EXPECT_FALSE(get(2, 1));
    EXPECT_FALSE(get(1, 3));
    auto changed = watched();
    changed.rating.reset();
    changed.last_played_at.reset();
    put(1, 1, changed);
    EXPECT_EQ(get(1, 1), changed);
    EXPECT_EQ(data_->put({{user_id(1), item_id(77), {}}, {user_id(9), item_id(1), {}}}).value(), 0);
}

TEST_P(UserDataContract, a_change_says_one_thing_and_leaves_the_rest) {
    put(1, 1, watched());
    store::UserItemChange change;
    change.favourite = false;
    change.more_plays = 1;
    EXPECT_EQ(data_->change(user_id(1), {item_id(1), item_id(2), item_id(77)}, change).value(), 2);
    auto expected = watched();
    expected.favourite = false;
    expected.play_count = 3;
    EXPECT_EQ(get(1, 1), expected);
    EXPECT_EQ(get(1, 2)->play_count, 1);
    store::UserItemChange all;
    all.played = true;
    all.play_count = 9;
    all.position = 5s;
    all.rating = std::optional<double>(3.0);
    all.last_played_at = std::optional<core::UtcTime>(core::from_unix_ms(7));
    all.audio_index = std::optional<int>(4);
    all.subtitle_index = std::optional<int>(5);
    EXPECT_EQ(data_->change(user_id(1), {item_id(2)}, all).value(), 1);
    const auto second = get(1, 2);
    EXPECT_TRUE(second->played);
    EXPECT_EQ(second->play_count, 9);
    EXPECT_EQ(second->position, 5s);
    EXPECT_EQ(second->rating, 3.0);
    EXPECT_EQ(second->last_played_at, core::from_unix_ms(7));
    EXPECT_EQ(second->audio_index, 4);
    EXPECT_EQ(second->subtitle_index, 5);
    store::UserItemChange cleared;
    cleared.rating = std::optional<double>{};
    cleared.last_played_at = std::optional<core::UtcTime>{};
    cleared.audio_index = cleared.subtitle_index = std::optional<int>{};
    EXPECT_EQ(data_->change(user_id(1), {item_id(2)}, cleared).value(), 1);
    EXPECT_FALSE(get(1, 2)->rating);
    EXPECT_FALSE(get(1, 2)->last_played_at);
    EXPECT_FALSE(get(1, 2)->audio_index);
    EXPECT_TRUE(get(1, 2)->played);
}

TEST_P(UserDataContract, plays_from_several_pods_all_count) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 10; ++i) {
                store::UserItemChange change;
                change.more_plays = 1;
                const auto done = data_->change(user_id(1), {item_id(1)}, change);
                EXPECT_TRUE(done) << done.error().context;
            }
        });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(get(1, 1)->play_count, 40);
}

TEST_P(UserDataContract, items_are_found_by_what_the_user_did) {
    auto begun = Data{};
    begun.position = 5s;
    begun.last_played_at = core::from_unix_ms(2);
    auto played = Data{};
    played.played = true;
    played.last_played_at = core::from_unix_ms(3);
    auto liked = Data{};
    liked.favourite = true;
    put(1, 1, begun);
    put(1, 2, played);
    put(1, 3, liked);
    put(2, 3, played);
    const auto find = [&](const store::UserItemFilter& filter, std::size_t limit = 10) {
        const auto found = data_->find(user_id(1), filter, limit);
        ok(found);
        return *found;
    };
    using Items = std::vector<core::ItemId>;
    EXPECT_EQ(find({}), (Items{item_id(2), item_id(1), item_id(3)}));
    EXPECT_EQ(find({}, 1), (Items{item_id(2)}));
    EXPECT_EQ(find({.played = true}), (Items{item_id(2)}));
    EXPECT_EQ(find({.played = false}), (Items{item_id(1), item_id(3)}));
    EXPECT_EQ(find({.favourite = true}), (Items{item_id(3)}));
    EXPECT_EQ(find({.in_progress = true}), (Items{item_id(1)}));
    ok(remove_items({item_id(2)}));
    EXPECT_TRUE(find({.played = true}).empty());
}

TEST_P(UserDataContract, a_file_that_comes_back_under_another_id_and_name_brings_its_data) {
    put(1, 1, watched());
    put(2, 1, {});
    ok(remove_items({item_id(1)}));
    EXPECT_EQ(data_->detached(in_a_year()), 1);
    ok(apply_items({renamed(1, 50)}));
    EXPECT_EQ(get(1, 50), watched());
    EXPECT_EQ(get(2, 50), Data{});
    EXPECT_FALSE(get(1, 1));
    EXPECT_EQ(count("vanished_items") + count("vanished_identities"), 0);
}

TEST_P(UserDataContract, a_file_that_comes_back_under_its_old_id_has_its_data_and_is_not_cleaned) {
    put(1, 1, watched());
    ok(remove_items({item_id(1)}));
    ok(apply_items({film(1)}));
    EXPECT_EQ(get(1, 1), watched());
    EXPECT_EQ(clean(in_a_year()), 0);
    EXPECT_EQ(get(1, 1), watched());
}

TEST_P(UserDataContract, a_file_that_was_found_elsewhere_before_it_was_missed_takes_over) {
    put(1, 1, watched());
    ok(apply_items({renamed(1, 60, 2)}, 2));
    EXPECT_FALSE(get(1, 60));
    ok(remove_items({item_id(1)}));
    EXPECT_EQ(get(1, 60), watched());
    EXPECT_EQ(count("vanished_items"), 0);
}

TEST_P(UserDataContract, an_id_that_no_index_takes_keeps_no_item_from_vanishing) {
    auto odd = film(1);
    odd.provider_ids = {{"Imdb", noise(20'000)}};
    ok(apply_items({odd}));
    put(1, 1, watched());
    ok(remove_items({item_id(1)}));
    ok(apply_items({odd}));
    EXPECT_EQ(get(1, 1), watched()) << "it is found by its content";
}

TEST_P(UserDataContract, another_cut_of_the_same_film_comes_back_by_its_ids) {
    auto first = film(10);
    first.provider_ids = {{"Imdb", "tt1"}, {"Tmdb", "1"}};
    ok(apply_items({first}));
    put(1, 10, watched());
    ok(remove_items({item_id(10)}));
    auto other = film(11);
    other.provider_ids = {{"Imdb", "tt2"}};
    auto better = film(12);
    better.provider_ids = {{"Tmdb", "1"}};
    ok(apply_items({other, better}));
    EXPECT_FALSE(get(1, 11));
    EXPECT_EQ(get(1, 12), watched());
}

TEST_P(UserDataContract, a_track_is_not_taken_for_another_of_its_album) {
    auto track = media(20, Kind::track, "/media/20", {Stream::audio});
    track.provider_ids = {{"MusicBrainzAlbum", "al"}, {"MusicBrainzArtist", "ar"}, {"MusicBrainzTrack", "t20"}};
    ok(apply_items({track}));
    put(1, 20, watched());
    ok(remove_items({item_id(20)}));
    auto other = media(21, Kind::track, "/media/21", {Stream::audio});
    other.provider_ids = {{"MusicBrainzAlbum", "al"}, {"MusicBrainzArtist", "ar"}, {"MusicBrainzTrack", "t21"}};
    ok(apply_items({other}));
    EXPECT_FALSE(get(1, 21));
    auto same = media(22, Kind::track, "/media/22", {Stream::audio});
    same.provider_ids = {{"MusicBrainzTrack", "t20"}};
    ok(apply_items({same}));
    EXPECT_EQ(get(1, 22), watched());
}

TEST_P(UserDataContract, a_series_and_its_season_come_back_by_their_place) {
    const auto tree = [&](std::uint32_t first) {
        auto series = item(first, Kind::series, "Show");
        auto season = item(first + 1, Kind::season, "Season 1", first);
        return std::vector<model::Item>{series, season};
    };
    ok(apply_items(tree(30)));
    auto stranger = item(39, Kind::season, "Season 1", 3);  // of something else
    put(1, 30, watched());
    put(1, 31, watched());
    ok(remove_items({item_id(31), item_id(30)}));
    ok(apply_items({stranger}));
    EXPECT_FALSE(get(1, 39));
    ok(apply_items(tree(40)));
    EXPECT_EQ(get(1, 40), watched());
    EXPECT_EQ(get(1, 41), watched());
}

TEST_P(UserDataContract, who_takes_over_keeps_what_it_has) {
    auto old = watched();
    put(1, 1, old);
    ok(remove_items({item_id(1)}));
    Data own;
    own.play_count = 1;
    own.position = 3s;
    own.rating = 2.0;
    own.last_played_at = core::from_unix_ms(1'800'000'000'000);
    put(1, 2, own);
    auto copy = film(2);
    copy.sources.push_back(film(1).sources[0]);  // its second version is the file that vanished
    ok(apply_items({copy}));
    const auto merged = get(1, 2);
    EXPECT_TRUE(merged->played);
    EXPECT_TRUE(merged->favourite);
    EXPECT_EQ(merged->play_count, 3);
    EXPECT_EQ(merged->position, 3s);
    EXPECT_EQ(merged->rating, 2.0);
    EXPECT_EQ(merged->last_played_at, own.last_played_at);
    EXPECT_EQ(merged->audio_index, 2);
}

TEST_P(UserDataContract, an_item_that_is_only_away_keeps_its_data_where_it_is) {
    put(1, 1, watched());
    auto away = batch();
    away.mark_unavailable = {item_id(1)};
    ok(apply(away));
    EXPECT_EQ(clean(in_a_year()), 0);
    EXPECT_EQ(get(1, 1), watched());
}

TEST_P(UserDataContract, what_nobody_touched_leaves_no_trace) {
    ok(remove_items({item_id(1), item_id(2)}));
    EXPECT_EQ(count("vanished_items") + count("vanished_identities"), 0);
}

TEST_P(UserDataContract, what_is_detached_for_too_long_goes_and_the_rest_stays) {
    put(1, 1, watched());
    put(1, 2, watched());
    put(1, 3, watched());
    ok(remove_items({item_id(1)}));
    ok(sql("UPDATE vanished_items SET vanished_at_ms = 1000"));
    ok(remove_items({item_id(2)}));
    EXPECT_EQ(clean(core::from_unix_ms(2'000)), 1);
    EXPECT_EQ(count("user_data"), 2);
    EXPECT_EQ(count("vanished_items"), 1);
    EXPECT_EQ(clean(core::from_unix_ms(2'000)), 0);
    ok(apply_items({renamed(1, 70), renamed(2, 71)}));
    EXPECT_FALSE(get(1, 70));
    EXPECT_EQ(get(1, 71), watched());
}

TEST_P(UserDataContract, much_goes_in_steps) {
    // A step on PostgreSQL is larger.
    const bool sqlite = GetParam() == DatabaseKind::sqlite;
    const std::int64_t rows = sqlite ? 150'000 : 600'000, most_a_step = sqlite ? 51'000 : 500'000;
    const auto count_to = std::to_string(rows);
    const std::string numbers =
        sqlite ? "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < " + count_to + ") "
               : "WITH n(x) AS (SELECT generate_series(1, " + count_to + ")) ";
    const std::string item = sqlite ? "CAST(substr('0000000000000000' || (x / 3), -16) AS BLOB)"
                                    : "convert_to(lpad((x / 3)::text, 16, '0'), 'UTF8')";
    const std::string user = sqlite ? "CAST('u' || (x % 3) AS BLOB)" : "convert_to('u' || (x % 3), 'UTF8')";
    ok(sql(numbers + "INSERT INTO user_data SELECT " + user + ", " + item +
           ", 1, 1, 0, 0, NULL, NULL, NULL, NULL FROM n"));
    for (const std::string name : {"u0", "u1", "u2"}) {
        ok(sql("INSERT INTO users (id, name, name_key, created_at_ms) VALUES (" +
               (sqlite ? "CAST('" + name + "' AS BLOB)" : "convert_to('" + name + "', 'UTF8')") + ", '" + name +
               "', '" + name + "', 0)"));
    }
    // Most at one time, as when a library is removed: a step ends within them. Some before and some after, in the
    // order of neither ids nor rows.
    ok(sql(numbers + "INSERT INTO vanished_items SELECT DISTINCT " + item +
           ", CASE WHEN x / 3 % 10 = 9 THEN 1000 WHEN x / 3 % 10 = 8 THEN 3000 ELSE 2000 END FROM n"));
    ok(sql("INSERT INTO vanished_identities SELECT 'i', item_id FROM vanished_items"));
    const auto first =
        fenced([&](const core::Fence& fence) { return data_->remove_detached(core::from_unix_ms(2'500), "", fence); });
    ok(first);
    EXPECT_FALSE(first->cursor.empty());
    EXPECT_GT(first->removed, most_a_step / 2);
    EXPECT_LE(first->removed, most_a_step);
    EXPECT_EQ(count("user_data"), rows - first->removed);
    EXPECT_EQ(count("vanished_items"), count("vanished_identities"));
    EXPECT_EQ(count("user_data u WHERE NOT EXISTS (SELECT 1 FROM vanished_items v WHERE v.item_id = u.item_id)"), 0);
    EXPECT_EQ(count("vanished_items WHERE vanished_at_ms = 1000"), 0);  // the longest first
    clean(core::from_unix_ms(2'500));
    EXPECT_EQ(count("vanished_items WHERE vanished_at_ms < 3000"), 0);
    EXPECT_NEAR(static_cast<double>(count("user_data")), static_cast<double>(rows) / 10, 10);
    clean(in_a_year());
    EXPECT_EQ(count("user_data") + count("vanished_items") + count("vanished_identities"), 0);
}

TEST_P(UserDataContract, a_library_that_is_removed_leaves_data_that_comes_back) {
    put(1, 1, watched());
    ok(libraries_->remove(library_id(1)));
    EXPECT_EQ(count("items"), 0);
    ok(apply_items({renamed(1, 80, 2)}, 2));
    EXPECT_EQ(get(1, 80), watched());
}

TEST_P(UserDataContract, a_stale_fence_cleans_nothing) {
    put(1, 1, watched());
    ok(remove_items({item_id(1)}));
    auto stale = fence_;
    --stale.epoch;
    EXPECT_EQ(data_->remove_detached(in_a_year(), "", stale).error().code, Errc::fenced);
    EXPECT_EQ(count("user_data"), 1);
}

}  // namespace understudy::testing
