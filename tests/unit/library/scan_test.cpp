// What a scan finds, what it does not touch, and how it ends.
#include <algorithm>
#include <thread>

#include "library/kind_guess.h"
#include "library/roots_seen.h"
#include "library/scan_options.h"
#include "unit/library/scan_fixture.h"

namespace understudy::library {
namespace {

using model::ItemKind;
using model::LibraryKind;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::film;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::Not;
using ::testing::SizeIs;
using testing::song;

class Scan : public ScanTest {};

TEST_P(Scan, finds_films_with_versions_apart_from_extras) {
    tree.file("lib/A (2001) [tmdbid-9]/A (2001) - 720p.MKV");
    tree.file("lib/A (2001) [tmdbid-9]/A (2001) - 2160p.mkv");
    tree.file("lib/A (2001) [tmdbid-9]/A (2001)-trailer.mkv");
    tree.file("lib/A (2001) [tmdbid-9]/extras/making of.mkv");
    tree.file("lib/A (2001) [tmdbid-9]/poster.jpg");
    tree.file("lib/.trash/B (2002).mkv");
    tree.file("lib/@eaDir/C.mkv");
    tree.file("lib/D (2004).avi");
    prober.say("720p.MKV", film(720));
    prober.say("2160p.mkv", film(2160, std::chrono::minutes{91}));
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("A", "D"));
    const auto item = tables->items.at(ids(ItemKind::movie).at("A"));
    EXPECT_EQ(item.year, 2001);
    EXPECT_EQ(item.provider_ids.at("Tmdb"), "9");
    ASSERT_THAT(item.sources, SizeIs(2));
    EXPECT_EQ(item.sources[0].version_name, "2160p") << "the best picture is the primary one";
    EXPECT_EQ(item.sources[1].version_name, "720p");
    EXPECT_EQ(item.duration, std::chrono::minutes{91});
    EXPECT_THAT(items(ItemKind::extra), SizeIs(2));
    EXPECT_EQ(count("added"), 5);
    prober.forget_opens();
    scan();
    EXPECT_EQ(prober.opens(), 0U);
}

TEST_P(Scan, a_version_that_comes_later_joins_its_film) {
    tree.file("lib/A (2001)/A (2001).mkv");
    prober.say("A (2001).mkv", film(720));
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    const auto id = only(ItemKind::movie).id;
    tree.file("lib/A (2001)/A (2001) - 4K.mkv");
    prober.say("4K.mkv", film(2160));
    scan();
    ASSERT_EQ(only(ItemKind::movie).id, id);
    ASSERT_THAT(only(ItemKind::movie).sources, SizeIs(2));
    EXPECT_EQ(only(ItemKind::movie).sources[0].version_name, "4K");
    EXPECT_EQ(only(ItemKind::movie).sources[1].version_name, "720p");
    tree.remove("lib/A (2001)/A (2001).mkv");
    scan();
    ASSERT_THAT(only(ItemKind::movie).sources, SizeIs(1));
    EXPECT_EQ(only(ItemKind::movie).id, id);
}

TEST_P(Scan, finds_series_seasons_and_episodes) {
    tree.file("lib/Show (2010)/Season 01/Show - S01E01 - Pilot.mkv");
    tree.file("lib/Show (2010)/Season 01/Show - S01E02-E03 - Double.mkv");
    tree.file("lib/Show (2010)/Specials/Show - S00E01.mkv");
    tree.file("lib/Show (2010)/extras/Show.S01E01.Deleted.Scene.mkv");
    add_library(LibraryKind::tvshows, {tree.path("lib")});
    scan();
    const auto series = only(ItemKind::series);
    EXPECT_EQ(series.name, "Show");
    EXPECT_EQ(series.year, 2010);
    EXPECT_THAT(names(ItemKind::season), ElementsAre("Specials", "Season 1"));
    const auto episodes = items(ItemKind::episode);
    ASSERT_THAT(episodes, SizeIs(3));
    EXPECT_EQ(episodes[1].name, "Pilot");
    EXPECT_EQ(episodes[2].episode_number, 2);
    EXPECT_EQ(episodes[2].episode_number_end, 3);
    for (const auto& episode : episodes) EXPECT_EQ(tables->items.at(episode.parent).parent, series.id);
}

TEST_P(Scan, finds_tracks_whose_tags_win_over_their_names) {
    tree.file("lib/wrong/also wrong/01 - x.flac");
    prober.say("01 - x.flac", song("Title", "Artist", "Album", 7));
    tree.file("lib/Named/By Folder (1999)/02 - Song.mp3");
    add_library(LibraryKind::music, {tree.path("lib")});
    scan();
    EXPECT_THAT(names(ItemKind::artist), ElementsAre("Artist", "Named"));
    EXPECT_THAT(names(ItemKind::album), ElementsAre("Album", "By Folder"));
    const auto tracks = items(ItemKind::track);
    ASSERT_THAT(tracks, SizeIs(2));
    EXPECT_EQ(tracks[0].name, "Song");
    EXPECT_EQ(tracks[0].track_number, 2);
    EXPECT_EQ(tracks[0].album, "By Folder");
    EXPECT_EQ(tracks[1].name, "Title");
    EXPECT_THAT(tracks[1].artists, ElementsAre("Artist"));
}

TEST_P(Scan, an_album_of_many_artists_is_one_album) {
    for (int i = 1; i <= 4; ++i) {
        const auto name = "0" + std::to_string(i) + ".mp3";
        tree.file("lib/Hits/" + std::string(i <= 2 ? "CD1/" : "CD2/") + name);
        prober.say(name, song("Song " + std::to_string(i), "Artist " + std::to_string(i), "Hits", i));
    }
    add_library(LibraryKind::music, {tree.path("lib")});
    scan();
    EXPECT_THAT(names(ItemKind::artist), ElementsAre("Various Artists"));
    EXPECT_THAT(names(ItemKind::album), ElementsAre("Hits"));
    EXPECT_THAT(items(ItemKind::track), SizeIs(4));
}

TEST_P(Scan, a_track_that_comes_later_joins_the_album_of_its_folder) {
    const auto add = [&](int i, const std::string& artist) {
        const auto name = "0" + std::to_string(i) + ".mp3";
        tree.file("lib/Hits/" + name);
        prober.say(name, song("Song " + std::to_string(i), artist, "Hits", i));
    };
    add(1, "One");
    add(2, "Two");
    add_library(LibraryKind::music, {tree.path("lib")});
    scan();
    const auto album = only(ItemKind::album).id;
    add(3, "Three");
    scan();
    EXPECT_EQ(only(ItemKind::album).id, album);
    EXPECT_THAT(names(ItemKind::artist), ElementsAre("Various Artists"));
    EXPECT_THAT(items(ItemKind::track), SizeIs(3));
}

TEST_P(Scan, opens_nothing_and_writes_one_batch_where_nothing_changed) {
    for (int i = 0; i < 50; ++i) tree.file("lib/F" + std::to_string(i) + "/F" + std::to_string(i) + ".mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    prober.forget_opens();
    files->forget();
    scan();
    EXPECT_EQ(prober.opens(), 0U);
    EXPECT_EQ(count("unchanged"), 50);
    EXPECT_EQ(run->commits, 1) << "when it was scanned, no more";
    EXPECT_EQ(files->stats(), 50U) << "each file once";
    EXPECT_THAT(announced, SizeIs(1)) << "the first scan's";
}

TEST_P(Scan, reads_only_what_changed) {
    tree.file("lib/A (2001)/A (2001).mkv");
    tree.file("lib/B (2002)/B (2002).mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    const auto before = ids(ItemKind::movie);
    prober.forget_opens();
    tree.append("lib/B (2002)/B (2002).mkv", "more");
    prober.say("B (2002).mkv", film(480));
    scan();
    EXPECT_THAT(prober.opened(), ElementsAre(tree.path("lib/B (2002)/B (2002).mkv")));
    EXPECT_EQ(ids(ItemKind::movie), before);
    EXPECT_EQ(tables->items.at(before.at("B")).sources.at(0).info.streams.at(0).height, 480);
    EXPECT_EQ(count("changed"), 1);
    EXPECT_EQ(count("added"), 0);
}

TEST_P(Scan, names_are_bytes_and_twins_stay_two) {
    const std::vector<std::string> odd{
        "caf\xE9 (2001)", "caf\xC3\xA9 (2001)",      "cafe\xCC\x81 (2001)",  "a\nb (2002)",        "100% # ? (2003)",
        "-dash (2004)",   "\xF0\x9F\x8E\xAC (2005)", "Alien\xC2\xB3 (2006)", "\xED\xA0\x80 (2007)"};
    for (const auto& name : odd) tree.file("lib/" + name + "/" + name + ".mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_EQ(all().size(), odd.size());
    for (const auto& [id, item] : all()) {
        EXPECT_EQ(item.name.find('\n'), std::string::npos);
        EXPECT_EQ(item.name.find('\xE9'), std::string::npos);
        EXPECT_TRUE(std::ifstream(item.sources.at(0).file.path).good()) << "the path is kept as it is";
    }
    const auto before = all();
    prober.forget_opens();
    scan();
    EXPECT_EQ(prober.opens(), 0U);
    EXPECT_EQ(all().size(), before.size());
    tree.remove("lib/cafe\xCC\x81 (2001)");
    scan();
    EXPECT_EQ(all().size(), odd.size() - 1);
}

TEST_P(Scan, links_give_names_and_loops_and_dead_ends_are_told_once) {
    tree.file("raw/odd name.mkv");
    tree.file("lib/Show/Season 01/Show S01E02.mkv");
    tree.link("lib/Show/Season 01/Show S01E01.mkv", tree.path("raw/odd name.mkv"));
    tree.link("lib/Show/Season 01/broken.mkv", "/nope");
    tree.link("lib/Show/Season 01/self.mkv", "self.mkv");
    tree.link("lib/Show/Season 01/loop", "..");
    add_library(LibraryKind::tvshows, {tree.path("lib")});
    scan();
    const auto episodes = items(ItemKind::episode);
    ASSERT_THAT(episodes, SizeIs(2));
    EXPECT_EQ(episodes[0].episode_number, 1);
    EXPECT_THAT(paths_of(episodes[0]), ElementsAre("lib/Show/Season 01/Show S01E01.mkv"));
    EXPECT_GT(episodes[0].sources.at(0).file.size_bytes, 0) << "the target's";
    EXPECT_THAT(run->warnings, SizeIs(3));
    EXPECT_THAT(run->warnings, Contains(HasSubstr("broken.mkv: links to nothing")));
    EXPECT_THAT(run->warnings, Contains(HasSubstr("self.mkv: links to itself")));
    EXPECT_THAT(run->warnings, Contains(HasSubstr("loop: leads back")));
    tree.rename("raw", "raw-away");
    scan();
    EXPECT_THAT(items(ItemKind::episode), SizeIs(2)) << "a link whose disc is away is no proof";
}

TEST_P(Scan, a_root_below_a_hidden_folder_is_a_root) {
    tree.file(".media/video/A (2001)/A (2001).mkv");
    add_library(LibraryKind::movies, {tree.path(".media/video")});
    scan();
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("A"));
}

TEST_P(Scan, an_empty_root_that_is_filled_later_needs_no_restart) {
    tree.folder("lib");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    tree.file("lib/A (2001)/A (2001).mkv");
    scan();
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("A"));
}

TEST_P(Scan, a_broken_file_is_told_once_and_tried_again_only_when_it_changes) {
    tree.file("lib/A (2001)/A (2001).mkv");
    tree.file("lib/B (2002)/B (2002).mkv");
    prober.fail("B (2002).mkv", core::Errc::corrupt, "the demuxer crashed");
    const auto library = add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("A"));
    EXPECT_EQ(count("failed"), 1);
    EXPECT_THAT(run->warnings, ElementsAre(HasSubstr("B (2002).mkv: the demuxer crashed")));
    const auto& stored = tables->files[library].at(tree.path("lib/B (2002)/B (2002).mkv"));
    EXPECT_EQ(stored.failure, "the demuxer crashed");
    EXPECT_TRUE(stored.item.empty());
    prober.forget_opens();
    scan();
    EXPECT_EQ(prober.opens(), 0U);
    EXPECT_EQ(count("failed"), 0);
    prober.forget("B (2002).mkv");
    tree.append("lib/B (2002)/B (2002).mkv", "repaired");
    scan();
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("A", "B"));
    EXPECT_TRUE(tables->files[library].at(tree.path("lib/B (2002)/B (2002).mkv")).failure.empty());
}

