// Pictures, subtitles and sound beside media become part of the items, without opening anything.
#include <algorithm>

#include "unit/library/describe_fixture.h"

namespace understudy::library {
namespace {

using model::ItemKind;
using model::LibraryKind;
using ::testing::ElementsAre;
using testing::film;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::song;

class Pictures : public DescribeTest {};

TEST_P(Pictures, of_a_film_with_extra_fanart_behind_the_plain_backdrops) {
    tree.file("lib/A (2001)/A (2001).mkv");
    tree.file("lib/A (2001)/folder.jpg");
    tree.file("lib/A (2001)/A (2001)-poster.jpg");
    tree.file("lib/A (2001)/fanart.jpg");
    tree.file("lib/A (2001)/logo.png");
    tree.file("lib/A (2001)/extrafanart/two.jpg");
    tree.file("lib/A (2001)/extrafanart/one.jpg");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_THAT(images_of(only(ItemKind::movie)),
                ElementsAre("Primary A (2001)/A (2001)-poster.jpg", "Backdrop A (2001)/fanart.jpg",
                            "Backdrop A (2001)/extrafanart/one.jpg", "Backdrop A (2001)/extrafanart/two.jpg",
                            "Logo A (2001)/logo.png"));
    EXPECT_GT(only(ItemKind::movie).images.at(0).size_bytes, 0);
    EXPECT_GT(only(ItemKind::movie).images.at(0).mtime_ns, 0);
    tree.remove("lib/A (2001)/extrafanart");
    tree.remove("lib/A (2001)/A (2001)-poster.jpg");
    expect_scan_reads({});
    EXPECT_THAT(images_of(only(ItemKind::movie)),
                ElementsAre("Primary A (2001)/folder.jpg", "Backdrop A (2001)/fanart.jpg", "Logo A (2001)/logo.png"));
    expect_quiet_scan();
}

TEST_P(Pictures, that_come_later_are_taken_up_without_a_probe) {
    tree.file("lib/A (2001)/A (2001).mkv");
    tree.file("lib/B (2002).mkv");
    tree.file("lib/B (2002) - 4K.mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_THAT(named(ItemKind::movie, "A").images, IsEmpty());
    tree.file("lib/A (2001)/poster.jpg");
    tree.file("lib/B (2002)-poster.jpg");
    expect_scan_reads({});
    EXPECT_THAT(images_of(named(ItemKind::movie, "A")), ElementsAre("Primary A (2001)/poster.jpg"));
    EXPECT_THAT(images_of(named(ItemKind::movie, "B")), ElementsAre("Primary B (2002)-poster.jpg"));
    EXPECT_THAT(items(ItemKind::movie), SizeIs(2));
    expect_quiet_scan();
    const auto before = named(ItemKind::movie, "A").images.at(0);
    tree.append("lib/A (2001)/poster.jpg", "more");
    expect_scan_reads({});
    EXPECT_GT(named(ItemKind::movie, "A").images.at(0).size_bytes, before.size_bytes);
}

TEST_P(Pictures, that_no_client_can_be_sent_are_not_taken_up_and_let_go_where_they_were) {
    tree.file("lib/A (2001)/A (2001).mkv");
    tree.file("lib/A (2001)/poster.svg");
    const auto library = add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_THAT(only(ItemKind::movie).images, IsEmpty());
    EXPECT_THAT(tables->files.at(library), SizeIs(1));
    expect_quiet_scan();
    // As a version left it that took the file for a picture.
    store::ScanBatch batch;
    batch.library = library;
    batch.upsert_items = {only(ItemKind::movie)};
    batch.upsert_items[0].images = {{model::ImageKind::primary, tree.path("lib/A (2001)/poster.svg"), 1, 1}};
    batch.upsert_files.emplace_back().file = {tree.path("lib/A (2001)/poster.svg"), 1, 1, 1, 1};
    ASSERT_TRUE(run->commit(std::nullopt, [&](const core::Fence& fence) { return scan_store->apply(batch, fence); }));
    look();
    ASSERT_THAT(only(ItemKind::movie).images, SizeIs(1));
    prober.forget_opens();
    scan();
    EXPECT_EQ(prober.opens(), 0U);
    EXPECT_THAT(only(ItemKind::movie).images, IsEmpty());
    EXPECT_THAT(tables->files.at(library), SizeIs(1));
    expect_quiet_scan();
}

TEST_P(Pictures, of_a_folder_are_a_films_while_it_is_alone_there) {
    tree.file("lib/Cat Movie (2001)/Cat.mkv");
    tree.file("lib/Cat Movie (2001)/poster.jpg");
    tree.file("lib/Cat Movie (2001)/fanart.jpg");
    tree.file("lib/Cat Movie (2001)/Cat-logo.png");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    const auto cat = only(ItemKind::movie);
    const std::vector<std::string> own{"Logo Cat Movie (2001)/Cat-logo.png"};
    const std::vector<std::string> all{"Primary Cat Movie (2001)/poster.jpg", "Backdrop Cat Movie (2001)/fanart.jpg",
                                       "Logo Cat Movie (2001)/Cat-logo.png"};
    EXPECT_EQ(cat.name, "Cat Movie");
    EXPECT_EQ(images_of(cat), all);
    expect_quiet_scan();
    prober.forget_opens();
    tree.file("lib/Cat Movie (2001)/Dog.mkv");
    scan();
    EXPECT_EQ(prober.opens(), 1U);
    EXPECT_EQ(named(ItemKind::movie, "Cat").id, cat.id);
    EXPECT_EQ(images_of(named(ItemKind::movie, "Cat")), own);
    EXPECT_THAT(images_of(named(ItemKind::movie, "Dog")), IsEmpty());
    expect_quiet_scan();
    tree.file("lib/Cat Movie (2001)/Emu.mkv");
    scan();
    EXPECT_EQ(count("described"), 0) << "nothing changed for the others";
    tree.remove("lib/Cat Movie (2001)/Dog.mkv");
    tree.remove("lib/Cat Movie (2001)/Emu.mkv");
    prober.forget_opens();
    scan();
    EXPECT_EQ(prober.opens(), 0U);
    EXPECT_EQ(only(ItemKind::movie).id, cat.id);
    EXPECT_EQ(only(ItemKind::movie).name, "Cat Movie");
    EXPECT_EQ(images_of(only(ItemKind::movie)), all);
    expect_quiet_scan();
}

TEST_P(Pictures, of_shows_seasons_and_episodes) {
    tree.file("lib/Show/Season 01/Show - S01E01 - One.mkv");
    tree.file("lib/Show/Season 02/Show - S02E01 - Two.mkv");
    tree.file("lib/Show/poster.jpg");
    tree.file("lib/Show/season01-poster.jpg");
    tree.file("lib/Show/Season 01/Show - S01E01 - One-thumb.jpg");
    add_library(LibraryKind::tvshows, {tree.path("lib")});
    scan();
    EXPECT_THAT(images_of(only(ItemKind::series)), ElementsAre("Primary Show/poster.jpg"));
    EXPECT_THAT(images_of(named(ItemKind::season, "Season 1")), ElementsAre("Primary Show/season01-poster.jpg"));
    EXPECT_THAT(images_of(named(ItemKind::season, "Season 2")), IsEmpty());
    EXPECT_THAT(images_of(named(ItemKind::episode, "One")),
                ElementsAre("Primary Show/Season 01/Show - S01E01 - One-thumb.jpg"));
    tree.file("lib/Show/season02-poster.jpg");
    tree.file("lib/Show/Season 02/banner.jpg");
    expect_scan_reads({});
    EXPECT_THAT(images_of(named(ItemKind::season, "Season 2")),
                ElementsAre("Primary Show/season02-poster.jpg", "Banner Show/Season 02/banner.jpg"));
    EXPECT_THAT(images_of(only(ItemKind::series)), ElementsAre("Primary Show/poster.jpg"));
    expect_quiet_scan();
}

TEST_P(Pictures, of_artists_and_albums) {
    tree.file("lib/Artist/folder.jpg");
    tree.file("lib/Artist/Album/folder.jpg");
    tree.file("lib/Artist/Album/CD1/01.flac");
    tree.file("lib/Artist/Album/CD2/02.flac");
    prober.say("01.flac", song("One", "Artist", "Album", 1));
    prober.say("02.flac", song("Two", "Artist", "Album", 2));
    add_library(LibraryKind::music, {tree.path("lib")});
    scan();
    EXPECT_THAT(images_of(only(ItemKind::artist)), ElementsAre("Primary Artist/folder.jpg"));
    EXPECT_THAT(images_of(only(ItemKind::album)), ElementsAre("Primary Artist/Album/folder.jpg"));
    EXPECT_THAT(images_of(named(ItemKind::track, "One")), IsEmpty());
    tree.remove("lib/Artist/Album/folder.jpg");
    tree.file("lib/Artist/Album/fanart.jpg");
    expect_scan_reads({});
    EXPECT_THAT(images_of(only(ItemKind::album)), ElementsAre("Backdrop Artist/Album/fanart.jpg"));
    EXPECT_THAT(items(ItemKind::track), SizeIs(2));
    expect_quiet_scan();
}

TEST_P(Pictures, stay_where_their_folder_cannot_be_looked_at) {
    tree.file("lib/A (2001)/A (2001).mkv");
    nfo("lib/A (2001)/movie.nfo", "movie", "<title>One</title>");
    tree.file("lib/A (2001)/poster.jpg");
    tree.file("lib/A (2001)/extrafanart/1.jpg");
    tree.file("lib/B (2002)/B (2002).mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    files->fail_open(tree.path("lib/A (2001)/extrafanart"), EACCES);
    tree.file("lib/A (2001)/fanart.jpg");
    scan();
    EXPECT_THAT(images_of(named(ItemKind::movie, "One")),
                ElementsAre("Primary A (2001)/poster.jpg", "Backdrop A (2001)/fanart.jpg",
                            "Backdrop A (2001)/extrafanart/1.jpg"));
    files->fail_open(tree.path("lib/A (2001)"), EACCES);
    scan();
    EXPECT_EQ(named(ItemKind::movie, "One").images.size(), 3U);
    EXPECT_FALSE(named(ItemKind::movie, "One").available);
    files->fail_open(tree.path("lib/A (2001)"), 0);
    files->fail_open(tree.path("lib/A (2001)/extrafanart"), 0);
    scan();
    EXPECT_TRUE(named(ItemKind::movie, "One").available);
    EXPECT_EQ(named(ItemKind::movie, "One").images.size(), 3U);
    expect_quiet_scan();
}

TEST_P(Pictures, of_a_library_that_is_away_stay) {
    tree.file("lib/A (2001)/A (2001).mkv");
    nfo("lib/A (2001)/movie.nfo", "movie", "<title>One</title>");
    tree.file("lib/A (2001)/poster.jpg");
    tree.file("lib/A (2001)/A (2001).de.srt");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    const auto before = only(ItemKind::movie);
    tree.rename("lib", "away");
    tree.folder("lib");
    scan();
    EXPECT_EQ(only(ItemKind::movie).name, "One");
    EXPECT_EQ(only(ItemKind::movie).images, before.images);
    EXPECT_THAT(only(ItemKind::movie).sources.at(0).external, SizeIs(1));
    tree.remove("lib");
    tree.rename("away", "lib");
    expect_scan_reads({});
    EXPECT_EQ(only(ItemKind::movie).name, "One");
    EXPECT_EQ(only(ItemKind::movie).images, before.images);
    EXPECT_TRUE(only(ItemKind::movie).available);
}

TEST_P(Pictures, subtitles_and_sound_belong_to_the_file_they_are_named_after) {
    tree.file("lib/A (2001)/A (2001).mkv");
    tree.file("lib/A (2001)/A (2001).de.forced.srt");
    tree.file("lib/A (2001)/A (2001).mka");
    tree.file("lib/A (2001)/Subs/2_English.srt");
    tree.file("lib/Show/Show - S01E01.mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    const auto found = named(ItemKind::movie, "A").sources.at(0).external;
    ASSERT_THAT(found, SizeIs(3));
    const auto german =
        std::ranges::find(found, std::string("ger"), [](const auto& one) { return one.stream.language; });
    ASSERT_NE(german, found.end());
    EXPECT_TRUE(german->stream.is_forced);
    EXPECT_EQ(german->stream.codec, "subrip");
    EXPECT_EQ(german->path, tree.path("lib/A (2001)/A (2001).de.forced.srt"));
    EXPECT_GT(german->size_bytes, 0);
    EXPECT_TRUE(std::ranges::any_of(found, [](const auto& one) { return one.stream.language == "eng"; }));
    EXPECT_TRUE(
        std::ranges::any_of(found, [](const auto& one) { return one.stream.kind == model::StreamKind::audio; }));
    tree.remove("lib/A (2001)/A (2001).de.forced.srt");
    expect_scan_reads({});
    EXPECT_THAT(named(ItemKind::movie, "A").sources.at(0).external, SizeIs(2));
    tree.file("lib/A (2001)/A (2001).fr.srt");
    expect_scan_reads({});
    EXPECT_THAT(named(ItemKind::movie, "A").sources.at(0).external, SizeIs(3));
    expect_quiet_scan();
}

TEST_P(Pictures, subtitles_in_a_seasons_folder_go_to_their_episodes) {
    tree.file("lib/Show/Season 1/Show - S01E01.mkv");
    tree.file("lib/Show/Season 1/Show - S01E02.mkv");
    tree.file("lib/Show/Season 1/Subs/Show - S01E01/2_English.srt");
    tree.file("lib/Show/Season 1/Subs/Show - S01E02.de.srt");
    add_library(LibraryKind::tvshows, {tree.path("lib")});
    scan();
    const auto episodes = items(ItemKind::episode);
    ASSERT_THAT(episodes, SizeIs(2));
    ASSERT_THAT(episodes[0].sources.at(0).external, SizeIs(1));
    EXPECT_EQ(episodes[0].sources.at(0).external.at(0).stream.language, "eng");
    ASSERT_THAT(episodes[1].sources.at(0).external, SizeIs(1));
    EXPECT_EQ(episodes[1].sources.at(0).external.at(0).stream.language, "ger");
    tree.remove("lib/Show/Season 1/Subs/Show - S01E01");
    expect_scan_reads({});
    EXPECT_THAT(items(ItemKind::episode)[0].sources.at(0).external, IsEmpty());
    EXPECT_THAT(items(ItemKind::episode)[1].sources.at(0).external, SizeIs(1));
}

INSTANTIATE_TEST_SUITE_P(Stores, Pictures, all_stores(), store_name);

}  // namespace
}  // namespace understudy::library
