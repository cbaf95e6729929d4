#include "http/request_rates.h"

#include <gtest/gtest.h>

#include "support/manual_clock.h"

namespace understudy::http {
namespace {

using namespace std::chrono_literals;

TEST(RequestRates, an_address_has_a_minutes_worth_at_once_and_then_what_the_time_brings) {
    testing::ManualClock clock;
    RequestRates rates(60, clock);
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(rates.take("a")) << i;
    EXPECT_FALSE(rates.take("a"));
    EXPECT_TRUE(rates.take("b")) << "others are not concerned";
    clock.advance(2s);
    EXPECT_TRUE(rates.take("a"));
    EXPECT_TRUE(rates.take("a"));
    EXPECT_FALSE(rates.take("a"));
    clock.advance(1h);
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(rates.take("a")) << "no more than a minute's is saved up";
    EXPECT_FALSE(rates.take("a"));
}

TEST(RequestRates, what_costs_more_takes_more) {
    testing::ManualClock clock;
    RequestRates rates(60, clock);
    EXPECT_TRUE(rates.take("a", 50));
    EXPECT_FALSE(rates.take("a", 11)) << "and costs nothing";
    EXPECT_TRUE(rates.take("a", 10));
    EXPECT_FALSE(rates.take("a"));
    EXPECT_EQ(rates.retry_after_s(11), 11U);
    clock.advance(11s);
    EXPECT_TRUE(rates.take("a", 11));
    clock.advance(1h);
    EXPECT_FALSE(rates.take("a", 61)) << "more than a minute brings";
}

TEST(RequestRates, says_when_to_come_again) {
    testing::ManualClock clock;
    EXPECT_EQ(RequestRates(6, clock).retry_after_s(), 10U);
    EXPECT_EQ(RequestRates(600, clock).retry_after_s(), 1U);
}

TEST(RequestRates, without_a_limit_there_is_none) {
    testing::ManualClock clock;
    RequestRates rates(0, clock);
    for (int i = 0; i < 10'000; ++i) ASSERT_TRUE(rates.take("a"));
}

TEST(RequestRates, an_attack_from_many_addresses_takes_no_memory_without_end) {
    testing::ManualClock clock;
    RequestRates rates(1, clock);
    for (int i = 0; i < 200'000; ++i) static_cast<void>(rates.take(std::to_string(i)));
    EXPECT_TRUE(rates.take("new"));
}

}  // namespace
}  // namespace understudy::http
