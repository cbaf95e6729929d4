#include "media/wire.h"

#include <gtest/gtest.h>

#include <random>

namespace understudy::media::wire {
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

std::string encoded(std::uint32_t id, const ProbeResult& result) {
    std::string bytes;
    append_answer(bytes, id, result);
    return bytes;
}

TEST(Wire, carries_everything_that_a_probe_learns) {
    AnswerReader reader;
    const std::string bytes = encoded(7, full_info());
    reader.add(bytes);
    const auto answer = reader.next();
    ASSERT_TRUE(answer && answer->result);
    EXPECT_EQ(answer->id, 7u);
    // The encoding has every field once: the same bytes mean the same values.
    EXPECT_EQ(encoded(7, *answer->result), bytes);
    EXPECT_EQ(answer->result->streams[1].channel_layout, "5.1");
    EXPECT_TRUE(answer->result->streams[1].is_hearing_impaired);
    EXPECT_EQ(answer->result->chapters[1].name, "Ænd");
    EXPECT_EQ(answer->result->content_sample, full_info().content_sample);
    EXPECT_FALSE(reader.next());
    EXPECT_FALSE(reader.broken());
}

TEST(Wire, joins_answers_that_come_in_pieces) {
    std::string bytes =
        encoded(1, full_info()) + encoded(2, core::fail(core::Errc::corrupt, "why")) + encoded(3, full_info());
    append_hello(bytes, "");
    AnswerReader reader;
    std::vector<std::uint32_t> ids;
    for (const char byte : bytes) {
        reader.add({&byte, 1});
        while (const auto answer = reader.next()) {
            ids.push_back(answer->id);
            if (answer->id == 2) {
                EXPECT_EQ(answer->result.error().code, core::Errc::corrupt);
                EXPECT_EQ(answer->result.error().context, "why");
            }
            if (answer->id == hello_id) {
                EXPECT_EQ(answer->hello, hello_word);
            }
        }
    }
    EXPECT_EQ(ids, (std::vector<std::uint32_t>{1, 2, 3, hello_id}));
}

TEST(Wire, sees_through_a_sender_that_lies) {
    struct Row {
        const char* why;
        std::string bytes;
    };
    std::string bad_kind = encoded(1, full_info());
    // container text, duration, bit rate and count of streams come before the first stream's kind
    const std::size_t kind_at = 12 + 4 + full_info().container.size() + 8 + 8 + 4;
    bad_kind[kind_at] = 9;
    std::string short_frame = encoded(1, full_info());
    short_frame[0] = static_cast<char>(short_frame[0] - 1);
    const Row rows[] = {
        {"a length beyond all bounds", std::string(12, '\xFF')},
        {"an unknown error code", std::string("\0\0\0\0\1\0\0\0\x40\0\0\0", 12)},
        {"a payload too short for its fields", std::string("\4\0\0\0\1\0\0\0\0\0\0\0abcd", 16)},
        {"an enumerator that does not exist", bad_kind},
        {"a frame cut short", short_frame},
    };
    for (const auto& row : rows) {
        AnswerReader reader;
        reader.add(row.bytes);
        EXPECT_FALSE(reader.next()) << row.why;
        EXPECT_TRUE(reader.broken()) << row.why;
    }
}

TEST(Wire, survives_any_flipped_bytes) {
    const std::string good = encoded(1, full_info());
    std::mt19937 engine(1);
    for (int round = 0; round < 20'000; ++round) {
        std::string bytes = good;
        for (int flips = 0; flips < 3; ++flips) bytes[engine() % bytes.size()] = static_cast<char>(engine());
        AnswerReader reader;
        reader.add(bytes);
        while (const auto answer = reader.next())
            if (answer->result) {
                EXPECT_LE(answer->result->streams.size(), 1000u);
            }
    }
}

TEST(Wire, repairs_text_that_is_not_utf8) {
    auto info = full_info();
    info.tags.title = "Bl\xE5";
    AnswerReader reader;
    reader.add(encoded(1, info));
    const auto answer = reader.next();
    ASSERT_TRUE(answer && answer->result);
    EXPECT_EQ(answer->result->tags.title, "Bl\xEF\xBF\xBD");
}

}  // namespace
}  // namespace understudy::media::wire
