#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/media_files.h"
#include "unit/media/probed.h"

namespace understudy::media {
namespace {

using ::testing::ElementsAre;

class ProbeTags : public ::testing::TestWithParam<const char*> {};

TEST_P(ProbeTags, reads_the_same_tags_from_every_format) {
    const auto got = probed(test::media_file(GetParam()), ProbeKind::audio);
    ASSERT_TRUE(got) << got.error().context;
    const auto& tags = got->tags;
    const std::string_view name = GetParam();
    EXPECT_EQ(tags.title, "Blå himmel");
    EXPECT_THAT(tags.artists, ElementsAre("First Singer"));
    EXPECT_EQ(tags.album, "The Album");
    EXPECT_THAT(tags.genres, ElementsAre("Jazz"));
    EXPECT_EQ(tags.year, 2004);
    EXPECT_EQ(tags.track, 3);
    if (name == "song.wav") return;  // RIFF INFO has no place for the rest
    EXPECT_THAT(tags.album_artists, ElementsAre("The Band"));
    EXPECT_THAT(tags.composers, ElementsAre("Clara Writer"));
    if (name != "song.wma") {  // ASF has no total
        EXPECT_EQ(tags.track_total, 12);
    }
    EXPECT_EQ(tags.disc, 1);
    // ffmpeg writes no free-form field into MP4.
    if (!name.ends_with(".m4a") && !name.ends_with(".m4b")) {
        EXPECT_EQ(tags.gains.at("REPLAYGAIN_TRACK_GAIN"), "-6.50 dB");
    }
}

INSTANTIATE_TEST_SUITE_P(all, ProbeTags,
                         ::testing::Values("song.mp3", "variable.mp3", "song.flac", "song.ogg", "song.oga", "song.opus",
                                           "song.m4a", "lossless.m4a", "book.m4b", "song.wav", "song.aiff", "song.wma",
                                           "song.wv", "song.mka"),
                         [](const auto& named) {
                             std::string text = named.param;
                             for (char& c : text)
                                 if (c == '.') c = '_';
                             return text;
                         });

TEST(ProbePictures, are_found_where_songs_keep_them) {
    for (const char* name : {"song.mp3", "song.flac", "song.m4a"})
        EXPECT_TRUE(probed(test::media_file(name), ProbeKind::audio)->has_embedded_picture) << name;
    for (const char* name : {"variable.mp3", "song.ogg", "lossless.m4a"})
        EXPECT_FALSE(probed(test::media_file(name), ProbeKind::audio)->has_embedded_picture) << name;
}

TEST(ProbeTags, of_a_film_come_from_its_container) {
    const auto got = probed(test::media_file("film.mkv"), ProbeKind::video);
    ASSERT_TRUE(got);
    EXPECT_EQ(got->tags.title, "A Film");
    EXPECT_EQ(got->tags.year, 1999);
}

}  // namespace
}  // namespace understudy::media
