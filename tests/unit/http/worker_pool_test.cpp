#include "http/server/worker_pool.h"

#include <gtest/gtest.h>

#include <future>

#include "http/dispatcher.h"

namespace understudy::http {
namespace {

TEST(WorkerPool, refuses_what_does_not_fit_and_drops_what_waits_when_it_stops) {
    WorkerPool pool(1, 2);
    std::promise<void> begun, go;
    auto wait_for_go = go.get_future().share();
    bool ran_late = false;
    ASSERT_TRUE(pool.submit([&] {
        begun.set_value();
        wait_for_go.wait();
    }));
    begun.get_future().wait();
    EXPECT_TRUE(pool.submit([&] { ran_late = true; }));
    EXPECT_TRUE(pool.submit([&] { ran_late = true; }));
    EXPECT_FALSE(pool.submit([] {}));
    EXPECT_EQ(pool.waiting(), 2U);
    std::jthread stopping([&] { pool.stop(); });
    while (pool.waiting() > 0) std::this_thread::yield();  // the stop has dropped them
    go.set_value();
    stopping.join();
    EXPECT_FALSE(ran_late);
    EXPECT_FALSE(pool.submit([] {}));
}

TEST(BaseUrl, is_made_normal_or_refused_by_name) {
    EXPECT_EQ(*normal_base_url(""), "");
    EXPECT_EQ(*normal_base_url("/"), "");
    EXPECT_EQ(*normal_base_url("jf/"), "/jf");
    EXPECT_EQ(*normal_base_url("/a//b/"), "/a/b");
    for (const char* bad : {"http://x/jf", "/a b", "/a?b", "/../x", "/%41"}) {
        const auto refused = normal_base_url(bad);
        ASSERT_FALSE(refused) << bad;
        EXPECT_TRUE(refused.error().context.starts_with("Jellyfin:Http:BaseUrl: '"));
    }
}

}  // namespace
}  // namespace understudy::http
