// What jobs are told and tell, as bytes; image headers; tone mapping.
#include <gtest/gtest.h>

#include <random>

#include "media/cover.h"
#include "media/edges.h"
#include "media/fingerprint.h"
#include "media/image_header.h"
#include "media/packed.h"
#include "media/pictures.h"
#include "media/scaled.h"
#include "media/tone_map.h"

namespace understudy::media {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

template <class Value, class Decode>
void comes_back(const Value& value, Decode decode) {
    const std::string bytes = encode(value);
    const auto again = decode(bytes);
    ASSERT_TRUE(again) << again.error().context;
    EXPECT_EQ(*again, value);
    for (std::size_t cut = 0; cut < bytes.size(); ++cut)
        EXPECT_FALSE(decode(std::string_view(bytes).substr(0, cut))) << "cut at " << cut;
    EXPECT_FALSE(decode(bytes + "x"));
    std::mt19937 engine(3);
    for (int round = 0; round < 2000; ++round) {  // no crash, and what is understood is the same when written again
        std::string broken = bytes;
        broken[engine() % broken.size()] = static_cast<char>(engine());
        if (const auto other = decode(broken)) {
            EXPECT_TRUE(decode(encode(*other)));
        }
    }
}

TEST(JobCodecs, pictures_come_back) {
    PicturesParameters parameters;
    parameters.times = {seconds{0}, seconds{15}, seconds{15}, seconds{4000}};
    parameters.format = PictureFormat::webp;
    parameters.choice = PictureChoice::keyframe;
    comes_back(parameters, decode_pictures_parameters);
    PicturesResult result;
    result.pictures.push_back({.width = 400, .height = 225, .shown_at = seconds{1}, .bytes = "jpeg", .reason = ""});
    result.pictures.push_back({.reason = "beyond the end"});
    comes_back(result, decode_pictures_result);
}

TEST(JobCodecs, pictures_out_of_order_or_measure_are_refused) {
    PicturesParameters parameters;
    parameters.times = {seconds{2}, seconds{1}};
    EXPECT_FALSE(decode_pictures_parameters(encode(parameters)));
    parameters.times = {seconds{1}};
    parameters.quality = 101;
    EXPECT_FALSE(decode_pictures_parameters(encode(parameters)));
    parameters.quality = 85;
    parameters.max_width = 100'000;
    EXPECT_FALSE(decode_pictures_parameters(encode(parameters)));
    PicturesResult both;
    both.pictures.push_back({.width = 1, .height = 1, .bytes = "x", .reason = "y"});
    EXPECT_FALSE(decode_pictures_result(encode(both)));
}

TEST(JobCodecs, covers_come_back) {
    comes_back(CoverParameters{.max_side = 600, .quality = 70, .original_bytes = 5000}, decode_cover_parameters);
    comes_back(CoverResult{.kind = ImageKind::png,
                           .width = 5,
                           .height = 6,
                           .original_width = 50,
                           .original_height = 60,
                           .is_original = false,
                           .bytes = "png"},
               decode_cover_result);
}

TEST(JobCodecs, scaled_pictures_come_back) {
    comes_back(ScaleParameters{.width = 1,
                               .height = 2,
                               .max_width = 300,
                               .max_height = 4096,
                               .fill_width = 5,
                               .fill_height = 6,
                               .quality = 96,
                               .format = ScaledFormat::bmp},
               decode_scale_parameters);
    EXPECT_FALSE(decode_scale_parameters(encode(ScaleParameters{.width = 4097})));
    EXPECT_FALSE(decode_scale_parameters(encode(ScaleParameters{.quality = 0})));
    EXPECT_FALSE(decode_scale_parameters(encode(ScaleParameters{.quality = 101})));
}

TEST(ScaledSize, is_what_the_reference_makes_of_it) {
    struct Row {
        const char* why;
        ScaleParameters wanted;
        ScaledSize size;
    };
    const Row rows[] = {
        {"nothing is said", {}, {1000, 1500}},
        {"fits inside", {.max_width = 300}, {300, 450}},
        {"fits inside both", {.max_width = 300, .max_height = 300}, {200, 300}},
        {"is never enlarged to fit", {.max_width = 3000, .max_height = 3000}, {1000, 1500}},
        {"covers the box", {.fill_width = 300, .fill_height = 300}, {300, 450}},
        {"covers what is one side alone", {.fill_height = 300}, {200, 300}},
        {"is never enlarged to cover", {.fill_width = 2000, .fill_height = 100}, {1000, 1500}},
        {"a side as named, the other as its shape", {.width = 2000}, {2000, 3000}},
        {"the same of the height", {.height = 100}, {67, 100}},
        {"both as named, whatever the shape", {.width = 10, .height = 900}, {10, 900}},
        {"a bound goes before a size", {.width = 2000, .max_width = 500}, {500, 750}},
        {"a box counts last", {.max_width = 500, .fill_width = 100, .fill_height = 100}, {100, 150}},
        {"no side is longer than is made", {.width = 4096}, {2731, 4096}},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.why);
        const auto size = scaled_size(1000, 1500, row.wanted);
        EXPECT_EQ(size.width, row.size.width);
        EXPECT_EQ(size.height, row.size.height);
    }
    EXPECT_EQ(scaled_size(5000, 2500, {}), (ScaledSize{4096, 2048}));
    EXPECT_EQ(scaled_size(1 << 20, 1, {.max_width = 100}), (ScaledSize{100, 1})) << "a line does not vanish";
    EXPECT_EQ(scaled_size(1, 1 << 20, {.width = 4096}).height, 4096);
}

