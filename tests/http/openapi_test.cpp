// The OpenAPI document of the whole router: sound tables, the copy in docs/, and how it is served.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "http/house.h"
#include "http/openapi/document.h"

namespace understudy::http {
namespace {

std::string text_of(const std::string& file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

TEST(OpenApi, has_sound_tables) {
    const testing::House house;
    for (const auto& fault : openapi::table_faults(house.router.routes())) ADD_FAILURE() << fault;
}

TEST(OpenApi, describes_every_route_that_is_served) {
    const testing::House house;
    for (const auto& route : openapi::undescribed(house.router.routes()))
        ADD_FAILURE() << route << ": no row of src/http/openapi describes it";
}

TEST(OpenApi, is_what_the_copy_in_docs_says) {
    const testing::House house;
    const auto made = openapi::api_document(house.router.routes(), {UNDERSTUDY_VERSION, ""});
    const auto copy = text_of(UNDERSTUDY_SOURCE_DIR "/docs/openapi.json");
    EXPECT_TRUE(made == copy) << "docs/openapi.json is not what the router says; regenerate it with\n"
                              << "    script/build release api_docs";
}

TEST(OpenApi, is_served_to_everybody_and_again_only_where_it_changed) {
    testing::House house({.base_url = "/jf"});
    Request request;
    request.target = "/jf/API-docs/openapi.json";
    const auto answer = house.ask(request);
    ASSERT_EQ(answer.status, 200);
    EXPECT_EQ(answer.content_type, json_type);
    const auto document = boost::json::parse(answer.body);
    EXPECT_EQ(document.at("servers").at(0).at("url"), "/jf");
    EXPECT_EQ(document.at("info").at("version"), "0.1.0");
    EXPECT_TRUE(document.at("paths").as_object().contains("/api-docs/openapi.json"));
    const std::string tag(answer.header("ETag"));
    ASSERT_FALSE(tag.empty());
    request.headers.push_back({"If-None-Match", tag});
    const auto again = house.ask(request);
    EXPECT_EQ(again.status, 304);
    EXPECT_TRUE(again.body.empty());
    EXPECT_EQ(again.header("ETag"), tag);
}

}  // namespace
}  // namespace understudy::http
