// Fingerprints, silences and black edges of small files.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <sstream>

#include "media/ffmpeg/edges.h"
#include "media/ffmpeg/fingerprint.h"
#include "unit/media/made.h"

namespace understudy::media {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

core::Result<FingerprintResult> fingerprints_of(const std::filesystem::path& file, FingerprintParameters parameters) {
    OpenFile open(file);
    return make_fingerprints(open.bytes(), parameters);
}

std::vector<std::uint32_t> fpcalc(const std::filesystem::path& file, int length_s) {
    const auto text = test::output_of({"fpcalc", "-raw", "-plain", "-length", std::to_string(length_s), file.string()});
    std::vector<std::uint32_t> words;
    std::istringstream in(text);
    for (std::string word; std::getline(in, word, ',');) words.push_back(static_cast<std::uint32_t>(std::stoul(word)));
    return words;
}

double differing_bits(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
    double bits = 0;
    const auto length = std::min(a.size(), b.size());
    for (std::size_t i = 0; i < length; ++i) bits += std::popcount(a[i] ^ b[i]);
    return length == 0 ? 32 : bits / static_cast<double>(length);
}

/// Tones that change, so that every word is another.
constexpr const char* melody =
    "-f lavfi -i \"aevalsrc='0.3*sin(2*PI*t*(220+40*floor(mod(t*1.7,11))))+0.2*sin(2*PI*t*(330+55*floor(mod(t*0.9,7))))"
    "':s=44100:d=40\" ";

TEST(Fingerprints, are_those_of_fpcalc) {
    const test::TempFolder folder;
    for (const char* name : {"melody.flac", "melody.mp3", "melody.m4a", "melody.mka"}) {
        SCOPED_TRACE(name);
        const auto file = make(folder, std::string(melody) + "-ac 2", name);
        const auto result = fingerprints_of(file, {.windows = {{seconds{0}, seconds{30}}}});
        ASSERT_TRUE(result) << result.error().context;
        const auto& window = result->windows.at(0);
        const auto wanted = fpcalc(file, 30);
        EXPECT_NEAR(static_cast<double>(window.words.size()), static_cast<double>(wanted.size()), 1.0);
        EXPECT_LT(differing_bits(window.words, wanted), 1.0);
        EXPECT_EQ(window.item, microseconds{123'810});  // 1365 samples at 11025 a second
        EXPECT_NEAR(static_cast<double>(window.heard.count()), 30e6, 5e4);
    }
}

TEST(Fingerprints, a_window_later_in_the_file_says_the_same_of_the_same_sound) {
    const test::TempFolder folder;
    const auto file = make(folder, std::string(melody) + "-c:a aac", "melody.mkv");
    const auto result =
        fingerprints_of(file, {.windows = {{seconds{0}, seconds{12}}, {milliseconds{20'000}, seconds{40}}}});
    const auto whole = fingerprints_of(file, {.windows = {{seconds{0}, seconds{40}}}});
    ASSERT_TRUE(result && whole);
    const auto& late = result->windows.at(1);
    EXPECT_NEAR(static_cast<double>(late.start.count()), 20e6, 1e3);
    const auto& all = whole->windows.at(0).words;
    const auto skip = static_cast<std::ptrdiff_t>(
        std::lround(static_cast<double>(late.start.count()) / static_cast<double>(late.item.count())));
    ASSERT_GT(all.size(), static_cast<std::size_t>(skip));
    EXPECT_LT(differing_bits(std::vector<std::uint32_t>(all.begin() + skip, all.end()), late.words), 5.0);
    EXPECT_EQ(result->windows.at(0).words.size(), 75u) << "12 s less one word's span";
}

TEST(Fingerprints, silences_lie_where_there_is_none_to_hear) {
    const test::TempFolder folder;
    const auto file =
        make(folder,
             "-f lavfi -i \"aevalsrc='0.3*sin(2*PI*440*t)*(1-between(t,3,4.5)-between(t,7,7.2))|0.3*sin(2*PI*300*t)*"
             "(1-between(t,3,5)-between(t,7,7.2))':s=48000:d=10\"",
             "gaps.flac");
    const auto result = fingerprints_of(file, {.windows = {{seconds{1}, seconds{9}}}});
    ASSERT_TRUE(result) << result.error().context;
    const auto& silences = result->windows.at(0).silences;
    ASSERT_EQ(silences.size(), 1u) << "one channel alone is no silence, nor are 0.2 s";
    EXPECT_NEAR(static_cast<double>(silences[0].start.count()), 3.0e6, 2e4);
    EXPECT_NEAR(static_cast<double>(silences[0].end.count()), 4.5e6, 2e4);
}

TEST(Fingerprints, beyond_the_end_nothing_is_heard_and_video_alone_is_refused) {
    const auto result = fingerprints_of(test::media_file("song.flac"), {.windows = {{seconds{60}, seconds{90}}}});
    ASSERT_TRUE(result) << result.error().context;
    EXPECT_TRUE(result->windows.at(0).words.empty());
    EXPECT_EQ(result->windows.at(0).heard.count(), 0);
    EXPECT_EQ(fingerprints_of(test::media_file("high10.mkv"), {.windows = {{seconds{0}, seconds{1}}}}).error().code,
              core::Errc::unsupported);
}

TEST(Fingerprints, every_kind_of_audio_is_heard) {
    for (const auto& name : test::audio_file_names()) {
        const auto result = fingerprints_of(test::media_file(name), {.windows = {{seconds{0}, seconds{2}}}});
        ASSERT_TRUE(result) << name << ": " << result.error().context;
        EXPECT_NEAR(static_cast<double>(result->windows.at(0).heard.count()), 2e6, 1e5) << name;
    }
}

TEST(Edges, black_pictures_are_where_ffmpeg_sees_them) {
    const test::TempFolder folder;
    const std::string source =
        "-f lavfi -i "
        "\"testsrc2=s=320x180:r=25:d=10,drawbox=c=black:t=fill:enable='between(t,2,2.95)+between(t,6,6.03)'\" ";
    for (const auto& [arguments, name] :
         {std::pair{"-c:v libx264 -pix_fmt yuv420p -g 100", "black.mkv"},
          {"-c:v libx265 -x265-params log-level=error -pix_fmt yuv420p10le", "black10.mp4"},
          {"-c:v ffv1 -pix_fmt bgr0", "rgb.mkv"}}) {
        SCOPED_TRACE(name);
        OpenFile open(make(folder, source + arguments, name));
        const auto result =
            find_edges(open.bytes(), {.windows = {{seconds{1}, seconds{4}}, {milliseconds{5'500}, seconds{9}}}});
        ASSERT_TRUE(result) << result.error().context;
        ASSERT_EQ(result->blacks.size(), 2u);
        ASSERT_EQ(result->blacks[0].size(), 1u);
        EXPECT_NEAR(static_cast<double>(result->blacks[0][0].start.count()), 2.0e6, 2e3);
        EXPECT_NEAR(static_cast<double>(result->blacks[0][0].end.count()), 2.96e6, 2e3);  // pictures 50 to 73
        EXPECT_TRUE(result->blacks[1].empty()) << "one picture is no edge";
    }
}

TEST(Edges, a_window_that_begins_in_the_black_begins_with_it) {
    const test::TempFolder folder;
    OpenFile open(make(folder,
                       "-f lavfi -i \"testsrc2=s=320x180:r=25:d=4,drawbox=c=black:t=fill:enable='lt(t,2)'\" -c:v "
                       "libx264 -pix_fmt yuv420p",
                       "black.mp4"));
    const auto result = find_edges(open.bytes(), {.windows = {{milliseconds{500}, seconds{3}}}});
    ASSERT_TRUE(result);
    const std::vector<TimeSpan> wanted{{milliseconds{500}, seconds{2}}};
    EXPECT_EQ(result->blacks.at(0), wanted);
}

}  // namespace
}  // namespace understudy::media
