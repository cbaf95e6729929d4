// Episodes' and seasons' names as people and other servers write them.
#include <gtest/gtest.h>

#include "library/naming/dates.h"
#include "library/naming/episode_name.h"
#include "library/naming/season_name.h"

namespace understudy::library::naming {
namespace {

TEST(SeasonNames, are_read_in_the_languages_people_use) {
    struct Row {
        const char* name;
        int season;  ///< -1: none
    };
    constexpr Row rows[] = {
        {"Season 1", 1},
        {"SEASON 01", 1},
        {"season.1", 1},
        {"Season_1", 1},
        {"Season 1 - The Beginning", 1},
        {"Season 0", 0},
        {"Season 00", 0},
        {"Season Two", 2},
        {"Season 2010", 2010},
        {"Series 3", 3},
        {"Staffel 1", 1},
        {"1. Staffel", 1},
        {"Saison 1", 1},
        {"Temporada 1", 1},
        {"Stagione 1", 1},
        {"Seizoen 1", 1},
        {"Sezon 4", 4},
        {"Säsong 2", 2},
        {"Sæson 2", 2},
        {"Sesong 2", 2},
        {"Kausi 2", 2},
        {"Řada 2", 2},
        {"1. évad", 1},
        {"Сезон 3", 3},
        {"сезон 3", 3},
        {"シーズン1", 1},
        {"시즌 2", 2},
        {"第2季", 2},
        {"第二季", 2},
        {"第1期", 1},
        {"Specials", 0},
        {"Especiales", 0},
        {"Speciali", 0},
        {"Hors-série", 0},
        {"S01", 1},
        {"s1", 1},
        {"Show S02", 2},
        {"Show - Season 2", 2},
        {"The 100 Season 01", 1},
        {"24 Season 8", 8},
        {"Stargate SG-1 Season 2", 2},
        {"3rd Season", 3},
        {"Title 2nd Season", 2},
        {"03", 3},
        {"2004", 2004},
        {"The 100", -1},
        {"24", 24},  // below a show's folder; the path decides for the first one
        {"Stargate SG-1", -1},
        {"1923 (2022)", -1},
        {"Extras", -1},
        {"Season", -1},
        {"Seasonal Treats 4", -1},
        {"Seriously 5", -1},
        {"第3話", -1},
        {"", -1},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.name);
        EXPECT_EQ(parse_season_folder(row.name).value_or(-1), row.season);
    }
}

TEST(EpisodeNames, give_numbers_in_every_form) {
    struct Row {
        const char* stem;
        const char* series;
        int season, episode, end;  ///< -1: none
    };
    constexpr Row rows[] = {
        {"S01E01", "", 1, 1, -1},
        {"s1e1", "", 1, 1, -1},
        {"Show.S01.E01", "Show", 1, 1, -1},
        {"Show S01 E01", "Show", 1, 1, -1},
        {"Show_S01EP01", "Show", 1, 1, -1},
        {"Show S2024E05", "Show", 2024, 5, -1},
        {"Show S01x02", "Show", 1, 2, -1},
        {"Lexx-S02xE09-791", "Lexx", 2, 9, -1},
        {"Show S01E100", "Show", 1, 100, -1},
        {"One Piece S01E1071", "One Piece", 1, 1071, -1},
        // Several in one file:
        {"Show S01E01E02", "Show", 1, 1, 2},
        {"Show S01E01E02E03", "Show", 1, 1, 3},
        {"Show S01E01-E02", "Show", 1, 1, 2},
        {"Show S01E01-02", "Show", 1, 1, 2},
        {"Show S01E01xE02", "Show", 1, 1, 2},
        {"Show S01E01+E02", "Show", 1, 1, 2},
        {"Show S01E01 & E02", "Show", 1, 1, 2},
        {"Show S01E01.E02", "Show", 1, 1, 2},
        {"Show S01E01 - E02 - Title", "Show", 1, 1, 2},
        {"Show S01E01-S01E02", "Show", 1, 1, 2},
        {"Show S01E01-S02E02", "Show", 1, 1, -1},
        {"Show S01E09-E10v2", "Show", 1, 9, 10},
        {"Show 1x02x03", "Show", 1, 2, 3},
        {"Show 1x02-03", "Show", 1, 2, 3},
        {"Show 1x02-1x03", "Show", 1, 2, 3},
        {"Show E01-E02", "Show", -1, 1, 2},
        {"Show - 01-02", "Show", -1, 1, 2},
        // Numbers of the title:
        {"S01E01 The 6-10 to Lubbock [WEBRip-1080p]", "Show", 1, 1, -1},
        {"S05E23 11-59", "Show", 5, 23, -1},
        {"S01E01 1-23-45 [Bluray]", "Show", 1, 1, -1},
        {"S01E05 - 06 Hours", "Show", 1, 5, -1},
        {"S01E01 - 30 Days", "Show", 1, 1, -1},
        {"Show S01E01 x264", "Show", 1, 1, -1},
        {"Show S01E240 x264", "Show", 1, 240, -1},
        {"Show S01E01-720p", "Show", 1, 1, -1},
        {"Show.S01E01.1080p.x265", "Show", 1, 1, -1},
        {"Show - S01E01 - Pilot (2002)", "Show", 1, 1, -1},
        {"Show (2002) - 07", "Show", -1, 7, -1},
        {"Show - 20:15 News", "Show", -1, -1, -1},
        {"Show - 11-59", "Show", -1, -1, -1},
        {"Show 1080p", "Show", -1, -1, -1},
        {"Show 1920x1080 05", "Show", -1, 5, -1},
        // Shows that are called by numbers:
        {"24 S01E02", "24", 1, 2, -1},
        {"24.1x02", "24", 1, 2, -1},
        {"24 - 05", "24", -1, 5, -1},
        {"The 100 S02E03", "The 100", 2, 3, -1},
        {"The 100 - 03", "The 100", -1, 3, -1},
        {"The.100.03", "The 100", -1, 3, -1},
        {"Stargate SG-1 S02E03", "Stargate SG-1", 2, 3, -1},
        {"Stargate SG-1 - 07", "Stargate SG-1", -1, 7, -1},
        {"1923 S01E04", "1923", 1, 4, -1},
        {"1923 - 04", "1923", -1, 4, -1},
        {"9-1-1 S03E04", "9-1-1", 3, 4, -1},
        {"Room 104 - 05", "Room 104", -1, 5, -1},
        // Anime:
        {"[SubsPlease] Title - 03 (1080p) [969786E2]", "Title", -1, 3, -1},
        {"[foo] name 03 [Ma10p-720p]", "name", -1, 3, -1},
        {"[Grp] Title - 03v2 [720p]", "Title", -1, 3, -1},
        {"[Grp] Title S2 - 03 (1080p)", "Title", 2, 3, -1},
        {"[Grp] Title 2nd Season - 03", "Title", 2, 3, -1},
        {"[Grp] Title - 1071 [1080p]", "Title", -1, 1071, -1},
        {"[Grp] Title - SP01 [1080p]", "Title", 0, 1, -1},
        {"[Grp] Title OVA 2", "Title", 0, 2, -1},
        {"Title 第03話", "Title", -1, 3, -1},
        {"Title 第3集", "Title", -1, 3, -1},
        {"Title 3화", "Title", -1, 3, -1},
        // Words:
        {"Show Episode 12", "Show", -1, 12, -1},
        {"Show Ep. 12", "Show", -1, 12, -1},
        {"Show Folge 12", "Show", -1, 12, -1},
        {"Show Épisode 12", "Show", -1, 12, -1},
        {"Show Season 2 Episode 3", "Show", 2, 3, -1},
        {"Show Staffel 2 Folge 3", "Show", 2, 3, -1},
        {"Show Temporada 2 Episodio 3", "Show", 2, 3, -1},
        {"Show 3 of 12", "Show", -1, 3, -1},
        {"Show 3of12", "Show", -1, 3, -1},
        {"Show Part 3", "Show", -1, 3, -1},
        {"Show", "Show", -1, -1, -1},
        {"", "Show", -1, -1, -1},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.stem);
        const auto numbers = parse_episode(row.stem, row.series);
        EXPECT_EQ(numbers.season.value_or(-1), row.season);
        EXPECT_EQ(numbers.episode.value_or(-1), row.episode);
        EXPECT_EQ(numbers.episode_end.value_or(-1), row.end);
    }
}

