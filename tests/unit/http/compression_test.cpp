#include "http/compression.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>

namespace understudy::http {
namespace {

std::string unzipped(const std::string& bytes) {
    z_stream stream{};
    EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
    std::string out(1 << 20, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
    out.resize(stream.total_out);
    inflateEnd(&stream);
    return out;
}

std::string long_json() {
    std::string text = "[";
    for (int i = 0; i < 500; ++i) text += R"({"Name":"Film )" + std::to_string(i) + R"(","Type":"Movie"},)";
    text.back() = ']';
    return text;
}

Request asking(std::vector<Header> headers, Method method = Method::get) {
    Request request;
    request.method = method;
    request.headers = std::move(headers);
    return request;
}

TEST(Compression, goes_to_those_who_want_it) {
    for (const char* yes : {"gzip", "GZIP", "br, gzip;q=0.5", "deflate,gzip , br", "*", "*;q=0.1", "x-gzip"})
        EXPECT_TRUE(accepts_gzip(yes)) << yes;
    for (const char* no : {"", "br", "gzip;q=0", "gzip;q=0.000", "*, gzip;q=0", "*;q=0", "identity", "gzipped"})
        EXPECT_FALSE(accepts_gzip(no)) << no;
}

TEST(Compression, comes_back_as_it_was) {
    const auto text = long_json();
    const auto small = gzip(text);
    ASSERT_TRUE(small);
    EXPECT_LT(small->size() * 4, text.size());
    EXPECT_EQ(unzipped(*small), text);
    EXPECT_EQ(unzipped(gzip("").value_or("")), "");
}

TEST(LightAnswers, long_json_is_compressed_and_short_is_not) {
    auto large = json_answer(long_json());
    make_light(asking({{"Accept-Encoding", "gzip"}}), large);
    EXPECT_EQ(large.header("Content-Encoding"), "gzip");
    EXPECT_EQ(large.header("Vary"), "Accept-Encoding");
    EXPECT_EQ(unzipped(large.body), long_json());
    auto plain = json_answer(long_json());
    make_light(asking({}), plain);
    EXPECT_EQ(plain.header("Content-Encoding"), "");
    EXPECT_EQ(plain.header("Vary"), "Accept-Encoding") << "a cache must know that it could be otherwise";
    EXPECT_EQ(plain.body, long_json());
    EXPECT_EQ(plain.header("ETag"), large.header("ETag"));
    auto small = json_answer("{}");
    make_light(asking({{"Accept-Encoding", "gzip"}}), small);
    EXPECT_EQ(small.body, "{}");
    EXPECT_EQ(small.header("Vary"), "");
    auto posted = json_answer(long_json());
    make_light(asking({{"Accept-Encoding", "gzip"}}, Method::post), posted);
    EXPECT_EQ(posted.header("Content-Encoding"), "gzip");
    EXPECT_EQ(posted.header("ETag"), "") << "what was done is no state to be asked for again";
}

TEST(LightAnswers, who_polls_is_told_that_nothing_has_changed) {
    auto first = json_answer(R"({"a":1})");
    make_light(asking({}), first);
    const std::string tag(first.header("ETag"));
    EXPECT_TRUE(tag.starts_with("W/\"")) << tag;
    EXPECT_EQ(first.header("Cache-Control"), "private, no-cache");
    auto again = json_answer(R"({"a":1})");
    make_light(asking({{"If-None-Match", tag}}), again);
    EXPECT_EQ(again.status, 304);
    EXPECT_EQ(again.body, "");
    EXPECT_EQ(again.content_type, "");
    EXPECT_EQ(again.header("ETag"), tag);
    EXPECT_EQ(again.header("Vary"), "");
    auto large = json_answer(long_json()), large_again = json_answer(long_json());
    make_light(asking({}), large);
    make_light(asking({{"If-None-Match", std::string(large.header("ETag"))}}), large_again);
    EXPECT_EQ(large_again.status, 304);
    EXPECT_EQ(large_again.header("Vary"), "Accept-Encoding") << "as of the 200 (RFC 9110 §15.4.5)";
    auto changed = json_answer(R"({"a":2})");
    make_light(asking({{"If-None-Match", tag}}), changed);
    EXPECT_EQ(changed.status, 200);
    EXPECT_NE(changed.header("ETag"), tag);
}

TEST(LightAnswers, a_strong_tag_is_of_one_form_alone) {
    auto plain = json_answer(long_json());
    plain.with("ETag", "\"t\"").with("Vary", "Accept-Encoding");
    auto packed = plain;
    make_light(asking({}), plain);
    EXPECT_EQ(plain.header("ETag"), "\"t\"");
    make_light(asking({{"Accept-Encoding", "gzip"}}), packed);
    EXPECT_EQ(packed.header("Content-Encoding"), "gzip");
    EXPECT_EQ(packed.header("ETag"), "W/\"t\"");
    EXPECT_EQ(std::ranges::count(packed.headers, "Vary", &Header::name), 1);
}

TEST(LightAnswers, texts_are_compressed_and_get_no_tag) {
    const auto log = text_answer(200, std::string(5'000, 'x'));
    auto packed = log;
    make_light(asking({{"Accept-Encoding", "gzip"}, {"If-None-Match", "*"}}), packed);
    EXPECT_EQ(packed.status, 200);
    EXPECT_EQ(packed.header("Content-Encoding"), "gzip");
    EXPECT_EQ(packed.header("Vary"), "Accept-Encoding");
    EXPECT_EQ(packed.header("ETag"), "") << "logs and metrics are other ones each time";
    EXPECT_EQ(unzipped(packed.body), log.body);
}

TEST(LightAnswers, other_kinds_are_left_alone) {
    for (const auto& answer : {text_answer(500, std::string(5'000, 'x')), json_answer(long_json(), 404),
                               Response{.content_type = "image/png", .body = std::string(5'000, 'x')}}) {
        auto after = answer;
        make_light(asking({{"Accept-Encoding", "gzip"}, {"If-None-Match", "*"}}), after);
        EXPECT_EQ(after.body, answer.body);
        EXPECT_EQ(after.status, answer.status);
        EXPECT_TRUE(after.headers.empty());
    }
}

}  // namespace
}  // namespace understudy::http
