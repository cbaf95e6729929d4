#include <gtest/gtest.h>

#include "library/naming/entries.h"
#include "library/naming/episode_name.h"
#include "library/naming/movie_name.h"
#include "library/naming/release.h"
#include "library/naming/text.h"
#include "library/naming/track_name.h"

namespace understudy::library::naming {
namespace {

TEST(Text, repairs_names_for_people_and_keeps_bytes_apart_for_keys) {
    EXPECT_EQ(display_text("caf\xE9"), "caf\xEF\xBF\xBD");
    EXPECT_EQ(display_text("a\nb"), "a b");
    EXPECT_EQ(display_text("\xED\xA0\x80x"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDx") << "a lone surrogate";
    EXPECT_EQ(display_text("Alien\xC2\xB3 Tin\xC4\x81"), "Alien\xC2\xB3 Tin\xC4\x81");
    EXPECT_EQ(key_text("caf\xE9"), "caf%E9");
    EXPECT_NE(key_text("caf\xC3\xA9"), key_text("cafe\xCC\x81")) << "NFC and NFD are two names";
    EXPECT_NE(key_text("caf%E9"), key_text("caf\xE9"));
    for (const std::string bytes : {"caf\xE9", "100%", "%E9", "a\nb", "", "%", "x%4"}) {
        EXPECT_EQ(key_bytes(key_text(bytes)), bytes);
    }
}

TEST(Text, sorts_part_ten_after_part_nine_and_drops_articles) {
    EXPECT_LT(sort_text("The Part 9"), sort_text("Part 10"));
    EXPECT_EQ(sort_text("The Matrix"), "matrix");
}

TEST(Entries, take_extensions_in_any_case) {
    using model::LibraryKind;
    EXPECT_EQ(classify("MOVIE.MKV", LibraryKind::movies), FileClass::media);
    EXPECT_EQ(classify("a.Mp3", LibraryKind::music), FileClass::media);
    EXPECT_EQ(classify("a.mp3", LibraryKind::movies), FileClass::external) << "sound for a video beside it";
    EXPECT_EQ(classify("theme.mp3", LibraryKind::tvshows), FileClass::extra);
    EXPECT_EQ(classify("theme.mp3", LibraryKind::music), FileClass::media);
    EXPECT_EQ(classify("a.de.SRT", LibraryKind::movies), FileClass::external);
    EXPECT_EQ(classify("a.srt", LibraryKind::music), FileClass::none);
    EXPECT_EQ(classify("a.mkv", LibraryKind::music), FileClass::none);
    EXPECT_EQ(classify("poster.JPG", LibraryKind::movies), FileClass::image);
    EXPECT_EQ(classify("movie.Nfo", LibraryKind::movies), FileClass::nfo);
    EXPECT_EQ(classify("mix.M3U8", LibraryKind::music), FileClass::playlist);
    EXPECT_EQ(classify("mkv", LibraryKind::movies), FileClass::none);
    EXPECT_EQ(classify("nfo", LibraryKind::movies), FileClass::none);
}

TEST(Entries, know_junk_and_extras) {
    for (const auto* name : {".hidden", "lost+found", "@eaDir", "$RECYCLE.BIN", "System Volume Information"}) {
        EXPECT_TRUE(is_junk(name)) << name;
    }
    EXPECT_FALSE(is_junk("media"));
    for (const auto* stem : {"A (2001)-trailer", "a.sample", "sample", "X-behindthescenes", "Y-featurette"}) {
        EXPECT_TRUE(is_extra_file(stem)) << stem;
    }
    EXPECT_FALSE(is_extra_file("Example"));
    EXPECT_FALSE(is_extra_file("The Short"));
    EXPECT_TRUE(is_extras_folder("Behind The Scenes"));
    EXPECT_FALSE(is_extras_folder("Season 01"));
}

TEST(MovieName, reads_title_year_and_ids) {
    struct Row {
        const char* name;
        const char* title;
        int year;
    };
    constexpr Row rows[] = {
        {"The Matrix (1999)", "The Matrix", 1999},
        {"The.Matrix.1999.1080p.BluRay.x264-GRP", "The Matrix", 1999},
        {"2012 (2009)", "2012", 2009},
        {"1917.2019.2160p.WEB-DL", "1917", 2019},
        {"Blade Runner 2049 (2017)", "Blade Runner 2049", 2017},
        {"Blade Runner 2049", "Blade Runner 2049", 0},
        {"Blade.Runner.2049.2017.1080p", "Blade Runner 2049", 2017},
        {"2001 A Space Odyssey (1968) [tmdbid-62]", "2001 A Space Odyssey", 1968},
        {"Heat", "Heat", 0},
        {"Mr. Robot", "Mr. Robot", 0},
        {"Movie [1080p]", "Movie", 0},
        {"Title 1999", "Title", 1999},
        {"1984", "1984", 0},
        {"(500) Days of Summer (2009)", "(500) Days of Summer", 2009},
        {"Mission Impossible - Fallout (2018)", "Mission Impossible - Fallout", 2018},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.name);
        const auto title = parse_title(row.name);
        EXPECT_EQ(title.name, row.title);
        EXPECT_EQ(title.year.value_or(0), row.year);
    }
    const auto ids = parse_title("X (2000) [imdbid-tt0133093] {tmdb-603} [tvdbid=77]").provider_ids;
    EXPECT_EQ(ids.at("Imdb"), "tt0133093");
    EXPECT_EQ(ids.at("Tmdb"), "603");
    EXPECT_EQ(ids.at("Tvdb"), "77");
}

TEST(MovieName, groups_versions_only_where_the_name_says_so) {
    struct Row {
        const char* why;
        const char* folder;
        const char* stem;
        bool only;
        const char* group;
        const char* version;
        const char* title;
    };
    constexpr Row rows[] = {
        {"plain", "A (2001)", "A (2001)", true, "", "", "A"},
        {"hyphen", "A (2001)", "A (2001) - 1080p", false, "", "1080p", "A"},
        {"bracket", "A (2001)", "A (2001) [Director's Cut]", false, "", "Director's Cut", "A"},
        {"bracket after the hyphen", "A (2001)", "A (2001) - [1080p]", false, "", "1080p", "A"},
        {"id in the folder", "A (2001) [imdbid=tt0133093]", "A (2001) - 720p", false, "", "720p", "A"},
        {"id in both", "A (2001) [imdbid-tt1]", "A (2001) [imdbid-tt1] - 720p", false, "", "720p", "A"},
        {"folder named differently", "Some Films", "A (2001) - 720p", false, "A (2001)", "720p", "A"},
        {"the same, bracket", "Some Films", "A (2001) [4K]", false, "A (2001)", "4K", "A"},
        {"only film, release name", "A (2001)", "a.2001.1080p.x264", true, "", "1080p x264", "A"},
        {"only film, odd name", "The Matrix (1999)", "mtrx-xyz", true, "", "", "The Matrix"},
        {"a folder of films with one in it", "Action", "Heat (1995)", true, "Heat (1995)", "", "Heat"},
        {"title with a hyphen", "Films", "Mission Impossible - Fallout", false, "Mission Impossible - Fallout", "",
         "Mission Impossible - Fallout"},
        {"flat", "", "A (2001)", false, "A (2001)", "", "A"},
        {"flat versions", "", "A (2001) - 4K", false, "A (2001)", "4K", "A"},
        {"other film in the folder", "A (2001)", "B (2002)", false, "B (2002)", "", "B"},
        {"part", "A (2001)", "A (2001) cd1", false, "", "", "A"},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.why);
        const auto file = parse_movie(row.folder, row.stem, row.only);
        EXPECT_EQ(file.group, row.group);
        EXPECT_EQ(file.version, row.version);
        EXPECT_EQ(file.title.name, row.title);
    }
}

TEST(MovieName, keeps_films_apart_that_share_a_beginning) {
    const auto group = [](const char* folder, const char* stem) { return parse_movie(folder, stem, false).group; };
    EXPECT_NE(group("", "American_Pie__x"), group("", "American_Pie_2__x"));
    EXPECT_NE(group("garage (2026)", "garage-2026-001"), group("garage (2026)", "garage-2026-002"));
    EXPECT_NE(group("garage-2026", "garage-2026-001"), group("garage-2026", "garage-2026-002"));
    EXPECT_NE(group("", "Alien (1979)"), group("", "Alien 3 (1992)"));
    EXPECT_NE(group("Rocky", "Rocky 2"), group("Rocky", "Rocky 3"));
}

TEST(EpisodeName, reads_season_folders) {
    struct Row {
        const char* name;
        int season;  ///< -1: none
    };
    constexpr Row rows[] = {
        {"Season 01", 1},         {"season1", 1},
        {"Season 2 (2005)", 2},   {"Staffel 3", 3},
        {"Specials", 0},          {"S04", 4},
        {"The 100 Season 01", 1}, {"Stargate SG-1 Season 2", 2},
        {"24 Season 8", 8},       {"1", 1},
        {"Season 2024", 2024},    {"2nd Season", 2},
        {"1. Staffel", 1},        {"Show.S05.1080p", 5},
        {"Featurettes", -1},      {"The 100", -1},
        {"Stargate SG-1", -1},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.name);
        EXPECT_EQ(parse_season_folder(row.name).value_or(-1), row.season);
    }
}

TEST(EpisodeName, reads_numbers_and_never_takes_a_clock_a_resolution_or_a_year_for_one) {
    struct Row {
        const char* stem;
        const char* series;
        int season, episode, end;  ///< -1: none
    };
    constexpr Row rows[] = {
        {"Show - S01E02 - Title", "Show", 1, 2, -1},
        {"S01E01 The 6-10 to Lubbock [WEBRip-1080p]", "Show", 1, 1, -1},
        {"S05E23 11-59", "Show", 5, 23, -1},
        {"S01E01 1-23-45 [Bluray]", "Show", 1, 1, -1},
        {"Lexx-S02xE09-791", "Lexx", 2, 9, -1},
        {"Show S01E01E02", "Show", 1, 1, 2},
        {"Show S01E01-E02", "Show", 1, 1, 2},
        {"Show S01e01-02", "Show", 1, 1, 2},
        {"Show S01E01-E02-E03", "Show", 1, 1, 3},
        {"Show S01E03", "Show", 1, 3, -1},
        {"Show.S01E01-1080p", "Show", 1, 1, -1},
        {"Show - S01E01 - Pilot (2002)", "Show", 1, 1, -1},
        {"Show 1x02 Title", "Show", 1, 2, -1},
        {"Show - 1x02-1x03", "Show", 1, 2, 3},
        {"Show 1920x1080 05", "Show", -1, 5, -1},
        {"[SubsPlease] Title - 03 (1080p) [969786E2]", "Title", -1, 3, -1},
        {"[foo] name 03 [Ma10p-720p]", "name", -1, 3, -1},
        {"The 100 - 03", "The 100", -1, 3, -1},
        {"24 - 05 - Title", "24", -1, 5, -1},
        {"24 S01E02", "24", 1, 2, -1},
        {"Stargate SG-1 S02E03", "Stargate SG-1", 2, 3, -1},
        {"05", "24", -1, 5, -1},
        {"05 - Pilot", "Show", -1, 5, -1},
        {"Show Episode 12", "Show", -1, 12, -1},
        {"Show Season 2 Episode 3", "Show", 2, 3, -1},
        {"One Piece 1071", "One Piece", -1, 1071, -1},
        {"Show - Pilot (2002)", "Show", -1, -1, -1},
        {"Show 2002", "Show", -1, -1, -1},
        {"S00E05 Special", "Show", 0, 5, -1},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.stem);
        const auto numbers = parse_episode(row.stem, row.series);
        EXPECT_EQ(numbers.season.value_or(-1), row.season);
        EXPECT_EQ(numbers.episode.value_or(-1), row.episode);
        EXPECT_EQ(numbers.episode_end.value_or(-1), row.end);
    }
    EXPECT_EQ(parse_episode("Show 2024-03-01 Guest", "Show").date, "2024-03-01");
    EXPECT_EQ(parse_episode("Show - S01E02 - The Title [1080p]", "Show").title, "The Title");
    EXPECT_EQ(parse_episode("Show.S01E02.The.Title.1080p.WEB.x264", "Show").title, "The Title");
}

