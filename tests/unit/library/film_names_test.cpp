// Films' names as people and other servers write them: titles, ids, versions, parts, extras.
#include <gtest/gtest.h>

#include "library/naming/entries.h"
#include "library/naming/extras.h"
#include "library/naming/movie_name.h"
#include "library/naming/parts.h"
#include "library/naming/release.h"
#include "library/naming/text.h"

namespace understudy::library::naming {
namespace {

TEST(FilmNames, keep_numbers_brackets_and_signs_that_are_the_title) {
    struct Row {
        const char* name;
        const char* title;
        int year;  ///< 0: none
    };
    constexpr Row rows[] = {
        {"[REC] (2007)", "[REC]", 2007},
        {"[REC]\xC2\xB2 (2009)", "\xC2\xB2", 2009},  // what is left of it still says which
        {"9 (2009)", "9", 2009},
        {"300 (2006)", "300", 2006},
        {"M (1931)", "M", 1931},
        {"1922 (2017)", "1922", 2017},
        {"2012.2009.1080p.BluRay.x264-GRP", "2012", 2009},
        {"Se7en (1995)", "Se7en", 1995},
        {"Ocean's Eleven (2001)", "Ocean's Eleven", 2001},
        {"Alien\xC2\xB3 (1992)", "Alien\xC2\xB3", 1992},
        {"Tin\xC4\x81 (2020)", "Tin\xC4\x81", 2020},
        {"10 Cloverfield Lane (2016)", "10 Cloverfield Lane", 2016},
        {"Apollo 13 (1995)", "Apollo 13", 1995},
        {"Fahrenheit 9-11 (2004)", "Fahrenheit 9-11", 2004},
        {"(1999) Fight Club", "Fight Club", 1999},
        {"The.Lord.of.the.Rings.2001.Extended.2160p.UHD.BluRay", "The Lord of the Rings", 2001},
        {"Movie_Title_2010_720p", "Movie Title", 2010},
        {"WALL-E (2008)", "WALL-E", 2008},
        {"Spider-Man - No Way Home (2021)", "Spider-Man - No Way Home", 2021},
        {"Kill Bill Part 2 (2004)", "Kill Bill Part 2", 2004},
        {"caf\xE9 (2001)", "caf\xEF\xBF\xBD", 2001},
        {"Film (2001) {edition-Director's Cut}", "Film", 2001},
        {"Film (1888)", "Film", 1888},
        {"Film (12345)", "Film (12345)", 0},
        {"Show (2010-2015)", "Show", 2010},
        {"Show (2010-)", "Show", 2010},
        {"Show (2015-2010)", "Show (2015-2010)", 0},
        {"", "", 0},
        {"...", "...", 0},
        {"()", "()", 0},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.name);
        const auto title = parse_title(row.name);
        EXPECT_EQ(title.name, row.title);
        EXPECT_EQ(title.year.value_or(0), row.year);
    }
}

TEST(FilmNames, give_ids_in_every_bracket_and_with_every_sign) {
    struct Row {
        const char* name;
        const char* provider;
        const char* id;  ///< empty: none
    };
    constexpr Row rows[] = {
        {"X (2000) [tmdbid-603]", "Tmdb", "603"},
        {"X (2000) [tmdbid=603]", "Tmdb", "603"},
        {"X (2000) {tmdb-603}", "Tmdb", "603"},
        {"X (2000) {tmdb=603}", "Tmdb", "603"},
        {"X (2000) {tmdb:603}", "Tmdb", "603"},
        {"X (2000) [imdbid-tt0133093]", "Imdb", "tt0133093"},
        {"X (2000) {imdb-tt0133093}", "Imdb", "tt0133093"},
        {"X (2000) [tt0133093]", "Imdb", "tt0133093"},
        {"X (2000) (tt0133093)", "Imdb", "tt0133093"},
        {"X {tvdb-79169}", "Tvdb", "79169"},
        {"X [TVDBID-79169]", "Tvdb", "79169"},
        {"X [anidb-69]", "AniDb", "69"},
        {"X [tvmazeid=5]", "TvMaze", "5"},
        {"X [tmdbid-]", "Tmdb", ""},
        {"X [tmdbid-6\xC3\xA9]", "Tmdb", ""},
        {"X [tmdbid-603", "Tmdb", ""},
        {"X [ttyl]", "Imdb", ""},
        {"X [tmdbid 603]", "Tmdb", ""},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.name);
        const auto title = parse_title(row.name);
        const auto found = title.provider_ids.find(row.provider);
        EXPECT_EQ(found == title.provider_ids.end() ? "" : found->second, row.id);
        if (*row.id != '\0') {
            EXPECT_EQ(title.name, "X");
        }
    }
}

