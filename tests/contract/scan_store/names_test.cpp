// What items share by name: listed, counted, hidden, and right after every write.
#include "store/names.h"
#include "contract/scan_store/store_fixture.h"
#include "store/sql/name_rows.h"
#include "store/sql/sql_analyses.h"
#include "store/sql/sql_names.h"
#include "store/sql/sql_user_data.h"
#include "store/sql/sql_users.h"

namespace understudy::testing {

class NamesContract : public StoreFixture {
protected:
    using Kind = model::ItemKind;
    using NameKind = store::NameKind;
    using Texts = std::vector<std::string>;

    void SetUp() override {
        StoreFixture::SetUp();
        names_ = std::make_unique<store::sql::SqlNames>(*database_);
        add_library(1, "Films", {"/media"});
        add_library(2, "Music", {"/music"});
        ok(apply_items({film(1, {"Drama", "Comedy"}, 1999), film(2, {"drama"}, 2001), film(3, {}, 0)}));
        auto artist = item(20, Kind::artist, "Zoë", 0, 2);
        auto album = item(21, Kind::album, "Élan", 20, 2);
        auto track = item(22, Kind::track, "One", 21, 2);
        track.artists = {"zoë", "Guest"};
        track.album_artist = "Zoë";
        track.genres = {"Drama"};
        ok(apply_items({artist, album, track}, 2));
        query_.items.recursive = true;
    }
    static model::Item film(std::uint32_t number, Texts genres, int year) {
        auto made = movie(number, "film " + std::to_string(number));
        made.genres = std::move(genres);
        if (year != 0) made.year = year;
        made.about.studios = {"Foam"};
        made.about.tags = {"sea", "Sea"};
        made.about.official_rating = number == 1 ? "PG" : "";
        return made;
    }
    Texts listed(std::vector<NameKind> kinds) {
        query_.kinds = std::move(kinds);
        Texts found;
        const auto page = names_->list(query_);
        ok(page);
        if (!page) return found;
        for (const auto& name : page->names) found.push_back(name.name);
        return found;
    }
    /// A user who likes these, which are there.
    core::UserId like(const std::vector<core::ItemId>& ids) {
        const core::UserId user{core::IdBytes{0xcc, 1}};
        ok(store::sql::SqlUsers(*database_).add({user, "Ann", {}}));
        store::UserItemChange change;
        change.favourite = true;
        const auto changed = store::sql::SqlUserData(*database_).change(user, ids, change);
        ok(changed);
        EXPECT_EQ(*changed, static_cast<std::int64_t>(ids.size()));
        return user;
    }
    std::size_t total() { return names_->list(query_)->total; }

