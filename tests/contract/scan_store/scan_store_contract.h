// tests/contract/scan_store/scan_store_contract.h: what every ScanStore must do.
#pragma once

#include <algorithm>
#include <atomic>
#include <thread>

#include "contract/scan_store/store_fixture.h"

namespace understudy::testing {

class ScanStoreContract : public StoreFixture {
protected:
    void SetUp() override {
        StoreFixture::SetUp();
        add_library(1, "Films", {"/media"});
    }
    std::vector<store::StoredFile> files(std::uint8_t library = 1) {
        std::vector<store::StoredFile> all;
        ok(scans_->files(library_id(library), [&](store::StoredFile&& file) { all.push_back(std::move(file)); }));
        return all;
    }
    std::vector<store::StoredDirectory> directories() {
        std::vector<store::StoredDirectory> all;
        ok(scans_->directories(library_id(1), [&](store::StoredDirectory&& one) { all.push_back(std::move(one)); }));
        return all;
    }
    std::vector<store::StoredItem> items() {
        std::vector<store::StoredItem> all;
        ok(scans_->items(library_id(1), [&](store::StoredItem&& one) { all.push_back(std::move(one)); }));
        return all;
    }
    model::Item load_one(std::uint32_t number) {
        auto loaded = scans_->load({item_id(number)});
        EXPECT_TRUE(loaded && loaded->size() == 1);
        return loaded && loaded->size() == 1 ? loaded->front() : model::Item{};
    }
};

inline model::Item full_item() {
    model::Item item;
    item.id = item_id(1);
    item.kind = model::ItemKind::track;
    item.library = library_id(1);
    item.parent = item_id(99);
    item.name = "Für \"Elise\" \\ 100% {x}";
    item.sort_name = "elise";
    item.original_key = "bytes \xff\x01 'quoted'";
    item.year = 1810;
    item.season_number = 0;
    item.episode_number = -1;
    item.episode_number_end = 2;
    item.track_number = 3;
    item.disc_number = 4;
    item.album = "Album, with comma";
    item.album_artist = "{braces}";
    item.artists = {"A", "B \"quoted\"", ""};
    item.genres = {"Klassik", "日本語"};
    item.provider_ids = {{"Imdb", "tt1"}, {"MusicBrainzTrack", "x-y"}};
    item.duration = 123'456ms;
    item.available = false;
    item.created_at = core::from_unix_ms(1'712'345'678'901);
    for (int s = 0; s < 2; ++s) {
        model::MediaSource source;
        source.file = {std::string("/media/\xfe\x00 b", 11) + std::to_string(s), 9'000'000'000,
                       1'600'000'000'123'456'789, 0xffff'ffff'ffff'fffe, 0x8000'0000'0000'0001};
        source.version_name = s == 0 ? "" : "1080p";
        source.info.container = "flac";
        source.info.duration = 5s;
        source.info.bitrate_bps = 320'000;
        source.info.has_embedded_picture = s == 1;
        source.info.content_sample = "0123456789abcdef0123456789abcdef";
        source.info.size_bytes = 11;
        source.info.mtime_ns = 12;
        auto& tags = source.info.tags;
        tags.title = "T";
        tags.album = "Al";
        tags.date = "1810-04-27";
        tags.comment = "c";
        tags.artists = {"x", "y"};
        tags.album_artists = {"z"};
        tags.composers = {"c1", "c2"};
        tags.genres = {"g"};
        tags.track = 1;
        tags.track_total = 2;
        tags.disc = 3;
        tags.disc_total = 4;
        tags.year = 1810;
        tags.compilation = true;
        tags.ids = {{"MusicBrainzAlbum", "m"}};
        tags.gains = {{"REPLAYGAIN_TRACK_GAIN", "-6.5 dB"}};
        for (int n = 0; n < 2; ++n) {
            model::MediaStream stream;
            stream.kind = n == 0 ? model::StreamKind::video : model::StreamKind::subtitle;
            stream.index = n + 5;
            stream.codec = "h264";
            stream.profile = "High";
            stream.level = 41;
            stream.bitrate_bps = 5'000'000'000;
            stream.language = "deu";
            stream.title = "Kommentar";
            stream.width = 1920;
            stream.height = 1080;
            stream.frame_rate = 24000.0 / 1001.0;
            stream.hdr = "HDR10";
            stream.bit_depth = 10;
            stream.pixel_format = "yuv420p10le";
            stream.channels = 6;
            stream.channel_layout = "5.1(side)";
            stream.sample_rate_hz = 48'000;
            stream.is_default = n == 0;
            stream.is_forced = n == 1;
            stream.is_attached_picture = n == 0;
            stream.is_hearing_impaired = n == 1;
            source.info.streams.push_back(stream);
        }
        source.info.chapters = {{0ms, "Intro"}, {61'500ms, ""}};
        item.sources.push_back(source);
    }
    return item;
}

inline void expect_equal(const model::Item& a, const model::Item& b) {
    EXPECT_EQ(a.id, b.id);
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.library, b.library);
    EXPECT_EQ(a.parent, b.parent);
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.sort_name, b.sort_name);
    EXPECT_EQ(a.original_key, b.original_key);
    EXPECT_EQ(a.year, b.year);
    EXPECT_EQ(a.season_number, b.season_number);
    EXPECT_EQ(a.episode_number, b.episode_number);
    EXPECT_EQ(a.episode_number_end, b.episode_number_end);
    EXPECT_EQ(a.track_number, b.track_number);
    EXPECT_EQ(a.disc_number, b.disc_number);
    EXPECT_EQ(a.album, b.album);
    EXPECT_EQ(a.album_artist, b.album_artist);
    EXPECT_EQ(a.artists, b.artists);
    EXPECT_EQ(a.genres, b.genres);
    EXPECT_EQ(a.provider_ids, b.provider_ids);
    EXPECT_EQ(a.duration, b.duration);
    EXPECT_EQ(a.available, b.available);
    EXPECT_EQ(a.created_at, b.created_at);
    ASSERT_EQ(a.sources.size(), b.sources.size());
    for (std::size_t s = 0; s < a.sources.size(); ++s) {
        const auto& x = a.sources[s];
        const auto& y = b.sources[s];
        EXPECT_EQ(x.file, y.file);
        EXPECT_EQ(x.version_name, y.version_name);
        EXPECT_EQ(x.info.container, y.info.container);
        EXPECT_EQ(x.info.duration, y.info.duration);
        EXPECT_EQ(x.info.bitrate_bps, y.info.bitrate_bps);
        EXPECT_EQ(x.info.has_embedded_picture, y.info.has_embedded_picture);
        EXPECT_EQ(x.info.content_sample, y.info.content_sample);
        EXPECT_EQ(x.info.size_bytes, y.info.size_bytes);
        EXPECT_EQ(x.info.mtime_ns, y.info.mtime_ns);
        const auto& t = x.info.tags;
        const auto& u = y.info.tags;
        EXPECT_EQ(std::tie(t.title, t.album, t.date, t.comment), std::tie(u.title, u.album, u.date, u.comment));
        EXPECT_EQ(std::tie(t.artists, t.album_artists, t.composers, t.genres),
                  std::tie(u.artists, u.album_artists, u.composers, u.genres));
        EXPECT_EQ(std::tie(t.track, t.track_total, t.disc, t.disc_total, t.year, t.compilation),
                  std::tie(u.track, u.track_total, u.disc, u.disc_total, u.year, u.compilation));
        EXPECT_EQ(std::tie(t.ids, t.gains), std::tie(u.ids, u.gains));
        ASSERT_EQ(x.info.streams.size(), y.info.streams.size());
        for (std::size_t n = 0; n < x.info.streams.size(); ++n) {
            const auto& v = x.info.streams[n];
            const auto& w = y.info.streams[n];
            EXPECT_EQ(std::tie(v.kind, v.index, v.codec, v.profile, v.level, v.bitrate_bps, v.language, v.title),
                      std::tie(w.kind, w.index, w.codec, w.profile, w.level, w.bitrate_bps, w.language, w.title));
            EXPECT_EQ(std::tie(v.width, v.height, v.frame_rate, v.hdr, v.bit_depth, v.pixel_format, v.channels),
                      std::tie(w.width, w.height, w.frame_rate, w.hdr, w.bit_depth, w.pixel_format, w.channels));
            EXPECT_EQ(std::tie(v.channel_layout, v.sample_rate_hz, v.is_default, v.is_forced, v.is_attached_picture,
                               v.is_hearing_impaired),
                      std::tie(w.channel_layout, w.sample_rate_hz, w.is_default, w.is_forced, w.is_attached_picture,
                               w.is_hearing_impaired));
        }
        ASSERT_EQ(x.info.chapters.size(), y.info.chapters.size());
        for (std::size_t n = 0; n < x.info.chapters.size(); ++n) {
            EXPECT_EQ(x.info.chapters[n].start, y.info.chapters[n].start);
            EXPECT_EQ(x.info.chapters[n].name, y.info.chapters[n].name);
        }
    }
}

TEST_P(ScanStoreContract, an_item_comes_back_as_it_was_written) {
    const auto item = full_item();
    ok(apply_items({item}));
    expect_equal(load_one(1), item);
    ok(apply_items({item}));  // repeating it changes nothing
    expect_equal(load_one(1), item);
    EXPECT_EQ(count("media_streams"), 4);
}

TEST_P(ScanStoreContract, a_changed_item_keeps_its_birthday_and_loses_what_it_has_no_more) {
    ok(apply_items({full_item()}));
    auto changed = full_item();
    changed.name = "Other";
    changed.year.reset();
    changed.sources.resize(1);
    changed.sources[0].info.chapters.clear();
    changed.created_at = core::from_unix_ms(1);
    ok(apply_items({changed}));
    changed.created_at = full_item().created_at;
    expect_equal(load_one(1), changed);
    EXPECT_EQ(count("media_sources"), 1);
    EXPECT_EQ(count("media_streams"), 2);
    EXPECT_EQ(count("media_chapters"), 0);
}

TEST_P(ScanStoreContract, wrong_text_from_a_file_is_repaired_not_refused) {
    auto item = movie(1, "x");
    item.album = std::string("nul\0here", 8);
    item.sources[0].info.tags.comment = "\xff\xfe broken \xed\xa0\x80";
    item.sources[0].info.streams.resize(1);
    item.sources[0].info.streams[0].title = "caf\xe9";
    item.artists = {"\xc3"};
    ok(apply_items({item}));
    const auto loaded = load_one(1);
    EXPECT_EQ(loaded.album, "nulhere");
    EXPECT_EQ(loaded.sources[0].info.streams[0].title, "caf\xef\xbf\xbd");
    EXPECT_EQ(loaded.artists, (std::vector<std::string>{"\xef\xbf\xbd"}));
}

TEST_P(ScanStoreContract, items_are_loaded_in_the_order_asked_for_and_unknown_ones_left_out) {
    ok(apply_items({movie(1, "a"), movie(2, "b"), movie(3, "c")}));
    const auto loaded = scans_->load({item_id(3), item_id(77), item_id(1)});
    ok(loaded);
    ASSERT_EQ(loaded->size(), 2U);
    EXPECT_EQ((*loaded)[0].name, "c");
    EXPECT_EQ((*loaded)[1].name, "a");
    EXPECT_EQ(scans_->load({})->size(), 0U);
}

TEST_P(ScanStoreContract, items_are_found_by_the_paths_of_their_files_in_any_library) {
    add_library(2, "Songs", {"/songs"});
    auto films = batch(1), songs = batch(2);
    for (const auto* path : {"/media/a", "/media/b", "/media/\xff"}) films.upsert_files.push_back(file(path));
    films.upsert_files[0].item = item_id(1);
    films.upsert_files[2].item = item_id(3);
    films.upsert_files[2].available = false;
    songs.upsert_files.push_back(file("/songs/a"));
    songs.upsert_files[0].item = item_id(4);
    ok(apply(films));
    ok(apply(songs));
    const std::vector<std::string> asked{"/songs/a", "/media/b", "/media/a", "/media/\xff", "/media", "/none"};
    using Found = std::map<std::string, core::ItemId>;
    auto found = scans_->items_at(asked);
    ok(found);
    EXPECT_EQ(*found, (Found{{"/media/a", item_id(1)}, {"/media/\xff", item_id(3)}, {"/songs/a", item_id(4)}}));
    EXPECT_EQ(scans_->items_at({})->size(), 0U);
    ok(libraries_->remove(library_id(2)));
    found = scans_->items_at(asked);
    ok(found);
    EXPECT_EQ(found->size(), 2U) << "nothing of a library that was removed";
}

TEST_P(ScanStoreContract, files_come_in_byte_order_of_their_paths) {
    auto all = batch();
    const std::vector<std::string> paths{"/m/b", "/m/a",   "/m/\xff",     "/m/a/x",
                                         "/m/A", "/m/a.x", "/m/\xc3\xa9", "/m/a b"};
    for (const auto& path : paths) all.upsert_files.push_back(file(path));
    all.upsert_files[0].item = item_id(5);
    all.upsert_files[0].content_sample = "sample";
    all.upsert_files[1].failure = "timed out";
    all.upsert_files[1].failed_since = core::from_unix_ms(99);
    all.upsert_files[1].available = false;
    ok(apply(all));
    auto found = files();
    auto sorted = paths;
    std::sort(sorted.begin(), sorted.end(), [](const std::string& a, const std::string& b) {
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
            return static_cast<unsigned char>(x) < static_cast<unsigned char>(y);
        });
    });
    ASSERT_EQ(found.size(), sorted.size());
    for (std::size_t i = 0; i < sorted.size(); ++i) EXPECT_EQ(found[i].file.path, sorted[i]);
    for (const auto& one : found) {
        if (one.file.path == "/m/b") {
            EXPECT_EQ(one.file, all.upsert_files[0].file);
            EXPECT_EQ(one.item, item_id(5));
            EXPECT_EQ(one.content_sample, "sample");
            EXPECT_TRUE(one.available);
            EXPECT_EQ(one.failure, "");
        }
        if (one.file.path == "/m/a") {
            EXPECT_TRUE(one.item.empty());
            EXPECT_EQ(one.failure, "timed out");
            EXPECT_EQ(one.failed_since, core::from_unix_ms(99));
            EXPECT_FALSE(one.available);
        }
    }
}

