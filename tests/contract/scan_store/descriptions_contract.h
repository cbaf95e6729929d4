// tests/contract/scan_store/descriptions_contract.h: what every ScanStore must do with what files beside the media say:
// descriptions, pictures, external streams, folders and extras.
#pragma once

#include <algorithm>
#include <ostream>

#include "contract/scan_store/recording_database.h"
#include "contract/scan_store/store_fixture.h"
#include "store/memory/memory_library_store.h"
#include "store/memory/memory_scan_store.h"
#include "store/sql/sql_analyses.h"
#include "store/sql/sql_user_data.h"
#include "store/sql/sql_users.h"

namespace understudy::testing {

enum class StoreKind { memory, sqlite, postgresql };
inline std::ostream& operator<<(std::ostream& out, StoreKind kind) {
    return out << (kind == StoreKind::memory ? "memory" : kind == StoreKind::sqlite ? "sqlite" : "postgresql");
}

inline model::Description full_description() {
    model::Description about;
    about.original_title = "天空の城ラピュタ";
    about.overview = "Line one.\n\"Line\" {two} \\ 100%";
    about.tagline = "Up, up";
    about.sort_title = "The \"Laputa\" 01";
    about.official_rating = "FSK-6";
    about.status = "Ended";
    about.community_rating = 8.25;
    about.premiered = core::from_unix_ms(-86'400'000);  // before 1970
    about.ended = core::from_unix_ms(1'700'000'000'000);
    about.studios = {"Studio \"G\"", "Other, Inc."};
    about.tags = {"flying", ""};
    about.countries = {"日本"};
    about.trailers = {"https://example.org/?a=1&b=2"};
    about.airs_before_season = 2;
    about.airs_before_episode = 5;
    about.airs_after_season = 1;
    return about;
}

inline model::ItemImage image(model::ImageKind kind, const std::string& name) {
    return {kind, "/media/" + name, 5'000'000'000, 1'600'000'000'123'456'789};
}

inline model::ExternalStream external(const std::string& name, model::StreamKind kind = model::StreamKind::subtitle) {
    model::ExternalStream made;
    made.path = "/media/" + name;
    made.size_bytes = 44'000;
    made.mtime_ns = 1'600'000'000'123'456'789;
    made.stream.kind = kind;
    made.stream.index = 1;
    made.stream.codec = "subrip";
    made.stream.language = "deu";
    made.stream.title = "Kommentar";
    made.stream.is_forced = made.stream.is_hearing_impaired = true;
    return made;
}

/// A film with one of everything, in two versions.
inline model::Item described_film(std::uint32_t number) {
    model::Item film;
    film.id = item_id(number);
    film.library = library_id(1);
    film.name = film.sort_name = film.original_key = "Film " + std::to_string(number);
    film.created_at = core::from_unix_ms(1'700'000'000'000);
    film.about = full_description();
    film.images = {image(model::ImageKind::backdrop, "b\xff.jpg"), image(model::ImageKind::primary, "poster.png"),
                   image(model::ImageKind::backdrop, std::string("b\x01'\xfe.jpg")),
                   image(model::ImageKind::disc, "disc.png")};
    for (int s = 0; s < 2; ++s) {
        model::MediaSource source;
        source.file.path = "/media/film " + std::to_string(number) + "." + std::to_string(s);
        film.sources.push_back(source);
    }
    film.sources[1].external = {external("a.de.srt\xff"), external("b.mka", model::StreamKind::audio)};
    return film;
}

inline void expect_equal(const model::ExternalStream& a, const model::ExternalStream& b) {
    EXPECT_EQ(std::tie(a.path, a.size_bytes, a.mtime_ns), std::tie(b.path, b.size_bytes, b.mtime_ns));
    const auto& v = a.stream;
    const auto& w = b.stream;
    EXPECT_EQ(std::tie(v.kind, v.index, v.codec, v.language, v.title),
              std::tie(w.kind, w.index, w.codec, w.language, w.title));
    EXPECT_EQ(std::tie(v.is_default, v.is_forced, v.is_hearing_impaired),
              std::tie(w.is_default, w.is_forced, w.is_hearing_impaired));
}

inline void expect_described_alike(const model::Item& a, const model::Item& b) {
    EXPECT_EQ(a.about, b.about);
    EXPECT_EQ(a.images, b.images);
    EXPECT_EQ(a.folder, b.folder);
    EXPECT_EQ(a.extra_type, b.extra_type);
    ASSERT_EQ(a.sources.size(), b.sources.size());
    for (std::size_t s = 0; s < a.sources.size(); ++s) {
        ASSERT_EQ(a.sources[s].external.size(), b.sources[s].external.size()) << "source " << s;
        for (std::size_t n = 0; n < a.sources[s].external.size(); ++n) {
            expect_equal(a.sources[s].external[n], b.sources[s].external[n]);
        }
    }
}

class DescriptionsContract : public ::testing::TestWithParam<StoreKind>, protected StoreHouse {
protected:
    void SetUp() override {
        if (GetParam() == StoreKind::memory) {
            auto tables = std::make_shared<store::MemoryTables>();
            libraries_ = std::make_unique<store::MemoryLibraryStore>(tables);
            scans_ =
                std::make_unique<store::MemoryScanStore>(tables, [](const core::Fence&) { return Result<void>{}; });
        } else {
            use_database(GetParam() == StoreKind::sqlite ? DatabaseKind::sqlite : DatabaseKind::postgresql);
        }
        add_library(1, "Films", {"/media"});
    }
    model::Item load_one(std::uint32_t number) {
        auto loaded = scans_->load({item_id(number)});
        EXPECT_TRUE(loaded && loaded->size() == 1) << number;
        return loaded && loaded->size() == 1 ? loaded->front() : model::Item{};
    }
};

TEST_P(DescriptionsContract, an_item_comes_back_as_it_was_described) {
    const auto film = described_film(1);
    ok(apply_items({film, movie(2, "plain")}));
    expect_described_alike(load_one(1), film);
    expect_described_alike(load_one(2), movie(2, "plain"));
    ok(apply_items({film}));  // repeating it changes nothing
    expect_described_alike(load_one(1), film);
}

TEST_P(DescriptionsContract, each_field_alone_is_kept) {
    std::vector<model::Item> items;
    const auto with = [&](const auto& set) {
        auto made = movie(static_cast<std::uint32_t>(items.size() + 1), std::to_string(items.size()));
        set(made.about);
        items.push_back(std::move(made));
    };
    const auto full = full_description();
    with([&](model::Description& about) { about.original_title = full.original_title; });
    with([&](model::Description& about) { about.overview = full.overview; });
    with([&](model::Description& about) { about.tagline = full.tagline; });
    with([&](model::Description& about) { about.sort_title = full.sort_title; });
    with([&](model::Description& about) { about.official_rating = full.official_rating; });
    with([&](model::Description& about) { about.airs_before_season = 0; });
    with([&](model::Description& about) { about.airs_before_episode = full.airs_before_episode; });
    with([&](model::Description& about) { about.airs_after_season = full.airs_after_season; });
    with([&](model::Description& about) { about.status = full.status; });
    with([&](model::Description& about) { about.community_rating = 0; });
    with([&](model::Description& about) { about.premiered = core::from_unix_ms(0); });
    with([&](model::Description& about) { about.ended = core::from_unix_ms(0); });
    with([&](model::Description& about) { about.studios = full.studios; });
    with([&](model::Description& about) { about.tags = full.tags; });
    with([&](model::Description& about) { about.countries = full.countries; });
    with([&](model::Description& about) { about.trailers = full.trailers; });
    ok(apply_items(items));
    for (std::uint32_t i = 0; i < items.size(); ++i) expect_described_alike(load_one(i + 1), items[i]);
}

TEST_P(DescriptionsContract, what_is_described_anew_replaces_what_was) {
    ok(apply_items({described_film(1), described_film(2)}));
    auto changed = described_film(1);
    changed.about = {};
    changed.about.overview = "other";
    changed.images.erase(changed.images.begin(), changed.images.begin() + 2);
    changed.sources[0].external = {external("c.srt")};
    changed.sources[1].external.resize(1);
    ok(apply_items({changed}));
    expect_described_alike(load_one(1), changed);
    expect_described_alike(load_one(2), described_film(2));
}

TEST_P(DescriptionsContract, an_item_that_loses_all_has_nothing_left) {
    ok(apply_items({described_film(1)}));
    auto bare = described_film(1);
    bare.about = {};
    bare.images.clear();
    for (auto& source : bare.sources) source.external.clear();
    ok(apply_items({bare}));
    expect_described_alike(load_one(1), bare);
    ok(apply_items({described_film(1)}));  // and all of it again
    expect_described_alike(load_one(1), described_film(1));
}

TEST_P(DescriptionsContract, an_item_that_is_named_twice_counts_as_it_is_named_last) {
    auto first = described_film(1);
    first.images.clear();
    auto last = described_film(1);
    last.about = {};
    ok(apply_items({first, last}));
    expect_described_alike(load_one(1), last);
}

TEST_P(DescriptionsContract, folders_are_bytes_and_come_with_the_known_items) {
    auto series = item(1, model::ItemKind::series, "Show");
    series.folder = "/media/show \xff\xfe";
    auto season = item(2, model::ItemKind::season, "Season", 1);
    ok(apply_items({series, season}));
    EXPECT_EQ(load_one(1).folder, series.folder);
    EXPECT_EQ(load_one(2).folder, "");
    std::map<core::ItemId, std::string> folders;
    ok(scans_->items(library_id(1), [&](store::StoredItem&& one) { folders[one.id] = one.folder; }));
    EXPECT_EQ(folders, (std::map<core::ItemId, std::string>{{item_id(1), series.folder}, {item_id(2), ""}}));
    series.folder.clear();
    ok(apply_items({series}));
    EXPECT_EQ(load_one(1).folder, "");
}

TEST_P(DescriptionsContract, an_extra_keeps_its_type_and_whose_it_is) {
    auto trailer = item(2, model::ItemKind::extra, "Trailer", 1);
    trailer.extra_type = "trailer";
    trailer.sources = {source("/media/a-trailer.mkv")};
    ok(apply_items({movie(1, "a"), trailer}));
    const auto loaded = load_one(2);
    EXPECT_EQ(loaded.kind, model::ItemKind::extra);
    EXPECT_EQ(loaded.extra_type, "trailer");
    EXPECT_EQ(loaded.parent, item_id(1));
}

TEST_P(DescriptionsContract, an_item_that_is_away_keeps_what_belongs_to_it) {
    ok(apply_items({described_film(1)}));
    auto away = batch();
    away.mark_unavailable = {item_id(1)};
    ok(apply(away));
    expect_described_alike(load_one(1), described_film(1));
    auto back = batch();
    back.mark_available = {item_id(1)};
    ok(apply(back));
    expect_described_alike(load_one(1), described_film(1));
}

TEST_P(DescriptionsContract, an_item_that_comes_back_under_its_old_id_is_not_described_by_the_past) {
    ok(apply_items({described_film(1)}));
    auto gone = batch();
    gone.remove_items = {item_id(1)};
    ok(apply(gone));
    auto bare = movie(1, "bare");
    ok(apply_items({bare}));
    expect_described_alike(load_one(1), bare);
}

TEST_P(DescriptionsContract, missing_extras_go_alone_and_extras_of_the_missing_with_them) {
    auto all = batch();
    all.roots = std::vector<model::RootState>{{"/media", true, "", {}, 1}};
    const auto add = [&](model::Item made, bool available) {
        made.available = available;
        if (made.kind == model::ItemKind::movie || !made.extra_type.empty()) {
            made.sources = {source("/media/" + made.name)};
            all.upsert_files.push_back(file("/media/" + made.name));
            all.upsert_files.back().item = made.id;
            all.upsert_files.back().available = available;
        }
        all.upsert_items.push_back(std::move(made));
    };
    const auto extra = [&](std::uint32_t number, std::uint32_t owner) {
        auto made = item(number, model::ItemKind::extra, "extra " + std::to_string(number), owner);
        made.extra_type = "clip";
        return made;
    };
    add(movie(1, "here"), true);
    add(extra(2, 1), false);
    add(movie(3, "gone"), false);
    add(extra(4, 3), true);
    add(item(5, model::ItemKind::series, "series"), true);
    auto episode = item(6, model::ItemKind::episode, "episode", 5);
    episode.extra_type = "";
    episode.sources = {source("/media/episode")};
    episode.available = false;
    all.upsert_items.push_back(episode);
    add(extra(7, 5), true);
    ok(apply(all));
    EXPECT_EQ(*scans_->remove_missing(library_id(1)), 6);
    std::vector<std::string> left;
    ok(scans_->items(library_id(1), [&](store::StoredItem&& one) { left.push_back(one.name); }));
    EXPECT_EQ(left, std::vector<std::string>{"here"});
    std::vector<std::string> paths;
    ok(scans_->files(library_id(1), [&](store::StoredFile&& one) { paths.push_back(one.file.path); }));
    EXPECT_EQ(paths, std::vector<std::string>{"/media/here"}) << "an extra whose owner went is new to the next scan";
}

class DescriptionRowsContract : public StoreFixture {
protected:
    void SetUp() override {
        StoreFixture::SetUp();
        add_library(1, "Films", {"/media"});
    }
    std::int64_t rows() { return count("item_descriptions") + count("item_images") + count("media_external_streams"); }
};

TEST_P(DescriptionRowsContract, there_are_rows_only_where_there_is_something) {
    ok(apply_items({movie(1, "plain"), described_film(2)}));
    EXPECT_EQ(count("item_descriptions"), 1);
    EXPECT_EQ(count("item_images"), 4);
    EXPECT_EQ(count("media_external_streams"), 2);
    auto bare = movie(2, "bare");
    ok(apply_items({bare}));
    EXPECT_EQ(rows(), 0);
}

TEST_P(DescriptionRowsContract, an_item_leaves_no_rows_nor_does_its_library) {
    ok(apply_items({described_film(1), described_film(2)}));
    auto gone = batch();
    gone.remove_items = {item_id(1)};
    ok(apply(gone));
    EXPECT_EQ(rows(), 7);
    ok(libraries_->remove(library_id(1)));
    EXPECT_EQ(rows(), 0);
}

TEST_P(DescriptionRowsContract, missing_items_leave_no_rows) {
    auto film = described_film(1);
    film.available = false;
    auto all = batch();
    all.upsert_items = {film};
    all.roots = std::vector<model::RootState>{{"/media", true, "", {}, 1}};
    ok(apply(all));
    EXPECT_EQ(*scans_->remove_missing(library_id(1)), 1);
    EXPECT_EQ(rows(), 0);
}

TEST_P(DescriptionRowsContract, wrong_text_is_repaired_not_refused) {
    auto film = movie(1, "x");
    film.about.overview = std::string("nul\0here", 8);
    film.about.studios = {"\xc3"};
    film.sources[0].external = {external("x.srt")};
    film.sources[0].external[0].stream.title = "caf\xe9";
    ok(apply_items({film}));
    const auto loaded = scans_->load({item_id(1)});
    ok(loaded);
    EXPECT_EQ(loaded->at(0).about.overview, "nulhere");
    EXPECT_EQ(loaded->at(0).about.studios, std::vector<std::string>{"\xef\xbf\xbd"});
    EXPECT_EQ(loaded->at(0).sources[0].external.at(0).stream.title, "caf\xef\xbf\xbd");
}

// A pod of the version before does not know the rows: it deletes an item and leaves them.
TEST_P(DescriptionRowsContract, rows_without_an_item_harm_nobody_and_are_purged) {
    ok(apply_items({described_film(1), described_film(2)}));
    ok(sql("DELETE FROM items WHERE kind = 'movie'"));
    auto back = described_film(1);
    back.images.resize(1);
    ok(apply_items({back}));
    const auto loaded = scans_->load({item_id(1)});
    ok(loaded);
    expect_described_alike(loaded->at(0), back);
    store::sql::SqlAnalyses analyses(*database_);
    std::string cursor;
    do {
        const auto step = analyses.purge_unreferenced(cursor, fence_);
        ok(step);
        ++fence_.cursor_seq;
        cursor = step->cursor;
    } while (!cursor.empty());
    EXPECT_EQ(rows(), 1 + 1 + 2);
}

TEST_P(DescriptionRowsContract, an_item_that_returns_as_another_takes_over_what_users_said) {
    store::sql::SqlUsers users(*database_);
    store::sql::SqlUserData data(*database_);
    const core::UserId user{core::IdBytes{0xcc, 1}};
    ok(users.add({user, "Ann", core::from_unix_ms(1)}));
    auto trailer = item(2, model::ItemKind::extra, "Trailer", 1);
    trailer.extra_type = "trailer";
    trailer.sources = {source("/media/t.mkv")};
    trailer.sources[0].info.content_sample = "0123456789abcdef0123456789abcdef";
    ok(apply_items({described_film(1), trailer}));
    store::UserItemData seen;
    seen.played = true;
    ok(data.put({{user, item_id(2), seen}}));
    auto gone = batch();
    gone.remove_items = {item_id(2)};
    ok(apply(gone));
    auto again = trailer;
    again.id = item_id(3);
    ok(apply_items({again}));
    const auto kept = data.get(user, {item_id(3)});
    ok(kept);
    ASSERT_EQ(kept->size(), 1U);
    EXPECT_TRUE(kept->at(item_id(3)).played);
}

TEST_P(DescriptionRowsContract, a_batch_that_describes_nothing_asks_no_table_of_descriptions) {
    RecordingDatabase recording(*database_);
    scans_ = std::make_unique<store::sql::SqlScanStore>(recording);
    const auto below = [&] {
        return recording.count("item_descriptions") + recording.count("item_images") +
               recording.count("media_external_streams");
    };
    std::vector<model::Item> plain;
    for (std::uint32_t i = 1; i <= 500; ++i) plain.push_back(movie(i, "plain " + std::to_string(i)));
    for (int scan = 0; scan < 2; ++scan) {
        recording.asked.clear();
        ok(apply_items(plain));
        EXPECT_EQ(below(), 0);
        EXPECT_EQ(recording.count("beside <> 0"), 1);
    }
    recording.asked.clear();
    ok(scans_->load({item_id(1), item_id(2)}));
    EXPECT_EQ(below(), 0);
    plain[7] = described_film(8);
    ok(apply_items(plain));
    recording.asked.clear();
    ok(apply_items(plain));
    EXPECT_EQ(below(), 6) << "one that takes out and one that puts in, for each of the three";
    recording.asked.clear();
    ok(scans_->load({item_id(1), item_id(8)}));
    EXPECT_EQ(below(), 3);
}

TEST_P(DescriptionRowsContract, a_page_costs_two_more_queries_at_most_and_none_where_nothing_is_described) {
    RecordingDatabase recording(*database_);
    catalog_ = std::make_unique<store::sql::SqlCatalog>(recording);
    std::vector<model::Item> films;
    for (std::uint32_t i = 1; i <= 50; ++i) films.push_back(movie(i, "film " + std::to_string(i)));
    ok(apply_items(films));
    store::ItemQuery query;
    ok(catalog_->list(query));
    EXPECT_EQ(recording.asked.size(), 1U);
    films.clear();
    for (std::uint32_t i = 1; i <= 50; ++i) films.push_back(described_film(i));
    ok(apply_items(films));
    recording.asked.clear();
    const auto page = catalog_->list(query);
    ok(page);
    EXPECT_EQ(recording.asked.size(), 3U);
    for (const auto& listed : page->items) EXPECT_EQ(listed.item.images.size(), 4U);
    query.with_extra_counts = true;
    recording.asked.clear();
    ok(catalog_->list(query));
    EXPECT_EQ(recording.asked.size(), 4U);
}

}  // namespace understudy::testing