TEST(EpisodeNames, give_dates_that_are_days) {
    struct Row {
        const char* text;
        const char* date;  ///< empty: none
    };
    constexpr Row rows[] = {
        {"Show 2024-03-01 Guest", "2024-03-01"},
        {"Show.2024.03.01.Guest", "2024-03-01"},
        {"Show 2024 03 01", "2024-03-01"},
        {"Show 01.03.2024", "2024-03-01"},
        {"Show 31-12-1999", "1999-12-31"},
        {"Show 12-31-1999", "1999-12-31"},
        {"Show 20240301", "2024-03-01"},
        {"Show 2024-02-29", "2024-02-29"},
        {"Show 2023-02-29", ""},
        {"Show 2024-13-01", ""},
        {"Show 2024-00-01", ""},
        {"Show [20240301]", ""},
        {"Show 1024-03-01", ""},
        {"Show 2024-03-012", ""},
        {"Show 2024-03.01", ""},
        {"Show 12345678", ""},
        {"2024-03-01", "2024-03-01"},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.text);
        EXPECT_EQ(parse_episode(row.text, "Show").date, row.date);
    }
    EXPECT_EQ(parse_episode("Show - S01E02 - 2024-03-01", "Show").date, "") << "numbers win over a date";
    EXPECT_EQ(parse_episode("Show 2024-03-01 Guest [1080p]", "Show").title, "Guest");
}

