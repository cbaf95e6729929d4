// The job `scale` on pictures that ffmpeg or the test itself makes: sizes, formats, what shows through, what is
// refused.
#include "media/ffmpeg/scaled.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>

#include "media/image_header.h"
#include "unit/media/made.h"

namespace understudy::media {
namespace {

core::Result<CoverResult> scaled(const std::filesystem::path& file, const ScaleParameters& parameters) {
    OpenFile open(file);
    return make_scaled(open.bytes(), parameters);
}

ScaleParameters to_width(int width, ScaledFormat format = ScaledFormat::by_need) {
    ScaleParameters parameters;
    parameters.max_width = width;
    parameters.format = format;
    return parameters;
}

struct Rgba {
    int r = -1, g = -1, b = -1, a = -1;
};
/// One pixel as ffmpeg sees it.
Rgba pixel(std::string_view picture, int x, int y) {
    const test::TempFolder folder;
    const auto file = folder.write("picture", picture);
    const auto crop = "crop=1:1:" + std::to_string(x) + ":" + std::to_string(y);
    const auto raw =
        test::output_of({"ffmpeg", "-nostdin", "-v", "error", "-i", file.string(), "-vf", "format=rgba," + crop,
                         "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgba", "-"});
    if (raw.size() != 4) return {};
    const auto channel = [&](std::size_t i) { return static_cast<int>(static_cast<unsigned char>(raw[i])); };
    return {channel(0), channel(1), channel(2), channel(3)};
}

constexpr const char* red = "-f lavfi -i color=0xC83232:s=640x480:d=0.04 -frames:v 1 ";
/// Red on the left, nothing on the right, behind which a green is hidden.
constexpr const char* logo =
    "-f lavfi -i \"nullsrc=s=400x200:d=0.04,format=rgba,geq=r='if(lt(X,201),255,0)':g='if(lt(X,201),0,255)':b=0:"
    "a='if(lt(X,201),255,0)'\" -frames:v 1 ";

TEST(Scaled, every_kind_of_image_comes_out_in_every_format) {
    const test::TempFolder folder;
    struct Row {
        const char* name;
        const char* arguments;
    };
    for (const Row& row :
         {Row{"a.jpg", ""}, Row{"a.png", ""}, Row{"deep.png", "-pix_fmt rgb48be"}, Row{"a.webp", ""}, Row{"a.gif", ""},
          Row{"a.bmp", ""}, Row{"a.tiff", ""}, Row{"a.avif", "-c:v libaom-av1 -still-picture 1 -cpu-used 8"}}) {
        const auto file = make(folder, std::string(red) + row.arguments, row.name);
        for (const auto& [format, kind] :
             {std::pair{ScaledFormat::by_need, ImageKind::jpeg}, std::pair{ScaledFormat::jpeg, ImageKind::jpeg},
              std::pair{ScaledFormat::png, ImageKind::png}, std::pair{ScaledFormat::webp, ImageKind::webp},
              std::pair{ScaledFormat::bmp, ImageKind::bmp}}) {
            SCOPED_TRACE(std::string(row.name) + " as " + std::string(mime_type(kind)));
            const auto picture = scaled(file, to_width(160, format));
            ASSERT_TRUE(picture) << picture.error().context;
            EXPECT_EQ(picture->kind, kind);
            EXPECT_EQ(picture->width, 160);
            EXPECT_EQ(picture->height, 120);
            EXPECT_EQ(picture->original_width, 640);
            EXPECT_FALSE(picture->is_original);
            const auto colour = mean_colour(picture->bytes);
            EXPECT_NEAR(colour.r, 200, 6);
            EXPECT_NEAR(colour.g, 50, 6);
            EXPECT_NEAR(colour.b, 50, 6);
        }
    }
}

TEST(Scaled, what_shows_through_is_kept_without_a_seam_of_what_is_hidden) {
    const test::TempFolder folder;
    const auto file = make(folder, logo, "logo.png");
    for (const auto format : {ScaledFormat::by_need, ScaledFormat::webp}) {
        const auto picture = scaled(file, to_width(50, format));
        ASSERT_TRUE(picture) << picture.error().context;
        EXPECT_EQ(picture->kind, format == ScaledFormat::webp ? ImageKind::webp : ImageKind::png);
        EXPECT_EQ(pixel(picture->bytes, 45, 10).a, 0);
        EXPECT_EQ(pixel(picture->bytes, 5, 10).a, 255);
        EXPECT_GT(pixel(picture->bytes, 5, 10).r, 240);
        const auto edge = pixel(picture->bytes, 25, 10);
        EXPECT_GT(edge.a, 2);
        EXPECT_LT(edge.a, 250);
        // WebP keeps colour for two by two pixels.
        if (format == ScaledFormat::by_need) {
            EXPECT_GT(edge.r, 200) << "the edge is red, half seen";
            EXPECT_LT(edge.g, 60);
        }
    }
}

TEST(Scaled, in_formats_without_alpha_it_lies_on_black) {
    const test::TempFolder folder;
    const auto file = make(folder, logo, "logo.png");
    for (const auto& [format, kind] :
         {std::pair{ScaledFormat::jpeg, ImageKind::jpeg}, std::pair{ScaledFormat::bmp, ImageKind::bmp}}) {
        const auto picture = scaled(file, to_width(50, format));
        ASSERT_TRUE(picture) << picture.error().context;
        EXPECT_EQ(picture->kind, kind);
        const auto ground = pixel(picture->bytes, 45, 10);
        EXPECT_LT(ground.r + ground.g + ground.b, 30);
        EXPECT_GT(pixel(picture->bytes, 5, 10).r, 230);
    }
}

TEST(Scaled, an_alpha_channel_that_says_nothing_costs_nothing) {
    const test::TempFolder folder;
    const auto file = make(folder, "-f lavfi -i color=red:s=200x100:d=0.04,format=rgba -frames:v 1", "a.png");
    const auto picture = scaled(file, to_width(100));
    ASSERT_TRUE(picture) << picture.error().context;
    EXPECT_EQ(picture->kind, ImageKind::jpeg);
}

/// With one Exif entry: its orientation.
std::string turned(std::string jpg, char orientation) {
    const std::string exif =
        std::string("Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0", 25) + orientation + std::string(6, '\0');
    return jpg.insert(2, std::string("\xFF\xE1\0", 3) + static_cast<char>(exif.size() + 2) + exif);
}

TEST(Scaled, a_photograph_that_lies_on_its_side_is_upright_and_so_is_its_size) {
    const test::TempFolder folder;
    const auto jpg = test::read_bytes(make(
        folder, "-f lavfi -i \"color=red:s=320x240:d=0.04[a];color=blue:s=320x240:d=0.04[b];[a][b]hstack\" -frames:v 1",
        "a.jpg"));
    const auto picture = scaled(folder.write("turned.jpg", turned(jpg, '\x06')), to_width(60));
    ASSERT_TRUE(picture) << picture.error().context;
    EXPECT_EQ(picture->original_width, 240);
    EXPECT_EQ(picture->original_height, 640);
    EXPECT_EQ(picture->width, 60);
    EXPECT_EQ(picture->height, 160);
    const auto top = mean_colour(picture->bytes, "iw:ih/4:0:0");
    EXPECT_GT(top.r, 200);
    EXPECT_LT(top.b, 60);
}

TEST(Scaled, a_side_that_is_named_is_kept_to_the_letter_also_upwards) {
    const test::TempFolder folder;
    const auto file = make(folder, red, "a.jpg");
    ScaleParameters parameters;
    parameters.width = 900;
    const auto wide = scaled(file, parameters);
    ASSERT_TRUE(wide) << wide.error().context;
    EXPECT_EQ(wide->width, 900);
    EXPECT_EQ(wide->height, 675);
    parameters.height = 100;
    const auto flat = scaled(file, parameters);
    ASSERT_TRUE(flat) << flat.error().context;
    EXPECT_EQ(flat->width, 900);
    EXPECT_EQ(flat->height, 100);
}

TEST(Scaled, a_box_is_covered) {
    const test::TempFolder folder;
    ScaleParameters parameters;
    parameters.fill_width = parameters.fill_height = 100;
    const auto picture = scaled(make(folder, red, "a.jpg"), parameters);
    ASSERT_TRUE(picture) << picture.error().context;
    EXPECT_EQ(picture->width, 134);
    EXPECT_EQ(picture->height, 100);
}

TEST(Scaled, a_large_jpeg_is_halved_by_its_decoder_and_still_has_the_size_and_detail_asked_for) {
    const test::TempFolder folder;
    const auto file = make(folder, "-f lavfi -i testsrc2=s=1998x3000:d=0.04 -frames:v 1 -q:v 2", "poster.jpg");
    const auto small = scaled(file, to_width(300, ScaledFormat::png));
    ASSERT_TRUE(small) << small.error().context;
    EXPECT_EQ(small->original_width, 1998);
    EXPECT_EQ(small->original_height, 3000);
    EXPECT_EQ(small->width, 300);
    EXPECT_EQ(small->height, 450);
    const auto ours = folder.write("ours.png", small->bytes);
    const auto psnr = test::output_of({"/bin/sh", "-c",
                                       "ffmpeg -nostdin -v info -i '" + ours.string() + "' -i '" + file.string() +
                                           "' -lavfi \"[1]scale=300:450:flags=area,format=rgb24[r];[0]format=rgb24[o];"
                                           "[o][r]psnr\" -f null - 2>&1 | sed -n 's/.*average:\\([0-9]*\\).*/\\1/p'"});
    EXPECT_GE(std::atoi(psnr.c_str()), 28) << psnr;
}

TEST(Scaled, of_an_animation_the_first_frame_counts) {
    const test::TempFolder folder;
    const std::string frames =
        "-f lavfi -i color=0xC83232:s=64x48:r=5:d=0.2 -f lavfi -i color=blue:s=64x48:r=5:d=1 "
        "-lavfi \"[0][1]concat\" ";
    for (const auto& file :
         {make(folder, frames, "a.gif"), make(folder, frames + "-c:v libwebp_anim -loop 0", "a.webp")}) {
        SCOPED_TRACE(file.filename().string());
        const auto picture = scaled(file, to_width(32));
        ASSERT_TRUE(picture) << picture.error().context;
        EXPECT_EQ(picture->width, 32);
        EXPECT_EQ(picture->height, 24);
        const auto colour = mean_colour(picture->bytes);
        EXPECT_NEAR(colour.r, 200, 8);
        EXPECT_NEAR(colour.b, 50, 8);
    }
}

/// A baseline JPEG of 8x8 pixels in four inks as printers' programs write it: turned over, with Adobe's mark.
std::string cmyk_jpeg(const std::array<int, 4>& inks) {
    std::string out("\xFF\xD8", 2);
    const auto segment = [&](char marker, const std::string& body) {
        out += '\xFF';
        out += marker;
        out += static_cast<char>((body.size() + 2) >> 8);
        out += static_cast<char>((body.size() + 2) & 0xFF);
        out += body;
    };
    segment('\xEE', std::string("Adobe\0\x64\0\0\0\0\0", 12));
    segment('\xDB', std::string(1, '\0') + std::string(64, '\x08'));
    std::string frame("\x08\0\x08\0\x08\x04", 6), scan("\x04", 1);
    for (char id = 1; id <= 4; ++id) {
        frame += id;
        frame += std::string("\x11\0", 2);
        scan += id;
        scan += '\0';
    }
    segment('\xC0', frame);
    // Differences of 0 to 8 bits, four bits a code; of the rest of a block only its end, in one bit.
    segment('\xC4', std::string("\0\0\0\0\x09\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x02\x03\x04\x05\x06\x07\x08", 26));
    segment('\xC4', std::string("\x10\x01", 2) + std::string(15, '\0') + std::string(1, '\0'));
    segment('\xDA', scan + std::string("\0\x3F\0", 3));
    std::string bits;
    for (const int ink : inks) {
        const int dc = 255 - ink - 128;
        int size = 0;
        while (size < 8 && std::abs(dc) >= 1 << size) ++size;
        const int code = dc < 0 ? dc + (1 << size) - 1 : dc;
        for (int i = 3; i >= 0; --i) bits += (size >> i & 1) != 0 ? '1' : '0';
        for (int i = size - 1; i >= 0; --i) bits += (code >> i & 1) != 0 ? '1' : '0';
        bits += '0';
    }
    bits.resize((bits.size() + 7) / 8 * 8, '1');
    for (std::size_t i = 0; i < bits.size(); i += 8) {
        const auto byte = static_cast<char>(std::stoi(bits.substr(i, 8), nullptr, 2));
        out += byte;
        if (byte == '\xFF') out += '\0';
    }
    return out + std::string("\xFF\xD9", 2);
}

TEST(Scaled, a_jpeg_of_four_inks_has_its_colours) {
    const test::TempFolder folder;
    ScaleParameters parameters;
    parameters.width = parameters.height = 16;
    const auto picture = scaled(folder.write("cmyk.jpg", cmyk_jpeg({0, 200, 200, 0})), parameters);
    ASSERT_TRUE(picture) << picture.error().context;
    EXPECT_EQ(picture->kind, ImageKind::jpeg);
    const auto colour = mean_colour(picture->bytes);
    EXPECT_GT(colour.r, 225);
    EXPECT_NEAR(colour.g, 55, 15);
    EXPECT_NEAR(colour.b, 55, 15);
}

TEST(Scaled, bombs_are_refused_by_their_header_and_what_is_broken_has_a_reason) {
    const test::TempFolder folder;
    auto png = test::read_bytes(make(folder, red, "a.png"));
    const auto cut = png.substr(0, 60);
    png.replace(16, 8, std::string("\0\0\xEA\x60\0\0\xEA\x60", 8));
    rusage before{};
    getrusage(RUSAGE_SELF, &before);
    const auto bomb = scaled(folder.write("bomb.png", png), to_width(100));
    rusage after{};
    getrusage(RUSAGE_SELF, &after);
    ASSERT_FALSE(bomb);
    EXPECT_EQ(bomb.error().code, core::Errc::unsupported);
    EXPECT_NE(bomb.error().context.find("60000x60000"), std::string::npos) << bomb.error().context;
    EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 20'000) << "KiB";
    for (const auto& [name, bytes] :
         {std::pair{"cut.png", cut},
          {"head.jpg", std::string("\xFF\xD8\xFF\xE0")},
          {"text.jpg", std::string(400, 'x')},
          {"empty.webp", std::string("RIFF\x1E\0\0\0WEBPVP8X\x0A\0\0\0\2\0\0\0\7\0\0\7\0\0", 30)}}) {
        const auto picture = scaled(folder.write(name, bytes), to_width(100));
        ASSERT_FALSE(picture) << name;
        EXPECT_NE(picture.error().context, "") << name;
    }
    EXPECT_FALSE(scaled(test::media_file("song.mp3"), to_width(100))) << "this job is for images alone";
}

}  // namespace
}  // namespace understudy::media