TEST_P(ScanStoreContract, many_files_and_items_come_whole_and_the_caller_may_write_meanwhile) {
    constexpr std::uint32_t many = 9'000;  // more than two pages
    for (std::uint32_t from = 0; from < many; from += 500) {
        auto part = batch();
        for (std::uint32_t i = from; i < from + 500; ++i) {
            const auto path = "/media/" + std::to_string(i);
            part.upsert_files.push_back(file(path, i + 1));
            part.upsert_items.push_back(item(i + 1, model::ItemKind::movie, "Same name"));
        }
        ok(apply(part));
    }
    std::size_t seen = 0;
    std::string last;
    bool sorted = true;
    ok(scans_->files(library_id(1), [&](store::StoredFile&& one) {
        sorted = sorted && last < one.file.path;
        last = one.file.path;
        if (++seen == 5'000) ok(apply_items({movie(1, "changed")}));
    }));
    EXPECT_EQ(seen, many);
    EXPECT_TRUE(sorted);
    auto all = items();
    EXPECT_EQ(all.size(), many);
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    EXPECT_EQ(std::unique(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.id == b.id; }),
              all.end());
}

TEST_P(ScanStoreContract, the_known_items_carry_what_the_resolver_needs) {
    auto season = item(2, model::ItemKind::season, "Season 1", 1);
    season.available = false;
    ok(apply_items({item(1, model::ItemKind::series, "Show"), season}));
    auto all = items();
    ASSERT_EQ(all.size(), 2U);
    const auto& found = all[0].kind == model::ItemKind::season ? all[0] : all[1];
    EXPECT_EQ(found.id, item_id(2));
    EXPECT_EQ(found.parent, item_id(1));
    EXPECT_EQ(found.original_key, "key of Season 1");
    EXPECT_EQ(found.name, "Season 1");
    EXPECT_FALSE(found.available);
}

