#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "http/openapi/document.h"
#include "http/openapi/layout.h"
#include "http/openapi/notation.h"

namespace understudy::http::openapi {
namespace {

namespace json = boost::json;

TEST(ApiNotation, reads_properties) {
    const auto read = read_properties("Name:string?  Id:uuid Left:int64~ app:string! Items:[Item]");
    ASSERT_TRUE(read) << read.error().context;
    ASSERT_EQ(read->size(), 5u);
    EXPECT_EQ((*read)[0].name, "Name");
    EXPECT_EQ((*read)[0].type, "string");
    EXPECT_TRUE((*read)[0].optional);
    EXPECT_FALSE((*read)[1].optional || (*read)[1].nullable || (*read)[1].needed);
    EXPECT_TRUE((*read)[2].nullable);
    EXPECT_TRUE((*read)[3].needed);
    EXPECT_EQ((*read)[4].type, "[Item]");
}

TEST(ApiNotation, reads_types) {
    EXPECT_EQ(read_type("uuid")->kind, Type::Kind::plain);
    EXPECT_EQ(read_type("[[int32]]")->text, "[int32]");
    EXPECT_EQ(read_type("{User}")->kind, Type::Kind::dictionary);
    const auto loose = read_type("UserPolicy*");
    EXPECT_EQ(loose->text, "UserPolicy");
    EXPECT_TRUE(loose->loose);
    const auto words = read_type("(Idle|Running)");
    EXPECT_EQ(words->kind, Type::Kind::words);
    EXPECT_EQ(words->words, (std::vector<std::string_view>{"Idle", "Running"}));
}

TEST(ApiNotation, refuses_what_is_none) {
    for (const char* text :
         {"Name", "Name:", "Name:text", "Na-me:string", "Ids:[uuid", "Ids:[]", "Kind:user", "A:{Id}x"})
        EXPECT_FALSE(read_properties(text)) << text;
}

TEST(ApiLayout, breaks_only_what_is_too_long) {
    const std::string wide(120, 'x');
    EXPECT_EQ(laid_out(json::value{{"a", 1}, {"b", {1, 2}}}), "{\"a\":1,\"b\":[1,2]}\n");
    EXPECT_EQ(laid_out(json::value{{"a", wide}, {"b", {1, 2}}}), "{\n  \"a\": \"" + wide + "\",\n  \"b\": [1,2]\n}\n");
}

/// Two of the real rows, one that nobody describes, and a page.
class ApiDocument : public ::testing::Test {
protected:
    ApiDocument() {
        add(Method::get, "/Users", Access::user);
        add(Method::post, "/Users/{userId}/Policy", Access::admin);
        add(Method::get, "/System/Ping", Access::open);
        add(Method::get, "/Users/{userId}/Items", Access::user);
        add(Method::get, "/Items/{id}/Images/{type}", Access::open);
        add(Method::get, "/Nothing/Of/The/Kind", Access::open);
        add(Method::get, "/dashboard", Access::open);
        document = json::parse(api_document(router.routes(), {"1.2.3", "/jf"})).as_object();
    }
    void add(Method method, const char* path, Access access) {
        Route route;
        route.method = method;
        route.path = path;
        route.access = access;
        router.add(std::move(route));
    }
    const json::object& operation(const char* path, const char* method) {
        return document.at("paths").at(path).at(method).as_object();
    }
    const json::object& schema(const char* name) {
        return document.at("components").at("schemas").at(name).as_object();
    }
    Router router;
    json::object document;
};

TEST_F(ApiDocument, says_where_this_server_is_and_what) {
    EXPECT_EQ(document.at("openapi"), "3.0.3");
    EXPECT_EQ(document.at("info").at("version"), "1.2.3");
    EXPECT_EQ(document.at("servers").at(0).at("url"), "/jf");
}

TEST_F(ApiDocument, says_who_may_call) {
    EXPECT_EQ(operation("/Users", "get").at("x-understudy-access"), "user");
    EXPECT_EQ(operation("/Users", "get").at("security").as_array().size(), 2u);
    EXPECT_TRUE(operation("/Users", "get").at("responses").as_object().contains("401"));
    EXPECT_EQ(operation("/System/Ping", "get").at("x-understudy-access"), "open");
    EXPECT_TRUE(operation("/System/Ping", "get").at("security").as_array().empty());
    EXPECT_FALSE(operation("/System/Ping", "get").at("responses").as_object().contains("401"));
}

TEST_F(ApiDocument, has_the_parameters_of_path_and_query) {
    const auto text = json::serialize(operation("/Users/{userId}/Items", "get").at("parameters"));
    EXPECT_NE(text.find(R"({"name":"userId","in":"path","required":true,"schema":{"type":"string","format":"uuid"}})"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find(R"({"name":"recursive","in":"query","schema":{"type":"boolean"}})"), std::string::npos) << text;
    EXPECT_EQ(text.find("userId", text.find("userId") + 1), std::string::npos)
        << "in the path and in the query: " << text;
    EXPECT_EQ(operation("/Users/{userId}/Items", "get").at("operationId"), "GetItemsLegacy");
    EXPECT_EQ(operation("/Users/{userId}/Items", "get").at("deprecated"), true);
    const auto& type = operation("/Items/{id}/Images/{type}", "get").at("parameters").at(1);
    EXPECT_EQ(type.at("name"), "type");
    EXPECT_EQ(type.at("schema").at("$ref"), "#/components/schemas/ImageType");
}

TEST_F(ApiDocument, has_head_where_a_row_says_so) {
    EXPECT_EQ(operation("/Items/{id}/Images/{type}", "head").at("operationId"), "HeadItemImage");
    EXPECT_FALSE(document.at("paths").at("/Users").as_object().contains("head"));
}

TEST_F(ApiDocument, requires_in_answers_what_a_request_may_leave_out) {
    const auto& body = operation("/Users/{userId}/Policy", "post").at("requestBody");
    EXPECT_EQ(body.at("content").at("application/json").at("schema").at("$ref"),
              "#/components/schemas/UserPolicyInput");
    EXPECT_FALSE(schema("UserPolicyInput").contains("required"));
    const auto& required = schema("UserPolicy").at("required").as_array();
    EXPECT_NE(std::find(required.begin(), required.end(), "IsAdministrator"), required.end());
    EXPECT_EQ(std::find(required.begin(), required.end(), "BlockedTags"), required.end());
}

TEST_F(ApiDocument, names_every_schema_that_it_speaks_of) {
    const auto text = json::serialize(document);
    const std::string_view marker = "#/components/schemas/";
    for (auto at = text.find(marker); at != std::string::npos; at = text.find(marker, at + 1)) {
        const auto start = at + marker.size();
        const auto name = text.substr(start, text.find('"', start) - start);
        EXPECT_TRUE(document.at("components").at("schemas").as_object().contains(name)) << name;
    }
}

TEST_F(ApiDocument, leaves_out_what_no_row_describes_and_lists_it) {
    EXPECT_FALSE(document.at("paths").as_object().contains("/Nothing/Of/The/Kind"));
    EXPECT_EQ(undescribed(router.routes()), std::vector<std::string>{"GET /Nothing/Of/The/Kind"});
}

TEST_F(ApiDocument, finds_rows_that_no_route_serves) {
    const auto faults = table_faults(router.routes());
    EXPECT_NE(std::find(faults.begin(), faults.end(), "DELETE /Items: no route serves it"), faults.end());
    EXPECT_EQ(std::find(faults.begin(), faults.end(), "GET /Users: no route serves it"), faults.end());
}

}  // namespace
}  // namespace understudy::http::openapi
