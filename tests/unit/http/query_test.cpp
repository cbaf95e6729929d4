#include "http/query.h"

#include <gtest/gtest.h>

namespace understudy::http {
namespace {

using List = std::vector<std::string>;

TEST(Query, finds_keys_in_any_case_and_the_first_of_several) {
    const Query query("UserId=A&userid=B&empty=&flag");
    EXPECT_EQ(query.text("USERID"), "A");
    EXPECT_TRUE(query.has("empty"));
    EXPECT_TRUE(query.has("Flag"));
    EXPECT_FALSE(query.has("user"));
    EXPECT_EQ(query.find("nothing"), nullptr);
}

TEST(Query, decodes_escapes_and_keeps_what_is_none) {
    EXPECT_EQ(Query("a=%C3%A9+b%2Bc").text("a"), "\xC3\xA9 b+c");
    EXPECT_EQ(Query("a=100%").text("a"), "100%");
    EXPECT_EQ(Query("a=%zz%4").text("a"), "%zz%4");
    EXPECT_EQ(Query("a=%00x").text("a"), std::string("\0x", 2));
    EXPECT_EQ(Query("a=1=2").text("a"), "1=2");
}

TEST(Query, splits_lists_only_where_the_key_occurs_once) {
    EXPECT_EQ(Query("k=a,b").list("k"), (List{"a", "b"}));
    EXPECT_EQ(Query("k=a&K=b").list("k"), (List{"a", "b"}));
    EXPECT_EQ(Query("k=a,b&k=c").list("k"), (List{"a,b", "c"}));
    EXPECT_EQ(Query("k=%20a%20,,b,").list("k"), (List{"a", "b"}));
    EXPECT_EQ(Query("k=Action, slow|Drama").list("k", '|'), (List{"Action, slow", "Drama"}));
    EXPECT_EQ(Query("x=1").list("k"), List{});
}

TEST(Query, decodes_a_query_that_was_encoded_once_too_often) {
    const Query query("userId%3Dabc%26limit%3d5");
    EXPECT_EQ(query.text("userId"), "abc");
    EXPECT_EQ(query.text("limit"), "5");
    EXPECT_EQ(Query("a%3Db=c").text("a=b"), "c");  // a real pair: the key holds the escape
}

TEST(Query, reads_booleans_and_numbers_and_names_what_it_cannot_read) {
    const Query query("a=True&b=FALSE&c=maybe&d=&e=-5&f=12&g=99999999999999999999&h=1.5&i=+7");
    EXPECT_EQ(*query.boolean("a"), true);
    EXPECT_EQ(*query.boolean("b"), false);
    EXPECT_EQ(*query.boolean("d"), std::nullopt);
    EXPECT_EQ(*query.boolean("nothing"), std::nullopt);
    EXPECT_EQ(query.boolean("c").error().context, "c: 'maybe' is not valid; use true or false");
    EXPECT_EQ(*query.number("e"), -5);
    EXPECT_EQ(*query.number("i"), 7);
    EXPECT_EQ(*query.count("f"), 12U);
    EXPECT_FALSE(query.count("e"));
    EXPECT_FALSE(query.number("g"));
    EXPECT_FALSE(query.number("h"));
}

TEST(Query, tells_which_keys_were_looked_for) {
    std::set<std::string> asked;
    Query query("a=1&b=2");
    EXPECT_FALSE(query.has("before"));
    query.report_to(asked);
    const auto copy = query;
    EXPECT_TRUE(copy.has("a"));
    EXPECT_EQ(copy.list("ids"), List{});
    EXPECT_EQ(*copy.count("limit"), std::nullopt);
    EXPECT_EQ(asked, (std::set<std::string>{"a", "ids", "limit"}));
}

TEST(Query, takes_anything_without_harm) {
    for (const char* raw : {"", "&", "&&=&", "=", "=a", "%", "%3D", "a&&b", "????"}) {
        const Query query(raw);
        EXPECT_FALSE(query.has("x")) << raw;
    }
}

}  // namespace
}  // namespace understudy::http
