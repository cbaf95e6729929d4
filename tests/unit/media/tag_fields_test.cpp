#include "media/tag_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace understudy::media {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

TEST(TagFields, read_numbers_with_and_without_totals) {
    struct Row {
        const char *track, *total;
        int want, want_total;
    };
    for (const Row& row : {Row{"3/12", "", 3, 12}, Row{"03", "12", 3, 12}, Row{"7", "", 7, 0}, Row{"0", "", 0, 0},
                           Row{"A1", "", 0, 0}, Row{"99999999999", "", 0, 0}, Row{"-4", "", 0, 0}}) {
        model::Tags tags;
        set_tag_field(tags, "TRACKNUMBER", {row.track});
        if (*row.total != 0) set_tag_field(tags, "tracktotal", {row.total});
        EXPECT_EQ(tags.track, row.want) << row.track;
        EXPECT_EQ(tags.track_total, row.want_total) << row.track;
    }
}

TEST(TagFields, take_the_year_out_of_dates_as_they_are_written) {
    struct Row {
        const char* date;
        int year;
    };
    for (const Row& row : {Row{"2004", 2004}, Row{"2004-05-06", 2004}, Row{"06.05.2004", 2004}, Row{"04", 0},
                           Row{"0000", 0}, Row{"unknown", 0}}) {
        model::Tags tags;
        set_tag_field(tags, "date", {row.date});
        EXPECT_EQ(tags.year, row.year) << row.date;
        EXPECT_EQ(tags.date, row.date);
    }
}

TEST(TagFields, prefer_the_list_of_artists_whatever_the_order) {
    for (const bool list_first : {true, false}) {
        model::Tags tags;
        if (list_first) set_tag_field(tags, "ARTISTS", {"One", "Two", "One"});
        set_tag_field(tags, "ARTIST", {"One feat. Two"});
        if (!list_first) set_tag_field(tags, "ARTISTS", {"One", "Two", "One"});
        EXPECT_THAT(tags.artists, ElementsAre("One", "Two"));
    }
}

TEST(TagFields, know_the_same_field_under_the_names_of_all_formats) {
    for (const char* key : {"ALBUMARTIST", "album_artist", "Album Artist"}) {
        model::Tags tags;
        set_tag_field(tags, key, {"The Band"});
        EXPECT_THAT(tags.album_artists, ElementsAre("The Band")) << key;
    }
    for (const char* key : {"COMPOSER", "composer", "Composer"}) {
        model::Tags tags;
        EXPECT_TRUE(is_empty(tags));
        set_tag_field(tags, key, {"Clara", "Robert", "Clara"});
        EXPECT_THAT(tags.composers, ElementsAre("Clara", "Robert")) << key;
        EXPECT_FALSE(is_empty(tags));
    }
    model::Tags tags;
    set_tag_field(tags, "MUSICBRAINZ_ALBUMID", {"a"});
    set_tag_field(tags, "MusicBrainz Release Track Id", {"b"});
    set_tag_field(tags, "MusicBrainz/Artist Id", {"c", "d"});
    set_tag_field(tags, "MUSICBRAINZ_TRACKID", {"e"});
    EXPECT_THAT(tags.ids, UnorderedElementsAre(Pair("MusicBrainzAlbum", "a"), Pair("MusicBrainzTrack", "b"),
                                               Pair("MusicBrainzArtist", "c"), Pair("MusicBrainzRecording", "e")));
}

TEST(TagFields, keep_gains_as_they_stand_and_split_genres) {
    model::Tags tags;
    set_tag_field(tags, "replaygain_track_gain", {"-6.50 dB"});
    set_tag_field(tags, "R128_TRACK_GAIN", {"-1234"});
    set_tag_field(tags, "GENRE", {"Jazz; Soul", "Funk;;Jazz"});
    set_tag_field(tags, "COMPILATION", {"1"});
    set_tag_field(tags, "LYRICS", {"la la la"});
    EXPECT_THAT(tags.gains,
                UnorderedElementsAre(Pair("REPLAYGAIN_TRACK_GAIN", "-6.50 dB"), Pair("R128_TRACK_GAIN", "-1234")));
    EXPECT_THAT(tags.genres, ElementsAre("Jazz", "Soul", "Funk"));
    EXPECT_TRUE(tags.compilation);
    EXPECT_FALSE(is_empty(tags));
    EXPECT_TRUE(is_empty(model::Tags{}));
}

TEST(TagFields, keep_a_bounded_part_of_a_hostile_list) {
    model::Tags tags;
    std::vector<std::string> artists;
    for (int i = 0; i < 100'000; ++i) artists.push_back(std::to_string(i));
    set_tag_field(tags, "ARTIST", artists);
    for (int i = 0; i < 1000; ++i) set_tag_field(tags, "REPLAYGAIN_" + std::to_string(i), {"x"});
    EXPECT_LE(tags.artists.size(), 256u);
    EXPECT_LE(tags.gains.size(), 32u);
}

}  // namespace
}  // namespace understudy::media