    store::NameQuery query_;
    std::unique_ptr<store::Names> names_;
};

TEST_P(NamesContract, may_be_longer_than_an_index_takes) {
    const auto genre = "Noir " + noise(100'000);
    auto long_film = film(4, {genre, genre + "!"}, 0);
    long_film.about.studios = {noise(50'000)};
    long_film.about.tags = {noise(50'000)};
    ok(apply_items({long_film}));
    query_.search = "noir";
    EXPECT_EQ(listed({NameKind::genre}), Texts{genre}) << "the same as far as names are told apart";
    query_.search = "\xCC\x81";
    EXPECT_TRUE(listed({NameKind::genre}).empty()) << "a mark alone is in none";
    query_.search.clear();
    query_.prefix = "\xCC\x81";
    EXPECT_TRUE(listed({NameKind::genre}).empty());
    query_.prefix.clear();
    EXPECT_EQ(listed({NameKind::studio}).size(), 2U);
}

TEST_P(NamesContract, are_listed_by_kind_each_once_whatever_its_case) {
    EXPECT_EQ(listed({NameKind::genre}), (Texts{"Comedy", "Drama"}));
    EXPECT_EQ(listed({NameKind::music_genre}), Texts{"Drama"});
    EXPECT_EQ(listed({NameKind::studio}), Texts{"Foam"});
    EXPECT_EQ(listed({NameKind::tag}), Texts{"sea"});
    EXPECT_EQ(listed({NameKind::artist}), (Texts{"Guest", "Zoë"}));
    query_.album_artists = true;
    EXPECT_EQ(listed({NameKind::artist}), Texts{"Zoë"});
    const auto page = names_->list(query_);
    EXPECT_EQ(page->names[0].item, item_id(20));
    EXPECT_EQ(page->names[0].id, store::name_id(NameKind::artist, "zoë"));
}

TEST_P(NamesContract, are_searched_cut_and_counted) {
    query_.search = "OM";
    EXPECT_EQ(listed({NameKind::genre}), Texts{"Comedy"});
    query_.search.clear();
    query_.prefix = "D";
    EXPECT_EQ(listed({NameKind::genre}), Texts{"Drama"});
    query_.prefix.clear();
    query_.from = "d";
    EXPECT_EQ(listed({NameKind::genre}), Texts{"Drama"});
    query_.from.clear();
    query_.before = "D";
    EXPECT_EQ(listed({NameKind::genre}), Texts{"Comedy"});
    query_.before.clear();
    query_.limit = 1;
    EXPECT_EQ(listed({NameKind::genre}), Texts{"Comedy"});
    EXPECT_EQ(total(), 2U);
    query_.start_index = 1;
    EXPECT_EQ(listed({NameKind::genre}), Texts{"Drama"});
    EXPECT_EQ(total(), 2U);
    query_.start_index = 0;
    query_.descending = true;
    query_.with_counts = true;
    const auto page = names_->list(query_);
    ok(page);
    EXPECT_EQ(page->names[0].counts, (std::map<Kind, std::int64_t>{{Kind::movie, 2}}));
    query_.limit = 0;
    EXPECT_EQ(total(), 2U);
    EXPECT_TRUE(names_->list(query_)->names.empty());
    query_.random = true;
    query_.limit = 10;
    EXPECT_EQ(listed({NameKind::genre}).size(), 2U);
}

TEST_P(NamesContract, are_those_of_the_items_asked_for) {
    query_.items.kinds = {Kind::track};
    EXPECT_EQ(listed({NameKind::genre}), Texts{});
    EXPECT_EQ(listed({NameKind::music_genre}), Texts{"Drama"});
    query_.items.kinds.clear();
    query_.items.filters.years = {2001};
    EXPECT_EQ(listed({NameKind::genre}), Texts{"Drama"});
    query_.items.filters = {};
    query_.items.library = library_id(2);
    EXPECT_EQ(listed({}), (Texts{"Drama", "Guest", "Zoë"}));
    query_.items.library.reset();
    query_.items.parent = item_id(20);
    EXPECT_EQ(listed({}), (Texts{"Drama", "Guest", "Zoë"})) << "below an artist";
    EXPECT_EQ(total(), 3U);
}

TEST_P(NamesContract, of_closed_libraries_are_nobodys) {
    query_.items.viewer = store::Viewer{{}, std::vector{library_id(1)}};
    EXPECT_EQ(listed({}), (Texts{"Comedy", "Drama", "Foam", "sea"}));
    query_.items.viewer = store::Viewer{{}, std::vector{library_id(2)}};
    query_.with_counts = true;
    query_.kinds = {NameKind::artist};
    const auto page = names_->list(query_);
    ok(page);
    ASSERT_EQ(page->names.size(), 2U);
    EXPECT_EQ(page->names[0].counts, (std::map<Kind, std::int64_t>{{Kind::track, 1}}));
    EXPECT_TRUE(names_->facets(query_.items)->years.empty());
    ok(libraries_->remove(library_id(2)));
    EXPECT_EQ(listed({}), Texts{});
}

TEST_P(NamesContract, follow_their_items) {
    auto changed = film(1, {"Farce"}, 1999);
    changed.about.studios.clear();
    changed.about.tags.clear();
    ok(apply_items({changed}));
    EXPECT_EQ(listed({NameKind::genre}), (Texts{"Drama", "Farce"})) << "Comedy is nobody's now";
    auto all = batch();
    all.remove_items = {item_id(2), item_id(3)};
    ok(apply(all));
    EXPECT_EQ(listed({NameKind::genre, NameKind::studio, NameKind::tag}), Texts{"Farce"});
    EXPECT_EQ(count("item_names WHERE item_id NOT IN (SELECT id FROM items)"), 0);
    ok(apply_items({changed}));
    EXPECT_EQ(listed({NameKind::genre}), Texts{"Farce"}) << "the same again changes nothing";
}

TEST_P(NamesContract, that_nothing_has_any_more_are_purged) {
    auto all = batch();
    all.remove_items = {item_id(1), item_id(2), item_id(3)};
    ok(apply(all));
    ok(sql("INSERT INTO item_names (item_id, role, name_id) VALUES (decode('" + item_id(77).str() +
           "', 'hex'), 0, decode('" + store::name_id(NameKind::genre, "comedy").str() +
           "', 'hex'))"));  // of an old pod
    store::sql::SqlAnalyses analyses(*database_);
    std::string cursor;
    do {
        const auto step = analyses.purge_unreferenced(cursor, fence_);
        ok(step);
        ++fence_.cursor_seq;
        cursor = step->cursor;
    } while (!cursor.empty());
    EXPECT_EQ(count("item_names"), 5);
    EXPECT_EQ(count("names"), 3) << "Drama of music, Zoë and Guest";
}

TEST_P(NamesContract, of_rows_that_were_there_before_are_filled_in) {
    const auto rows = count("item_names"), names = count("names");
    ASSERT_GT(rows, 8);
    ok(sql("DELETE FROM item_names"));
    ok(sql("DELETE FROM names"));
    ok(sql("UPDATE items SET beside = beside & 7"));
    ok(database_->with(store::sql::Access::write, [&](store::sql::Session& session) {
        return session.transaction([&] { return store::sql::fill_names(session); });
    }));
    EXPECT_EQ(count("item_names"), rows);
    EXPECT_EQ(count("names"), names);
    ok(apply_items({film(1, {"Farce"}, 1999)}));
    EXPECT_EQ(listed({NameKind::genre}), (Texts{"Drama", "Farce"})) << "as first written";
}

TEST_P(NamesContract, years_and_what_to_filter_by) {
    const auto years = names_->years(query_.items);
    ok(years);
    ASSERT_EQ(years->size(), 2U);
    EXPECT_EQ(years->at(0).year, 1999);
    EXPECT_EQ(years->at(1).counts, (std::map<Kind, std::int64_t>{{Kind::movie, 1}}));
    const auto facets = names_->facets(query_.items);
    ok(facets);
    EXPECT_EQ(facets->years, (std::vector{1999, 2001}));
    EXPECT_EQ(facets->official_ratings, Texts{"PG"});
    EXPECT_EQ(facets->genres.size(), 3U);
    EXPECT_EQ(facets->tags.size(), 1U);
}

TEST_P(NamesContract, that_a_user_likes) {
    query_.items.user = *core::UserId::parse(std::string(32, '9'));
    ok(sql("INSERT INTO user_data (user_id, item_id, played, play_count, position_ms, favourite) VALUES (decode('" +
           query_.items.user.str() + "', 'hex'), decode('" + item_id(20).str() + "', 'hex'), 0, 0, 0, 1)"));
    query_.favourite = true;
    EXPECT_EQ(listed({NameKind::artist}), Texts{"Zoë"}) << "as an item";
    query_.favourite = false;
    EXPECT_EQ(listed({NameKind::artist}), Texts{"Guest"});
}

TEST_P(NamesContract, are_liked_one_by_one_and_of_an_artist_that_is_seen_as_an_item_the_item) {
    const auto user = like({store::name_id(NameKind::genre, "drama"), store::name_id(NameKind::studio, "foam"),
                            store::name_id(NameKind::artist, "guest"), store::name_id(NameKind::artist, "zoë")});
    query_.items.user = user;
    query_.favourite = true;
    EXPECT_EQ(listed({NameKind::genre, NameKind::music_genre}), Texts{"Drama"}) << "not that of music";
    EXPECT_EQ(listed({NameKind::studio}), Texts{"Foam"});
    EXPECT_EQ(listed({NameKind::artist}), Texts{"Guest"}) << "Zoë is an item, which nobody likes";
    EXPECT_EQ(total(), 1U);
    query_.favourite = false;
    EXPECT_EQ(listed({NameKind::genre, NameKind::music_genre}), (Texts{"Comedy", "Drama"}));
    EXPECT_EQ(listed({NameKind::artist}), Texts{"Zoë"});
    EXPECT_TRUE(listed({NameKind::studio}).empty());
    auto film_of_zoe = film(4, {}, 0);
    film_of_zoe.artists = {"Zoë"};
    ok(apply_items({film_of_zoe}));
    query_.favourite = true;
    query_.items.viewer = store::Viewer{user, std::vector{library_id(1)}};
    EXPECT_EQ(listed({NameKind::artist}), Texts{"Zoë"}) << "to whom the item is closed sees the name alone";
}

TEST_P(NamesContract, are_searched_and_ordered_without_accents) {
    auto made = film(5, {"Ärger", "Épopée", "Zeit"}, 0);
    ok(apply_items({made}));
    EXPECT_EQ(listed({NameKind::genre}), (Texts{"Ärger", "Comedy", "Drama", "Épopée", "Zeit"}));
    query_.search = "epopee";
    EXPECT_EQ(listed({NameKind::genre}), Texts{"Épopée"});
    query_.search = "ÉPO";
    EXPECT_EQ(listed({NameKind::genre}), Texts{"Épopée"});
    query_.search.clear();
    query_.prefix = "a";
    EXPECT_EQ(listed({NameKind::genre}), Texts{"Ärger"});
    query_.prefix.clear();
    query_.before = "d";
    EXPECT_EQ(listed({NameKind::genre}), (Texts{"Ärger", "Comedy"}));
    query_.before.clear();
    query_.from = "É";
    EXPECT_EQ(listed({NameKind::genre}), (Texts{"Épopée", "Zeit"}));
    query_.from.clear();
    query_.search = "zoe";
    EXPECT_EQ(listed({NameKind::artist}), Texts{"Zoë"});
    EXPECT_EQ(names_->list(query_)->names.at(0).id, store::name_id(NameKind::artist, "zoë")) << "ids stay as they were";
}

TEST_P(NamesContract, keep_what_users_said_of_them_while_nothing_has_them) {
    const auto comedy = store::name_id(NameKind::genre, "comedy"), year = store::name_id(NameKind::year, "1999");
    const auto user = like({comedy, year});
    auto all = batch();
    all.remove_items = {item_id(1)};
    ok(apply(all));
    store::sql::SqlAnalyses analyses(*database_);
    std::string cursor;
    do {
        const auto step = analyses.purge_unreferenced(cursor, fence_);
        ok(step);
        ++fence_.cursor_seq;
        cursor = step->cursor;
    } while (!cursor.empty());
    store::sql::SqlUserData data(*database_);
    EXPECT_EQ(count("names WHERE name = 'Comedy'"), 0);
    store::UserItemChange change;
    change.favourite = false;
    EXPECT_EQ(data.change(user, {comedy, year}, change).value(), 0) << "of what is not there nothing new is said";
    ok(apply_items({film(9, {"COMEDY"}, 1999)}));
    query_.items.user = user;
    query_.favourite = true;
    EXPECT_EQ(listed({NameKind::genre}), Texts{"COMEDY"});
    EXPECT_TRUE(data.get(user, {year})->at(year).favourite);
    change.rating = std::optional<double>(9.5);
    EXPECT_EQ(data.change(user, {comedy, year, item_id(9), item_id(77)}, change).value(), 3);
    EXPECT_EQ(data.get(user, {comedy})->at(comedy).rating, 9.5);
    EXPECT_TRUE(listed({NameKind::genre}).empty());
    EXPECT_EQ(data.put({{user, comedy, {}}, {user, year, {}}}).value(), 2);
}

INSTANTIATE_TEST_SUITE_P(databases, NamesContract, both_databases(), database_name);

}  // namespace understudy::testing
