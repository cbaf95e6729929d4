// Text on its way into a database: repaired, as JSON.
#include <gtest/gtest.h>

#include "store/sql/bulk_rows.h"
#include "store/sql/tags_json.h"

namespace understudy::testing {

using namespace understudy::store::sql;

TEST(Text, is_repaired_where_it_is_no_utf8) {
    struct Row {
        const char* why;
        std::string in, out;
    };
    const std::string bad = "\xef\xbf\xbd";
    const std::vector<Row> rows{{"plain", "abc", "abc"},
                                {"well-formed", "aé日𝄞", "aé日𝄞"},
                                {"NUL goes", std::string("a\0b", 3), "ab"},
                                {"Latin-1", "caf\xe9", "caf" + bad},
                                {"cut short", "\xe6\x97", bad + bad},
                                {"overlong slash", "\xc0\xaf", bad + bad},
                                {"surrogate", "\xed\xa0\x80", bad + bad + bad},
                                {"beyond Unicode", "\xf4\x90\x80\x80", bad + bad + bad + bad},
                                {"lone tail", "\x80x", bad + "x"}};
    for (const auto& row : rows) {
        SCOPED_TRACE(row.why);
        EXPECT_EQ(repaired(row.in), row.out);
        EXPECT_EQ(repaired(repaired(row.in)), repaired(row.in));
    }
}

TEST(Text, json_of_an_unknown_kind_reads_as_nothing) {
    EXPECT_TRUE(list_from_json("{\"a\":1}").empty());
    EXPECT_TRUE(list_from_json("not json").empty());
    EXPECT_TRUE(map_from_json("[1,2]").empty());
    EXPECT_EQ(tags_from_json(R"({"title":5,"album":"x","year":"1999","later":{}})").album, "x");
    EXPECT_EQ(list_from_json(list_to_json({"a\"b", "", "\xc3"})),
              (std::vector<std::string>{"a\"b", "", "\xef\xbf\xbd"}));
}

}  // namespace understudy::testing
