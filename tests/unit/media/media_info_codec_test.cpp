#include "media/media_info_codec.h"

#include <gtest/gtest.h>

#include <random>

namespace understudy::media {
namespace {

model::MediaInfo full_info() {
    model::MediaInfo info;
    info.container = "matroska,webm";
    info.duration = core::Millis{5'400'123};
    info.bitrate_bps = 8'000'000'000;
    model::MediaStream video{
        .codec = "hevc", .profile = "Main 10", .level = 150, .bitrate_bps = 7, .language = "eng", .title = "Main"};
    video.width = 3840;
    video.height = 2160;
    video.frame_rate = 23.976;
    video.hdr = "HDR10";
    video.bit_depth = 10;
    video.pixel_format = "yuv420p10le";
    video.is_default = true;
    model::MediaStream audio{.kind = model::StreamKind::audio, .index = 1, .codec = "aac"};
    audio.channels = 6;
    audio.channel_layout = "5.1";
    audio.sample_rate_hz = 48000;
    audio.is_forced = audio.is_hearing_impaired = audio.is_attached_picture = true;
    info.streams = {video, audio};
    info.chapters = {{.start = core::Millis{0}, .name = "Opening"}, {.start = core::Millis{60'000}, .name = "Ænd"}};
    info.tags.title = "Title";
    info.tags.album = "Album";
    info.tags.date = "2004-05-06";
    info.tags.comment = "c";
    info.tags.artists = {"One", "Two"};
    info.tags.album_artists = {"Band"};
    info.tags.composers = {"Composer"};
    info.tags.genres = {"Jazz"};
    info.tags.track = 3, info.tags.track_total = 12, info.tags.disc = 1, info.tags.disc_total = 2,
    info.tags.year = 2004;
    info.tags.compilation = true;
    info.tags.ids = {{"MusicBrainzAlbum", "x"}};
    info.tags.gains = {{"R128_TRACK_GAIN", "-5"}};
    info.has_embedded_picture = true;
    info.content_sample = "0123456789abcdef0123456789abcdef";
    return info;
}

TEST(MediaInfoCodec, carries_everything_that_a_probe_learns) {
    const std::string bytes = encode_media_info(full_info());
    const auto info = decode_media_info(bytes);
    ASSERT_TRUE(info) << info.error().context;
    // The encoding has every field once: the same bytes mean the same values.
    EXPECT_EQ(encode_media_info(*info), bytes);
    EXPECT_EQ(info->streams[1].channel_layout, "5.1");
    EXPECT_TRUE(info->streams[1].is_hearing_impaired);
    EXPECT_EQ(info->chapters[1].name, "Ænd");
    EXPECT_EQ(info->content_sample, full_info().content_sample);
}

TEST(MediaInfoCodec, sees_through_a_sender_that_lies) {
    const std::string good = encode_media_info(full_info());
    struct Row {
        const char* why;
        std::string bytes;
    };
    std::string bad_kind = good;
    // container text, duration, bit rate and count of streams come before the first stream's kind
    bad_kind[4 + full_info().container.size() + 8 + 8 + 4] = 9;
    const Row rows[] = {
        {"nothing", ""},
        {"too short for its fields", "abcd"},
        {"an enumerator that does not exist", bad_kind},
        {"cut short", good.substr(0, good.size() - 1)},
        {"something behind it", good + "x"},
    };
    for (const auto& row : rows) {
        const auto info = decode_media_info(row.bytes);
        ASSERT_FALSE(info) << row.why;
        EXPECT_EQ(info.error().code, core::Errc::corrupt) << row.why;
    }
}

TEST(MediaInfoCodec, survives_any_flipped_bytes) {
    const std::string good = encode_media_info(full_info());
    std::mt19937 engine(1);
    for (int round = 0; round < 20'000; ++round) {
        std::string bytes = good;
        for (int flips = 0; flips < 3; ++flips) bytes[engine() % bytes.size()] = static_cast<char>(engine());
        if (const auto info = decode_media_info(bytes)) {
            EXPECT_LE(info->streams.size(), 1000u);
        }
    }
}

TEST(MediaInfoCodec, repairs_text_that_is_not_utf8) {
    auto info = full_info();
    info.tags.title = "Bl\xE5";
    const auto again = decode_media_info(encode_media_info(info));
    ASSERT_TRUE(again);
    EXPECT_EQ(again->tags.title, "Bl\xEF\xBF\xBD");
}

}  // namespace
}  // namespace understudy::media
