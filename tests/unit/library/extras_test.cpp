// Trailers, deleted scenes, theme music: items below what they belong to, never films or episodes of their own.
#include <algorithm>

#include "unit/library/describe_fixture.h"

namespace understudy::library {
namespace {

using model::ItemKind;
using model::LibraryKind;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::film;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class Extras : public DescribeTest {
protected:
    /// `type Title of Owner`
    [[nodiscard]] std::vector<std::string> extras() const {
        std::vector<std::string> found;
        for (const auto& item : items(ItemKind::extra)) {
            const auto owner = tables->items.find(item.parent);
            found.push_back(item.extra_type + " " + item.name + " of " +
                            (owner == tables->items.end() ? "?" : owner->second.name));
        }
        return found;
    }
    /// Of the only film that is not this one.
    [[nodiscard]] std::string named_other(core::ItemId film) const {
        for (const auto& item : items(ItemKind::movie)) {
            if (item.id != film) return item.name;
        }
        return "?";
    }
};

TEST_P(Extras, of_a_film_lie_in_its_folder_or_beside_it) {
    tree.file("lib/A (2001)/A (2001) - 720p.mkv");
    tree.file("lib/A (2001)/A (2001) - 2160p.mkv");
    tree.file("lib/A (2001)/A (2001)-trailer.mkv");
    tree.file("lib/A (2001)/extras/making of.mkv");
    tree.file("lib/A (2001)/theme.mp3");
    tree.file("lib/B (2002).mkv");
    tree.file("lib/B (2002)-trailer.mkv");
    tree.file("lib/B (2002)-trailer.jpg");
    prober.say("making of.mkv", film(480, std::chrono::minutes{7}));
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("A", "B"));
    EXPECT_THAT(named(ItemKind::movie, "A").sources, SizeIs(2)) << "a trailer is no version";
    EXPECT_THAT(extras(), UnorderedElementsAre("trailer A (2001)-trailer of A", "other making of of A",
                                               "theme_song theme of A", "trailer B (2002)-trailer of B"));
    EXPECT_EQ(named(ItemKind::extra, "making of").duration, std::chrono::minutes{7});
    EXPECT_THAT(named(ItemKind::extra, "B (2002)-trailer").images, SizeIs(1));
    EXPECT_THAT(named(ItemKind::movie, "B").images, IsEmpty());
    EXPECT_EQ(count("added"), 7);
    expect_quiet_scan();
}

TEST_P(Extras, of_a_show_are_no_episodes) {
    tree.file("lib/Show/Season 05/Show.S05E01.mkv");
    tree.file("lib/Show/extras/Show.S05E01.Deleted.Scene.mkv");
    tree.file("lib/Show/Season 05/extras/Bloopers.mkv");
    tree.file("lib/Show/theme.mp3");
    tree.file("lib/Show/backdrops/loop.mp4");
    add_library(LibraryKind::tvshows, {tree.path("lib")});
    scan();
    EXPECT_THAT(items(ItemKind::episode), SizeIs(1));
    EXPECT_THAT(names(ItemKind::season), ElementsAre("Season 5"));
    EXPECT_THAT(extras(), UnorderedElementsAre("other Show S05E01 Deleted Scene of Show", "other Bloopers of Season 5",
                                               "theme_song theme of Show", "theme_video loop of Show"));
    expect_quiet_scan();
}

TEST_P(Extras, keep_their_identity_over_a_rename) {
    tree.file("lib/A (2001)/A (2001).mkv");
    tree.file("lib/A (2001)/trailers/one.mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    const auto id = only(ItemKind::extra).id;
    tree.rename("lib/A (2001)/trailers/one.mkv", "lib/A (2001)/trailers/two.mkv");
    prober.forget_opens();
    scan();
    EXPECT_EQ(prober.opens(), 0U);
    EXPECT_EQ(only(ItemKind::extra).id, id);
    EXPECT_EQ(only(ItemKind::extra).name, "two");
    tree.rename("lib/A (2001)", "lib/Better Name (2001)");
    scan();
    EXPECT_EQ(only(ItemKind::extra).id, id);
    EXPECT_EQ(only(ItemKind::extra).parent, only(ItemKind::movie).id);
    EXPECT_EQ(count("moved"), 2);
    expect_quiet_scan();
}

TEST_P(Extras, go_with_their_file_or_their_owner) {
    tree.file("lib/A (2001)/A (2001).mkv");
    tree.file("lib/A (2001)/A (2001)-trailer.mkv");
    tree.file("lib/A (2001)/extras/making of.mkv");
    const auto library = add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    ASSERT_THAT(items(ItemKind::extra), SizeIs(2));
    tree.remove("lib/A (2001)/A (2001)-trailer.mkv");
    scan();
    EXPECT_THAT(names(ItemKind::extra), ElementsAre("making of"));
    tree.remove("lib/A (2001)/A (2001).mkv");
    scan();
    EXPECT_THAT(all(), IsEmpty());
    EXPECT_THAT(tables->files.at(library), SizeIs(1)) << "known, but nobody's";
    expect_quiet_scan();
    tree.file("lib/A (2001)/A (2001).avi");
    scan();
    EXPECT_THAT(extras(), ElementsAre("other making of of A")) << "its owner is there again";
    expect_quiet_scan();
}

TEST_P(Extras, pass_to_the_film_that_takes_the_place_of_their_own) {
    tree.file("lib/A (2001)/A (2001).mkv");
    tree.file("lib/A (2001)/extras/making of.mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    const auto film = only(ItemKind::movie).id;
    tree.remove("lib/A (2001)/A (2001).mkv");
    tree.file("lib/A (2001)/Another (1999).mkv");
    scan();
    ASSERT_THAT(items(ItemKind::movie), SizeIs(1));
    EXPECT_THAT(items(ItemKind::extra), SizeIs(1));
    EXPECT_EQ(only(ItemKind::extra).parent, only(ItemKind::movie).id) << film.str();
    expect_quiet_scan();
}

TEST_P(Extras, do_not_follow_a_film_that_leaves_them_behind) {
    tree.file("lib/A (2001)/A (2001).mkv");
    tree.file("lib/A (2001)/trailers/one.mkv");
    tree.file("lib/A (2001)/A (2001)-deleted.mkv");
    const auto library = add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    const auto film = only(ItemKind::movie).id;
    ASSERT_THAT(items(ItemKind::extra), SizeIs(2));
    tree.folder("lib/Elsewhere");
    tree.rename("lib/A (2001)/A (2001).mkv", "lib/Elsewhere/A (2001).mkv");
    prober.forget_opens();
    scan();
    EXPECT_EQ(prober.opens(), 0U);
    EXPECT_EQ(only(ItemKind::movie).id, film);
    EXPECT_THAT(items(ItemKind::extra), IsEmpty());
    EXPECT_THAT(tables->files.at(library), SizeIs(3)) << "known, but nobody's";
    expect_quiet_scan();
    tree.file("lib/A (2001)/B (2001).mkv");
    scan();
    EXPECT_THAT(extras(), UnorderedElementsAre("trailer one of " + named_other(film),
                                               "deleted_scene A (2001)-deleted of " + named_other(film)));
    expect_quiet_scan();
}

TEST_P(Extras, pass_to_the_film_that_comes_while_their_own_leaves) {
    tree.file("lib/A (2001)/A (2001).mkv");
    tree.file("lib/A (2001)/trailers/one.mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    const auto film = only(ItemKind::movie).id;
    const auto extra = only(ItemKind::extra).id;
    tree.folder("lib/Elsewhere");
    tree.rename("lib/A (2001)/A (2001).mkv", "lib/Elsewhere/A (2001).mkv");
    tree.file("lib/A (2001)/Another (1999).mkv");
    scan();
    ASSERT_THAT(items(ItemKind::movie), SizeIs(2));
    EXPECT_NE(only(ItemKind::extra).parent, film);
    EXPECT_TRUE(tables->items.contains(only(ItemKind::extra).parent));
    EXPECT_EQ(only(ItemKind::extra).id, extra);
    expect_quiet_scan();
}

TEST_P(Extras, stay_with_a_film_that_is_renamed_in_its_folder) {
    tree.file("lib/A (2001)/A (2001).mkv");
    tree.file("lib/A (2001)/trailers/one.mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    const auto film = only(ItemKind::movie).id;
    const auto extra = only(ItemKind::extra).id;
    tree.rename("lib/A (2001)/A (2001).mkv", "lib/A (2001)/A.mkv");
    scan();
    EXPECT_EQ(only(ItemKind::movie).id, film);
    EXPECT_EQ(only(ItemKind::extra).id, extra);
    EXPECT_EQ(only(ItemKind::extra).parent, film);
    EXPECT_EQ(count("described"), 0);
    // Nobody can claim the folder alone now: what is there stays with whom it was, what comes is nobody's.
    tree.file("lib/A (2001)/B.mkv");
    tree.file("lib/A (2001)/trailers/two.mkv");
    scan();
    EXPECT_EQ(only(ItemKind::extra).parent, film);
    expect_quiet_scan();
    tree.remove("lib/A (2001)/B.mkv");
    scan();
    ASSERT_THAT(items(ItemKind::extra), SizeIs(2));
    for (const auto& one : items(ItemKind::extra)) EXPECT_EQ(one.parent, film);
    expect_quiet_scan();
}

TEST_P(Extras, do_not_follow_a_show_that_leaves_them_behind) {
    tree.file("lib/Show/Season 1/Show.S01E01.mkv");
    tree.file("lib/Show/extras/Bloopers.mkv");
    add_library(LibraryKind::tvshows, {tree.path("lib")});
    scan();
    const auto show = only(ItemKind::series).id;
    ASSERT_THAT(items(ItemKind::extra), SizeIs(1));
    tree.folder("lib/Better Show");
    tree.rename("lib/Show/Season 1", "lib/Better Show/Season 1");
    scan();
    EXPECT_EQ(only(ItemKind::series).id, show) << "it moved";
    EXPECT_THAT(items(ItemKind::extra), IsEmpty());
    expect_quiet_scan();
    tree.file("lib/Show/Season 2/Show.S02E01.mkv");
    scan();
    EXPECT_THAT(extras(), ElementsAre("other Bloopers of Show"));
    expect_quiet_scan();
}

TEST_P(Extras, that_nobody_owns_are_known_and_no_items) {
    tree.file("lib/Collection/A (2001).mkv");
    tree.file("lib/Collection/B (2002).mkv");
    tree.file("lib/Collection/extras/making of.mkv");
    tree.file("lib/C (2003)-trailer.mkv");
    tree.file("lib/D (2004)/VIDEO_TS/VIDEO_TS.VOB");
    tree.file("lib/D (2004)/VIDEO_TS/VTS_01_1.VOB");
    const auto library = add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_THAT(names(ItemKind::movie), UnorderedElementsAre("A", "B", "D"));
    EXPECT_THAT(items(ItemKind::extra), IsEmpty());
    EXPECT_THAT(tables->files.at(library), SizeIs(6));
    EXPECT_EQ(count("added"), 3);
    expect_quiet_scan();
    tree.file("lib/C (2003).mkv");
    scan();
    EXPECT_THAT(extras(), ElementsAre("trailer C (2003)-trailer of C"));
    expect_quiet_scan();
}

TEST_P(Extras, that_came_before_their_film_are_taken_up_with_it) {
    tree.file("lib/A (2001)-trailer.mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_THAT(all(), IsEmpty());
    expect_quiet_scan();
    tree.file("lib/A (2001).mkv");
    scan();
    EXPECT_THAT(extras(), ElementsAre("trailer A (2001)-trailer of A"));
    expect_quiet_scan();
}

TEST_P(Extras, of_a_library_that_is_away_stay_unavailable) {
    tree.file("lib/A (2001)/A (2001).mkv");
    tree.file("lib/A (2001)/extras/making of.mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    tree.rename("lib", "away");
    tree.folder("lib");
    scan();
    EXPECT_THAT(all(), SizeIs(2));
    for (const auto& [id, item] : all()) EXPECT_FALSE(item.available);
    tree.remove("lib");
    tree.rename("away", "lib");
    scan();
    for (const auto& [id, item] : all()) EXPECT_TRUE(item.available);
    // The film alone is away: what lies beside it does not bring it back.
    files->fail_status(tree.path("lib/A (2001)/A (2001).mkv"), EIO);
    scan();
    EXPECT_FALSE(only(ItemKind::movie).available);
    EXPECT_TRUE(only(ItemKind::extra).available);
}

TEST_P(Extras, a_show_that_lost_its_last_episode_goes_with_its_extras) {
    tree.file("lib/Show/Season 1/Show.S01E01.mkv");
    tree.file("lib/Show/extras/Bloopers.mkv");
    add_library(LibraryKind::tvshows, {tree.path("lib")});
    scan();
    ASSERT_THAT(all(), SizeIs(4));
    tree.remove("lib/Show/Season 1");
    scan();
    EXPECT_THAT(all(), IsEmpty());
    expect_quiet_scan();
}

TEST_P(Extras, a_picture_that_comes_later_is_taken_up_without_a_probe) {
    tree.file("lib/A (2001)/A (2001).mkv");
    tree.file("lib/A (2001)/trailers/one.mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    tree.file("lib/A (2001)/trailers/one.jpg");
    expect_scan_reads({});
    EXPECT_THAT(only(ItemKind::extra).images, SizeIs(1));
    EXPECT_EQ(only(ItemKind::extra).parent, only(ItemKind::movie).id);
    expect_quiet_scan();
}

INSTANTIATE_TEST_SUITE_P(Stores, Extras, all_stores(), store_name);

}  // namespace
}  // namespace understudy::library
