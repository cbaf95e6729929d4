#include "app/root_sight.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>

#include "http/fakes.h"

namespace understudy::app {
namespace {

using namespace std::chrono_literals;
using testing::id_of;
using testing::RecordingLog;

const core::UtcTime now = core::from_unix_ms(1'800'000'000'000);

cluster::PodInfo pod(const char* label, std::map<std::string, bool> roots, const char* standing = "follower") {
    cluster::PodInfo info;
    info.label = label;
    info.boot = id_of<core::BootId>(label[0]);
    info.standing = standing;
    info.heartbeat_at = now;
    info.roots = std::move(roots);
    return info;
}

TEST(PodThatSeesMore, decides_who_gives_way) {
    struct Row {
        const char* why;
        bool leads;
        std::map<std::string, bool> self;
        std::vector<cluster::PodInfo> others;
        const char* want;
    };
    auto stale = pod("b", {{"/m", true}});
    stale.heartbeat_at = now - 11s;
    const Row rows[] = {
        {"alone", true, {{"/m", false}}, {}, ""},
        {"nobody sees it", true, {{"/m", false}}, {pod("b", {{"/m", false}})}, ""},
        {"another sees it", true, {{"/m", false}}, {pod("b", {{"/m", true}})}, "b"},
        {"both see it", true, {{"/m", true}}, {pod("b", {{"/m", true}})}, ""},
        {"another, silent for long", true, {{"/m", false}}, {stale}, ""},
        {"each misses one: nobody gains by a swap",
         true,
         {{"/m", false}, {"/n", true}},
         {pod("b", {{"/m", true}, {"/n", false}})},
         ""},
        {"the other misses one too, but fewer",
         true,
         {{"/m", false}, {"/n", false}, {"/o", true}},
         {pod("b", {{"/m", true}, {"/n", true}, {"/o", false}})},
         "b"},
        {"the one that misses fewest is named",
         true,
         {{"/m", false}, {"/n", false}},
         {pod("b", {{"/m", true}, {"/n", false}}), pod("c", {{"/m", true}, {"/n", true}})},
         "c"},
        {"a root of which the other has not heard yet", true, {{"/m", false}}, {pod("b", {})}, ""},
        {"a root of which only the other has heard",
         true,
         {{"/m", true}},
         {pod("b", {{"/m", true}, {"/n", true}})},
         ""},
        {"an older pod that reports no roots", true, {{"/m", false}}, {pod("b", {}, "follower")}, ""},
        {"it does not hear the store", true, {{"/m", false}}, {pod("b", {{"/m", true}}, "self_appointed")}, ""},
        {"it knows no leader while this pod leads", true, {{"/m", false}}, {pod("b", {{"/m", true}}, "unknown")}, ""},
        {"it has no election", true, {{"/m", false}}, {pod("b", {{"/m", true}}, "single")}, ""},
        {"it leads", false, {{"/m", false}}, {pod("b", {{"/m", true}}, "leader")}, "b"},
        {"nobody leads", false, {{"/m", false}}, {pod("b", {{"/m", true}}, "unknown")}, "b"},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.why);
        const auto more = pod_that_sees_more(pod("a", row.self), row.leads, row.others, now, 10s);
        EXPECT_EQ(more ? more->pod : std::string(), row.want);
    }
}

TEST(PodThatSeesMore, never_names_two_pods_to_each_other) {
    // All pairs of what two pods may see of three roots: the lead cannot swap for ever.
    const auto seen = [](int bits) {
        return std::map<std::string, bool>{{"/1", (bits & 1) != 0}, {"/2", (bits & 2) != 0}, {"/3", (bits & 4) != 0}};
    };
    for (int a = 0; a < 8; ++a) {
        for (int b = 0; b < 8; ++b) {
            const auto one = pod("a", seen(a)), other = pod("b", seen(b));
            const bool there = pod_that_sees_more(one, true, std::array{other}, now, 10s).has_value();
            const bool back = pod_that_sees_more(other, true, std::array{one}, now, 10s).has_value();
            EXPECT_FALSE(there && back) << a << ' ' << b;
            const bool sees_all_and_more = (a & b) == a && a != b;
            EXPECT_TRUE(there || !sees_all_and_more) << a << ' ' << b;
        }
    }
}

struct Sight : ::testing::Test {
    RootSight::Settings settings() {
        RootSight::Settings settings;
        settings.leads = [this] { return leads.load(); };
        settings.stand_back = [this](const std::string& text) { why = text; };
        settings.resign = [this]() -> core::Result<void> {
            const std::lock_guard lock(mutex);
            leads = false;
            ++resigned;
            changed.notify_all();
            return {};
        };
        return settings;
    }
    void look(core::Millis after, bool sees) {
        auto self = pod("a", {{"/m", sees}}, leads ? "leader" : "follower");
        auto other = pod("b", {{"/m", true}}, leads ? "follower" : "leader");
        self.heartbeat_at = other.heartbeat_at = now + after;
        sight.look(self, std::array{self, other}, now + after);
    }
    bool await_resignation() {
        std::unique_lock lock(mutex);
        return changed.wait_for(lock, 10s, [this] { return resigned > 0; });
    }
    RecordingLog log;
    std::mutex mutex;
    std::condition_variable changed;
    std::atomic<bool> leads{true};
    std::atomic<int> resigned{0};
    std::string why;
    RootSight sight{settings(), log};
};

TEST_F(Sight, a_leader_resigns_when_two_looks_in_a_row_agree_and_says_why) {
    look(0s, false);
    look(1s, false);  // a pod came or left: looks may follow each other closely
    EXPECT_EQ(why, "");
    look(5s, false);
    ASSERT_TRUE(await_resignation());
    EXPECT_EQ(why, "this pod does not see the library folder /m, which b sees");
    EXPECT_EQ(log.count("warning this pod hands the lead over why=this pod does not see"), 1U);
}

TEST_F(Sight, a_mount_that_is_slow_once_changes_nothing) {
    for (int second = 0; second < 60; second += 10) {
        look(std::chrono::seconds{second}, false);
        look(std::chrono::seconds{second + 5}, true);
    }
    EXPECT_EQ(resigned, 0);
    EXPECT_EQ(why, "");
}

TEST_F(Sight, it_stands_back_until_it_sees_as_much_and_resigns_once) {
    look(0s, false);
    look(5s, false);
    ASSERT_TRUE(await_resignation());
    for (int second = 10; second < 100; second += 5) {
        look(std::chrono::seconds{second}, false);
        EXPECT_NE(why, "");
    }
    EXPECT_EQ(resigned, 1);
    look(100s, true);
    EXPECT_EQ(why, "");
    EXPECT_EQ(log.count("may lead"), 1U);
}

TEST_F(Sight, a_follower_that_misses_a_root_stands_back_before_it_ever_leads) {
    leads = false;
    look(0s, false);
    look(5s, false);
    EXPECT_NE(why, "");
    EXPECT_EQ(resigned, 0);
    EXPECT_EQ(log.count("leaves the lead to others"), 1U);
}

}  // namespace
}  // namespace understudy::app