TEST(EpisodeName, finds_show_and_season_in_the_path) {
    struct Row {
        std::vector<std::string_view> parts;
        const char* series;
        int season, episode;
        const char* name;
    };
    const Row rows[] = {
        {{"Show (2010)", "Season 01", "Show - S01E02 - Title.mkv"}, "Show", 1, 2, "Title"},
        {{"Show", "Specials", "Show - 03.mkv"}, "Show", 0, 3, "Episode 3"},
        {{"The 100", "The 100 Season 01", "The 100 S01E01.mkv"}, "The 100", 1, 1, "Episode 1"},
        {{"24", "Season 3", "24 - 05.mkv"}, "24", 3, 5, "Episode 5"},
        {{"24", "05.mkv"}, "24", 1, 5, "Episode 5"},
        {{"Stargate SG-1", "1", "Stargate SG-1 - 1x07.mkv"}, "Stargate SG-1", 1, 7, "Episode 7"},
        {{"Anime", "Title", "Season 2", "[grp] Title - 03.mkv"}, "Title", 2, 3, "Episode 3"},
        {{"Show.S02.1080p.WEB", "Show.S02E04.1080p.mkv"}, "Show", 2, 4, "Episode 4"},
        {{"The 100 Season 01", "03.mkv"}, "The 100", 1, 3, "Episode 3"},
        {{"Show S01E02.mkv"}, "Show", 1, 2, "Episode 2"},
        {{"Season 01", "S01E02.mkv"}, "tv", 1, 2, "Episode 2"},
        {{"Show", "Season 01", "Pilot.mkv"}, "Show", 1, -1, "Pilot"},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.parts.front());
        SCOPED_TRACE(row.parts.back());
        const auto file = parse_episode_path(row.parts, "tv");
        EXPECT_EQ(file.series.name, row.series);
        EXPECT_EQ(file.season, row.season);
        EXPECT_EQ(file.numbers.episode.value_or(-1), row.episode);
        EXPECT_EQ(file.name, row.name);
    }
}