TEST(FilmNames, group_versions_and_parts_of_one_film) {
    struct Row {
        const char* folder;
        const char* stem;
        const char* group;
        const char* version;
        int part;
        const char* title;
    };
    constexpr Row rows[] = {
        {"A (2001)", "A (2001) - 1080p", "", "1080p", 0, "A"},
        {"A (2001)", "A (2001) - [1080p]", "", "1080p", 0, "A"},
        {"A (2001)", "A (2001) [Director's Cut]", "", "Director's Cut", 0, "A"},
        {"A (2001)", "A (2001) {edition-Director's Cut}", "", "Director's Cut", 0, "A"},
        {"A (2001)", "A (2001) {edition-Final Cut} - 4K", "", "Final Cut 4K", 0, "A"},
        {"A (2001) {edition-Final Cut}", "A (2001) {edition-Final Cut}", "", "Final Cut", 0, "A"},
        {"A (2001)", "A (2001) (Extended)", "", "Extended", 0, "A"},
        {"A (2001)", "A (2001).2160p.x265", "", "2160p x265", 0, "A"},
        {"A (2001)", "A (2001) [tmdbid-9] - 4K", "", "4K", 0, "A"},
        {"A (2001) [imdbid=tt0133093]", "A (2001) - 720p", "", "720p", 0, "A"},
        {"A (2001)", "A (2001) - Bonus Version", "", "Bonus Version", 0, "A"},
        {"Amélie (2001)", "Ame\xCC\x81lie (2001) - 4K", "", "4K", 0, "Amélie"},
        {"Amélie (2001)", "Amelie (2001) - 4K", "", "4K", 0, "Amélie"},
        {"A (2001)", "A (2001) cd1", "", "", 1, "A"},
        {"A (2001)", "A (2001)-CD2", "", "", 2, "A"},
        {"A (2001)", "A (2001) disc a", "", "", 1, "A"},
        {"A (2001)", "A (2001) - part 2", "", "", 2, "A"},
        {"A (2001)", "A (2001) pt1", "", "", 1, "A"},
        {"A (2001)", "A (2001).cd1.720p", "", "720p", 1, "A"},
        {"A (2001)", "A part 2", "", "", 2, "A"},
        {"A (2001)", "A (2001) [cd1]", "", "", 1, "A"},
        {"", "A (2001) part 1", "A (2001)", "", 1, "A"},
        {"", "A (2001) - 1080p cd2", "A (2001)", "1080p", 2, "A"},
        {"", "A.2001.cd1", "A.2001", "", 1, "A"},
        {"", "A.part2", "A", "", 2, "A"},
        {"", "A (2001) 1080p", "A (2001)", "1080p", 0, "A"},
        {"", "A (2001) (Extended)", "A (2001)", "Extended", 0, "A"},
        // Titles that hold a part:
        {"", "Kill Bill Part 2 (2004)", "Kill Bill Part 2 (2004)", "", 0, "Kill Bill Part 2"},
        {"", "Kill.Bill.Part.2.2004.1080p", "Kill.Bill.Part.2.2004.1080p", "", 0, "Kill Bill Part 2"},
        {"Dune Part 2", "Dune Part 2", "", "", 0, "Dune Part 2"},
        {"Films", "Harry Potter and the Deathly Hallows Part 1", "Harry Potter and the Deathly Hallows Part 1", "", 0,
         "Harry Potter and the Deathly Hallows Part 1"},
        {"", "Film DVD9", "Film DVD9", "", 0, "Film"},
        {"", "CD1", "CD1", "", 0, "CD1"},
        // A DVD without its folder:
        {"A (2001)", "VTS_01_2", "", "", 2, "A"},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.stem);
        const auto file = parse_movie(row.folder, row.stem, false);
        EXPECT_EQ(file.group, row.group);
        EXPECT_EQ(file.version, row.version);
        EXPECT_EQ(file.part, row.part);
        EXPECT_EQ(file.title.name, row.title);
    }
}

