#include "http/router.h"

#include <gtest/gtest.h>

#include "core/ids.h"

namespace understudy::http {
namespace {

class RouterTest : public ::testing::Test {
protected:
    RouterTest() {
        for (const char* path :
             {"/Items", "/Items/{id}", "/Items/Latest", "/Items/{id}/Images/{type}", "/Items/Root/Images"}) {
            add(Method::get, path);
        }
        add(Method::post, "/Items/{id}");
    }
    void add(Method method, const char* path) {
        Route route;
        route.method = method;
        route.path = path;
        router.add(std::move(route));
    }
    std::string found(Method method, const char* path) {
        const auto match = router.find(method, path);
        if (!match.route) return match.allow.empty() ? "none" : "only " + match.allow;
        auto text = match.route->path;
        for (const auto& [name, value] : match.params) text.append(" ").append(name).append("=").append(value);
        return text;
    }
    Router router;
};

TEST_F(RouterTest, gives_what_is_left_to_a_rest_after_all_else) {
    add(Method::get, "/web/{path*}");
    add(Method::get, "/web/Pages");
    add(Method::get, "/web/{id}/info");
    EXPECT_EQ(found(Method::get, "/web/a.js"), "/web/{path*} path=a.js");
    EXPECT_EQ(found(Method::get, "/Web/a/b%20c/D.js"), "/web/{path*} path=a/b c/D.js");
    EXPECT_EQ(found(Method::get, "/web/pages"), "/web/Pages");
    EXPECT_EQ(found(Method::get, "/web/pages/x"), "/web/{path*} path=pages/x");
    EXPECT_EQ(found(Method::get, "/web/x/info"), "/web/{id}/info id=x");
    EXPECT_EQ(found(Method::get, "/web/x/info/y"), "/web/{path*} path=x/info/y");
    EXPECT_EQ(found(Method::get, "/web"), "none");
    EXPECT_EQ(found(Method::get, "/web/"), "none");
    EXPECT_EQ(found(Method::post, "/web/a.js"), "only GET, HEAD, OPTIONS");
}

TEST_F(RouterTest, prefers_literals_and_goes_back_where_they_lead_nowhere) {
    EXPECT_EQ(found(Method::get, "/items/LATEST"), "/Items/Latest");
    EXPECT_EQ(found(Method::get, "/Items/Other"), "/Items/{id} id=Other");
    EXPECT_EQ(found(Method::get, "/Items/Latest/Images/Primary"), "/Items/{id}/Images/{type} id=Latest type=Primary");
    EXPECT_EQ(found(Method::get, "/Items/Root/Images"), "/Items/Root/Images");
    EXPECT_EQ(found(Method::get, "/Items/Root/Images/Art"), "/Items/{id}/Images/{type} id=Root type=Art");
    EXPECT_EQ(found(Method::get, "/Items/Root"), "/Items/{id} id=Root");
    EXPECT_EQ(found(Method::get, "/Items/a/b"), "none");
}

TEST_F(RouterTest, decodes_parameters_after_it_has_split_the_path) {
    EXPECT_EQ(found(Method::get, "/Items/a%2Fb%20c"), "/Items/{id} id=a/b c");
    EXPECT_EQ(found(Method::get, "/Items/a+b"), "/Items/{id} id=a+b");  // a plus is a plus in a path
}

TEST_F(RouterTest, answers_head_where_there_is_get_and_says_what_a_path_takes) {
    EXPECT_EQ(found(Method::head, "/Items/x"), "/Items/{id} id=x");
    EXPECT_EQ(found(Method::del, "/Items/x"), "only GET, HEAD, POST, OPTIONS");
    EXPECT_EQ(found(Method::post, "/Items"), "only GET, HEAD, OPTIONS");
    EXPECT_EQ(found(Method::get, "/"), "none");
}

TEST_F(RouterTest, does_not_walk_paths_deeper_than_any_route) {
    std::string deep;
    for (int i = 0; i < 5000; ++i) deep += "/Items";
    EXPECT_EQ(found(Method::get, deep.c_str()), "none");
}

TEST_F(RouterTest, calls_a_handler_with_ids_alone) {
    Route route;
    route.path = "/Users/{userId}/Notes/{key}";
    int called = 0;
    route.handler = [&](const Request& request) {
        ++called;
        EXPECT_EQ(path_id<core::UserId>(request, "userId").str(), std::string(32, 'a'));
        return no_content();
    };
    router.add(std::move(route));
    const auto ask = [&](const std::string& path) {
        const auto match = router.find(Method::get, path);
        Request request;
        request.params = match.params;
        return match.route->handler(request).status;
    };
    EXPECT_EQ(ask("/Users/zz/Notes/x"), 400);
    EXPECT_EQ(ask("/Users/" + std::string(31, 'a') + "/Notes/x"), 400);
    EXPECT_EQ(called, 0);
    EXPECT_EQ(ask("/Users/" + std::string(32, 'A') + "/Notes/any%20word"), 204);
    EXPECT_EQ(ask("/Users/aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa/Notes/x"), 204);
    EXPECT_EQ(called, 2);
}

TEST_F(RouterTest, stops_at_a_route_that_is_there_already) {
    EXPECT_DEATH(add(Method::get, "/items/{id}"), "known->method != route.method");
}

}  // namespace
}  // namespace understudy::http
