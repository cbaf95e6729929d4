// Rule 2: identity outlives a rename.
#include "library/identity.h"
#include "unit/library/scan_fixture.h"

namespace understudy::library {
namespace {

using model::ItemKind;
using model::LibraryKind;
using ::testing::ElementsAre;
using testing::film;
using ::testing::IsEmpty;
using testing::song;
using ::testing::UnorderedElementsAre;

class Identity : public ScanTest {};

TEST_P(Identity, a_renamed_film_keeps_its_id_and_is_not_opened_again) {
    tree.file("lib/A (2001)/A (2001).mkv");
    tree.file("lib/B (2002)/B (2002).mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    prober.say(".mkv", film(720));
    scan();
    const auto before = ids(ItemKind::movie);
    prober.forget_opens();
    tree.rename("lib/A (2001)", "lib/Z (2001)");
    tree.rename("lib/Z (2001)/A (2001).mkv", "lib/Z (2001)/Z (2001).mkv");
    scan();
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("B", "Z"));
    EXPECT_EQ(ids(ItemKind::movie).at("Z"), before.at("A"));
    EXPECT_THAT(prober.opened(), IsEmpty());
    EXPECT_EQ(count("moved"), 1);
    EXPECT_EQ(count("added"), 0);
    const auto item = tables->items.at(before.at("A"));
    ASSERT_EQ(item.sources.size(), 1U);
    EXPECT_THAT(paths_of(item), ElementsAre("lib/Z (2001)/Z (2001).mkv"));
    EXPECT_EQ(item.sources[0].info.streams.at(0).height, 720) << "what was learnt stays";
    EXPECT_EQ(tables->files.begin()->second.size(), 2U);
    scan();
    EXPECT_EQ(count("unchanged"), 2);
}

TEST_P(Identity, a_library_put_back_renamed_inside_loses_nothing) {
    for (int i = 1; i <= 3; ++i) {
        tree.file("lib/Show/Season 01/Show S01E0" + std::to_string(i) + ".mkv");
        tree.file("lib/Show/Season 02/Show S02E0" + std::to_string(i) + ".mkv");
    }
    add_library(LibraryKind::tvshows, {tree.path("lib")});
    scan();
    const auto before = all();
    ASSERT_EQ(before.size(), 9U);
    tree.rename("lib", "away");
    scan();
    EXPECT_EQ(all().size(), 9U);
    tree.rename("away/Show", "away/The Show (2010)");
    tree.rename("away/The Show (2010)/Season 01", "away/The Show (2010)/S01");
    tree.rename("away", "lib");
    scan();
    EXPECT_EQ(all().size(), 9U);
    for (const auto& [id, item] : all()) {
        EXPECT_TRUE(before.contains(id)) << item.name;
        EXPECT_TRUE(item.available) << item.name;
    }
    EXPECT_THAT(names(ItemKind::series), ElementsAre("The Show"));
    EXPECT_EQ(prober.opens(), 6U) << "only the first scan opened files";
    EXPECT_EQ(count("moved"), 6);
}

TEST_P(Identity, a_copy_on_another_disc_is_known_by_size_time_and_content) {
    tree.file("old/A (2001)/A (2001).mkv");
    tree.file("old/B (2002)/B (2002).mkv");
    const auto library = add_library(LibraryKind::movies, {tree.path("old"), tree.path("new")});
    tree.folder("new");
    scan();
    const auto before = ids(ItemKind::movie);
    prober.forget_opens();
    tree.copy("old/A (2001)/A (2001).mkv", "new/A renamed (2001)/A renamed (2001).mkv");
    tree.copy("old/B (2002)/B (2002).mkv", "new/B renamed (2002)/B renamed (2002).mkv");
    tree.remove("old/A (2001)");
    tree.remove("old/B (2002)");
    tree.file("old/C (2003)/C (2003).mkv");
    scan();
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("A renamed", "B renamed", "C"));
    EXPECT_EQ(ids(ItemKind::movie).at("A renamed"), before.at("A"));
    EXPECT_EQ(ids(ItemKind::movie).at("B renamed"), before.at("B"));
    EXPECT_EQ(prober.opens(), 3U) << "each new file once, its sample included";
    EXPECT_EQ(tables->files[library].size(), 3U);
}

TEST_P(Identity, the_same_size_and_time_with_other_content_is_another_film) {
    tree.file("lib/A (2001)/A (2001).mkv", "0123456789");
    tree.set_mtime("lib/A (2001)/A (2001).mkv", 1'000'000'000);
    tree.file("lib/X (2000)/X (2000).mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    const auto before = ids(ItemKind::movie);
    tree.file("lib/B (2002)/B (2002).mkv", "9876543210");
    tree.set_mtime("lib/B (2002)/B (2002).mkv", 1'000'000'000);
    tree.remove("lib/A (2001)");
    scan();
    EXPECT_NE(ids(ItemKind::movie).at("B"), before.at("A"));
    EXPECT_FALSE(tables->items.contains(before.at("A")));
}

TEST_P(Identity, provider_ids_join_a_film_with_its_re_encoded_copy_elsewhere) {
    tree.file("lib/The Matrix (1999) [tmdbid-603]/The Matrix (1999).mkv");
    tree.file("lib/X (2000)/X (2000).mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    const auto before = ids(ItemKind::movie);
    tree.file("lib/Matrix 4K (1999) [tmdbid-603]/Matrix 4K (1999).mkv");
    tree.remove("lib/The Matrix (1999) [tmdbid-603]");
    scan();
    EXPECT_EQ(ids(ItemKind::movie).at("Matrix 4K"), before.at("The Matrix"));
    EXPECT_EQ(all().size(), 2U);
}

TEST_P(Identity, provider_ids_join_a_series_with_its_new_folder) {
    tree.file("lib/Show [tvdbid-77]/Season 1/Show S01E01.mkv");
    tree.file("lib/X/Season 1/X S01E01.mkv");
    add_library(LibraryKind::tvshows, {tree.path("lib")});
    scan();
    const auto series = ids(ItemKind::series).at("Show");
    tree.file("lib/Show again [tvdbid-77]/Season 1/Show again S01E01 new.mkv");
    tree.remove("lib/Show [tvdbid-77]");
    scan();
    EXPECT_EQ(ids(ItemKind::series).at("Show again"), series);
    EXPECT_EQ(items(ItemKind::episode).size(), 2U);
}

TEST_P(Identity, a_better_copy_in_the_same_folder_is_the_same_film) {
    tree.file("lib/A (2001)/A (2001) - 720p.mkv");
    tree.file("lib/flat (2003).avi");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    const auto before = ids(ItemKind::movie);
    tree.remove("lib/A (2001)/A (2001) - 720p.mkv");
    tree.file("lib/A (2001)/A (2001) - 2160p.mkv");
    tree.remove("lib/flat (2003).avi");
    tree.file("lib/Flat.2003.1080p.mkv");
    scan();
    EXPECT_EQ(all().size(), 2U);
    for (const auto& [name, id] : before) EXPECT_TRUE(tables->items.contains(id)) << name;
    EXPECT_THAT(paths_of(tables->items.at(before.at("A"))), ElementsAre("lib/A (2001)/A (2001) - 2160p.mkv"));
}

TEST_P(Identity, a_better_copy_of_an_episode_is_the_same_episode) {
    tree.file("lib/Show/Season 01/Show.S01E01.720p.mkv");
    add_library(LibraryKind::tvshows, {tree.path("lib")});
    scan();
    const auto id = only(ItemKind::episode).id;
    tree.remove("lib/Show/Season 01/Show.S01E01.720p.mkv");
    tree.file("lib/Show/Season 01/Show.S01E01.1080p.mkv");
    scan();
    EXPECT_EQ(only(ItemKind::episode).id, id);
    EXPECT_EQ(only(ItemKind::episode).sources.size(), 1U);
}

TEST_P(Identity, a_renamed_album_folder_without_tags_keeps_album_and_artist) {
    for (int i = 1; i <= 3; ++i)
        tree.file("lib/Artist/Album/0" + std::to_string(i) + " - Song " + std::to_string(i) + ".mp3");
    add_library(LibraryKind::music, {tree.path("lib")});
    scan();
    const auto before = all();
    ASSERT_EQ(before.size(), 5U);
    tree.rename("lib/Artist/Album", "lib/Artist/The Album (2001)");
    tree.rename("lib/Artist", "lib/The Artist");
    scan();
    EXPECT_EQ(all().size(), 5U);
    for (const auto& [id, item] : all()) EXPECT_TRUE(before.contains(id)) << item.name;
    EXPECT_THAT(names(ItemKind::album), ElementsAre("The Album"));
    EXPECT_THAT(names(ItemKind::artist), ElementsAre("The Artist"));
}

TEST_P(Identity, an_album_whose_tags_are_all_corrected_keeps_its_id) {
    for (int i = 1; i <= 2; ++i) {
        const auto name = std::to_string(i) + ".flac";
        tree.file("lib/x/" + name);
        prober.say("x/" + name, song("Song " + std::to_string(i), "Artist", "Albun", i));
    }
    add_library(LibraryKind::music, {tree.path("lib")});
    scan();
    const auto album = only(ItemKind::album).id;
    for (int i = 1; i <= 2; ++i) {
        const auto name = std::to_string(i) + ".flac";
        tree.append("lib/x/" + name, "new tags");
        prober.say("x/" + name, song("Song " + std::to_string(i), "Artist", "Album", i));
    }
    scan();
    EXPECT_EQ(only(ItemKind::album).name, "Album");
    EXPECT_EQ(only(ItemKind::album).id, album);
    EXPECT_EQ(count("changed"), 2);
}

TEST_P(Identity, one_file_of_two_versions_moved_out_leaves_the_film_where_it_was) {
    tree.file("lib/A (2001)/A (2001) - 720p.mkv");
    tree.file("lib/A (2001)/A (2001) - 1080p.mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    const auto id = only(ItemKind::movie).id;
    tree.rename("lib/A (2001)/A (2001) - 720p.mkv", "lib/B (2002)/B (2002).mkv");
    scan();
    EXPECT_EQ(ids(ItemKind::movie).at("A"), id);
    EXPECT_EQ(tables->items.at(id).sources.size(), 1U);
    EXPECT_EQ(all().size(), 2U);
}

TEST_P(Identity, films_that_swap_folders_keep_their_ids) {
    tree.file("lib/A (2001)/a.mkv");
    tree.file("lib/B (2002)/b.mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    const auto before = ids(ItemKind::movie);
    tree.rename("lib/A (2001)", "lib/tmp");
    tree.rename("lib/B (2002)", "lib/A (2001)");
    tree.rename("lib/tmp", "lib/B (2002)");
    scan();
    const auto after = ids(ItemKind::movie);
    EXPECT_EQ(after.at("A"), before.at("B")) << "the bytes that were B are called A now";
    EXPECT_EQ(after.at("B"), before.at("A"));
}

INSTANTIATE_TEST_SUITE_P(stores, Identity, all_stores(), store_name);

TEST(PairUp, gives_the_longest_common_ending_first_then_path_order) {
    const std::vector<std::string> gone{"/l/a/x.mkv", "/l/b/y.mkv", "/l/c/z.mkv"};
    const std::vector<std::string> found{"/n/1/y.mkv", "/n/2/x.mkv", "/n/3/q.mkv", "/n/4/r.mkv"};
    const auto traces = [](std::size_t count) {
        std::vector<Trace> list;
        for (std::uint32_t i = 0; i < count; ++i) list.push_back({{1, 2, 3, 4}, i});
        return list;
    };
    const auto pairs = pair_up(
        traces(gone.size()), traces(found.size()), [&](std::uint32_t i) { return gone[i]; },
        [&](std::uint32_t i) { return found[i]; });
    EXPECT_THAT(pairs, UnorderedElementsAre(std::pair(0U, 1U), std::pair(1U, 0U), std::pair(2U, 2U)));
}

TEST(PairUp, copes_with_thousands_of_copies_of_one_file) {
    constexpr std::uint32_t count = 20'000;
    const auto path = [](const char* top, std::uint32_t i) {
        return std::string(top) + "/" + std::to_string(i / 100) + "/" + std::to_string(i) + ".mp3";
    };
    std::vector<Trace> gone, found;
    for (std::uint32_t i = 0; i < count; ++i) gone.push_back({{1, 1, 1, 1}, i}), found.push_back({{1, 1, 1, 1}, i});
    const auto pairs = pair_up(
        gone, found, [&](std::uint32_t i) { return path("/old", i); },
        [&](std::uint32_t i) { return path("/new", i); });
    ASSERT_EQ(pairs.size(), count);
    for (const auto& [from, to] : pairs) ASSERT_EQ(from, to);
}

}  // namespace
}  // namespace understudy::library
