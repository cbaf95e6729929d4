#include "media/wire.h"

#include <gtest/gtest.h>

#include <random>

namespace understudy::media::wire {
namespace {

std::string encoded(std::uint32_t id, const core::Result<std::string>& payload) {
    std::string bytes;
    append_answer(bytes, id, payload);
    return bytes;
}

TEST(Wire, carries_any_bytes) {
    AnswerReader reader;
    using namespace std::string_view_literals;
    const std::string payload("\0\xFF of any sort\n"sv);
    reader.add(encoded(7, payload));
    const auto answer = reader.next();
    ASSERT_TRUE(answer && answer->payload);
    EXPECT_EQ(answer->id, 7u);
    EXPECT_EQ(*answer->payload, payload);
    EXPECT_FALSE(reader.next());
    EXPECT_FALSE(reader.broken());
}

TEST(Wire, joins_answers_that_come_in_pieces) {
    std::string bytes =
        encoded(1, std::string("one")) + encoded(2, core::fail(core::Errc::corrupt, "why")) + encoded(3, std::string());
    append_hello(bytes, "");
    AnswerReader reader;
    std::vector<std::uint32_t> ids;
    for (const char byte : bytes) {
        reader.add({&byte, 1});
        while (const auto answer = reader.next()) {
            ids.push_back(answer->id);
            if (answer->id == 1) {
                EXPECT_EQ(answer->payload, std::string("one"));
            }
            if (answer->id == 2) {
                EXPECT_EQ(answer->payload.error().code, core::Errc::corrupt);
                EXPECT_EQ(answer->payload.error().context, "why");
            }
            if (answer->id == hello_id) {
                EXPECT_EQ(answer->hello, hello_word);
            }
        }
    }
    EXPECT_EQ(ids, (std::vector<std::uint32_t>{1, 2, 3, hello_id}));
}

TEST(Wire, a_payload_may_have_16_mebibytes_and_not_one_byte_more) {
    AnswerReader reader;
    reader.add(encoded(1, std::string(max_payload_bytes, 'x')));
    reader.add(encoded(2, std::string(max_payload_bytes + 1, 'x')));
    const auto most = reader.next();
    ASSERT_TRUE(most && most->payload);
    EXPECT_EQ(most->payload->size(), max_payload_bytes);
    const auto more = reader.next();
    ASSERT_TRUE(more.has_value());
    ASSERT_FALSE(more->payload);
    EXPECT_EQ(more->payload.error().code, core::Errc::corrupt);
}

TEST(Wire, sees_through_a_sender_that_lies) {
    struct Row {
        const char* why;
        std::string bytes;
    };
    const Row rows[] = {
        {"a length beyond all bounds", std::string(12, '\xFF')},
        {"a length just beyond", std::string("\1\0\0\1\1\0\0\0\0\0\0\0", 12)},
        {"an unknown error code", std::string("\0\0\0\0\1\0\0\0\x40\0\0\0", 12)},
    };
    for (const auto& row : rows) {
        AnswerReader reader;
        reader.add(row.bytes);
        EXPECT_FALSE(reader.next()) << row.why;
        EXPECT_TRUE(reader.broken()) << row.why;
    }
}

TEST(Wire, repairs_reasons_that_are_not_utf8) {
    AnswerReader reader;
    reader.add(encoded(1, core::fail(core::Errc::corrupt, "Bl\xE5")));
    const auto answer = reader.next();
    ASSERT_TRUE(answer && !answer->payload);
    EXPECT_EQ(answer->payload.error().context, "Bl\xEF\xBF\xBD");
}

}  // namespace
}  // namespace understudy::media::wire
