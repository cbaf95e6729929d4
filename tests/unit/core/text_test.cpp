#include "core/text.h"

#include <gtest/gtest.h>

#include "core/bounded_text.h"
#include "core/case_folder.h"

namespace understudy::core {
namespace {

TEST(CaseFolder, knows_letters_beyond_ascii) {
    const CaseFolder folder;
    EXPECT_EQ(folder.fold("The MATRIX"), "the matrix");
    EXPECT_EQ(folder.fold("ÜBER Élan ΑΒΓ ЖЫЙ"), "über élan αβγ жый");
    EXPECT_EQ(folder.fold("日本 𝄞 ß"), "日本 𝄞 ß");
    EXPECT_EQ(folder.fold("A\xff"), "a\xef\xbf\xbd");
    EXPECT_EQ(folder.fold(std::string("\xc3\x84\0B", 4)), "äb");
    EXPECT_EQ(folder.fold(""), "");
}

TEST(Nearest, finds_a_slip_and_nothing_far_away) {
    const std::vector<std::string> keys{"abortConnect", "password", "ssl", "sslHost"};
    EXPECT_EQ(nearest("pasword", keys), "password");
    EXPECT_EQ(nearest("ABORTCONECT", keys), "abortConnect");
    EXPECT_EQ(nearest("sl", keys), "ssl");
    EXPECT_EQ(nearest("something else", keys), std::nullopt);
}

TEST(Nearest, counts_two_letters_that_changed_places_once) {
    const std::vector<std::string> words{"run", "list", "resume"};
    EXPECT_EQ(nearest("lsit", words), "list");
    EXPECT_EQ(nearest("urn", words), "run");
    EXPECT_EQ(nearest("tsil", words), std::nullopt);
    EXPECT_EQ(nearest("", words), std::nullopt);
}

TEST(Choices, end_an_error_with_the_nearest_and_at_most_twenty) {
    const std::vector<std::string> two{"Films", "Music"};
    EXPECT_EQ(choices("Flims", two), "; did you mean Films? There are: Films, Music");
    EXPECT_EQ(choices("nope", two), ". There are: Films, Music");
    EXPECT_EQ(choices("nope", {}), "");
    const std::vector<std::string> many(23, "x");
    EXPECT_TRUE(choices("nope", many).ends_with(", x and 3 more"));
}

TEST(SplitTrimmed, drops_blanks_and_empty_pieces) {
    EXPECT_EQ(split_trimmed(" a, b ,,c ", ','), (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_TRUE(split_trimmed("", ',').empty());
}

TEST(EqualsIgnoringCase, compares_whole_texts) {
    EXPECT_TRUE(equals_ignoring_case("PostgreSQL", "postgresql"));
    EXPECT_FALSE(equals_ignoring_case("Postgres", "postgresql"));
}

TEST(Utf8Prefix, ends_between_characters) {
    EXPECT_EQ(utf8_prefix("abc", 3), "abc");
    EXPECT_EQ(utf8_prefix("abc", 2), "ab");
    EXPECT_EQ(utf8_prefix("aé", 2), "a");
    EXPECT_EQ(utf8_prefix("a\xF0\x9F\x8E\x9E", 4), "a");
    EXPECT_EQ(utf8_prefix("é", 1), "");
    EXPECT_EQ(utf8_prefix("é", 0), "");
    EXPECT_EQ(utf8_prefix(std::string(10, '\x80'), 8).size(), 5U) << "whatever it is, most of it stays";
}

}  // namespace
}  // namespace understudy::core