TEST(TrackName, falls_back_to_folders_and_numbers) {
    struct Row {
        std::vector<std::string_view> parts;
        const char* artist;
        const char* album;
        const char* title;
        int disc, track, year;
    };
    const Row rows[] = {
        {{"Artist", "Album (2001)", "03 - Song.flac"}, "Artist", "Album", "Song", 0, 3, 2001},
        {{"Artist", "2001 - Album", "Disc 2", "03. Song.mp3"}, "Artist", "Album", "Song", 2, 3, 2001},
        {{"Artist - Album", "1-07 Song.mp3"}, "Artist", "Album", "Song", 1, 7, 0},
        {{"Album", "Song.ogg"}, "", "Album", "Song", 0, 0, 0},
        {{"Artist - Song.mp3"}, "Artist", "", "Song", 0, 0, 0},
        {{"Artist", "Album", "CD1", "Artist - 02 - Song.mp3"}, "Artist", "Album", "Song", 1, 2, 0},
        {{"AC_DC", "Back in Black", "99 Luftballons.mp3"}, "AC DC", "Back in Black", "Luftballons", 0, 99, 0},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.parts.back());
        const auto file = parse_track_path(row.parts);
        EXPECT_EQ(file.artist, row.artist);
        EXPECT_EQ(file.album, row.album);
        EXPECT_EQ(file.title, row.title);
        EXPECT_EQ(file.disc.value_or(0), row.disc);
        EXPECT_EQ(file.track.value_or(0), row.track);
        EXPECT_EQ(file.year.value_or(0), row.year);
    }
    EXPECT_EQ(parse_disc_folder("CD 12 - Live"), 12);
    EXPECT_FALSE(parse_disc_folder("Discovery"));
}

}  // namespace
}  // namespace understudy::library::naming
