#include "media/worker/probe_file.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cmath>
#include <filesystem>
#include <string>

#include "support/media_files.h"
#include "unit/media/probed.h"

namespace understudy::media {
namespace {

namespace json = boost::json;

json::object ffprobe(const std::filesystem::path& file) {
    const auto text = test::output_of(
        {"ffprobe", "-v", "error", "-of", "json", "-show_format", "-show_streams", "-show_chapters", file.string()});
    return json::parse(text).as_object();
}

std::string text(const json::object& object, std::string_view key) {
    const auto* value = object.if_contains(key);
    return value == nullptr ? std::string{} : std::string(value->as_string());
}

std::int64_t number(const json::object& object, std::string_view key) {
    const auto* value = object.if_contains(key);
    if (value == nullptr) return 0;
    return value->is_string() ? std::stoll(std::string(value->as_string())) : value->as_int64();
}

double ratio(const std::string& fraction) {
    const auto slash = fraction.find('/');
    return slash == std::string::npos ? 0
                                      : std::stod(fraction.substr(0, slash)) / std::stod(fraction.substr(slash + 1));
}

std::string tag(const json::object& object, std::string_view key) {
    const auto* tags = object.if_contains("tags");
    return tags == nullptr ? std::string{} : text(tags->as_object(), key);
}

bool disposed(const json::object& stream, std::string_view key) {
    return number(stream.at("disposition").as_object(), key) != 0;
}

model::StreamKind kind_of(const std::string& name) {
    if (name == "video") return model::StreamKind::video;
    if (name == "audio") return model::StreamKind::audio;
    if (name == "subtitle") return model::StreamKind::subtitle;
    return name == "attachment" ? model::StreamKind::attachment : model::StreamKind::data;
}

void expect_video(const model::MediaStream& got, const json::object& want) {
    EXPECT_EQ(got.is_attached_picture, disposed(want, "attached_pic"));
    if (got.is_attached_picture) return;  // libavformat decodes it to learn its size; we do not
    EXPECT_EQ(got.width, number(want, "width"));
    EXPECT_EQ(got.height, number(want, "height"));
    EXPECT_EQ(got.pixel_format, text(want, "pix_fmt"));
    // ffprobe prints the number of a profile without a name.
    if (const auto profile = text(want, "profile"); profile != "0") {
        EXPECT_EQ(got.profile, profile);
    }
    EXPECT_EQ(got.level, std::max<std::int64_t>(number(want, "level"), 0));
    EXPECT_NEAR(got.frame_rate, ratio(text(want, "avg_frame_rate")), 0.02);
    const auto transfer = text(want, "color_transfer");
    EXPECT_EQ(got.hdr, transfer == "smpte2084" ? "HDR10" : transfer == "arib-std-b67" ? "HLG" : "SDR");
    EXPECT_EQ(got.bit_depth, got.pixel_format.ends_with("10le") ? 10 : 8);
}

void expect_audio(const model::MediaStream& got, const json::object& want, bool by_taglib) {
    EXPECT_EQ(got.channels, number(want, "channels"));
    EXPECT_EQ(got.sample_rate_hz, number(want, "sample_rate"));
    if (want.contains("channel_layout")) {
        EXPECT_EQ(got.channel_layout, text(want, "channel_layout"));
    }
    if (!by_taglib) {
        EXPECT_EQ(got.profile, text(want, "profile"));
    }
    if (const auto depth = number(want, "bits_per_raw_sample")) {
        EXPECT_EQ(got.bit_depth, depth);
    }
}

void expect_same(const model::MediaInfo& got, const json::object& want, bool by_taglib) {
    const auto& format = want.at("format").as_object();
    EXPECT_EQ(got.container, text(format, "format_name"));
    const double seconds = std::stod(text(format, "duration"));
    EXPECT_NEAR(static_cast<double>(got.duration.count()) / 1000, seconds, 0.06);
    const auto& streams = want.at("streams").as_array();
    ASSERT_EQ(got.streams.size(), streams.size());
    for (std::size_t i = 0; i < streams.size(); ++i) {
        SCOPED_TRACE("stream " + std::to_string(i));
        const auto& stream = streams[i].as_object();
        const auto& ours = got.streams[i];
        EXPECT_EQ(ours.index, static_cast<int>(i));
        EXPECT_EQ(ours.kind, kind_of(text(stream, "codec_type")));
        EXPECT_EQ(ours.codec, text(stream, "codec_name"));
        const auto language = tag(stream, "language");
        EXPECT_EQ(ours.language, language == "und" ? "" : language);
        if (!by_taglib) {
            EXPECT_EQ(ours.title, tag(stream, "title"));
            EXPECT_EQ(ours.is_default, disposed(stream, "default"));
            EXPECT_EQ(ours.is_forced, disposed(stream, "forced"));
            EXPECT_EQ(ours.is_hearing_impaired, disposed(stream, "hearing_impaired"));
        }
        if (ours.kind == model::StreamKind::video) expect_video(ours, stream);
        if (ours.kind == model::StreamKind::audio) expect_audio(ours, stream, by_taglib);
    }
    const auto& chapters = want.at("chapters").as_array();
    ASSERT_EQ(got.chapters.size(), chapters.size());
    for (std::size_t i = 0; i < chapters.size(); ++i) {
        const auto& chapter = chapters[i].as_object();
        EXPECT_NEAR(static_cast<double>(got.chapters[i].start.count()) / 1000, std::stod(text(chapter, "start_time")),
                    0.001);
        EXPECT_EQ(got.chapters[i].name, tag(chapter, "title"));
    }
    EXPECT_GT(got.bitrate_bps, 0);
    EXPECT_EQ(got.content_sample.size(), 32u);
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    for (char& c : name)
        if (c == '.') c = '_';
    return name;
}

class ProbeVideo : public ::testing::TestWithParam<std::string> {};

TEST_P(ProbeVideo, says_what_ffprobe_says) {
    const auto file = test::media_file(GetParam());
    const auto got = probed(file, ProbeKind::video);
    ASSERT_TRUE(got) << got.error().context;
    expect_same(*got, ffprobe(file), false);
}

INSTANTIATE_TEST_SUITE_P(all, ProbeVideo, ::testing::ValuesIn(test::video_file_names()), test_name);

class ProbeAudio : public ::testing::TestWithParam<std::string> {};

TEST_P(ProbeAudio, says_what_ffprobe_says) {
    const auto file = test::media_file(GetParam());
    const auto got = probed(file, ProbeKind::audio);
    ASSERT_TRUE(got) << got.error().context;
    expect_same(*got, ffprobe(file), true);
}

INSTANTIATE_TEST_SUITE_P(all, ProbeAudio, ::testing::ValuesIn(test::audio_file_names()), test_name);

TEST(ContentSample, follows_the_bytes_and_the_size_and_nothing_else) {
    const test::TempFolder folder;
    std::string bytes = test::read_bytes(test::media_file("film.mkv"));
    bytes.resize(400'000, 'x');  // longer than both pages: the middle is not looked at
    const auto sample = [&](const std::string& name, const std::string& content) {
        const auto got = probed(folder.write(name, content), ProbeKind::video);
        return got ? got->content_sample : got.error().context;
    };
    const auto first = sample("a.mkv", bytes);
    EXPECT_EQ(first.size(), 32u);
    EXPECT_EQ(sample("other name.avi", bytes), first);
    std::string middle = bytes, end = bytes;
    middle[200'000] = 'y';
    end.back() = 'y';
    EXPECT_EQ(sample("middle.mkv", middle), first);
    EXPECT_NE(sample("end.mkv", end), first);
    EXPECT_NE(sample("longer.mkv", bytes + "x"), first);
}

TEST(Probe, takes_music_for_what_it_is_whatever_it_is_called) {
    const test::TempFolder folder;
    const auto bytes = test::read_bytes(test::media_file("song.flac"));
    const auto got = probed(folder.write("song.mp3", bytes), ProbeKind::audio);
    ASSERT_TRUE(got) << got.error().context;
    EXPECT_EQ(got->container, "flac");
    const auto film =
        probed(folder.write("film.mp3", test::read_bytes(test::media_file("film.mkv"))), ProbeKind::audio);
    ASSERT_TRUE(film) << film.error().context;
    EXPECT_EQ(film->container, "matroska,webm");
}

}  // namespace
}  // namespace understudy::media
