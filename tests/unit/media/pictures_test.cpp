#include "media/ffmpeg/pictures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

extern "C" {
#include <libavcodec/avcodec.h>
}

#include "media/ffmpeg/picture_maker.h"
#include "media/ffmpeg/stream_decoder.h"
#include "unit/media/made.h"

namespace understudy::media {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

core::Result<PicturesResult> pictures_of(const std::filesystem::path& file, const PicturesParameters& parameters) {
    OpenFile open(file);
    return make_pictures(open.bytes(), parameters);
}

PicturesParameters at(std::vector<microseconds> times, PictureChoice choice = PictureChoice::exact) {
    PicturesParameters parameters;
    parameters.times = std::move(times);
    parameters.choice = choice;
    return parameters;
}

/// Eight seconds at 25 a second; each picture is a grey of its own for 24 pictures on end, so that a neighbour is 9
/// off.
constexpr const char* greys =
    "-f lavfi -i \"color=gray:s=64x64:r=25:d=8,geq=lum='16+mod(N*9\\,216)':cb=128:cr=128\" -pix_fmt yuv420p ";
int grey_of(int number) {
    return static_cast<int>(std::lround((number * 9 % 216) * 255.0 / 219));
}

struct Form {
    const char* arguments;
    const char* name;
};
constexpr Form forms[] = {
    {"-c:v libx264 -preset medium -bf 3 -g 50 -crf 12", "greys.mkv"},
    {"-c:v libx264 -preset medium -bf 3 -g 50 -crf 12", "greys.mp4"},
    {"-c:v libx264 -preset medium -bf 3 -g 50 -crf 12 -x264opts open-gop=1", "open.mkv"},
    {"-c:v libx264 -preset medium -bf 3 -g 50 -crf 12 -f mpegts", "greys.ts"},
    {"-c:v libx265 -x265-params log-level=error:bframes=4:keyint=50 -crf 12", "hevc.mp4"},
    {"-c:v mpeg2video -bf 2 -g 12 -q:v 1 -f mpegts", "mpeg2.ts"},
    {"-c:v mpeg4 -g 25 -q:v 1", "mpeg4.avi"},
    {"-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 50 -crf 10 -b:v 0", "vp9.webm"},
};

TEST(Pictures, exact_is_the_first_picture_at_or_after_the_time) {
    const test::TempFolder folder;
    const auto raw = make(folder, std::string(greys) + "-c:v ffv1", "raw.nut");
    for (const auto& form : forms) {
        SCOPED_TRACE(std::string(form.name) + " " + form.arguments);
        const auto file = make(folder, "-i raw.nut " + std::string(form.arguments), form.name);
        std::vector<microseconds> times;
        const std::vector<int> numbers{0, 1, 11, 26, 27, 49, 50, 98, 151, 175, 199};
        for (const int number : numbers) times.emplace_back(milliseconds{number * 40});
        times[3] -= milliseconds{17};  // between two pictures: the later one
        const auto result = pictures_of(file, at(times));
        ASSERT_TRUE(result) << result.error().context;
        ASSERT_EQ(result->pictures.size(), times.size());
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const auto& picture = result->pictures[i];
            ASSERT_EQ(picture.reason, "") << numbers[i];
            EXPECT_NEAR(mean_colour(picture.bytes).g, grey_of(numbers[i]), 3) << numbers[i];
            EXPECT_NEAR(static_cast<double>(picture.shown_at.count()), numbers[i] * 40'000.0, 2'000.0);
        }
        // At the very end nothing more begins: the last picture is what is seen there.
        const auto end = pictures_of(file, at({milliseconds{8'000}}));
        ASSERT_TRUE(end) << end.error().context;
        EXPECT_EQ(end->pictures[0].reason, "");
        EXPECT_NEAR(mean_colour(end->pictures[0].bytes).g, grey_of(199), 3);
    }
}

TEST(Pictures, exact_is_exact_wherever_between_keyframes_it_lies) {
    // The last time of a call is reached without what lies behind it, so each has a call of its own.
    const test::TempFolder folder;
    const auto raw = make(folder, std::string(greys) + "-c:v ffv1", "raw.nut");
    for (const auto& form : forms) {
        SCOPED_TRACE(std::string(form.name) + " " + form.arguments);
        const auto file = make(folder, "-i raw.nut " + std::string(form.arguments), form.name);
        for (int number = 60; number < 90; ++number) {
            const auto result = pictures_of(file, at({milliseconds{number * 40}}));
            ASSERT_TRUE(result) << result.error().context;
            ASSERT_EQ(result->pictures[0].reason, "") << number;
            EXPECT_NEAR(mean_colour(result->pictures[0].bytes).g, grey_of(number), 3) << number;
            EXPECT_NEAR(static_cast<double>(result->pictures[0].shown_at.count()), number * 40'000.0, 2'000.0);
        }
    }
}

TEST(Pictures, a_decoder_that_is_told_its_last_packet_gives_what_it_holds) {
    const test::TempFolder folder;
    const auto file = make(folder, std::string(greys) + "-c:v libx264 -bf 3 -g 50", "greys.mkv");
    OpenFile open(file);
    auto decoder = StreamDecoder::open(open.bytes(), StreamDecoder::Kind::video);
    ASSERT_TRUE(decoder) << decoder.error().context;
    const auto* third = (*decoder)->peek(2);
    ASSERT_NE(third, nullptr);
    const auto pts = third->pts;
    int frames = 0;
    while ((*decoder)->next([&](const AVPacket& packet) {
        if (packet.pts == pts) (*decoder)->finish_here();
    }))
        ++frames;
    EXPECT_EQ(frames, 3);
    EXPECT_EQ((*decoder)->packets(), 3);
    ASSERT_TRUE((*decoder)->seek(0));
    EXPECT_NE((*decoder)->next(), nullptr);
}

TEST(Pictures, at_the_keyframe_is_the_last_keyframe_before_or_at_the_time) {
    const test::TempFolder folder;
    const auto raw = make(folder, std::string(greys) + "-c:v ffv1", "raw.nut");
    for (const Form& form :
         {Form{"-c:v libx264 -bf 3 -g 50 -keyint_min 50 -sc_threshold 0 -crf 12", "keys.mkv"},
          Form{"-c:v libx264 -bf 3 -g 50 -keyint_min 50 -sc_threshold 0 -crf 12", "keys.mp4"},
          Form{"-c:v libx264 -bf 3 -g 50 -keyint_min 50 -sc_threshold 0 -crf 12", "keys.ts"},
          Form{"-c:v libx265 -x265-params log-level=error:keyint=50:min-keyint=50:scenecut=0", "keys265.mkv"}}) {
        SCOPED_TRACE(form.name);
        const auto file = make(folder, "-i raw.nut " + std::string(form.arguments), form.name);
        const auto result = pictures_of(file, at({milliseconds{0}, milliseconds{1'900}, milliseconds{2'000},
                                                  milliseconds{5'999}, milliseconds{7'990}},
                                                 PictureChoice::keyframe));
        ASSERT_TRUE(result) << result.error().context;
        const std::vector<int> numbers{0, 0, 50, 150, 150};
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            EXPECT_EQ(result->pictures[i].reason, "");
            EXPECT_NEAR(mean_colour(result->pictures[i].bytes).g, grey_of(numbers[i]), 3) << i;
            EXPECT_NEAR(static_cast<double>(result->pictures[i].shown_at.count()), numbers[i] * 40'000.0, 2'000.0);
        }
    }
}

TEST(Pictures, a_time_beyond_the_end_has_a_reason_and_the_others_stand) {
    const auto result = pictures_of(test::media_file("film.mkv"), at({milliseconds{500}, milliseconds{60'000}}));
    ASSERT_TRUE(result) << result.error().context;
    EXPECT_EQ(result->pictures[0].reason, "");
    EXPECT_EQ(result->pictures[0].bytes.substr(0, 3), "\xFF\xD8\xFF");
    EXPECT_EQ(result->pictures[1].bytes, "");
    EXPECT_NE(result->pictures[1].reason.find("beyond the end"), std::string::npos) << result->pictures[1].reason;
}

TEST(Pictures, every_kind_of_video_gives_one) {
    for (const auto& name : test::video_file_names()) {
        SCOPED_TRACE(name);
        for (const auto choice : {PictureChoice::exact, PictureChoice::keyframe}) {
            const auto result = pictures_of(test::media_file(name), at({milliseconds{100}, milliseconds{300}}, choice));
            ASSERT_TRUE(result) << result.error().context;
            for (const auto& picture : result->pictures) {
                EXPECT_EQ(picture.reason, "");
                EXPECT_EQ(picture.width, 320);
                EXPECT_EQ(picture.height, 180);
                EXPECT_GT(picture.bytes.size(), 1000u);
            }
        }
    }
}

TEST(Pictures, they_are_scaled_down_only_and_as_webp_where_asked) {
    auto parameters = at({milliseconds{500}});
    parameters.max_width = 160;
    parameters.format = PictureFormat::webp;
    const auto result = pictures_of(test::media_file("film.mkv"), parameters);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->pictures[0].width, 160);
    EXPECT_EQ(result->pictures[0].height, 90);
    EXPECT_EQ(result->pictures[0].bytes.substr(0, 4) + result->pictures[0].bytes.substr(8, 4), "RIFFWEBP");
}

TEST(Pictures, the_same_picture_has_the_same_bytes_and_less_quality_has_fewer) {
    auto parameters = at({milliseconds{500}});
    const auto first = pictures_of(test::media_file("film.mkv"), parameters);
    const auto second = pictures_of(test::media_file("film.mkv"), parameters);
    parameters.quality = 40;
    const auto coarse = pictures_of(test::media_file("film.mkv"), parameters);
    ASSERT_TRUE(first && second && coarse);
    EXPECT_EQ(*first, *second);
    EXPECT_LT(coarse->pictures[0].bytes.size(), first->pictures[0].bytes.size() * 3 / 4);
}

TEST(Pictures, pixels_that_are_not_square_are_made_so) {
    const test::TempFolder folder;
    const auto file =
        make(folder, "-f lavfi -i testsrc2=s=720x576:r=25:d=1 -vf setsar=64/45 -c:v mpeg2video", "wide.mpg");
    auto parameters = at({milliseconds{200}});
    parameters.max_width = 512;
    const auto result = pictures_of(file, parameters);
    ASSERT_TRUE(result) << result.error().context;
    EXPECT_EQ(result->pictures[0].width, 512);  // 1024 x 576 halved
    EXPECT_EQ(result->pictures[0].height, 288);
}

TEST(Pictures, whole_vectors_may_be_read_behind_the_last_row_of_any_copy) {
    const Raster made(512, 288, false);
    const Raster copy = made;
    for (const Raster* picture : {&made, &copy}) {
        EXPECT_EQ(picture->pixels().size(), 512u * 288 * 3);
        EXPECT_EQ(picture->storage().size(), 512u * 288 * 3 + Raster::slack);
    }
}

TEST(Pictures, a_telephone_held_upright_gives_upright_pictures) {
    const test::TempFolder folder;
    // Left half red, right half blue.
    const char* halves = "-f lavfi -i \"color=red:s=64x128:r=25:d=1[a];color=blue:s=64x128:r=25:d=1[b];[a][b]hstack\" ";
    make(folder, std::string(halves) + "-c:v libx264 -pix_fmt yuv420p", "plain.mp4");
    struct Row {
        int degrees;
        const char* red;  ///< where the red half is when it is shown
    };
    for (const Row& row : {Row{90, "iw:ih/4:0:ih*3/4"}, Row{180, "iw/4:ih:iw*3/4:0"}, Row{270, "iw:ih/4:0:0"}}) {
        const std::string name = "turned" + std::to_string(row.degrees) + ".mp4";
        const auto file =
            make(folder, "-i plain.mp4 -c copy -metadata:s:v rotate=" + std::to_string(row.degrees), name);
        const auto result = pictures_of(file, at({milliseconds{0}}));
        ASSERT_TRUE(result) << result.error().context;
        // ffmpeg itself turns it where it decodes: the same corner must be red.
        const auto shown = make(folder, "-i " + name + " -frames:v 1", "shown.png");
        const Rgb theirs = mean_colour(test::read_bytes(shown), row.red);
        const Rgb ours = mean_colour(result->pictures[0].bytes, row.red);
        EXPECT_GT(theirs.r, 200) << row.degrees;
        EXPECT_GT(ours.r, 200) << row.degrees;
        EXPECT_LT(ours.b, 60) << row.degrees;
    }
}

TEST(Pictures, hdr_is_as_bright_and_coloured_as_its_sdr_sibling) {
    const test::TempFolder folder;
    const std::string source = "-f lavfi -i \"testsrc2=s=320x180:r=25:d=1,format=yuv420p\" ";
    const auto sdr =
        make(folder,
             source +
                 "-vf scale=out_color_matrix=bt709 -colorspace bt709 -color_trc bt709 -color_primaries bt709 "
                 "-c:v libx264 -crf 8",
             "sdr.mkv");
    const std::string bt709 = "zscale=min=709:tin=709:pin=709:rin=tv:m=2020_ncl:p=2020:npl=203:t=";
    const auto pq = make(folder,
                         "-i sdr.mkv -vf " + bt709 +
                             "smpte2084,format=yuv420p10le -c:v libx265 -x265-params "
                             "log-level=error:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc -crf 8",
                         "pq.mkv");
    const auto hlg = make(folder,
                          "-i sdr.mkv -vf " + bt709 +
                              "arib-std-b67,format=yuv420p10le -c:v libx265 -x265-params "
                              "log-level=error:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc -crf 8",
                          "hlg.mkv");
    const auto reference = pictures_of(sdr, at({milliseconds{480}}));
    ASSERT_TRUE(reference);
    const auto wanted = mean_colour(reference->pictures[0].bytes);
    struct Row {
        std::filesystem::path file;
        int tolerance;
    };
    for (const auto& row : {Row{pq, 12}, Row{hlg, 24}}) {
        SCOPED_TRACE(row.file);
        const auto result = pictures_of(row.file, at({milliseconds{480}}));
        ASSERT_TRUE(result) << result.error().context;
        const auto mean = mean_colour(result->pictures[0].bytes);
        EXPECT_NEAR(mean.r, wanted.r, row.tolerance);
        EXPECT_NEAR(mean.g, wanted.g, row.tolerance);
        EXPECT_NEAR(mean.b, wanted.b, row.tolerance);
        // zimg raises each channel by itself where HLG (BT.2100) goes by the luminance: its saturated colours are
        // others.
        if (row.file == hlg) continue;
        // Contrast and colour: the spread of a few places, where an unmapped picture is grey.
        for (const char* place : {"iw/8:ih/8:0:0", "iw/8:ih/8:iw/2:ih/2", "iw/8:ih/8:iw*7/8:ih/4"}) {
            const auto ours = mean_colour(result->pictures[0].bytes, place);
            const auto theirs = mean_colour(reference->pictures[0].bytes, place);
            EXPECT_NEAR(ours.r, theirs.r, 2 * row.tolerance) << place;
            EXPECT_NEAR(ours.g, theirs.g, 2 * row.tolerance) << place;
            EXPECT_NEAR(ours.b, theirs.b, 2 * row.tolerance) << place;
        }
    }
}

std::string small_pixels(const std::string& picture) {
    const test::TempFolder folder;
    return test::output_of({"ffmpeg", "-nostdin", "-v", "error", "-i", folder.write("picture", picture).string(), "-vf",
                            "format=gbrp,scale=100:56:flags=area", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"});
}

/// How far two pictures are from each other: the root of the mean square, in levels of 256, at 100 pixels a line.
double distance(const std::string& one, const std::string& other) {
    const auto a = small_pixels(one), b = small_pixels(other);
    EXPECT_EQ(a.size(), std::size_t{100} * 56 * 3);
    EXPECT_EQ(b.size(), a.size());
    double squares = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        const double off = static_cast<unsigned char>(a[i]) - static_cast<unsigned char>(b[i]);
        squares += off * off;
    }
    return std::sqrt(squares / static_cast<double>(a.size()));
}

TEST(Pictures, a_small_picture_of_a_large_film_is_what_the_whole_decoder_gives) {
    // Pictures of a third of the size and below are decoded without H.264's deblocking near a keyframe; further away
    // what that changes would build up. One keyframe, 240 pictures, coded coarsely: there it would show most.
    const test::TempFolder folder;
    const auto film = make(folder,
                           "-f lavfi -i mandelbrot=s=1200x672:r=24 -t 10 -c:v libx264 -preset veryfast -crf 30 -g 250 "
                           "-sc_threshold 0 -pix_fmt yuv420p",
                           "film.mkv");
    // By ffmpeg, all of it, and without loss.
    const auto near = make(folder, "-ss 4.5 -i film.mkv -t 1 -c:v ffv1", "near.mkv");
    const auto far = make(folder, "-ss 9.5 -i film.mkv -c:v ffv1", "far.mkv");
    const auto whole_near = pictures_of(near, at({milliseconds{400}}));
    const auto whole_far = pictures_of(far, at({milliseconds{400}}));
    ASSERT_TRUE(whole_near && whole_far);
    // Also where the far one comes second, and decoding might have gone on from the near one.
    const auto both = pictures_of(film, at({milliseconds{4'900}, milliseconds{9'900}}));
    const auto alone = pictures_of(film, at({milliseconds{9'900}}));
    ASSERT_TRUE(both && alone);
    EXPECT_LT(distance(both->pictures[0].bytes, whole_near->pictures[0].bytes), 3);  // 39 dB
    EXPECT_LT(distance(both->pictures[1].bytes, whole_far->pictures[0].bytes), 0.5);
    EXPECT_LT(distance(alone->pictures[0].bytes, whole_far->pictures[0].bytes), 0.5);
}

TEST(Pictures, interlaced_video_gives_whole_pictures) {
    const test::TempFolder folder;
    for (const Form& form : {Form{"-c:v libx264 -flags +ilme+ildct -x264opts tff=1 -f mpegts", "fields264.ts"},
                             Form{"-c:v mpeg2video -flags +ilme+ildct -top 1 -f mpegts", "fields2.ts"}}) {
        SCOPED_TRACE(form.name);
        const auto file = make(folder,
                               "-f lavfi -i testsrc2=s=720x576:r=50:d=2 -vf tinterlace=interleave_top,setfield=tff " +
                                   std::string(form.arguments),
                               form.name);
        for (const auto choice : {PictureChoice::exact, PictureChoice::keyframe}) {
            const auto result = pictures_of(file, at({milliseconds{0}, milliseconds{1'000}}, choice));
            ASSERT_TRUE(result) << result.error().context;
            for (const auto& picture : result->pictures) {
                EXPECT_EQ(picture.reason, "");
                EXPECT_EQ(picture.width, 400);
                EXPECT_EQ(picture.height, 320);
                const auto top = mean_colour(picture.bytes, "iw:ih/2:0:0"),
                           bottom = mean_colour(picture.bytes, "iw:ih/2:0:ih/2");
                EXPECT_GT(top.r + top.g + top.b, 60);
                EXPECT_GT(bottom.r + bottom.g + bottom.b, 60);
            }
        }
    }
}

TEST(Pictures, half_a_file_gives_the_pictures_of_its_half) {
    const test::TempFolder folder;
    const auto whole =
        make(folder, "-f lavfi -i testsrc2=s=320x180:r=25:d=8 -c:v libx264 -g 50 -pix_fmt yuv420p", "whole.mkv");
    const auto bytes = test::read_bytes(whole);
    const auto half = folder.write("half.mkv", bytes.substr(0, bytes.size() / 2));
    const auto result = pictures_of(half, at({milliseconds{1'000}, milliseconds{2'500}}));
    ASSERT_TRUE(result) << result.error().context;
    EXPECT_EQ(result->pictures[0].reason, "");
    EXPECT_EQ(result->pictures[1].reason, "");
}

TEST(Pictures, what_is_no_video_is_refused_with_a_reason) {
    const test::TempFolder folder;
    EXPECT_EQ(pictures_of(test::media_file("song.flac"), at({milliseconds{0}})).error().code, core::Errc::unsupported);
    EXPECT_EQ(pictures_of(folder.write("text.mkv", std::string(5000, 'a')), at({milliseconds{0}})).error().code,
              core::Errc::unsupported);
    const auto head = test::read_bytes(test::media_file("film.mkv")).substr(0, 4000);
    EXPECT_EQ(pictures_of(folder.write("head.mkv", head), at({milliseconds{0}})).error().code, core::Errc::corrupt);
}

}  // namespace
}  // namespace understudy::media
