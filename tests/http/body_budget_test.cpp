// What the bodies of all requests together may take: large ones wait their turn, small ones never.
#include "http/server/body_budget.h"

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <thread>

#include "http/raw_client.h"
#include "http/server/server.h"

namespace understudy::http {
namespace {

using testing::RawClient;

TEST(BodyBudget, is_shared_by_all_but_for_what_each_may_have) {
    constexpr auto free_of_each = BodyBudget::free_bytes;
    BodyBudget budget(1'000);
    BodyBudget::Share one(budget);
    {
        BodyBudget::Share two(budget);
        EXPECT_TRUE(one.grow_to(free_of_each + 600));
        EXPECT_TRUE(one.grow_to(free_of_each + 600)) << "it has that already";
        EXPECT_TRUE(two.grow_to(free_of_each)) << "costs nothing";
        EXPECT_TRUE(two.grow_to(free_of_each + 400));
        EXPECT_FALSE(two.grow_to(free_of_each + 401));
        EXPECT_FALSE(one.grow_to(free_of_each + 601));
    }
    EXPECT_TRUE(one.grow_to(free_of_each + 1'000)) << "the other one is gone";
    EXPECT_FALSE(one.grow_to(free_of_each + 1'001));
    one.give_back();
    BodyBudget::Share three(budget);
    EXPECT_TRUE(three.grow_to(free_of_each + 1'000));
}

/// More than the buffers of both ends hold.
constexpr std::size_t large_answer = std::size_t{48} * 1024 * 1024;

/// Each request is held until the test lets all go.
class Holding final : public RequestHandler {
public:
    std::optional<Response> at_once(Request& request) noexcept override {
        if (request.target == "/quick" || request.target == "/photo/quick") return text_answer(200, "quick");
        if (request.target == "/large") return text_answer(200, std::string(large_answer, 'x'));
        return std::nullopt;
    }
    bool is_vital(const Request&) const noexcept override { return false; }
    bool takes_large_body(const Request& request) const noexcept override {
        return request.target.starts_with("/photo");
    }
    std::optional<Response> admit(Request&) noexcept override { return std::nullopt; }
    Response handle(Request&) noexcept override {
        inside_.set_value();
        go_on_.get_future().wait();
        return text_answer(200, "held");
    }
    void await_inside() { inside_.get_future().wait(); }
    void release() { go_on_.set_value(); }

private:
    std::promise<void> inside_, go_on_;
};

std::string post(const std::string& path, std::size_t bytes) {
    return "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(bytes) + "\r\n\r\n" +
           std::string(bytes, 'x');
}

TEST(Server, takes_no_more_memory_for_all_bodies_than_it_may) {
    constexpr std::size_t small = 60'000, large = 150'000;
    ServerSettings settings;
    settings.listen = "127.0.0.1:0";
    settings.max_bodies_bytes = 100'000;
    Holding handler;
    HttpCounters counters;
    core::SystemClock clock;
    core::NullLog log;
    Server server(std::move(settings), handler, counters, clock, log);
    ASSERT_TRUE(server.start());
    RawClient holder(server.port());
    holder.send(post("/held", large));
    handler.await_inside();
    {
        RawClient other(server.port());
        const auto busy = other.ask(post("/quick", large));
        EXPECT_EQ(busy.status, 503);
        EXPECT_EQ(busy.header("Retry-After"), "5");
        EXPECT_EQ(counters.overloaded, 1U);
        RawClient modest(server.port());
        EXPECT_EQ(modest.ask(post("/quick", small)).status, 200);
    }
    handler.release();
    EXPECT_EQ(holder.read().body, "held");
    RawClient next(server.port());
    EXPECT_EQ(next.ask(post("/quick", large)).status, 200);
    EXPECT_EQ(next.ask(post("/quick", large)).status, 200) << "on the same connection too";
    server.stop(core::Millis{0});
}

TEST(Server, takes_what_is_not_large_beside_all_the_large_bodies_that_it_may) {
    constexpr std::size_t large = 150'000;
    ServerSettings settings;
    settings.listen = "127.0.0.1:0";
    settings.max_large_bodies_bytes = 100'000;
    Holding handler;
    HttpCounters counters;
    core::SystemClock clock;
    core::NullLog log;
    Server server(std::move(settings), handler, counters, clock, log);
    ASSERT_TRUE(server.start());
    RawClient holder(server.port());
    holder.send(post("/photo/held", large));
    handler.await_inside();
    {
        RawClient other(server.port());
        EXPECT_EQ(other.ask(post("/photo/quick", large)).status, 503);
        RawClient modest(server.port());
        EXPECT_EQ(modest.ask(post("/quick", large)).status, 200);
    }
    handler.release();
    EXPECT_EQ(holder.read().body, "held");
    RawClient next(server.port());
    EXPECT_EQ(next.ask(post("/photo/quick", large)).status, 200);
    EXPECT_EQ(next.ask(post("/photo/quick", large)).status, 200) << "on the same connection too";
    server.stop(core::Millis{0});
}

TEST(Server, takes_no_more_memory_for_all_answers_than_it_may) {
    ServerSettings settings;
    settings.listen = "127.0.0.1:0";
    settings.max_answers_bytes = large_answer * 3 / 2;
    Holding handler;
    HttpCounters counters;
    core::SystemClock clock;
    core::NullLog log;
    Server server(std::move(settings), handler, counters, clock, log);
    ASSERT_TRUE(server.start());
    const std::string fetch = "GET /large HTTP/1.1\r\nHost: x\r\n\r\n";
    RawClient other(server.port());
    {
        RawClient slow(server.port());
        EXPECT_EQ(slow.ask(fetch, true).status, 200) << "of the rest nothing is read";
        const auto busy = other.ask(fetch);
        EXPECT_EQ(busy.status, 503);
        EXPECT_EQ(busy.header("Retry-After"), "5");
        EXPECT_EQ(other.ask("GET /quick HTTP/1.1\r\nHost: x\r\n\r\n").status, 200);
    }
    while (counters.connections > 1) std::this_thread::yield();
    EXPECT_EQ(other.ask(fetch).body.size(), large_answer);
    EXPECT_EQ(other.ask(fetch).body.size(), large_answer) << "again and again";
    server.stop(core::Millis{0});
}

}  // namespace
}  // namespace understudy::http