TEST(FilmNames, tell_the_labels_of_parts) {
    EXPECT_EQ(part_of_label("cd2"), 2);
    EXPECT_EQ(part_of_label("1080p cd1"), 1);
    EXPECT_EQ(version_of_label("1080p cd1"), "1080p");
    EXPECT_EQ(version_of_label("cd1"), "");
    EXPECT_EQ(part_of_label("1080p"), 0);
    EXPECT_EQ(version_of_label("Director's Cut"), "Director's Cut");
    int part = 0;
    EXPECT_EQ(title_without_part("The Best of Both Worlds, Part 2", part), "The Best of Both Worlds");
    EXPECT_EQ(part, 2);
    EXPECT_EQ(title_without_part("Part 2", part), "");
    EXPECT_EQ(part, 2);
    EXPECT_EQ(title_without_part("Party", part), "Party");
    EXPECT_EQ(part, 0);
}

TEST(Extras, are_known_by_their_endings) {
    struct Row {
        const char* stem;
        const char* kind;  ///< empty: none
        const char* owner;
    };
    constexpr Row rows[] = {
        {"A (2001)-trailer", "trailer", "A (2001)"},
        {"A (2001).trailer", "trailer", "A (2001)"},
        {"A (2001)_TRAILER", "trailer", "A (2001)"},
        {"A (2001) - Trailer", "trailer", "A (2001)"},
        {"A (2001)-trailer2", "trailer", "A (2001)"},
        {"A (2001)-trailer 02", "trailer", "A (2001)"},
        {"trailer", "trailer", ""},
        {"Trailer1", "trailer", ""},
        {"A-behindthescenes", "behind_the_scenes", "A"},
        {"A-deleted", "deleted_scene", "A"},
        {"A-deletedscene", "deleted_scene", "A"},
        {"A-featurette", "featurette", "A"},
        {"A-interview", "interview", "A"},
        {"A-scene", "scene", "A"},
        {"A-short", "short_film", "A"},
        {"A-clip", "clip", "A"},
        {"A-extra", "other", "A"},
        {"A-other", "other", "A"},
        {"A-sample", "sample", "A"},
        {"a.sample", "sample", "a"},
        {"sample", "sample", ""},
        {"sample-grp.a.2001", "sample", "grp.a.2001"},
        {"[grp] Title - NCOP1 [1080p]", "clip", "[grp] Title"},
        {"Title - NCED", "clip", "Title"},
        {"theme", "theme_song", ""},
        {"The Short", "", ""},
        {"Example", "", ""},
        {"Deleted", "", ""},
        {"Interview (2014)", "", ""},
        {"The Interview", "", ""},
        {"Sample People (2000)", "", ""},
        {"Trailer Park Boys S01E01", "", ""},
        {"A-trailer2001", "", ""},
        {"", "", ""},
        {"-trailer", "", ""},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.stem);
        const auto extra = extra_of_stem(row.stem);
        EXPECT_EQ(extra ? to_string(extra->kind) : "", row.kind);
        if (extra) {
            EXPECT_EQ(extra->owner, row.owner);
        }
    }
}

