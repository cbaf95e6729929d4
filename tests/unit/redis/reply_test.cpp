#include "redis/reply.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>

namespace understudy::redis {
namespace {

Reply whole(std::string_view bytes) {
    ReplyReader reader;
    EXPECT_TRUE(reader.feed(bytes));
    auto reply = reader.next();
    EXPECT_TRUE(reply && *reply);
    return reply && *reply ? **reply : Reply{};
}

TEST(ReplyReader, reads_each_kind_of_reply) {
    EXPECT_EQ(whole("+OK\r\n").kind, Reply::Kind::status);
    EXPECT_EQ(whole("+OK\r\n").text, "OK");
    EXPECT_TRUE(whole("-NOAUTH no\r\n").is_error());
    EXPECT_EQ(whole("-NOAUTH no\r\n").text, "NOAUTH no");
    EXPECT_EQ(whole(":-42\r\n").integer, -42);
    EXPECT_EQ(whole("$5\r\na\r\nbc\r\n").text, "a\r\nbc");
    EXPECT_EQ(whole("$-1\r\n").kind, Reply::Kind::nil);
    EXPECT_EQ(whole("*-1\r\n").kind, Reply::Kind::nil);
    const auto nested = whole("*3\r\n:1\r\n*2\r\n+a\r\n*0\r\n$1\r\nb\r\n");
    ASSERT_EQ(nested.elements.size(), 3U);
    EXPECT_EQ(nested.elements[1].elements[0].text, "a");
    EXPECT_EQ(nested.elements[1].elements[1].kind, Reply::Kind::array);
    EXPECT_EQ(nested.elements[2].text, "b");
}

TEST(ReplyReader, takes_bytes_in_any_pieces) {
    const std::string bytes = "*2\r\n$3\r\nabc\r\n:7\r\n+next\r\n";
    ReplyReader reader;
    std::vector<Reply> replies;
    for (const char byte : bytes) {
        ASSERT_TRUE(reader.feed({&byte, 1}));
        for (auto reply = reader.next(); reply && *reply; reply = reader.next()) replies.push_back(**reply);
    }
    ASSERT_EQ(replies.size(), 2U);
    EXPECT_EQ(replies[0].elements[0].text, "abc");
    EXPECT_EQ(replies[1].text, "next");
}

TEST(ReplyReader, refuses_a_huge_array_by_its_header) {
    rusage before{};
    getrusage(RUSAGE_SELF, &before);
    for (const auto* header : {"*1000000000\r\n", "*2147483647\r\n", "*2\r\n*1000000000\r\n", "*4097\r\n"}) {
        SCOPED_TRACE(header);
        ReplyReader reader;
        ASSERT_TRUE(reader.feed(header));
        const auto reply = reader.next();
        ASSERT_FALSE(reply);
        EXPECT_EQ(reply.error().code, core::Errc::corrupt);
    }
    rusage after{};
    getrusage(RUSAGE_SELF, &after);
    EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 4 * 1024);  // KiB
}

TEST(ReplyReader, counts_the_elements_of_all_arrays_together) {
    ReplyReader reader(ReplyLimits{1000, 10});
    ASSERT_TRUE(reader.feed("*5\r\n*5\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n"));
    ASSERT_TRUE(reader.next());
    ASSERT_TRUE(reader.feed("*1\r\n"));
    EXPECT_FALSE(reader.next());
}

TEST(ReplyReader, the_budget_is_for_each_reply_anew) {
    ReplyReader reader(ReplyLimits{100, 4});
    for (int i = 0; i < 1000; ++i) {
        ASSERT_TRUE(reader.feed("*4\r\n$20\r\n01234567890123456789\r\n:1\r\n:2\r\n:3\r\n"));
        const auto reply = reader.next();
        ASSERT_TRUE(reply && *reply) << i;
    }
}

TEST(ReplyReader, refuses_a_bulk_that_never_ends) {
    ReplyReader reader;
    ASSERT_TRUE(reader.feed("$900000000\r\n"));
    const std::string chunk(64 * 1024, 'x');
    int taken = 0;
    while (taken < 1000 && reader.feed(chunk)) {
        ASSERT_TRUE(reader.next() && true);
        ++taken;
    }
    EXPECT_LT(taken, 25);  // 1 MiB of text and what may stand around it
}

TEST(ReplyReader, refuses_foreign_bytes_and_takes_nothing_after_them) {
    for (const auto* bytes : {"HTTP/1.1 400 Bad Request\r\n", "\x15\x03\x01\r\n", "*x\r\n", "$-5\r\n", ":1x\r\n"}) {
        SCOPED_TRACE(bytes);
        ReplyReader reader;
        ASSERT_TRUE(reader.feed(bytes));
        EXPECT_FALSE(reader.next());
        EXPECT_FALSE(reader.feed("+OK\r\n"));
        EXPECT_FALSE(reader.next());
    }
    ReplyReader deep;
    std::string nest;
    for (int i = 0; i < 40; ++i) nest += "*1\r\n";
    ASSERT_TRUE(deep.feed(nest));
    EXPECT_FALSE(deep.next());
}

TEST(EncodeCommand, keeps_every_byte_of_its_words) {
    const std::string odd("a\r\n\0b", 5);
    const std::array<std::string_view, 3> words = {"SET", odd, std::string_view{}};
    EXPECT_EQ(encode_command(words), std::string("*3\r\n$3\r\nSET\r\n$5\r\na\r\n\0b\r\n$0\r\n\r\n", 30));
}

}  // namespace
}  // namespace understudy::redis
