#include "lease/null/null_scan_leader_lease.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/manual_clock.h"

namespace understudy::lease {
namespace {

using namespace std::chrono_literals;

std::ptrdiff_t threads_of_this_process() {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return std::distance(begin(tasks), end(tasks));
}

TEST(NullScanLeaderLease, leads_for_ever_alone_and_says_so) {
    testing::ManualClock clock;
    const auto threads = threads_of_this_process();
    NullScanLeaderLease lease("pod-a", clock);
    int events = 0;
    lease.on_event([&](LeaseEvent) { ++events; });
    EXPECT_EQ(threads_of_this_process(), threads) << "no thread of its own";
    clock.advance(10'000h);
    EXPECT_EQ(lease.standing(), Standing::leader);
    const auto view = lease.view();
    EXPECT_TRUE(view.single);
    EXPECT_EQ(view.provider, "none");
    EXPECT_EQ(view.holder->pod, "pod-a");
    EXPECT_FALSE(view.outage);
    EXPECT_TRUE(lease.release(0ms));
    EXPECT_EQ(lease.standing(), Standing::leader);
    EXPECT_EQ(events, 0);
}

TEST(NullScanLeaderLease, has_nobody_to_resign_to) {
    testing::ManualClock clock;
    NullScanLeaderLease lease("pod-a", clock);
    const auto refused = lease.resign(1s);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, core::Errc::conflict);
    EXPECT_EQ(lease.standing(), Standing::leader);
}

}  // namespace
}  // namespace understudy::lease
