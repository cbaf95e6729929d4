// What lists may ask of items: the same on both databases.
#include <algorithm>

#include "contract/scan_store/store_fixture.h"
#include "core/random.h"
#include "store/names.h"
#include "store/sql/sql_collections.h"
#include "store/sql/sql_names.h"

namespace understudy::testing {

class FiltersContract : public StoreFixture {
protected:
    using Kind = model::ItemKind;
    using Names = std::vector<std::string>;
    using Sort = store::ItemSort;

    void SetUp() override {
        StoreFixture::SetUp();
        add_library(1, "All", {"/media"});
        auto tide = movie(1, "Tide");
        tide.year = 1999;
        tide.genres = {"Drama", "Ärger"};
        tide.provider_ids = {{"Imdb", "tt1"}, {"Tmdb", "7"}};
        tide.about.studios = {"Foam & Co"};
        tide.about.tags = {"sea"};
        tide.about.overview = "Water.";
        tide.about.official_rating = "FSK-6";
        tide.about.community_rating = 7.5;
        tide.about.premiered = core::from_unix_ms(922'320'000'000);
        tide.images = {{model::ImageKind::backdrop, "/b", 1, 2}};
        model::MediaStream video, subtitle;
        video.width = 3'840;
        video.height = 1'600;
        subtitle.kind = model::StreamKind::subtitle;
        tide.sources[0].info.streams = {video, subtitle};
        auto ebb = movie(2, "Ebb");
        ebb.year = 2001;
        ebb.genres = {"drama"};
        ebb.about.studios = {"FOAM  & co"};
        ebb.about.community_rating = 5.0;
        ebb.about.premiered = core::from_unix_ms(4'102'444'800'000);  // 2100
        ebb.available = false;
        auto trailer = item(3, Kind::extra, "Teaser", 1);
        trailer.extra_type = "trailer";
        auto plain = movie(4, "Über");
        auto artist = item(20, Kind::artist, "Zoë");
        auto album = item(21, Kind::album, "Élan", 20);
        const auto track = [&](std::uint32_t number, Names artists) {
            auto made = item(number, Kind::track, "Track " + std::to_string(number), 21);
            made.track_number = static_cast<int>(number) - 21;
            made.disc_number = 1;
            made.album = "Élan";
            made.album_artist = "ZOË";
            made.artists = std::move(artists);
            made.genres = {"Drama"};
            return made;
        };
        auto series = item(30, Kind::series, "Aa Show");
        series.about.status = "Ended";
        auto season = item(31, Kind::season, "Season 1", 30);
        season.season_number = 1;
        auto episode = item(32, Kind::episode, "Zz", 31);
        episode.season_number = 1;
        episode.episode_number = 3;
        ok(apply_items({tide, ebb, trailer, plain, artist, album, track(22, {"Zoë"}), track(23, {"Guest", "Zoë"}),
                        track(24, {"Guest"}), series, season, episode}));
        query_.recursive = true;
    }
    Names found() {
        Names names;
        const auto page = catalog_->list(query_);
        ok(page);
        if (!page) return names;
        for (const auto& listed : page->items) names.push_back(listed.item.name);
        EXPECT_EQ(page->total, names.size());
        return names;
    }
    Names with(const std::function<void(store::ItemFilters&)>& set, std::vector<Kind> kinds = {}) {
        query_.filters = {};
        query_.kinds = std::move(kinds);
        set(query_.filters);
        return found();
    }
    using F = store::ItemFilters;
    static std::vector<core::ItemId> named(store::NameKind kind, const std::string& key) {
        return {store::name_id(kind, key)};
    }

    store::ItemQuery query_;
};

TEST_P(FiltersContract, genres_studios_and_tags_are_found_by_name_and_id_in_any_case) {
    EXPECT_EQ(with([](F& f) { f.genres = {"DRAMA"}; }), (Names{"Ebb", "Tide", "Track 22", "Track 23", "Track 24"}));
    EXPECT_EQ(with([](F& f) { f.genres = {"ärger", "none"}; }), Names{"Tide"});
    EXPECT_EQ(with([](F& f) { f.genre_ids = named(store::NameKind::genre, "drama"); }), (Names{"Ebb", "Tide"}))
        << "not those of music";
    EXPECT_EQ(with([](F& f) { f.genres = {"none"}; }), Names{});
    EXPECT_EQ(with([](F& f) { f.studios = {"foam & CO"}; }), (Names{"Ebb", "Tide"})) << "blanks do not count";
    EXPECT_EQ(with([](F& f) { f.studio_ids = named(store::NameKind::studio, "foam & co"); }), (Names{"Ebb", "Tide"}));
    EXPECT_EQ(with([](F& f) { f.tags = {"Sea"}; }), Names{"Tide"});
    EXPECT_EQ(with([](F& f) {
                  f.tags = {"Sea"};
                  f.genres = {"Rock"};
              }),
              Names{})
        << "all must hold";
}

TEST_P(FiltersContract, artists_are_found_as_items_and_by_name_in_their_roles) {
    const auto zoe = std::vector{item_id(20)}, by_name = named(store::NameKind::artist, "zoë");
    const Names everything{"Élan", "Track 22", "Track 23", "Track 24"};
    EXPECT_EQ(with([&](F& f) { f.artist_ids = zoe; }), everything);
    EXPECT_EQ(with([&](F& f) { f.artist_ids = by_name; }), everything);
    EXPECT_EQ(with([](F& f) { f.artists = {"zoë"}; }), everything);
    EXPECT_EQ(with([&](F& f) { f.album_artist_ids = zoe; }, {Kind::album}), Names{"Élan"});
    const auto guest = named(store::NameKind::artist, "guest");
    EXPECT_EQ(with([&](F& f) { f.contributing_artist_ids = guest; }), (Names{"Track 23", "Track 24"}));
    EXPECT_EQ(with([&](F& f) { f.contributing_artist_ids = zoe; }), Names{}) << "whose albums they are";
    EXPECT_EQ(with([&](F& f) { f.album_artist_ids = guest; }), Names{});
    EXPECT_EQ(with([&](F& f) { f.excluded_artist_ids = guest; }, {Kind::track}), Names{"Track 22"});
    EXPECT_EQ(with([](F& f) { f.album_ids = {item_id(21)}; }), (Names{"Track 22", "Track 23", "Track 24"}));
    EXPECT_EQ(with([](F& f) { f.albums = {"élan"}; }), (Names{"Track 22", "Track 23", "Track 24"}));
}

TEST_P(FiltersContract, facts_of_an_item) {
    EXPECT_EQ(with([](F& f) { f.years = {1999, 2001}; }), (Names{"Ebb", "Tide"}));
    EXPECT_EQ(with([](F& f) { f.official_ratings = {"FSK-6"}; }), Names{"Tide"});
    EXPECT_EQ(with([](F& f) { f.least_rating = 7.5; }), Names{"Tide"});
    EXPECT_EQ(with([](F& f) { f.has_overview = true; }), Names{"Tide"});
    EXPECT_EQ(with([](F& f) { f.has_overview = false; }, {Kind::movie}), (Names{"Ebb", "Über"}));
    EXPECT_EQ(with([](F& f) { f.has_official_rating = true; }), Names{"Tide"});
    EXPECT_EQ(with([](F& f) { f.unaired = true; }), Names{"Ebb"});
    EXPECT_EQ(with([](F& f) { f.unaired = false; }, {Kind::movie}), (Names{"Tide", "Über"}));
    EXPECT_EQ(with([](F& f) { f.premiered_until = core::from_unix_ms(1'000'000'000'000); }), Names{"Tide"});
    EXPECT_EQ(with([](F& f) { f.premiered_since = core::from_unix_ms(1'000'000'000'000); }), Names{"Ebb"});
    EXPECT_EQ(with([](F& f) { f.available = false; }), Names{"Ebb"});
    EXPECT_EQ(with([](F& f) { f.statuses = {"Ended"}; }), Names{"Aa Show"});
    EXPECT_EQ(with([](F& f) { f.index_number = 3; }), (Names{"Track 24", "Zz"}));
    EXPECT_EQ(with([](F& f) { f.index_number = 1; }, {Kind::season}), Names{"Season 1"});
    EXPECT_EQ(with([](F& f) { f.parent_index_number = 1; }, {Kind::episode, Kind::season}), Names{"Zz"});
    EXPECT_EQ(with([](F& f) { f.excluded_ids = {item_id(1), item_id(2)}; }, {Kind::movie}), Names{"Über"});
    EXPECT_EQ(with([](F& f) { f.saved_since = core::from_unix_ms(1'700'000'000'000); }, {Kind::series}),
              Names{"Aa Show"})
        << "written now, whenever it was made";
    EXPECT_EQ(with([](F& f) { f.saved_since = core::from_unix_ms(4'102'444'800'000); }), Names{});
}

TEST_P(FiltersContract, names_by_how_they_are_sorted) {
    for (const char* prefix : {"ü", "U", "uBE", "ÜBÈR"})
        EXPECT_EQ(with([&](F& f) { f.name_prefix = prefix; }), Names{"Über"}) << prefix;
    EXPECT_EQ(with([](F& f) { f.name_prefix = "z"; }), (Names{"Zoë", "Zz"}));
    EXPECT_EQ(with([](F& f) { f.name_prefix = "T"; }, {Kind::movie}), Names{"Tide"});
    EXPECT_EQ(with([](F& f) { f.name_from = "tide"; }, {Kind::movie}), (Names{"Tide", "Über"}));
    EXPECT_EQ(with([](F& f) { f.name_before = "Tide"; }, {Kind::movie}), Names{"Ebb"});
    EXPECT_EQ(with([](F& f) { f.name_from = "É"; }, {Kind::album, Kind::artist}), (Names{"Élan", "Zoë"}));
}

TEST_P(FiltersContract, a_search_knows_no_accents) {
    const auto search = [&](const std::string& term) {
        query_.search = term;
        return with([](F&) {});
    };
    EXPECT_EQ(search("uber"), Names{"Über"});
    EXPECT_EQ(search("ÜB"), Names{"Über"});
    EXPECT_EQ(search("ELAN"), Names{"Élan"});
    EXPECT_EQ(search("zoe"), Names{"Zoë"});
    EXPECT_EQ(search("zoz"), Names{});
    ok(apply_items({movie(40, "Die Straße"), movie(41, "STRASSE"), movie(42, "Łódź")}));
    EXPECT_EQ(search("strasse"), (Names{"Die Straße", "STRASSE"}));
    EXPECT_EQ(search("straße"), (Names{"Die Straße", "STRASSE"}));
    EXPECT_EQ(search("lodz"), Names{"Łódź"});
}

TEST_P(FiltersContract, ratings_that_do_not_fit) {
    auto rated = item(50, Kind::series, "Rated Show");
    rated.about.official_rating = "TV-MA";
    auto of_rated = item(51, Kind::season, "Rated Season", 50);
    auto its_episode = item(52, Kind::episode, "Rated Episode", 51), mild = item(53, Kind::episode, "Mild", 51);
    mild.about.official_rating = "TV-G";
    ok(apply_items({rated, of_rated, its_episode, mild}));
    const std::vector<Kind> shows{Kind::series, Kind::season, Kind::episode};
    EXPECT_EQ(with([](F& f) { f.unfit_ratings = {"TV-MA"}; }, shows), (Names{"Aa Show", "Mild", "Season 1", "Zz"}))
        << "what says none has its series'";
    EXPECT_EQ(with([](F& f) { f.unfit_ratings = {"TV-G"}; }, {Kind::episode}), (Names{"Rated Episode", "Zz"}));
    EXPECT_EQ(with([](F& f) { f.unfit_ratings = {"FSK-6", "TV-G"}; }, {Kind::movie}), (Names{"Ebb", "Über"}));
    auto ratings = store::sql::SqlNames(*database_).official_ratings();
    ok(ratings);
    std::sort(ratings->begin(), ratings->end());
    EXPECT_EQ(*ratings, (Names{"FSK-6", "TV-G", "TV-MA"}));
}

TEST_P(FiltersContract, box_sets_in_the_place_of_their_members) {
    core::SeededRandom random{3};
    store::sql::SqlCollections collections(*database_, random);
    const auto set = [&](std::uint32_t number, const std::string& name, Kind kind, std::vector<core::ItemId> members) {
        store::Collection made;
        made.id = item_id(number);
        made.kind = kind;
        made.name = made.sort_name = name;
        made.is_public = true;
        ok(collections.create(made, members));
    };
    set(60, "Water", Kind::box_set, {item_id(1), item_id(2)});
    set(61, "A list", Kind::playlist, {item_id(4)});
    query_.collapse_box_sets = true;
    const auto nothing = [](F&) {};
    EXPECT_EQ(with(nothing, {Kind::movie}), (Names{"Über", "Water"})) << "once, and no playlists";
    set(62, "Evening", Kind::box_set, {item_id(2)});
    EXPECT_EQ(with(nothing, {Kind::movie}), (Names{"Evening", "Über", "Water"})) << "every set that has one";
    EXPECT_EQ(with(nothing, {Kind::series}), Names{"Aa Show"});
    EXPECT_EQ(with([](F& f) { f.name_prefix = "w"; }, {Kind::movie}), Names{"Water"}) << "of what is shown";
    EXPECT_EQ(with([](F& f) { f.name_prefix = "t"; }, {Kind::movie}), Names{}) << "Tide is in the set";
    query_.library = library_id(1);
    EXPECT_EQ(with(nothing, {Kind::movie}), (Names{"Evening", "Über", "Water"})) << "of a library, too";
    query_.library.reset();
    query_.viewer = store::Viewer{{}, std::vector<core::LibraryId>{}};
    EXPECT_EQ(with(nothing, {Kind::movie}), Names{}) << "no set for members that are closed";
    query_.viewer.reset();
    query_.collapse_box_sets = false;
    EXPECT_EQ(with(nothing, {Kind::movie}), (Names{"Ebb", "Tide", "Über"}));
}

TEST_P(FiltersContract, media_pictures_extras_and_ids) {
    EXPECT_EQ(with([](F& f) { f.hd = true; }), Names{"Tide"});
    EXPECT_EQ(with([](F& f) { f.uhd = true; }), Names{"Tide"});
    EXPECT_EQ(with([](F& f) { f.uhd = false; }, {Kind::movie}), (Names{"Ebb", "Über"}));
    EXPECT_EQ(with([](F& f) { f.least_width = 3'840; }), Names{"Tide"});
    EXPECT_EQ(with([](F& f) { f.most_height = 1'599; }), Names{});
    EXPECT_EQ(with([](F& f) { f.has_subtitles = true; }), Names{"Tide"});
    EXPECT_EQ(with([](F& f) { f.images = {model::ImageKind::backdrop}; }), Names{"Tide"});
    EXPECT_EQ(with([](F& f) { f.images = {model::ImageKind::primary}; }), Names{});
    EXPECT_EQ(with([](F& f) { f.extras = {{"trailer", true}}; }), Names{"Tide"});
    EXPECT_EQ(with([](F& f) { f.extras = {{"*", true}}; }), Names{});
    EXPECT_EQ(with([](F& f) { f.extras = {{"trailer", false}}; }, {Kind::movie}), (Names{"Ebb", "Über"}));
    EXPECT_EQ(with([](F& f) { f.id_providers = {{"Tmdb", true}}; }), Names{"Tide"});
    EXPECT_EQ(with([](F& f) { f.id_providers = {{"Tvdb", false}}; }, {Kind::movie}), (Names{"Ebb", "Tide", "Über"}));
    EXPECT_EQ(with([](F& f) { f.provider_ids = {{"tvdb", "1"}, {"imdb", "TT1"}}; }), Names{"Tide"});
    EXPECT_EQ(with([](F& f) { f.provider_ids = {{"imdb", "tt"}}; }), Names{}) << "whole ids only";
}

TEST_P(FiltersContract, who_made_it) {
    ok(sql(
        "INSERT INTO people (id, name, name_key, sort_name, provider_ids, overview, created_at_ms, refreshed_at_ms) "
        "VALUES (decode('" +
        std::string(32, 'd') + "', 'hex'), 'Ann Lee', 'ann lee', 'Ann Lee', '{}', '', 0, 0)"));
    ok(sql("INSERT INTO credits (item_id, position, person_id, kind, role) VALUES (decode('" + item_id(1).str() +
           "', 'hex'), 0, decode('" + std::string(32, 'd') + "', 'hex'), 'actor', '')"));
    EXPECT_EQ(with([](F& f) { f.people = {*core::PersonId::parse(std::string(32, 'd'))}; }), Names{"Tide"});
    EXPECT_EQ(with([](F& f) { f.person = "ANN  Lee"; }), Names{"Tide"});
    EXPECT_EQ(with([](F& f) {
                  f.person = "Ann Lee";
                  f.credit_kinds = {model::CreditKind::actor};
              }),
              Names{"Tide"});
    EXPECT_EQ(with([](F& f) {
                  f.person = "Ann Lee";
                  f.credit_kinds = {model::CreditKind::director};
              }),
              Names{});
}

TEST_P(FiltersContract, an_item_with_those_beside_it) {
    query_.sort_by = {Sort::own_index};
    EXPECT_EQ(with([](F& f) { f.adjacent_to = item_id(23); }, {Kind::track}),
              (Names{"Track 22", "Track 23", "Track 24"}));
    EXPECT_EQ(with([](F& f) { f.adjacent_to = item_id(24); }, {Kind::track}), (Names{"Track 23", "Track 24"}));
    EXPECT_EQ(with([](F& f) { f.adjacent_to = item_id(99); }, {Kind::track}), Names{});
}

TEST_P(FiltersContract, every_order_and_each_word_its_direction) {
    const auto sorted = [&](std::vector<Sort> by, std::vector<bool> directions, std::vector<Kind> kinds) {
        query_.sort_by = std::move(by);
        query_.directions = std::move(directions);
        return with([](F&) {}, std::move(kinds));
    };
    const std::vector films{Kind::movie};
    EXPECT_EQ(sorted({Sort::community_rating}, {true}, films), (Names{"Tide", "Ebb", "Über"}));
    EXPECT_EQ(sorted({Sort::premiere_date}, {true}, films), (Names{"Ebb", "Tide", "Über"}));
    EXPECT_EQ(sorted({Sort::official_rating, Sort::name}, {false, true}, films), (Names{"Über", "Ebb", "Tide"}));
    EXPECT_EQ(sorted({Sort::studio, Sort::name}, {true, false}, films), (Names{"Ebb", "Tide", "Über"}));
    EXPECT_EQ(sorted({Sort::artist, Sort::own_index}, {false, true}, {Kind::track}),
              (Names{"Track 24", "Track 23", "Track 22"}));
    EXPECT_EQ(sorted({Sort::album_artist, Sort::parent_index, Sort::own_index}, {}, {Kind::track}),
              (Names{"Track 22", "Track 23", "Track 24"}));
    EXPECT_EQ(sorted({Sort::folder, Sort::series_name, Sort::name}, {true, false, false}, {Kind::movie, Kind::series}),
              (Names{"Aa Show", "Ebb", "Tide", "Über"}));
    EXPECT_EQ(sorted({Sort::date_content_added}, {true}, {Kind::series, Kind::album}), (Names{"Aa Show", "Élan"}));
    EXPECT_EQ(sorted({Sort::favourite, Sort::played, Sort::name}, {}, films), (Names{"Ebb", "Tide", "Über"}));
}

TEST_P(FiltersContract, no_total_where_nobody_wants_it) {
    query_.with_total = false;
    query_.limit = 2;
    const auto page = catalog_->list(query_);
    ok(page);
    EXPECT_EQ(page->total, 0U);
    EXPECT_EQ(page->items.size(), 2U);
}

TEST_P(FiltersContract, tracks_know_which_of_their_artists_are_items) {
    query_.ids = {item_id(21), item_id(23)};
    const auto page = catalog_->list(query_);
    ok(page);
    ASSERT_EQ(page->items.size(), 2U);
    const auto& track = page->items[1];
    EXPECT_EQ(track.artist_items, (std::map<std::string, core::ItemId>{{"ZOË", item_id(20)}, {"Zoë", item_id(20)}}));
    EXPECT_EQ(page->items[0].item.album_artist, "Zoë") << "an album is its artist's";
    query_.viewer = store::Viewer{{}, std::vector{library_id(2)}};
    EXPECT_TRUE(catalog_->list(query_)->items.empty());
}

INSTANTIATE_TEST_SUITE_P(databases, FiltersContract, both_databases(), database_name);

}  // namespace understudy::testing
