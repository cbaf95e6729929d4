// What becomes of names in a scan: parts of one film, discs, extras, several episodes in one file.
#include <algorithm>

#include "unit/library/scan_fixture.h"

namespace understudy::library {
namespace {

using model::ItemKind;
using model::LibraryKind;
using std::chrono::minutes;
using ::testing::ElementsAre;
using testing::film;
using ::testing::SizeIs;

class ScanNames : public ScanTest {
protected:
    [[nodiscard]] std::vector<std::string> labels(const model::Item& item) const {
        std::vector<std::string> found;
        for (const auto& source : item.sources) found.push_back(source.version_name);
        return found;
    }
};

TEST_P(ScanNames, the_parts_of_a_film_are_one_item_as_long_as_all_of_them) {
    tree.file("lib/A (2001)/A (2001) cd2.avi");
    tree.file("lib/A (2001)/A (2001) cd1.avi");
    tree.file("lib/Kill Bill Part 1 (2003).mkv");
    tree.file("lib/Kill Bill Part 2 (2004).mkv");
    prober.say("cd1.avi", film(480, minutes{50}));
    prober.say("cd2.avi", film(576, minutes{40}));
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("A", "Kill Bill Part 1", "Kill Bill Part 2"));
    const auto item = tables->items.at(ids(ItemKind::movie).at("A"));
    EXPECT_THAT(labels(item), ElementsAre("cd1", "cd2")) << "in their order, whichever is the better picture";
    EXPECT_EQ(item.duration, minutes{90});
}

TEST_P(ScanNames, a_part_that_comes_later_finds_the_others) {
    tree.file("lib/A (2001)/A (2001) - part 1.avi");
    prober.say("part 1.avi", film(480, minutes{50}));
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    const auto id = only(ItemKind::movie).id;
    tree.file("lib/A (2001)/A (2001) - part 2.avi");
    prober.say("part 2.avi", film(480, minutes{40}));
    scan();
    EXPECT_EQ(only(ItemKind::movie).id, id);
    EXPECT_THAT(labels(only(ItemKind::movie)), ElementsAre("cd1", "cd2"));
    EXPECT_EQ(only(ItemKind::movie).duration, minutes{90});
}

TEST_P(ScanNames, parts_and_a_whole_version_are_one_film) {
    tree.file("lib/A (2001)/A (2001) - DVD cd1.avi");
    tree.file("lib/A (2001)/A (2001) - DVD cd2.avi");
    tree.file("lib/A (2001)/A (2001) - 4K.mkv");
    prober.say("cd1.avi", film(480, minutes{50}));
    prober.say("cd2.avi", film(480, minutes{40}));
    prober.say("4K.mkv", film(2160, minutes{91}));
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_THAT(labels(only(ItemKind::movie)), ElementsAre("4K", "DVD cd1", "DVD cd2"));
    EXPECT_EQ(only(ItemKind::movie).duration, minutes{91});
}

TEST_P(ScanNames, editions_are_versions) {
    tree.file("lib/A (2001)/A (2001) {edition-Director's Cut}.mkv");
    tree.file("lib/A (2001)/A (2001).mkv");
    prober.say("Cut}.mkv", film(1080));
    prober.say("A (2001).mkv", film(720));
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_THAT(labels(only(ItemKind::movie)), ElementsAre("Director's Cut", "720p"));
}

TEST_P(ScanNames, a_disc_is_one_film_and_its_menus_are_none) {
    tree.file("lib/A (2001)/BDMV/STREAM/00001.m2ts", std::string(10, 'x'));
    tree.file("lib/A (2001)/BDMV/STREAM/00002.m2ts", std::string(1000, 'x'));
    tree.file("lib/B (2002)/VIDEO_TS/VIDEO_TS.VOB", std::string(5000, 'x'));
    tree.file("lib/B (2002)/VIDEO_TS/VTS_01_1.VOB", std::string(100, 'x'));
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("A", "B"));
    EXPECT_THAT(paths_of(tables->items.at(ids(ItemKind::movie).at("A"))),
                ElementsAre("lib/A (2001)/BDMV/STREAM/00002.m2ts"));
    EXPECT_THAT(paths_of(tables->items.at(ids(ItemKind::movie).at("B"))),
                ElementsAre("lib/B (2002)/VIDEO_TS/VTS_01_1.VOB"));
}

TEST_P(ScanNames, a_disc_whose_folder_is_an_episode_is_that_episode) {
    tree.file("lib/Show/Season 1/Show S01E03 - Title/BDMV/STREAM/00001.m2ts", std::string(10, 'x'));
    tree.file("lib/Show/Season 1/Show S01E03 - Title/BDMV/STREAM/00002.m2ts", std::string(1000, 'x'));
    add_library(LibraryKind::tvshows, {tree.path("lib")});
    scan();
    const auto episode = only(ItemKind::episode);
    EXPECT_EQ(episode.episode_number, 3);
    EXPECT_EQ(episode.name, "Title");
    EXPECT_THAT(episode.sources, SizeIs(1));
    EXPECT_EQ(only(ItemKind::series).name, "Show");
}

TEST_P(ScanNames, an_episode_in_parts_is_one_and_a_double_episode_has_its_end) {
    tree.file("lib/Show/Season 1/Show S01E01 - Pilot Part 1.mkv");
    tree.file("lib/Show/Season 1/Show S01E01 - Pilot Part 2.mkv");
    tree.file("lib/Show/Season 1/Show S01E02-E03.mkv");
    tree.file("lib/Show/Season 1/Show S01E04.mkv");
    tree.file("lib/Show/Season 1/Show S01E05 - Finale Part 1.mkv");
    prober.say("Part 1.mkv", film(480, minutes{20}));
    prober.say("Part 2.mkv", film(480, minutes{22}));
    add_library(LibraryKind::tvshows, {tree.path("lib")});
    scan();
    const auto episodes = items(ItemKind::episode);
    ASSERT_THAT(episodes, SizeIs(4));
    EXPECT_EQ(episodes[0].name, "Pilot");
    EXPECT_THAT(labels(episodes[0]), ElementsAre("cd1", "cd2"));
    EXPECT_EQ(episodes[0].duration, minutes{42});
    EXPECT_EQ(episodes[1].episode_number, 2);
    EXPECT_EQ(episodes[1].episode_number_end, 3);
    EXPECT_EQ(episodes[2].episode_number, 4);
    EXPECT_EQ(episodes[3].name, "Finale Part 1") << "alone it is a title";
}

TEST_P(ScanNames, extras_are_neither_films_nor_episodes) {
    tree.file("lib/A (2001).mkv");
    tree.file("lib/A (2001)-trailer.mkv");
    tree.file("lib/B (2002)/B (2002).mkv");
    tree.file("lib/B (2002)/Deleted Scenes/One.mkv");
    tree.file("lib/B (2002)/backdrops/loop.mp4");
    add_library(LibraryKind::movies, {tree.path("lib")});
    tree.file("tv/Show/Season 1/Show S05E01.mkv");
    tree.file("tv/Show/extras/Show.S05E01.Deleted.Scene.mkv");
    tree.file("tv/Show/Season 1/Show - NCOP1.mkv");
    add_library(LibraryKind::tvshows, {tree.path("tv")});
    scan();
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("A", "B"));
    EXPECT_THAT(only(ItemKind::episode).sources, SizeIs(1));
}

INSTANTIATE_TEST_SUITE_P(Stores, ScanNames, all_stores(), store_name);

}  // namespace
}  // namespace understudy::library