TEST(EpisodeNames, give_titles_versions_and_parts) {
    struct Row {
        const char* stem;
        const char* title;
        const char* version;
        int part;
    };
    constexpr Row rows[] = {
        {"Show - S01E02 - The Title [1080p]", "The Title", "", 0},
        {"Show - S01E02 - The Title {edition-Uncut}", "The Title", "Uncut", 0},
        {"Show - S01E02 - The Title [Director's Cut] [720p]", "The Title", "Director's Cut", 0},
        {"Show S01E02 cd1", "", "", 1},
        {"Show S01E02 - The Title - cd2", "The Title", "", 2},
        {"Show S01E02a", "", "", 1},
        {"Show S01E02b - The Title", "The Title", "", 0},
        {"Show S01E02 - The Title Part 2", "The Title Part 2", "", 0},
        {"Show S01E02 - A Day", "A Day", "", 0},
        {"Show.S01E02.The.Title.German.720p", "The Title German", "", 0},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.stem);
        const auto numbers = parse_episode(row.stem, "Show");
        EXPECT_EQ(numbers.season, 1);
        EXPECT_EQ(numbers.episode, 2);
        EXPECT_EQ(numbers.title, row.title);
        EXPECT_EQ(numbers.version, row.version);
        EXPECT_EQ(numbers.part, row.part);
    }
}

TEST(EpisodeNames, find_show_and_season_in_every_path) {
    struct Row {
        std::vector<std::string_view> parts;
        const char* series;
        int season, episode;
        const char* name;
    };
    const Row rows[] = {
        {{"1923 (2022)", "Season 1", "1923 S01E04.mkv"}, "1923", 1, 4, "Episode 4"},
        {{"1923 (2022)", "1923 - 04.mkv"}, "1923", 1, 4, "Episode 4"},
        {{"24", "24 Season 1", "24 - 05 - Title.mkv"}, "24", 1, 5, "Title"},
        {{"The 100", "Season 2", "03.mkv"}, "The 100", 2, 3, "Episode 3"},
        {{"Stargate SG-1 (1997)", "Staffel 3", "Stargate SG-1 - 3x05 - Titel.mkv"}, "Stargate SG-1", 3, 5, "Titel"},
        {{"Show", "Saison 2", "Show - 05.mkv"}, "Show", 2, 5, "Episode 5"},
        {{"Show", "Season 0", "Show - 05.mkv"}, "Show", 0, 5, "Episode 5"},
        {{"Show", "Specials", "Making of.mkv"}, "Show", 0, -1, "Making of"},
        {{"Show", "Season 1", "Show - S00E07 - Recap.mkv"}, "Show", 0, 7, "Recap"},
        {{"Show", "Show - 2024-03-01 - Guest.mkv"}, "Show", 1, -1, "Guest"},
        {{"Show", "第2季", "第03集.mkv"}, "Show", 2, 3, "Episode 3"},
        {{"Anime", "Title", "[Grp] Title - 12 [1080p].mkv"}, "Anime", 1, 12, "Episode 12"},
        {{"[Grp] Title S2 - 03 (1080p).mkv"}, "Title", 2, 3, "Episode 3"},
        {{"Show (2010-2015)", "Season 1", "Show S01E01.mkv"}, "Show", 1, 1, "Episode 1"},
        {{"Show [tvdbid-77]", "S01", "Show S01E01.mkv"}, "Show", 1, 1, "Episode 1"},
        {{"Show", "Season 1", "caf\xE9 S01E01 - n\xE9.mkv"}, "Show", 1, 1, "n\xEF\xBF\xBD"},
        {{"Title 2nd Season", "03.mkv"}, "Title", 2, 3, "Episode 3"},
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

}  // namespace
}  // namespace understudy::library::naming