TEST_P(Scan, an_io_error_is_tried_again_by_the_next_scan) {
    tree.file("lib/A (2001)/A (2001).mkv");
    prober.fail("A (2001).mkv", core::Errc::unavailable, "Input/output error");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_THAT(names(ItemKind::movie), IsEmpty());
    EXPECT_EQ(count("failed"), 1);
    prober.forget("A (2001).mkv");
    scan();
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("A"));
}

TEST_P(Scan, a_known_film_that_cannot_be_read_after_a_change_stays_and_is_marked) {
    tree.file("lib/A (2001)/A (2001).mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    const auto id = only(ItemKind::movie).id;
    tree.append("lib/A (2001)/A (2001).mkv", "more");
    prober.fail("A (2001).mkv", core::Errc::unavailable, "Input/output error");
    scan();
    EXPECT_EQ(only(ItemKind::movie).id, id);
    EXPECT_FALSE(only(ItemKind::movie).available);
    prober.forget("A (2001).mkv");
    scan();
    EXPECT_EQ(only(ItemKind::movie).id, id);
    EXPECT_TRUE(only(ItemKind::movie).available);
}

TEST_P(Scan, a_file_still_being_written_is_left_for_a_follow_up_of_its_own) {
    tree.file("lib/A (2001)/A (2001).mkv");
    tree.file("lib/B (2002)/B (2002).mkv");
    const auto library = add_library(LibraryKind::movies, {tree.path("lib")});
    const auto grow = [&](const std::string& path) {
        if (path.ends_with("B (2002).mkv")) tree.append("lib/B (2002)/B (2002).mkv", "grows");
    };
    prober.on_probe(grow);
    scan();
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("A"));
    ASSERT_THAT(run->follow_ups, SizeIs(1));
    EXPECT_EQ(run->follow_ups[0].delay, std::chrono::seconds{10});
    std::vector<core::Millis> waits;
    auto options = run->follow_ups[0].options;
    for (int i = 0; i < 12; ++i) {
        prober.forget_opens();
        scan(options);
        EXPECT_THAT(prober.opened(), ElementsAre(HasSubstr("B (2002).mkv"))) << "only that file";
        ASSERT_THAT(run->follow_ups, SizeIs(1));
        waits.push_back(run->follow_ups[0].delay);
        options = run->follow_ups[0].options;
    }
    EXPECT_EQ(waits[0], std::chrono::seconds{20});
    EXPECT_EQ(waits[1], std::chrono::seconds{40});
    EXPECT_EQ(waits.back(), std::chrono::hours{1});
    prober.on_probe({});
    scan(options);
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("A", "B"));
    EXPECT_THAT(run->follow_ups, IsEmpty());
    EXPECT_EQ(ScanOptions::parse(options)->libraries, std::set{library});
}

