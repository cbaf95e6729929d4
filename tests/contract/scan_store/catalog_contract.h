// tests/contract/scan_store/catalog_contract.h: what every Catalog must do.
#pragma once

#include <set>

#include "contract/scan_store/store_fixture.h"

namespace understudy::testing {

class CatalogContract : public StoreFixture {
protected:
    using Kind = model::ItemKind;

    void SetUp() override {
        StoreFixture::SetUp();
        add_library(1, "All", {"/media"});
        add_library(2, "Other", {"/other"});
        auto series = item(10, Kind::series, "The Show");
        auto season = item(11, Kind::season, "Season 1", 10);
        season.season_number = 1;
        auto specials = item(12, Kind::season, "Specials", 10);
        specials.season_number = 0;
        const auto episode = [&](std::uint32_t number, std::uint32_t parent, int s, int e) {
            auto made = item(number, Kind::episode, "Episode " + std::to_string(number), parent);
            made.season_number = s;
            made.episode_number = e;
            made.sources.push_back(source("/media/e" + std::to_string(number)));
            return made;
        };
        auto artist = item(20, Kind::artist, "Zoë");
        auto album = item(21, Kind::album, "Élan", 20);
        const auto track = [&](std::uint32_t number, int disc, int no) {
            auto made = item(number, Kind::track, "Track " + std::to_string(number), 21);
            made.disc_number = disc;
            made.track_number = no;
            made.album = "Élan";
            made.album_artist = "Zoë";
            made.duration = std::chrono::seconds{1'000 - number};
            return made;
        };
        ok(apply_items({series, season, specials, episode(13, 11, 1, 2), episode(14, 11, 1, 1), episode(15, 12, 0, 1),
                        artist, album, track(22, 2, 1), track(23, 1, 2), track(24, 1, 1), movie(30, "Alien³"),
                        movie(31, "50% _off_")}));
        auto old = movie(40, "ÜBER alles", 2);
        old.year = 1999;
        auto undated = movie(41, "undated", 2);
        ok(apply_items({old, undated}, 2));
    }
    std::vector<std::string> names(const store::ItemQuery& query) {
        std::vector<std::string> found;
        const auto page = catalog_->list(query);
        ok(page);
        if (page) {
            for (const auto& listed : page->items) found.push_back(listed.item.name);
        }
        return found;
    }
    using Names = std::vector<std::string>;
};

TEST_P(CatalogContract, a_library_has_a_top_level_and_a_whole) {
    store::ItemQuery query;
    query.library = library_id(1);
    EXPECT_EQ(names(query), (Names{"50% _off_", "Alien³", "The Show", "Zoë"}));
    query.recursive = true;
    EXPECT_EQ(names(query).size(), 13U);
    query.kinds = {Kind::season, Kind::album};
    EXPECT_EQ(names(query), (Names{"Élan", "Season 1", "Specials"}));
}

TEST_P(CatalogContract, below_a_parent_are_its_children_or_all) {
    store::ItemQuery query;
    query.parent = item_id(10);
    EXPECT_EQ(names(query), (Names{"Season 1", "Specials"}));
    query.recursive = true;
    query.kinds = {Kind::episode};
    query.sort_by = {store::ItemSort::index_number};
    EXPECT_EQ(names(query), (Names{"Episode 15", "Episode 14", "Episode 13"}));
    query.parent = item_id(99);
    EXPECT_TRUE(names(query).empty());
}

TEST_P(CatalogContract, episodes_seasons_and_tracks_know_what_they_belong_to) {
    store::ItemQuery query;
    query.ids = {item_id(13), item_id(11), item_id(22), item_id(10)};
    query.sort_by = {store::ItemSort::date_created};
    const auto page = catalog_->list(query);
    ok(page);
    ASSERT_EQ(page->items.size(), 4U);
    const auto& series = page->items[0];
    EXPECT_EQ(series.child_count, 2);
    EXPECT_TRUE(series.series.empty());
    const auto& season = page->items[1];
    EXPECT_EQ(season.series_name, "The Show");
    EXPECT_EQ(season.series, item_id(10));
    EXPECT_EQ(season.child_count, 2);
    const auto& episode = page->items[2];
    EXPECT_EQ(episode.series_name, "The Show");
    EXPECT_EQ(episode.season_name, "Season 1");
    EXPECT_EQ(episode.series, item_id(10));
    EXPECT_EQ(episode.season, item_id(11));
    const auto& track = page->items[3];
    EXPECT_EQ(track.album_name, "Élan");
    EXPECT_EQ(track.album_id, item_id(21));
    EXPECT_EQ(track.item.album_artist, "Zoë");
}

TEST_P(CatalogContract, search_is_a_part_of_the_name_in_any_case) {
    store::ItemQuery query;
    const auto search = [&](const std::string& text) {
        query.search = text;
        return names(query);
    };
    EXPECT_EQ(search("ALIEN"), (Names{"Alien³"}));
    EXPECT_EQ(search("über"), (Names{"ÜBER alles"}));
    EXPECT_EQ(search("ZOË"), (Names{"Zoë"}));
    EXPECT_EQ(search("%"), (Names{"50% _off_"}));
    EXPECT_EQ(search("_off_"), (Names{"50% _off_"}));
    EXPECT_TRUE(search("5_%").empty());
    EXPECT_TRUE(search("\\").empty());
    EXPECT_TRUE(search("'").empty());
}

TEST_P(CatalogContract, a_mark_alone_is_in_no_name) {
    for (const std::string nothing : {"\xCC\x81", "\xC2\xAD", "\xE2\x80\x8B"}) {
        store::ItemQuery query;
        query.search = nothing;
        EXPECT_TRUE(names(query).empty()) << nothing;
        query.search.clear();
        query.filters.name_prefix = nothing;
        EXPECT_TRUE(names(query).empty()) << nothing;
    }
}

TEST_P(CatalogContract, what_a_file_is_called_may_be_longer_than_an_index_takes) {
    auto film = movie(50, "Blade " + noise(100'000));
    film.sort_name = film.name;
    film.album = film.album_artist = noise(30'000);
    film.about.official_rating = noise(400);
    film.provider_ids = {{"Imdb", noise(20'000)}};
    auto other = film;
    other.id = item_id(51);
    other.name += "!";
    ok(apply_items({film, other}));
    store::ItemQuery query;
    query.search = film.name.substr(0, 300);
    EXPECT_EQ(names(query).size(), 2U);
    EXPECT_EQ(names(query).at(0), film.name) << "it is kept as it is";
}

TEST_P(CatalogContract, each_order_is_the_same_on_both_databases) {
    using Sort = store::ItemSort;
    store::ItemQuery query;
    query.library = library_id(1);
    query.recursive = true;
    query.kinds = {Kind::track};
    query.sort_by = {Sort::index_number};
    EXPECT_EQ(names(query), (Names{"Track 24", "Track 23", "Track 22"}));
    query.sort_by = {Sort::album};
    EXPECT_EQ(names(query), (Names{"Track 24", "Track 23", "Track 22"}));
    query.sort_by = {Sort::runtime};
    EXPECT_EQ(names(query), (Names{"Track 24", "Track 23", "Track 22"}));
    query.descending = true;
    query.sort_by = {Sort::date_created};
    EXPECT_EQ(names(query), (Names{"Track 24", "Track 23", "Track 22"}));
    query.library = library_id(2);
    query.kinds = {};
    query.descending = false;
    query.sort_by = {Sort::production_year};
    EXPECT_EQ(names(query), (Names{"ÜBER alles", "undated"}));  // the unknown last
    query.sort_by = {Sort::random};
    EXPECT_EQ(names(query).size(), 2U);
    query.sort_by = {};
    EXPECT_EQ(names(query).size(), 2U);
}

TEST_P(CatalogContract, pages_add_up_to_the_whole) {
    std::vector<model::Item> same;
    for (std::uint32_t i = 1'000; i < 1'100; ++i) same.push_back(movie(i, "Same"));
    ok(apply_items(same));
    store::ItemQuery query;
    query.search = "same";
    query.limit = 7;
    std::set<core::ItemId> seen;
    for (std::size_t from = 0;; from += query.limit) {
        query.start_index = from;
        const auto page = catalog_->list(query);
        ok(page);
        EXPECT_EQ(page->total, 100U);
        if (page->items.empty()) break;
        for (const auto& listed : page->items) EXPECT_TRUE(seen.insert(listed.item.id).second);
    }
    EXPECT_EQ(seen.size(), 100U);
    query.start_index = 0;
    query.limit = 0;
    EXPECT_EQ(catalog_->list(query)->total, 100U);
    EXPECT_TRUE(catalog_->list(query)->items.empty());
    query.descending = true;
    query.limit = 1;
    EXPECT_EQ(catalog_->list(query)->items[0].item.id, item_id(1'099));
}

TEST_P(CatalogContract, sources_come_when_asked_for) {
    store::ItemQuery query;
    query.ids = {item_id(30), item_id(13), item_id(10)};
    EXPECT_TRUE(catalog_->list(query)->items[0].item.sources.empty());
    query.with_sources = true;
    const auto page = catalog_->list(query);
    for (const auto& listed : page->items) {
        const bool file = listed.item.kind != Kind::series;
        EXPECT_EQ(listed.item.sources.size(), file ? 1U : 0U) << listed.item.name;
    }
}

TEST_P(CatalogContract, an_item_is_found_by_its_id) {
    const auto found = catalog_->find(item_id(30));
    ok(found);
    ASSERT_TRUE(*found);
    EXPECT_EQ((*found)->item.name, "Alien³");
    EXPECT_EQ((*found)->item.sources.at(0).file.path, "/media/Alien³.mkv");
    EXPECT_FALSE(*catalog_->find(item_id(12345)));
}

TEST_P(CatalogContract, tells_which_files_could_not_be_used) {
    auto all = batch();
    all.upsert_files = {file("/media/ok"), file("/media/z\xff"), file("/media/b")};
    all.upsert_files[1].failure = "broken";
    all.upsert_files[1].failed_since = core::from_unix_ms(44);
    all.upsert_files[2].failure = "timed out";
    ok(apply(all));
    const auto problems = catalog_->problems(library_id(1));
    ok(problems);
    ASSERT_EQ(problems->size(), 2U);
    EXPECT_EQ((*problems)[0].path, "/media/b");
    EXPECT_EQ((*problems)[1].path, "/media/z\xff");
    EXPECT_EQ((*problems)[1].reason, "broken");
    EXPECT_EQ((*problems)[1].since, core::from_unix_ms(44));
    EXPECT_EQ((*problems)[1].library, library_id(1));
    EXPECT_EQ((*problems)[1].task, "RefreshLibrary");
    EXPECT_EQ(catalog_->problems(std::nullopt)->size(), 2U);
    EXPECT_TRUE(catalog_->problems(library_id(2))->empty());
}

TEST_P(CatalogContract, tells_what_scans_cannot_use_and_which_roots_are_offline) {
    auto all = batch();
    all.upsert_files = {file("/media/z"), file("/media/fine")};
    all.upsert_files[0].failure = "broken";
    all.upsert_problems = {{"/media/a\xff", "links to nothing", core::from_unix_ms(1)},
                           {"/media/z", "an odd name", core::from_unix_ms(2)},
                           {"/media/a\xff", "links to itself", core::from_unix_ms(3)}};
    all.roots = {{"/media", false, "empty", core::from_unix_ms(4), 7}, {"/more", true, "", core::from_unix_ms(5), 7}};
    ok(apply(all));
    std::vector<store::StoredProblem> stored;
    ok(scans_->problems(library_id(1), [&](store::StoredProblem&& one) { stored.push_back(std::move(one)); }));
    ASSERT_EQ(stored.size(), 2U);
    EXPECT_EQ(stored[0].path, "/media/a\xff");
    EXPECT_EQ(stored[0].since, core::from_unix_ms(3));
    const auto problems = catalog_->problems(library_id(1));
    ok(problems);
    ASSERT_EQ(problems->size(), 3U);
    EXPECT_EQ((*problems)[0].path, "/media");
    EXPECT_EQ((*problems)[0].reason, "the library folder is offline: empty");
    EXPECT_EQ((*problems)[0].since, core::from_unix_ms(4));
    EXPECT_EQ((*problems)[1].path, "/media/a\xff");
    EXPECT_EQ((*problems)[1].reason, "links to itself");
    EXPECT_EQ((*problems)[2].reason, "broken") << "one line a path: what the file itself says";
    EXPECT_TRUE(catalog_->problems(library_id(2))->empty());

    auto mended = batch();
    mended.remove_problems = {"/media/a\xff", "/media/unknown"};
    ok(apply(mended));
    EXPECT_EQ(catalog_->problems(library_id(1))->size(), 2U);
    ok(libraries_->remove(library_id(1)));
    EXPECT_TRUE(catalog_->problems(std::nullopt)->empty());
    stored.clear();
    ok(scans_->problems(library_id(1), [&](store::StoredProblem&& one) { stored.push_back(std::move(one)); }));
    EXPECT_TRUE(stored.empty());
}

TEST_P(CatalogContract, paths_are_as_long_as_a_walk_lets_them_be) {
    const auto longest = "/media/" + noise(model::most_path_bytes - 7);
    const auto too_long = longest + '/' + noise(255);
    auto film = movie(50, "Deep down");
    film.sources = {source(longest)};
    auto all = batch();
    all.upsert_items = {film};
    all.upsert_files = {file(longest)};
    all.upsert_files[0].failure = "broken";
    all.upsert_directories = {{longest, 7, 1}};
    all.upsert_problems = {{too_long, "too long", core::from_unix_ms(1)}};
    ok(apply(all));
    const auto problems = catalog_->problems(library_id(1));
    ok(problems);
    ASSERT_EQ(problems->size(), 2U);
    EXPECT_EQ((*problems)[0].path, longest);
    EXPECT_EQ((*problems)[1].path, too_long);
}

TEST_P(CatalogContract, counts_a_library) {
    auto away = batch();
    away.mark_unavailable = {item_id(30), item_id(13)};
    ok(apply(away));
    const auto counts = catalog_->counts(library_id(1));
    ok(counts);
    EXPECT_EQ(counts->items, 13);
    EXPECT_EQ(counts->unavailable, 2);
    EXPECT_EQ(catalog_->counts(library_id(9))->items, 0);
}

TEST_P(CatalogContract, the_unavailable_stay_in_every_list) {
    auto away = batch();
    away.mark_unavailable = {item_id(30)};
    ok(apply(away));
    store::ItemQuery query;
    query.ids = {item_id(30)};
    const auto page = catalog_->list(query);
    ASSERT_EQ(page->items.size(), 1U);
    EXPECT_FALSE(page->items[0].item.available);
}

class CatalogDescriptionsContract : public CatalogContract {
protected:
    static model::ItemImage image(model::ImageKind kind, const std::string& path) { return {kind, path, 10, 20}; }
    static model::Item extra(std::uint32_t number, std::uint32_t owner, const std::string& type) {
        auto made = item(number, Kind::extra, "Extra " + std::to_string(number), owner);
        made.extra_type = type;
        made.sources.push_back(source("/media/x" + std::to_string(number)));
        return made;
    }
    model::Item stored(std::uint32_t number) {
        auto loaded = scans_->load({item_id(number)});
        EXPECT_TRUE(loaded && loaded->size() == 1);
        return loaded->at(0);
    }
    store::ListedItem listed(std::uint32_t number) {
        store::ItemQuery query;
        query.ids = {item_id(number)};
        const auto page = catalog_->list(query);
        EXPECT_TRUE(page && page->items.size() == 1);
        return page->items.at(0);
    }
};

TEST_P(CatalogDescriptionsContract, extras_are_in_no_list_that_does_not_name_them) {
    ok(apply_items({extra(50, 30, "trailer"), extra(51, 30, "clip"), extra(52, 10, "clip"), extra(53, 21, "clip")}));
    store::ItemQuery query;
    query.library = library_id(1);
    query.recursive = true;
    EXPECT_EQ(names(query).size(), 13U);
    query.limit = 0;
    EXPECT_EQ(catalog_->list(query)->total, 13U);
    query.limit = 100;
    query.kinds = {Kind::extra};
    EXPECT_EQ(names(query), (Names{"Extra 50", "Extra 51", "Extra 52", "Extra 53"}));
    store::ItemQuery below;
    below.parent = item_id(10);
    EXPECT_EQ(names(below), (Names{"Season 1", "Specials"}));
    below.recursive = true;
    EXPECT_EQ(names(below).size(), 5U);
    below.kinds = {Kind::extra};
    EXPECT_EQ(names(below), Names{"Extra 52"});
    EXPECT_EQ(listed(10).child_count, 2);
    EXPECT_EQ(listed(30).child_count, 0);
    EXPECT_EQ(listed(50).item.extra_type, "trailer") << "an id names it too";
    EXPECT_EQ(catalog_->counts(library_id(1))->items, 13);
    auto away = batch();
    away.mark_unavailable = {item_id(50)};
    ok(apply(away));
    EXPECT_EQ(catalog_->counts(library_id(1))->unavailable, 0);
}

TEST_P(CatalogDescriptionsContract, extras_are_counted_by_type_when_asked_for) {
    ok(apply_items({extra(50, 30, "trailer"), extra(51, 30, "clip"), extra(52, 30, "clip")}));
    EXPECT_TRUE(listed(30).extra_counts.empty());
    store::ItemQuery query;
    query.ids = {item_id(30), item_id(31)};
    query.with_extra_counts = true;
    const auto page = catalog_->list(query);
    ok(page);
    ASSERT_EQ(page->items.size(), 2U);
    const std::map<std::string, std::int64_t> counts{{"trailer", 1}, {"clip", 2}};
    EXPECT_TRUE(page->items[0].extra_counts.empty());
    EXPECT_EQ(page->items[1].extra_counts, counts);
    const auto found = catalog_->find(item_id(30));
    ok(found);
    EXPECT_EQ((*found)->extra_counts, counts);
}

TEST_P(CatalogDescriptionsContract, a_page_is_described_and_pictured) {
    auto film = stored(30);
    film.about.overview = "About it";
    film.about.community_rating = 7.5;
    film.images = {image(model::ImageKind::primary, "/media/p\xff"), image(model::ImageKind::backdrop, "/media/b")};
    film.sources[0].external.push_back({"/media/x.srt", 1, 2, {}});
    film.sources[0].external[0].stream.kind = model::StreamKind::subtitle;
    ok(apply_items({film}));
    const auto short_one = listed(30);
    EXPECT_EQ(short_one.item.about, film.about);
    EXPECT_EQ(short_one.item.images, film.images);
    EXPECT_TRUE(short_one.item.sources.empty());
    EXPECT_TRUE(listed(31).item.images.empty());
    const auto found = catalog_->find(item_id(30));
    ok(found);
    EXPECT_EQ((*found)->item.about, film.about);
    EXPECT_EQ((*found)->item.images, film.images);
    ASSERT_EQ((*found)->item.sources.at(0).external.size(), 1U);
    EXPECT_EQ((*found)->item.sources[0].external[0].path, "/media/x.srt");
}

TEST_P(CatalogDescriptionsContract, pictures_of_ancestors_come_nearest_first) {
    auto series = stored(10);
    series.images = {image(model::ImageKind::primary, "/media/series"), image(model::ImageKind::backdrop, "/media/b")};
    auto season = stored(11);
    season.images = {image(model::ImageKind::primary, "/media/season")};
    auto artist = stored(20);
    artist.images = {image(model::ImageKind::backdrop, "/media/artist")};
    ok(apply_items({series, season, artist}));
    const auto episode = listed(13);
    ASSERT_EQ(episode.ancestors.size(), 2U);
    EXPECT_EQ(episode.ancestors[0].id, item_id(11));
    EXPECT_EQ(episode.ancestors[0].images, season.images);
    EXPECT_EQ(episode.ancestors[1].kind, Kind::series);
    EXPECT_EQ(episode.ancestors[1].images, series.images);
    const auto special = listed(15);  // its season has none
    ASSERT_EQ(special.ancestors.size(), 1U);
    EXPECT_EQ(special.ancestors[0].id, item_id(10));
    const auto track = listed(22);
    ASSERT_EQ(track.ancestors.size(), 1U);
    EXPECT_EQ(track.ancestors[0].images, artist.images);
    EXPECT_TRUE(listed(10).ancestors.empty());
    EXPECT_EQ(listed(10).item.images, series.images);
}

}  // namespace understudy::testing
