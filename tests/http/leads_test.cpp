// /cluster/leads: who led when.
#include <gtest/gtest.h>

#include "http/house.h"
#include "support/fake_lead_history.h"

namespace understudy::http {
namespace {

using namespace std::chrono_literals;

struct LedHouse : testing::House {
    LedHouse() { services.leads = &history; }
    core::BootId boot(std::uint8_t number) { return core::BootId{core::IdBytes{number}}; }
    void lead(const char* pod, std::uint8_t life, core::Millis began_ago, core::Millis seen_ago,
              std::optional<core::Millis> ended_ago) {
        cluster::Lead lead{pod, boot(life), 1, history.now - began_ago, history.now - seen_ago, {}};
        if (ended_ago) lead.ended_at = history.now - *ended_ago;
        history.leads.insert(history.leads.begin(), lead);
    }
    testing::FakeLeadHistory history;
};

TEST(LeadHistory, names_the_gap_to_the_term_before) {
    LedHouse house;
    house.lead("a", 1, 100s, 60s, {});  // fell silent
    house.lead("b", 2, 45s, 20s, 20s);  // let go
    house.lead("c", 3, 20s, 1s, {});
    const auto answer = house.get("/cluster/leads");
    ASSERT_EQ(answer.status, 200) << answer.body;
    const auto items = testing::parsed(answer).at("items").as_array();
    ASSERT_EQ(items.size(), 3U);
    EXPECT_EQ(items[0].at("pod"), "c");
    EXPECT_EQ(items[0].at("gapMs"), 0);
    EXPECT_TRUE(items[0].at("endedAt").is_null());
    EXPECT_EQ(items[0].at("beganAt").as_string(), core::to_iso8601(house.history.now - 20s));
    EXPECT_EQ(items[1].at("gapMs"), 15'000) << "from the last word of the one before";
    EXPECT_EQ(items[1].at("endedAt").as_string(), core::to_iso8601(house.history.now - 20s));
    EXPECT_TRUE(items[2].at("gapMs").is_null()) << "nothing is known of what was before";
    const auto newest = testing::parsed(house.get("/cluster/leads?limit=1")).at("items").as_array();
    ASSERT_EQ(newest.size(), 1U);
    EXPECT_EQ(newest[0].at("gapMs"), 0) << "the gap is known though the one before is not shown";
}

TEST(LeadHistory, is_empty_without_an_election_and_says_what_is_wrong) {
    LedHouse house;
    house.services.leads = nullptr;
    EXPECT_EQ(house.get("/cluster/leads").body, R"({"items":[]})");
    EXPECT_EQ(house.get("/cluster/leads?limit=0").status, 400);
    EXPECT_EQ(house.get("/cluster/leads?limit=many").status, 400);
    house.services.leads = &house.history;
    house.history.broken = core::Error{core::Errc::unavailable, "away"};
    EXPECT_EQ(house.get("/cluster/leads").status, 503);
}

TEST(LeadHistory, is_for_administrators) {
    LedHouse house;
    Request request;
    request.method = Method::get;
    request.target = "/cluster/leads?ApiKey=" + std::string(testing::guest_key);
    EXPECT_EQ(house.ask(request).status, 403);
}

}  // namespace
}  // namespace understudy::http
