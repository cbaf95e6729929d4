#include "core/text.h"

#include <gtest/gtest.h>

namespace understudy::core {
namespace {

TEST(Nearest, finds_a_slip_and_nothing_far_away) {
    const std::vector<std::string> keys{"abortConnect", "password", "ssl", "sslHost"};
    EXPECT_EQ(nearest("pasword", keys), "password");
    EXPECT_EQ(nearest("ABORTCONECT", keys), "abortConnect");
    EXPECT_EQ(nearest("sl", keys), "ssl");
    EXPECT_EQ(nearest("something else", keys), std::nullopt);
}

TEST(SplitTrimmed, drops_blanks_and_empty_pieces) {
    EXPECT_EQ(split_trimmed(" a, b ,,c ", ','), (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_TRUE(split_trimmed("", ',').empty());
}

TEST(EqualsIgnoringCase, compares_whole_texts) {
    EXPECT_TRUE(equals_ignoring_case("PostgreSQL", "postgresql"));
    EXPECT_FALSE(equals_ignoring_case("Postgres", "postgresql"));
}

}  // namespace
}  // namespace understudy::core