TEST_P(Scan, a_file_that_grows_while_its_half_is_no_media_yet_is_not_called_broken) {
    tree.file("lib/A (2001)/A (2001).mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    prober.fail("A (2001).mkv", core::Errc::corrupt, "no index");
    prober.on_probe([&](const std::string&) { tree.append("lib/A (2001)/A (2001).mkv", "grows"); });
    scan();
    EXPECT_EQ(count("failed"), 0);
    EXPECT_THAT(run->follow_ups, SizeIs(1));
}

TEST_P(Scan, a_young_mtime_alone_delays_nothing) {
    tree.file("lib/A (2001)/A (2001).mkv");
    tree.set_mtime("lib/A (2001)/A (2001).mkv", 4'000'000'000'000'000'000);
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("A"));
    EXPECT_THAT(run->follow_ups, IsEmpty());
}

TEST_P(Scan, a_scan_of_one_library_or_path_touches_no_other) {
    tree.file("one/A (2001)/A (2001).mkv");
    tree.file("one/B (2002)/B (2002).mkv");
    add_library(LibraryKind::movies, {tree.path("one")});
    scan();
    tree.file("two/C (2003)/C (2003).mkv");
    const auto second = add_library(LibraryKind::movies, {tree.path("two")});
    files->forget();
    scan(R"({"libraries":[")" + second.str() + R"("]})");
    EXPECT_THAT(files->folders_opened(), Each(HasSubstr("/two")));
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("A", "B", "C"));

    tree.remove("one/A (2001)");
    tree.remove("one/B (2002)");
    tree.file("one/D (2004)/D (2004).mkv");
    tree.file("one/E (2005)/E (2005).mkv");
    files->forget();
    scan(R"({"paths":[")" + tree.path("one/A (2001)") + R"(",")" + tree.path("one/D (2004)/D (2004).mkv") + R"("]})");
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("A", "B", "C", "D")) << "A may have moved: a second look decides";
    EXPECT_THAT(files->folders_opened(), Not(Contains(HasSubstr("E (2005)"))));
    EXPECT_EQ(count("missing"), 1);
    ASSERT_EQ(run->follow_ups.size(), 1U);
    EXPECT_EQ(run->follow_ups[0].delay, settings.settle);
    scan(run->follow_ups[0].options);
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("B", "C", "D")) << "B and E are none of its business";
    EXPECT_EQ(count("removed"), 1);
    EXPECT_THAT(run->follow_ups, IsEmpty());
}

