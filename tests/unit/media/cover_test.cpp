#include "media/ffmpeg/cover.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "media/image_header.h"
#include "unit/media/made.h"

namespace understudy::media {
namespace {

core::Result<CoverResult> cover_of(const std::filesystem::path& file, const CoverParameters& parameters = {}) {
    OpenFile open(file);
    return make_cover(open.bytes(), parameters);
}

ImageHeader header_of(std::string_view bytes) {
    const auto header = read_image_header({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    return header.value_or(ImageHeader{.kind = ImageKind::avif, .width = 0, .height = 0});
}

constexpr const char* red = "-f lavfi -i color=0xC83232:s=640x480:d=0.04 -frames:v 1 ";

TEST(Cover, the_picture_in_a_song_comes_out_unchanged_where_it_fits) {
    for (const char* name : {"song.mp3", "song.flac", "song.m4a"}) {
        const auto cover = cover_of(test::media_file(name));
        ASSERT_TRUE(cover) << name << ": " << cover.error().context;
        EXPECT_TRUE(cover->is_original);
        EXPECT_EQ(cover->kind, ImageKind::jpeg);
        EXPECT_EQ(cover->width, 64);
        EXPECT_EQ(cover->height, 64);
        EXPECT_NE(test::read_bytes(test::media_file(name)).find(cover->bytes), std::string::npos);
    }
}

TEST(Cover, files_without_a_picture_say_so) {
    for (const char* name : {"song.ogg", "song.wav", "film.mkv"}) {
        const auto cover = cover_of(test::media_file(name));
        ASSERT_FALSE(cover) << name;
        EXPECT_EQ(cover.error().code, core::Errc::unsupported);
    }
}

TEST(Cover, every_kind_of_image_is_read_and_scaled) {
    const test::TempFolder folder;
    struct Row {
        const char* name;
        const char* arguments;
    };
    for (const Row& row :
         {Row{"a.jpg", ""}, Row{"a.png", ""}, Row{"a.webp", ""}, Row{"lossless.webp", "-lossless 1"}, Row{"a.gif", ""},
          Row{"a.bmp", ""}, Row{"a.tiff", ""}, Row{"a.avif", "-c:v libaom-av1 -still-picture 1 -cpu-used 8"}}) {
        SCOPED_TRACE(row.name);
        const auto file = make(folder, std::string(red) + row.arguments, row.name);
        CoverParameters parameters;
        parameters.max_side = 320;
        const auto cover = cover_of(file, parameters);
        ASSERT_TRUE(cover) << cover.error().context;
        EXPECT_FALSE(cover->is_original);
        EXPECT_EQ(cover->kind, ImageKind::jpeg);
        EXPECT_EQ(cover->width, 320);
        EXPECT_EQ(cover->height, 240);
        EXPECT_EQ(cover->original_width, 640);
        EXPECT_EQ(header_of(cover->bytes).width, 320u);
        const auto colour = mean_colour(cover->bytes);
        EXPECT_NEAR(colour.r, 200, 6);
        EXPECT_NEAR(colour.g, 50, 6);
        EXPECT_NEAR(colour.b, 50, 6);
    }
}

TEST(Cover, what_clients_cannot_show_is_converted_even_where_it_fits) {
    const test::TempFolder folder;
    const auto cover = cover_of(make(folder, red, "small.bmp"));
    ASSERT_TRUE(cover) << cover.error().context;
    EXPECT_EQ(cover->kind, ImageKind::jpeg);
    EXPECT_EQ(cover->width, 640);
    EXPECT_FALSE(cover->is_original);
}

TEST(Cover, transparency_is_kept_as_png) {
    const test::TempFolder folder;
    const auto logo =
        make(folder, "-f lavfi -i \"color=red@0.5:s=400x200:d=0.04,format=rgba\" -frames:v 1", "logo.png");
    CoverParameters parameters;
    parameters.max_side = 100;
    const auto cover = cover_of(logo, parameters);
    ASSERT_TRUE(cover) << cover.error().context;
    EXPECT_EQ(cover->kind, ImageKind::png);
    EXPECT_EQ(cover->width, 100);
    EXPECT_EQ(cover->height, 50);
    const auto file = folder.write("small.png", cover->bytes);
    const auto pixel = test::output_of({"ffmpeg", "-v", "error", "-i", file.string(), "-vf", "crop=1:1:50:25", "-f",
                                        "rawvideo", "-pix_fmt", "rgba", "-"});
    ASSERT_EQ(pixel.size(), 4u);
    EXPECT_NEAR(static_cast<unsigned char>(pixel[3]), 128, 2);
    EXPECT_GT(static_cast<unsigned char>(pixel[0]), 250);
}

TEST(Cover, a_large_original_is_coded_anew_even_where_its_size_fits) {
    const test::TempFolder folder;
    const auto file = make(
        folder, "-f lavfi -i \"nullsrc=s=600x600:d=0.04,geq=random(1)*255:128:128\" -frames:v 1 -q:v 1", "noise.jpg");
    CoverParameters parameters;
    parameters.original_bytes = 20'000;
    parameters.quality = 60;
    const auto cover = cover_of(file, parameters);
    ASSERT_TRUE(cover) << cover.error().context;
    EXPECT_FALSE(cover->is_original);
    EXPECT_EQ(cover->width, 600);
    EXPECT_LT(cover->bytes.size(), std::filesystem::file_size(file));
}

std::string big_endian(std::uint32_t value) {
    std::string out;
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>((value >> shift) & 0xFF);
    return out;
}

TEST(Cover, an_image_bomb_is_refused_by_its_header) {
    const test::TempFolder folder;
    // A PNG of 60000 x 60000 that a decoder would believe: its data is that of a small one.
    auto png = test::read_bytes(make(folder, red, "small.png"));
    png.replace(16, 8, big_endian(60'000) + big_endian(60'000));
    auto jpg = test::read_bytes(make(folder, red, "small.jpg"));
    const auto frame = jpg.find("\xFF\xC0");
    ASSERT_NE(frame, std::string::npos);
    jpg.replace(frame + 5, 4, "\xEA\x60\xEA\x60");
    auto gif = test::read_bytes(make(folder, red, "small.gif"));
    gif.replace(6, 4, "\x60\xEA\x60\xEA");
    auto bmp = test::read_bytes(make(folder, red, "small.bmp"));
    bmp.replace(18, 8, std::string("\x60\xEA\0\0\x60\xEA\0\0", 8));
    rusage before{};
    getrusage(RUSAGE_SELF, &before);
    for (const auto& [name, bytes] :
         {std::pair{"bomb.png", png}, {"bomb.jpg", jpg}, {"bomb.gif", gif}, {"bomb.bmp", bmp}}) {
        const auto cover = cover_of(folder.write(name, bytes));
        ASSERT_FALSE(cover) << name;
        EXPECT_EQ(cover.error().code, core::Errc::unsupported);
        EXPECT_NE(cover.error().context.find("60000x60000"), std::string::npos) << cover.error().context;
    }
    rusage after{};
    getrusage(RUSAGE_SELF, &after);
    EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 20'000) << "KiB";
}

TEST(Cover, broken_images_have_a_reason) {
    const test::TempFolder folder;
    const auto png = test::read_bytes(make(folder, red, "a.png"));
    CoverParameters parameters;
    parameters.max_side = 100;
    for (const auto& [name, bytes] : {std::pair{"cut.png", png.substr(0, 60)},
                                      {"head.jpg", std::string("\xFF\xD8\xFF\xE0")},
                                      {"empty.tiff", std::string("II*\0", 4)},
                                      {"text.jpg", std::string(400, 'x')},
                                      {"nothing.jpg", std::string()}}) {
        const auto cover = cover_of(folder.write(name, bytes), parameters);
        ASSERT_FALSE(cover) << name;
        EXPECT_NE(cover.error().context, "") << name;
    }
}

TEST(Cover, a_photograph_that_lies_on_its_side_is_turned_upright) {
    const test::TempFolder folder;
    auto jpg = test::read_bytes(make(
        folder, "-f lavfi -i \"color=red:s=64x128:d=0.04[a];color=blue:s=64x128:d=0.04[b];[a][b]hstack\" -frames:v 1",
        "a.jpg"));
    // Exif with one entry: orientation 6 (the camera was held so that the row 0 is on the right).
    const std::string exif("Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0", 32);
    const std::string segment = std::string("\xFF\xE1\0", 3) + static_cast<char>(exif.size() + 2) + exif;
    jpg.insert(2, segment);
    EXPECT_TRUE(header_of(jpg).turned);
    const auto cover = cover_of(folder.write("turned.jpg", jpg));
    ASSERT_TRUE(cover) << cover.error().context;
    EXPECT_FALSE(cover->is_original);
    if (cover->height == 128 && cover->width == 128) {
        const auto top = mean_colour(cover->bytes, "iw:ih/4:0:0");
        EXPECT_GT(top.r, 200);
        EXPECT_LT(top.b, 60);
    }
}

}  // namespace
}  // namespace understudy::media