TEST_P(ScanStoreContract, directories_are_kept_and_removed) {
    auto all = batch();
    all.upsert_directories = {{"/m/b", 0xffff'ffff'ffff'ffff, 3}, {"/m/a", 2, 0}, {"/m/a", 2, 1}};
    ok(apply(all));
    auto found = directories();
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].path, "/m/a");
    EXPECT_EQ(found[0].entries, 1);  // named twice: the later one counts
    EXPECT_EQ(found[1].device, 0xffff'ffff'ffff'ffff);
    auto less = batch();
    less.remove_directories = {"/m/b", "/m/unknown"};
    ok(apply(less));
    EXPECT_EQ(directories().size(), 1U);
}

TEST_P(ScanStoreContract, what_is_removed_leaves_nothing_behind) {
    auto all = batch();
    all.upsert_items = {full_item(), movie(2, "b")};
    all.upsert_files = {file("/m/1", 1), file("/m/2", 2)};
    ok(apply(all));
    auto less = batch();
    less.remove_items = {item_id(1), item_id(77)};
    less.remove_files = {"/m/1", "/m/none"};
    ok(apply(less));
    EXPECT_EQ(count("items"), 1);
    EXPECT_EQ(count("media_sources"), 1);
    EXPECT_EQ(count("media_streams"), 0);
    EXPECT_EQ(count("media_chapters"), 0);
    EXPECT_EQ(files().size(), 1U);
    ok(apply(less));  // again
    EXPECT_EQ(count("items"), 1);
}

TEST_P(ScanStoreContract, items_and_files_are_marked) {
    auto all = batch();
    all.upsert_items = {movie(1, "a"), movie(2, "b")};
    all.upsert_files = {file("/m/1", 1), file("/m/2", 2)};
    ok(apply(all));
    auto away = batch();
    away.mark_unavailable = {item_id(1)};
    away.files_unavailable = {"/m/1"};
    ok(apply(away));
    EXPECT_FALSE(load_one(1).available);
    EXPECT_TRUE(load_one(2).available);
    EXPECT_FALSE(files()[0].available);
    EXPECT_TRUE(files()[1].available);
    auto back = batch();
    back.mark_available = {item_id(1)};
    back.files_available = {"/m/1"};
    ok(apply(back));
    EXPECT_TRUE(load_one(1).available);
    EXPECT_TRUE(files()[0].available);
}

TEST_P(ScanStoreContract, roots_and_the_time_of_the_scan_are_the_librarys) {
    auto all = batch();
    all.roots =
        std::vector<model::RootState>{{"/media", false, "missing", core::from_unix_ms(5), 0xffff'ffff'ffff'fff0}};
    all.scanned_at = core::from_unix_ms(77);
    ok(apply(all));
    const auto roots = libraries_->roots();
    ok(roots);
    ASSERT_EQ(roots->at(library_id(1)).size(), 1U);
    const auto& root = roots->at(library_id(1))[0];
    EXPECT_EQ(root.path, "/media");
    EXPECT_FALSE(root.online);
    EXPECT_EQ(root.reason, "missing");
    EXPECT_EQ(root.since, core::from_unix_ms(5));
    EXPECT_EQ(root.device, 0xffff'ffff'ffff'fff0);
    EXPECT_EQ((*libraries_->all())[0].scanned_at, core::from_unix_ms(77));
    auto none = batch();
    none.roots.emplace();
    ok(apply(none));
    EXPECT_TRUE(libraries_->roots()->empty());
}

TEST_P(ScanStoreContract, a_fenced_run_writes_nothing) {
    auto all = batch();
    all.upsert_items = {movie(1, "a")};
    all.upsert_files = {file("/m/1", 1)};
    auto stale = fence_;
    stale.epoch = 2;
    const auto refused = scans_->apply(all, stale);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::fenced);
    EXPECT_EQ(count("items") + count("files"), 0);
    ok(apply(all));
    const auto replayed = scans_->apply(all, {fence_.run, 3, 0, {}});  // a late packet of before
    ASSERT_FALSE(replayed);
    EXPECT_EQ(replayed.error().code, Errc::fenced);
}

TEST_P(ScanStoreContract, the_cursor_is_stored_with_the_batch) {
    fence_.cursor = "/media/folder";
    ok(apply(batch()));
    EXPECT_EQ(count("task_runs WHERE cursor = '/media/folder' AND cursor_seq = 1"), 1);
}

TEST_P(ScanStoreContract, a_library_that_was_removed_takes_no_more) {
    ok(libraries_->remove(library_id(1)));
    const auto refused = apply_items({movie(1, "a")});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::not_found);
    EXPECT_EQ(count("items"), 0);
}

TEST_P(ScanStoreContract, lists_are_read_while_batches_are_written) {
    std::atomic<bool> stop{false};
    std::atomic<int> reads{0}, failures{0};
    std::thread reader([&] {
        while (!stop) {
            store::ItemQuery query;
            query.with_sources = true;
            if (!catalog_->list(query)) ++failures;
            ++reads;
        }
    });
    for (std::uint32_t from = 0; from < 5'000; from += 500) {
        std::vector<model::Item> part;
        for (std::uint32_t i = from; i < from + 500; ++i) part.push_back(movie(i + 1, std::to_string(i)));
        ok(apply_items(std::move(part)));
    }
    stop = true;
    reader.join();
    EXPECT_EQ(failures, 0);
    EXPECT_GT(reads, 0);
}

class RemoveMissingContract : public ScanStoreContract {
protected:
    // /media is online; /away is not; /bare was found empty. An available and an unavailable film on each.
    void SetUp() override {
        StoreFixture::SetUp();
        add_library(1, "Films", {"/media", "/away", "/bare"});
        auto all = batch();
        all.roots = std::vector<model::RootState>{{"/media", true, "", {}, 1},
                                                  {"/away", false, "permission denied", {}, 1},
                                                  {"/bare", false, "empty", {}, 1}};
        std::uint32_t number = 0;
        for (const std::string root : {"/media", "/away", "/bare"}) {
            for (const bool available : {true, false}) {
                auto film = item(++number, model::ItemKind::movie, root + (available ? " here" : " gone"));
                film.sources = {source(root + "/" + std::to_string(number) + ".mkv")};
                film.available = available;
                auto known = file(film.sources[0].file.path, number);
                known.available = available;
                all.upsert_items.push_back(film);
                all.upsert_files.push_back(known);
            }
        }
        ok(apply(all));
    }
    std::vector<std::string> names() {
        std::vector<std::string> all;
        for (const auto& one : items()) all.push_back(one.name);
        std::sort(all.begin(), all.end());
        return all;
    }
};

TEST_P(RemoveMissingContract, removes_what_is_gone_from_roots_that_were_looked_at) {
    const auto removed = scans_->remove_missing(library_id(1));
    ok(removed);
    EXPECT_EQ(*removed, 2);
    EXPECT_EQ(names(), (std::vector<std::string>{"/away gone", "/away here", "/bare here", "/media here"}));
    EXPECT_EQ(files().size(), 4U);
    EXPECT_EQ(*scans_->remove_missing(library_id(1)), 0);
}

TEST_P(RemoveMissingContract, an_item_with_a_version_on_an_offline_root_stays) {
    auto film = item(50, model::ItemKind::movie, "two versions");
    film.sources = {source("/media/v1.mkv"), source("/away/v2.mkv")};
    film.available = false;
    ok(apply_items({film}));
    EXPECT_EQ(*scans_->remove_missing(library_id(1)), 2);
    EXPECT_EQ(load_one(50).name, "two versions");
}

TEST_P(RemoveMissingContract, a_season_and_a_series_go_with_their_last_episode_only) {
    const auto episode = [&](std::uint32_t number, std::uint32_t parent, bool available) {
        auto made = item(number, model::ItemKind::episode, "e" + std::to_string(number), parent);
        made.sources = {source("/media/show/e" + std::to_string(number) + ".mkv")};
        made.available = available;
        return made;
    };
    ok(apply_items({item(100, model::ItemKind::series, "all gone"), item(101, model::ItemKind::season, "s1", 100),
                    item(102, model::ItemKind::season, "s2", 100), episode(103, 101, false), episode(104, 102, false),
                    item(200, model::ItemKind::series, "half gone"), item(201, model::ItemKind::season, "t1", 200),
                    item(202, model::ItemKind::season, "t2", 200), episode(203, 201, false), episode(204, 202, true),
                    item(300, model::ItemKind::series, "still empty")}));
    EXPECT_EQ(*scans_->remove_missing(library_id(1)), 2 + 5 + 2);
    const auto left = names();
    for (const char* name : {"half gone", "t2", "e204", "still empty"}) {
        EXPECT_TRUE(std::find(left.begin(), left.end(), name) != left.end()) << name;
    }
    EXPECT_EQ(left.size(), 4U + 4U);
}

TEST_P(RemoveMissingContract, a_folder_whose_name_begins_like_the_root_is_not_below_it) {
    auto film = item(60, model::ItemKind::movie, "elsewhere");
    film.sources = {source("/media2/x.mkv")};
    film.available = false;
    ok(apply_items({film}));
    EXPECT_EQ(*scans_->remove_missing(library_id(1)), 2);
    EXPECT_EQ(load_one(60).name, "elsewhere");
}

}  // namespace understudy::testing