TEST(Extras, are_known_by_their_folders_and_say_whose_they_are) {
    struct Row {
        std::vector<std::string_view> parts;
        const char* kind;  ///< empty: none
        std::size_t owner_depth;
        const char* owner_stem;
        const char* title;
    };
    const Row rows[] = {
        {{"A (2001)", "extras", "Making of.mkv"}, "other", 1, "", "Making of"},
        {{"A (2001)", "Extras", "A-interview.mkv"}, "interview", 1, "", "A-interview"},
        {{"A (2001)", "Trailers", "Teaser.mkv"}, "trailer", 1, "", "Teaser"},
        {{"A (2001)", "Behind The Scenes", "x.mkv"}, "behind_the_scenes", 1, "", "x"},
        {{"A (2001)", "deleted scenes", "x.mkv"}, "deleted_scene", 1, "", "x"},
        {{"A (2001)", "theme-music", "x.mp3"}, "theme_song", 1, "", "x"},
        {{"A (2001)", "backdrops", "x.mp4"}, "theme_video", 1, "", "x"},
        {{"A (2001)", "theme.mp3"}, "theme_song", 1, "", "theme"},
        {{"A (2001)", "A (2001)-trailer.mkv"}, "trailer", 1, "A (2001)", "A (2001)-trailer"},
        {{"A (2001)-trailer.mkv"}, "trailer", 0, "A (2001)", "A (2001)-trailer"},
        {{"Show", "extras", "Show.S05E01.Deleted.Scene.mkv"}, "other", 1, "", "Show S05E01 Deleted Scene"},
        {{"Show", "Season 1", "Featurettes", "x.mkv"}, "featurette", 2, "", "x"},
        {{"Show", "extras", "deep", "x.mkv"}, "other", 1, "", "x"},
        {{"Show", "theme.mkv"}, "", 0, "", ""},
        {{"Shorts", "A (2001).mkv"}, "", 0, "", ""},
        {{"Trailers.mkv"}, "", 0, "", ""},
        {{"A (2001)", "A (2001).mkv"}, "", 0, "", ""},
        {{}, "", 0, "", ""},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.parts.empty() ? "nothing" : row.parts.back());
        const auto extra = parse_extra_path(row.parts);
        EXPECT_EQ(extra ? to_string(extra->kind) : "", row.kind);
        if (!extra) continue;
        EXPECT_EQ(extra->owner_depth, row.owner_depth);
        EXPECT_EQ(extra->owner_stem, row.owner_stem);
        EXPECT_EQ(extra->title, row.title);
    }
}

TEST(Extras, and_menus_are_no_films) {
    using model::LibraryKind;
    for (const auto* name : {"VIDEO_TS.VOB", "VTS_01_0.VOB", "vts_02_0.vob", "a-trailer.mkv", "sample.MKV"}) {
        EXPECT_EQ(classify(name, LibraryKind::movies), FileClass::extra) << name;
    }
    EXPECT_EQ(classify("VTS_01_1.VOB", LibraryKind::movies), FileClass::media);
    EXPECT_EQ(classify("00001.M2TS", LibraryKind::movies), FileClass::media);
    EXPECT_EQ(classify("theme.mkv", LibraryKind::movies), FileClass::media);
}

TEST(Text, compares_loosely_whatever_the_marks_are_made_of) {
    EXPECT_EQ(loose("Amélie"), "amelie");
    EXPECT_EQ(loose("Ame\xCC\x81lie"), "amelie");
    EXPECT_EQ(loose("ŁÓDŹ - Øre_Å"), "lodz ore a");
    EXPECT_NE(fold("Amélie"), fold("Ame\xCC\x81lie")) << "keys stay apart";
    EXPECT_EQ(loose("caf\xC3"), "caf\xC3") << "a cut character stays as it is";
    EXPECT_EQ(loose_prefix("A (2001) - 4K", "A (2001)"), 8U);
    EXPECT_EQ(loose_prefix("A.2001.x", "A (2001)"), 6U);
    EXPECT_EQ(loose_prefix("Abc", "A"), std::string_view::npos);
    EXPECT_EQ(loose_prefix("Abc", ""), std::string_view::npos);
}

}  // namespace
}  // namespace understudy::library::naming