TEST(JobCodecs, fingerprints_and_edges_come_back) {
    comes_back(FingerprintParameters{.windows = {{seconds{0}, seconds{600}}, {seconds{2000}, seconds{2420}}}},
               decode_fingerprint_parameters);
    FingerprintResult result;
    result.windows.push_back({.start = microseconds{21},
                              .heard = seconds{3},
                              .item = microseconds{123'810},
                              .span = seconds{2},
                              .words = {1, 0xFFFFFFFF, 7},
                              .silences = {{seconds{1}, seconds{2}}}});
    result.windows.push_back({.start = seconds{900}});
    comes_back(result, decode_fingerprint_result);
    comes_back(EdgesParameters{.windows = {{seconds{10}, seconds{14}}}}, decode_edges_parameters);
    comes_back(EdgesResult{.blacks = {{{seconds{11}, seconds{12}}}, {}}}, decode_edges_result);
}

TEST(JobCodecs, windows_that_overlap_or_are_empty_are_refused) {
    EXPECT_FALSE(decode_fingerprint_parameters(
        encode(FingerprintParameters{.windows = {{seconds{0}, seconds{9}}, {seconds{8}, seconds{10}}}})));
    EXPECT_FALSE(decode_fingerprint_parameters(encode(FingerprintParameters{.windows = {{seconds{3}, seconds{3}}}})));
    EXPECT_FALSE(
        decode_fingerprint_parameters(encode(FingerprintParameters{.windows = {{seconds{0}, seconds{9000}}}})));
}

TEST(JobCodecs, a_count_larger_than_the_bytes_allocates_nothing) {
    PackWriter out;
    out.number(1);  // one window
    for (int i = 0; i < 4; ++i) out.signed_number(1);
    out.number(60'000);  // words that are not there
    EXPECT_FALSE(decode_fingerprint_result(out.take()));
}

TEST(ImageHeader, no_bytes_lead_outside) {
    std::mt19937 engine(5);
    const std::vector<std::string> starts{
        "\xFF\xD8\xFF\xE1",      "RIFF....WEBPVP8X",     "RIFF....WEBPVP8L", "GIF89a", "BM",
        std::string("II*\0", 4), std::string("MM\0*", 4)};
    for (int round = 0; round < 20'000; ++round) {
        std::string bytes = starts[engine() % starts.size()];
        const std::size_t more = engine() % 80;
        for (std::size_t i = 0; i < more; ++i) bytes += static_cast<char>(engine());
        const std::vector<std::uint8_t> exact(bytes.begin(), bytes.end());
        const auto header = read_image_header(exact);
        if (header) {
            EXPECT_TRUE(header->width > 0 && header->height > 0);
        }
    }
}

std::uint8_t mapped(const Colour& colour, double code) {
    const auto word = static_cast<std::uint16_t>(std::lround(code * 65535));
    const std::array<std::uint16_t, 3> in{word, word, word};
    std::array<std::uint8_t, 3> out{};
    ToneMap(colour).apply(in, out);
    EXPECT_NEAR(out[0], out[1], 1);  // grey stays grey
    EXPECT_NEAR(out[1], out[2], 1);
    return out[1];
}

TEST(ToneMap, known_lights_have_their_codes) {
    // ITU-R BT.2408: 203 nits are 58 % of PQ and 75 % of HLG.
    const Colour pq{Transfer::pq, true, 1000}, hlg{Transfer::hlg, true, 1000};
    EXPECT_EQ(mapped(pq, 0.0), 0);
    EXPECT_EQ(mapped(hlg, 0.0), 0);
    EXPECT_NEAR(mapped(pq, 0.5806), 222, 12);  // white of paper, a little lower to leave room for lights
    EXPECT_NEAR(mapped(hlg, 0.75), 222, 12);
    EXPECT_NEAR(mapped(pq, 0.38), mapped(hlg, 0.38), 14);  // 26 nits (grey card) on both scales
    EXPECT_EQ(mapped(pq, 0.7518), 255);                    // 1000 nits
    EXPECT_EQ(mapped(hlg, 1.0), 255);
    EXPECT_EQ(mapped(pq, 1.0), 255);  // more than the film claims
    // Below the knee light goes through as it is: 20.3 nits are a tenth of white, 0.1^(1/2.4) = 0.383.
    EXPECT_NEAR(mapped(pq, 0.3583), 98, 2);
    EXPECT_NEAR(mapped({Transfer::sdr, true, 0}, 0.5), 128, 1);
}

TEST(ToneMap, brighter_is_never_darker) {
    for (const Colour& colour :
         {Colour{Transfer::pq, true, 4000}, Colour{Transfer::pq, false, 203}, Colour{Transfer::hlg, true, 1000}}) {
        const ToneMap map(colour);
        std::vector<std::uint16_t> in;
        for (std::uint32_t code = 0; code < 65536; code += 64) in.insert(in.end(), 3, static_cast<std::uint16_t>(code));
        std::vector<std::uint8_t> out(in.size());
        map.apply(in, out);
        for (std::size_t i = 3; i < out.size(); ++i) EXPECT_GE(out[i] + 1, out[i - 3]);
        EXPECT_EQ(out.back(), 255);
    }
}

}  // namespace
}  // namespace understudy::media
