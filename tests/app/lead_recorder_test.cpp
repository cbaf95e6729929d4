#include "app/lead_recorder.h"

#include <gtest/gtest.h>

#include "core/log.h"
#include "support/fake_lead_history.h"
#include "support/manual_clock.h"

namespace understudy::app {
namespace {

using namespace std::chrono_literals;
using testing::FakeLeadHistory;

struct Recorded : ::testing::Test {
    void SetUp() override {
        LeadRecorder::Settings settings;
        settings.pod = "a";
        settings.boot = core::BootId{core::IdBytes{1}};
        settings.on_new_term = [this] { ++told; };
        recorder.emplace(std::move(settings), history, clock, log);
    }
    lease::LeaseView leads(std::int64_t term, core::Millis since_ago) {
        lease::LeaseView view;
        view.standing = lease::Standing::leader;
        view.term = term;
        view.holder = {"a", clock.utc_now() - since_ago};
        return view;
    }
    testing::ManualClock clock;
    core::NullLog log;
    FakeLeadHistory history;
    int told = 0;
    std::optional<LeadRecorder> recorder;
};

TEST_F(Recorded, a_term_is_written_and_told_once_and_ended_once) {
    recorder->look({});
    EXPECT_TRUE(history.leads.empty()) << "nobody leads";
    recorder->look(leads(1, 3s));
    recorder->look(leads(1, 8s));
    ASSERT_EQ(history.leads.size(), 1U);
    EXPECT_EQ(told, 1);
    EXPECT_EQ(history.now - history.leads.front().began_at, 3s);
    EXPECT_FALSE(history.leads.front().ended_at);
    lease::LeaseView follows;
    follows.standing = lease::Standing::follower;
    recorder->look(follows);
    EXPECT_TRUE(history.leads.front().ended_at);
    recorder->look(leads(2, 1s));
    EXPECT_EQ(told, 2);
}

TEST_F(Recorded, what_the_database_did_not_take_is_tried_again) {
    history.broken = core::Error{core::Errc::unavailable, "away"};
    recorder->look(leads(1, 3s));
    EXPECT_EQ(told, 0);
    history.broken.reset();
    recorder->look(leads(1, 8s));
    EXPECT_EQ(told, 1);
    EXPECT_EQ(history.now - history.leads.front().began_at, 8s) << "since it leads, not since it could say so";
    history.broken = core::Error{core::Errc::unavailable, "away"};
    recorder->look({});
    EXPECT_FALSE(history.leads.front().ended_at);
    history.broken.reset();
    recorder->look({});
    EXPECT_TRUE(history.leads.front().ended_at);
}

TEST_F(Recorded, who_runs_alone_has_no_terms) {
    auto view = leads(1, 0s);
    view.single = true;
    recorder->look(view);
    EXPECT_TRUE(history.leads.empty());
}

}  // namespace
}  // namespace understudy::app
