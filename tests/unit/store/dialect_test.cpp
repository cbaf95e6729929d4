#include "store/sql/dialect.h"

#include <gtest/gtest.h>

namespace understudy::testing {

using namespace understudy::store::sql;

TEST(Dialect, numbers_parameters_for_postgresql_and_leaves_them_for_sqlite) {
    EXPECT_EQ(translate("a = ? AND b = ?", Dialect::postgresql), "a = $1 AND b = $2");
    EXPECT_EQ(translate("a = ? AND b = ?", Dialect::sqlite), "a = ? AND b = ?");
}

TEST(Dialect, leaves_literals_names_and_comments_alone) {
    for (const auto* text :
         {"'? {bytes} it''s'", "\"a?{now_ms}\"\"b\"", "-- ? {bytes}\n", "/* ? {bytes} */", "'open ?"}) {
        EXPECT_EQ(translate(text, Dialect::postgresql), text);
    }
    EXPECT_EQ(translate("'?' ? '{}' {}", Dialect::postgresql), "'?' $1 '{}' {}");
}

TEST(Dialect, replaces_its_words_only) {
    EXPECT_EQ(translate("x {bytes}, y {bytess}", Dialect::sqlite), "x BLOB, y {bytess}");
    EXPECT_EQ(translate("x {bytes}", Dialect::postgresql), "x BYTEA");
    EXPECT_EQ(translate("SELECT 1 {for_update}", Dialect::sqlite), "SELECT 1 ");
    EXPECT_EQ(translate("SELECT 1 {for_no_key_update}", Dialect::postgresql), "SELECT 1 FOR NO KEY UPDATE");
}

TEST(Dialect, cuts_a_script_at_its_semicolons) {
    const auto parts = split_statements(
        "-- a; comment\nCREATE TABLE a (x TEXT DEFAULT ';'); ;\n/* ; */ INSERT INTO a\n"
        "VALUES ('it''s; so') -- ;\n; -- end");
    ASSERT_EQ(parts.size(), 2U);
    EXPECT_NE(parts[0].find("DEFAULT ';'"), std::string::npos);
    EXPECT_NE(parts[1].find("it''s; so"), std::string::npos);
    EXPECT_TRUE(split_statements(" \n-- nothing\n").empty());
}

TEST(Dialect, describes_a_statement_on_one_short_line) {
    EXPECT_EQ(describe_statement("SELECT\n   a,\tb"), "SELECT a, b");
    EXPECT_LT(describe_statement(std::string(5'000, 'x')).size(), 120U);
}

}  // namespace understudy::testing