TEST_P(Scan, options_that_make_no_sense_fail_the_run_with_a_reason) {
    for (const auto* options : {"[]", R"({"libraries":["x"]})", R"({"paths":["relative"]})", R"({"paths":7})"}) {
        const auto result = try_scan(options);
        ASSERT_FALSE(result) << options;
        EXPECT_EQ(result.error().code, core::Errc::invalid);
    }
}

TEST_P(Scan, goes_on_after_a_death_without_opening_what_was_committed) {
    for (int i = 100; i < 160; ++i) tree.file("lib/F" + std::to_string(i) + "/F" + std::to_string(i) + ".mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    settings.scanner.batch = 10;
    run = std::make_unique<testing::FakeRun>();
    run->on_commit = [&](int number) { run->fenced = number == 3; };
    const auto died = scan_as_set_up();
    ASSERT_FALSE(died);
    EXPECT_EQ(died.error().code, core::Errc::fenced);
    EXPECT_EQ(all().size(), 30U);
    EXPECT_THAT(run->cursors, ElementsAre(HasSubstr("F109"), HasSubstr("F119"), HasSubstr("F129")));
    const auto before = all();
    prober.forget_opens();
    scan();
    EXPECT_EQ(prober.opens(), 30U);
    EXPECT_EQ(all().size(), 60U);
    for (const auto& [id, item] : before) EXPECT_TRUE(tables->items.contains(id));
}

TEST_P(Scan, stops_when_asked_at_any_commit_and_removes_nothing_half_way) {
    for (int i = 0; i < 30; ++i) tree.file("lib/F" + std::to_string(i) + "/F" + std::to_string(i) + ".mkv");
    tree.file("lib/Gone (2001)/Gone (2001).mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    tree.remove("lib/Gone (2001)");
    for (int i = 0; i < 30; ++i) tree.append("lib/F" + std::to_string(i) + "/F" + std::to_string(i) + ".mkv", "x");
    settings.scanner.batch = 10;
    run = std::make_unique<testing::FakeRun>();
    run->on_commit = [&](int number) { run->stop = number == 1; };
    const auto stopped = scan_as_set_up();
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, core::Errc::cancelled);
    EXPECT_EQ(run->commits, 2);
    EXPECT_THAT(names(ItemKind::movie), Contains("Gone"));
}

TEST_P(Scan, a_new_library_beside_a_known_one_has_its_share_of_the_progress_and_counts_with_each_commit) {
    const auto films = [&](const std::string& below) {
        for (int i = 0; i < 40; ++i) tree.file(below + "/F" + std::to_string(i) + " (2001).mkv");
    };
    films("known");
    add_library(LibraryKind::movies, {tree.path("known")});
    scan();
    films("new");
    add_library(LibraryKind::movies, {tree.path("new")});
    settings.scanner.batch = 10;
    run = std::make_unique<testing::FakeRun>();
    std::vector<std::int64_t> added;
    std::vector<double> progress;
    run->on_commit = [&](int) {
        added.push_back(run->counts["added"]);
        progress.push_back(run->reports.back());
    };
    ASSERT_TRUE(scan_as_set_up());
    ASSERT_GE(added.size(), 4U);
    EXPECT_THAT(std::vector(added.begin(), added.begin() + 4), ElementsAre(0, 10, 20, 30));
    EXPECT_THAT(std::vector(progress.begin(), progress.begin() + 4), Each(Le(50.0))) << "the known one is as large";
    EXPECT_GT(progress[3], 35.0) << "three quarters of the new one";
    EXPECT_EQ(count("added"), 40);
    EXPECT_EQ(run->reports.back(), 100.0);
}

TEST_P(Scan, progress_stands_at_nought_while_a_first_walk_goes_and_never_goes_back) {
    for (int i = 0; i < 40; ++i) tree.file("lib/F" + std::to_string(i) + "/F" + std::to_string(i) + ".mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    settings.scanner.batch = 10;
    scan();
    const auto ten = std::ranges::find(run->reports, 10.0);
    ASSERT_NE(ten, run->reports.end());
    EXPECT_TRUE(std::all_of(run->reports.begin(), ten, [](double progress) { return progress == 0.0; }));
    EXPECT_THAT(run->reports, Contains(::testing::DoubleEq(32.5))) << "10 of 40 files";
    EXPECT_EQ(run->reports.back(), 100.0);
    EXPECT_EQ(run->works.back().unit, "files");
    EXPECT_EQ(run->works.back().done, 40);
    EXPECT_EQ(run->works.back().total, 40);
    tree.append("lib/F1/F1.mkv", "x");
    scan();
    const auto second_ten = std::ranges::find(run->reports, 10.0);
    EXPECT_GT(std::count_if(run->reports.begin(), second_ten, [](double p) { return p > 0.0 && p < 10.0; }), 20)
        << "measured by the last scan's entries";
}

TEST_P(Scan, a_folder_that_hangs_is_left_for_the_next_scan) {
    tree.file("lib/A (2001)/A (2001).mkv");
    tree.file("lib/B (2002)/B (2002).mkv");
    tree.file("lib/C (2003)/C (2003).mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    settings.scanner.walk_patience = core::Millis{500};
    files->hang(tree.path("lib/B (2002)"));
    tree.file("lib/D (2004)/D (2004).mkv");
    scan();
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("A", "B", "C", "D"));
    EXPECT_FALSE(tables->items.at(ids(ItemKind::movie).at("B")).available);
    EXPECT_THAT(run->warnings, Contains(HasSubstr("does not answer")));
    files->release();
    scan();
    EXPECT_TRUE(tables->items.at(ids(ItemKind::movie).at("B")).available);
}

TEST_P(Scan, a_walk_that_hangs_can_be_stopped) {
    tree.file("lib/A (2001)/A (2001).mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    files->hang(tree.path("lib/A (2001)"));
    run = std::make_unique<testing::FakeRun>();
    std::jthread stopper([&] { run->stop = true; });
    const auto stopped = scan_as_set_up();
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, core::Errc::cancelled);
}

TEST_P(Scan, of_a_disc_image_folder_the_largest_stream_is_the_film) {
    tree.file("lib/A (2001)/BDMV/STREAM/00000.m2ts", "small");
    tree.file("lib/A (2001)/BDMV/STREAM/00001.m2ts", "the film itself, much larger");
    tree.file("lib/A (2001)/BDMV/STREAM/00002.m2ts", "tiny");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_EQ(only(ItemKind::movie).name, "A");
    EXPECT_THAT(paths_of(only(ItemKind::movie)), ElementsAre("lib/A (2001)/BDMV/STREAM/00001.m2ts"));
    prober.forget_opens();
    scan();
    EXPECT_EQ(prober.opens(), 0U);
}

TEST_P(Scan, the_pod_says_which_roots_it_sees) {
    tree.file("one/A (2001).mkv");
    tree.folder("two");
    add_library(LibraryKind::movies, {tree.path("one"), tree.path("two"), tree.path("three")});
    RootsSeen seen(*library_store, files);
    EXPECT_THAT(seen.look(), ElementsAre(std::pair(tree.path("one"), true), std::pair(tree.path("three"), false),
                                         std::pair(tree.path("two"), false)));
}

TEST_P(Scan, a_root_that_hangs_is_not_seen_and_keeps_nobody_waiting) {
    tree.file("one/A (2001).mkv");
    tree.file("two/B (2002).mkv");
    add_library(LibraryKind::movies, {tree.path("one"), tree.path("two")});
    RootsSeen seen(*library_store, files, core::Millis{100});
    files->hang(tree.path("two"));
    EXPECT_THAT(seen.look(), ElementsAre(std::pair(tree.path("one"), true), std::pair(tree.path("two"), false)));
    EXPECT_THAT(seen.look(), ElementsAre(std::pair(tree.path("one"), true), std::pair(tree.path("two"), false)));
    files->release();
    RootsSeen patient(*library_store, files, core::Millis{30'000});
    EXPECT_THAT(patient.look(), ElementsAre(std::pair(tree.path("one"), true), std::pair(tree.path("two"), true)));
}

TEST_P(Scan, requests_are_joined_without_losing_a_path) {
    RefreshLibrary task(settings, *library_store, *scan_store, prober, clock, random, files);
    const std::string a = R"({"paths":["/m/a"]})", b = R"({"paths":["/m/b"],"settling":2})", all = "{}";
    EXPECT_EQ(task.join_requests(a, b), R"({"paths":["/m/a","/m/b"],"settling":2})");
    EXPECT_EQ(task.join_requests(task.join_requests(a, b), b), task.join_requests(a, b)) << "repeating it is harmless";
    EXPECT_EQ(task.join_requests(a, all), all);
    EXPECT_EQ(task.join_requests(all, a), all);
    const std::string one = R"({"libraries":["00000000000000000000000000000001"],"paths":["/m/c"]})";
    EXPECT_EQ(task.join_requests(one, a), R"({"paths":["/m/a","/m/c"]})");
    const std::string missed = R"({"paths":["/m/a"],"missed":true})";
    EXPECT_EQ(task.join_requests(missed, missed), missed);
    EXPECT_EQ(task.join_requests(missed, b), task.join_requests(a, b)) << "what was not looked at yet removes nothing";
}

TEST_P(Scan, a_rename_that_is_reported_in_halves_keeps_ids) {
    tree.file("lib/Lexx/Season 01/Lexx - S01E01.mkv");
    tree.file("lib/Lexx/Season 01/Lexx - S01E02.mkv");
    tree.file("lib/Other/Season 01/Other - S01E01.mkv");
    add_library(LibraryKind::tvshows, {tree.path("lib")});
    scan();
    const auto ids = [&] {
        std::set<core::ItemId> all;
        for (const auto kind : {ItemKind::series, ItemKind::season, ItemKind::episode}) {
            for (const auto& item : items(kind)) all.insert(item.id);
        }
        return all;
    };
    const auto before = ids();
    tree.rename("lib/Lexx", "lib/Lexx renamed");
    scan(R"({"paths":[")" + tree.path("lib/Lexx") + R"("]})");
    EXPECT_EQ(count("removed"), 0);
    ASSERT_EQ(run->follow_ups.size(), 1U);
    RefreshLibrary task(settings, *library_store, *scan_store, prober, clock, random, files);
    scan(task.join_requests(run->follow_ups[0].options, R"({"paths":[")" + tree.path("lib/Lexx renamed") + R"("]})"));
    EXPECT_EQ(count("moved"), 2);
    EXPECT_THAT(run->follow_ups, IsEmpty());
    EXPECT_EQ(ids(), before);
    EXPECT_THAT(names(ItemKind::series), ElementsAre("Lexx renamed", "Other"));
}

TEST_P(Scan, a_folders_kind_is_told_from_what_lies_in_it) {
    tree.file("films/A (2001)/A (2001).mkv");
    tree.file("films/A (2001)/soundtrack.mp3");
    tree.file("shows/Show/Season 01/Show - 01.mkv");
    tree.file("shows/Other/Other.S01E01.mkv");
    tree.file("songs/Artist/Album/01.flac");
    tree.folder("nothing");
    EXPECT_EQ(guess_kind(tree.path("films")), LibraryKind::movies);
    EXPECT_EQ(guess_kind(tree.path("shows")), LibraryKind::tvshows);
    EXPECT_EQ(guess_kind(tree.path("songs")), LibraryKind::music);
    EXPECT_EQ(guess_kind(tree.path("nothing")), LibraryKind::movies);
}

INSTANTIATE_TEST_SUITE_P(stores, Scan, all_stores(), store_name);

}  // namespace
}  // namespace understudy::library
