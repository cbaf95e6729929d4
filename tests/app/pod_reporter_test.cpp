#include "app/pod_reporter.h"

#include <gtest/gtest.h>

#include <atomic>

#include "cluster/local/pod_registry.h"
#include "http/fakes.h"
#include "support/manual_clock.h"

namespace understudy::app {
namespace {

using namespace std::chrono_literals;
using testing::id_of;
using testing::ManualClock;
using testing::RecordingLog;

cluster::PodInfo pod(const char* label, char boot) {
    cluster::PodInfo info;
    info.label = label;
    info.boot = id_of<core::BootId>(boot);
    return info;
}

struct Reporting : ::testing::Test {
    PodReporter::Settings settings(const char* label, char boot) {
        PodReporter::Settings settings;
        settings.self = pod(label, boot);
        settings.standing = [] { return "follower"; };
        settings.on_alone = [this] { ++alone; };
        settings.on_left = [this] { ++left; };
        return settings;
    }
    ManualClock clock;
    RecordingLog log;
    cluster::LocalPodRegistry registry{clock};
    std::atomic<int> alone = 0, left = 0;
};

TEST_F(Reporting, a_pod_that_says_good_bye_is_known_to_be_gone_as_soon_as_it_says_so) {
    ASSERT_TRUE(registry.heartbeat(pod("b", '2')));
    PodReporter a(settings("a", '1'), registry, clock, log);
    ASSERT_TRUE(a.start());
    clock.await_waiters(1);
    EXPECT_TRUE(a.another_lives());
    ASSERT_TRUE(registry.leave(id_of<core::BootId>('2')));
    a.look_now();
    while (alone == 0) std::this_thread::yield();  // no time passes here
    EXPECT_FALSE(a.another_lives());
    a.look_now();
    clock.await_waiters(1);
    a.stop();
    EXPECT_EQ(alone, 1) << "once";
    EXPECT_EQ(left, 1);
}

TEST_F(Reporting, a_pod_that_fell_silent_is_counted_as_living_for_three_reports) {
    ASSERT_TRUE(registry.heartbeat(pod("b", '2')));
    PodReporter a(settings("a", '1'), registry, clock, log);
    ASSERT_TRUE(a.start());
    for (int i = 0; i < 3; ++i) {
        clock.await_waiters(1);
        EXPECT_TRUE(a.another_lives()) << "it may be paused: nobody can know";
        clock.advance(5s);
    }
    clock.await_waiters(1);
    clock.advance(5s);
    while (alone == 0) std::this_thread::yield();
    EXPECT_FALSE(a.another_lives());
}

}  // namespace
}  // namespace understudy::app
