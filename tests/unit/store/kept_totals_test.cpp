#include "store/sql/kept_totals.h"

#include <gtest/gtest.h>

namespace understudy::store::sql {
namespace {

using namespace std::chrono_literals;

Statement counting(const std::string& text, std::vector<Value> values = {}) {
    return Statement{}.add(text, std::move(values));
}

TEST(KeptTotals, are_known_for_a_second) {
    KeptTotals totals;
    const KeptTotals::Instant now{1h};
    const auto all = counting("all");
    EXPECT_EQ(totals.find(all, now), std::nullopt);
    totals.keep(all, 20'000, now);
    EXPECT_EQ(totals.find(all, now + 999ms), 20'000U);
    EXPECT_EQ(totals.find(all, now + 1s), std::nullopt) << "who asks first counts";
    EXPECT_EQ(totals.find(all, now + 1s), 20'000U) << "the others do not wait";
    EXPECT_EQ(totals.find(all, now + 2s), std::nullopt) << "for long: the one who counts may have failed";
}

TEST(KeptTotals, of_small_lists_are_counted_anew) {
    KeptTotals totals;
    const KeptTotals::Instant now{1h};
    const auto some = counting("some");
    totals.keep(some, KeptTotals::least - 1, now);
    EXPECT_EQ(totals.find(some, now), std::nullopt);
    totals.keep(some, KeptTotals::least, now);
    EXPECT_EQ(totals.find(some, now), KeptTotals::least);
    totals.keep(some, 3, now);
    EXPECT_EQ(totals.find(some, now), std::nullopt) << "shrunk";
}

TEST(KeptTotals, belong_to_a_statement_with_its_values) {
    KeptTotals totals;
    const KeptTotals::Instant now{1h};
    totals.keep(counting("x", {std::string("a"), std::string("bc")}), 6'000, now);
    EXPECT_EQ(totals.find(counting("x", {std::string("ab"), std::string("c")}), now), std::nullopt);
    EXPECT_EQ(totals.find(counting("x", {std::string("a"), Bytes{"bc"}}), now), std::nullopt);
    EXPECT_EQ(totals.find(counting("x", {std::string("a"), std::string("bc")}), now), 6'000U);
    for (std::int64_t i = 0; i < 1'000; ++i) totals.keep(counting("y", {i}), 6'000, now);
    EXPECT_EQ(totals.find(counting("y", {std::int64_t{999}}), now), 6'000U) << "bounded, but of use";
}

}  // namespace
}  // namespace understudy::store::sql
