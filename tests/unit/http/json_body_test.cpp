#include "http/json_body.h"

#include <gtest/gtest.h>

namespace understudy::http {
namespace {

TEST(JsonBody, reads_keys_in_any_case_and_values_as_text_too) {
    const auto body = JsonBody::parse(
        R"({"username":"u","Count":"12","COUNT2":12,"flag":"True","half":2.5,"whole":3.0,"none":null})");
    ASSERT_TRUE(body);
    EXPECT_EQ(**body->text("UserName"), "u");
    EXPECT_EQ(**body->number("count"), 12);
    EXPECT_EQ(**body->number("Count2"), 12);
    EXPECT_EQ(**body->number("whole"), 3);
    EXPECT_EQ(**body->boolean("Flag"), true);
    EXPECT_EQ(*body->text("none"), std::nullopt);
    EXPECT_EQ(*body->text("absent"), std::nullopt);
    EXPECT_EQ(body->number("half").error().context, "half: 2.5E0 is not valid; use a whole number");
    EXPECT_FALSE(body->text("Count2"));
    EXPECT_FALSE(body->boolean("username"));
}

TEST(JsonBody, takes_nothing_as_an_empty_object) {
    for (const char* empty : {"", "  \r\n", "{}", "null", "\xEF\xBB\xBF{}"}) {
        const auto body = JsonBody::parse(empty);
        ASSERT_TRUE(body) << empty;
        EXPECT_FALSE(body->has("x"));
    }
}

TEST(JsonBody, refuses_what_is_no_object_and_says_where_it_ends) {
    for (const char* bad : {"[]", "3", "\"x\"", "{", "{\"a\":}", "{} {}", "{\"a\":1,}", "\xFF"}) {
        EXPECT_FALSE(JsonBody::parse(bad)) << bad;
    }
    EXPECT_NE(JsonBody::parse("{\"a\":}").error().context.find("near byte 5"), std::string::npos);
    EXPECT_FALSE(JsonBody::parse(std::string(1000, '[')));  // depth is bounded
    std::string deep = "{\"a\":";
    for (int i = 0; i < 100; ++i) deep += "{\"a\":";
    EXPECT_FALSE(JsonBody::parse(deep));
}

TEST(JsonBody, reads_numbers_with_fractions_and_lists_of_texts) {
    const auto body = JsonBody::parse(R"({"a":7.5,"b":"-0.25","c":3,"d":"x","e":["1","2"],"f":[1],"g":"1","h":null})");
    EXPECT_EQ(**body->real("A"), 7.5);
    EXPECT_EQ(**body->real("b"), -0.25);
    EXPECT_EQ(**body->real("c"), 3);
    EXPECT_FALSE(body->real("d"));
    EXPECT_FALSE(*body->real("h"));
    EXPECT_EQ(**body->texts("e"), (std::vector<std::string>{"1", "2"}));
    EXPECT_FALSE(body->texts("f"));
    EXPECT_FALSE(body->texts("g"));
    EXPECT_FALSE(*body->texts("none"));
    EXPECT_EQ(body->keys().size(), 8U);
    EXPECT_FALSE(JsonBody::parse(R"({"a":"1e999"})")->real("a")) << "not finite";
}

TEST(JsonBody, keeps_its_parts_alive) {
    auto parts = [] {
        const auto body = JsonBody::parse(R"({"list":[{"a":"1"},{"a":"2"}],"inner":{"b":true},"bad":[1]})");
        EXPECT_FALSE(body->objects("bad"));
        EXPECT_FALSE(body->object("list"));
        EXPECT_EQ(body->json("inner"), R"({"b":true})");
        auto list = *body->objects("LIST");
        list.push_back(**body->object("inner"));
        return list;
    }();
    ASSERT_EQ(parts.size(), 3U);
    EXPECT_EQ(**parts[1].text("A"), "2");
    EXPECT_EQ(**parts[2].boolean("b"), true);
}

}  // namespace
}  // namespace understudy::http
