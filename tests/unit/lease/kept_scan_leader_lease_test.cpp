#include "lease/kept_scan_leader_lease.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "support/fake_lease_store.h"
#include "support/manual_clock.h"

namespace understudy::lease {
namespace {

using namespace std::chrono_literals;
using testing::FakeLeaseServer;
using testing::FakeLeaseStore;
using testing::ManualClock;
using Fault = FakeLeaseStore::Fault;

/// Collects events; blocks the event thread while told to.
class Ear {
public:
    void operator()(LeaseEvent event) {
        std::unique_lock lock(mutex_);
        heard_.push_back(event);
        changed_.notify_all();
        changed_.wait(lock, [&] { return !blocked_; });
    }
    void block(bool blocked) {
        const std::lock_guard lock(mutex_);
        blocked_ = blocked;
        changed_.notify_all();
    }
    std::vector<LeaseEvent> await(std::size_t count) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return heard_.size() >= count; });
        return heard_;
    }
    std::vector<LeaseEvent> heard() {
        const std::lock_guard lock(mutex_);
        return heard_;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<LeaseEvent> heard_;
    bool blocked_ = false;
};

class CountingLog final : public core::Log {
public:
    void write(core::LogLevel, std::string_view message, std::span<const core::LogField>) noexcept override {
        const std::lock_guard lock(mutex_);
        lines_.emplace_back(message);
        changed_.notify_all();
    }
    void await(std::size_t count) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return lines_.size() >= count; });
    }
    std::vector<std::string> lines() {
        const std::lock_guard lock(mutex_);
        return lines_;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::string> lines_;
};

struct Pod {
    Pod(FakeLeaseServer& server, ManualClock& clock_, const std::string& name, std::uint64_t seed = 1)
        : clock(clock_), random(seed) {
        auto owned = std::make_unique<FakeLeaseStore>(server, clock, name);
        store = owned.get();
        KeptScanLeaderLease::Settings settings;
        settings.pod = name;
        settings.another_pod_lives = [this] { return others_live.load(); };
        lease.emplace(settings, std::move(owned), clock, random, log);
        lease->on_event([this](LeaseEvent event) { ear(event); });
    }
    void start() {
        lease->start();
        store->await_idle();
    }
    ManualClock& clock;
    core::SeededRandom random;
    CountingLog log;
    Ear ear;
    std::atomic<bool> others_live = true;
    FakeLeaseStore* store = nullptr;
    std::optional<KeptScanLeaderLease> lease;
};

struct KeptLease : ::testing::Test {
    ManualClock clock;
    FakeLeaseServer server{clock};
    /// In steps, so that every pod does what is due in each.
    void pass(core::Nanos time, std::initializer_list<Pod*> pods, core::Nanos step = 250ms) {
        for (core::Nanos t{}; t < time; t += step) {
            clock.advance(std::min(step, time - t));
            for (auto* pod : pods) pod->store->await_idle();
        }
    }
};

TEST_F(KeptLease, leads_and_tells_so_once_and_renews_for_ever) {
    Pod a(server, clock, "a");
    a.start();
    EXPECT_EQ(a.lease->standing(), Standing::leader);
    EXPECT_EQ(a.ear.await(1), std::vector{LeaseEvent::gained});
    pass(60s, {&a});
    EXPECT_EQ(a.lease->standing(), Standing::leader);
    EXPECT_EQ(server.holder(), "a");
    EXPECT_EQ(a.ear.heard().size(), 1U);
    const auto view = a.lease->view();
    EXPECT_EQ(view.provider, "fake");
    EXPECT_EQ(view.holder->pod, "a");
    EXPECT_EQ(view.term, 1);
    EXPECT_FALSE(view.single);
    EXPECT_LE(a.lease->counters().calls, 14U) << "one call a renewal, no other traffic";
}

TEST_F(KeptLease, does_nothing_before_it_is_started_and_can_be_dropped) {
    Pod a(server, clock, "a");
    EXPECT_EQ(a.lease->standing(), Standing::unknown);
    EXPECT_TRUE(a.lease->release(0ms));
    a.lease.reset();
    EXPECT_FALSE(server.holder());
}

TEST_F(KeptLease, two_pods_have_one_leader_and_the_other_takes_over_when_it_dies) {
    Pod a(server, clock, "a", 1), b(server, clock, "b", 2);
    a.start();
    b.start();
    EXPECT_EQ(a.lease->standing(), Standing::leader);
    EXPECT_EQ(b.lease->standing(), Standing::follower);
    EXPECT_EQ(b.lease->view().holder->pod, "a");
    a.lease.reset();  // dropped without a release: as a crash
    pass(20s, {&b});
    EXPECT_EQ(b.lease->standing(), Standing::leader);
}

TEST_F(KeptLease, a_release_hands_over_at_once) {
    Pod a(server, clock, "a", 1), b(server, clock, "b", 2);
    a.start();
    b.start();
    ASSERT_TRUE(a.lease->release(5s));
    EXPECT_EQ(a.lease->standing(), Standing::unknown);
    EXPECT_EQ(b.ear.await(1), std::vector{LeaseEvent::gained}) << "no time has passed at all";
    EXPECT_EQ(a.ear.await(2), (std::vector{LeaseEvent::gained, LeaseEvent::lost}));
    b.store->await_idle();
    pass(60s, {&b});
    EXPECT_EQ(server.holder(), "b") << "the released pod asks for nothing more";
}

TEST_F(KeptLease, a_resigned_pod_follows_and_may_lead_again_after_T) {
    Pod a(server, clock, "a", 1), b(server, clock, "b", 2);
    a.start();
    b.start();
    ASSERT_TRUE(a.lease->resign(5s));
    EXPECT_EQ(a.lease->standing(), Standing::follower);
    (void)b.ear.await(1);
    b.store->await_idle();
    EXPECT_EQ(b.lease->standing(), Standing::leader);
    pass(16s, {&a, &b});
    EXPECT_EQ(a.lease->standing(), Standing::follower);
    b.lease.reset();
    pass(20s, {&a});
    EXPECT_EQ(a.lease->standing(), Standing::leader);
}

TEST_F(KeptLease, a_pod_alone_takes_the_lease_back_after_it_resigned) {
    Pod a(server, clock, "a");
    a.start();
    a.others_live = false;
    ASSERT_TRUE(a.lease->resign(5s));
    a.store->await_idle();
    pass(1s, {&a});
    EXPECT_EQ(a.lease->standing(), Standing::leader);
    EXPECT_EQ(a.ear.await(3).size(), 3U);
}

TEST_F(KeptLease, a_resigned_pod_leads_again_at_once_when_the_only_other_pod_is_gone) {
    Pod a(server, clock, "a", 1), b(server, clock, "b", 2);
    a.start();
    b.start();
    ASSERT_TRUE(a.lease->resign(5s));
    (void)b.ear.await(1);
    pass(1s, {&a, &b});
    const auto until = a.lease->view().abstains_until;
    ASSERT_TRUE(until) << "a tired operator sees why it does not lead";
    EXPECT_EQ(*until, clock.utc_now() + 14s);
    ASSERT_TRUE(b.lease->release(5s));
    b.lease.reset();
    a.store->await_idle();
    pass(250ms, {&a});
    EXPECT_EQ(a.lease->standing(), Standing::follower) << "b may still be there";
    a.others_live = false;
    a.lease->reconsider();
    EXPECT_EQ(a.ear.await(3), (std::vector{LeaseEvent::gained, LeaseEvent::lost, LeaseEvent::gained}));
    EXPECT_EQ(a.lease->standing(), Standing::leader) << "without any time having passed";
    EXPECT_FALSE(a.lease->view().abstains_until);
}

TEST_F(KeptLease, a_follower_that_is_told_of_a_new_leader_knows_it_without_waiting) {
    Pod a(server, clock, "a", 1), b(server, clock, "b", 2);
    a.start();
    b.start();
    ASSERT_EQ(b.lease->view().holder->pod, "a");
    server.put("c", core::LeaseToken::make(b.random), 10s);
    b.store->await_idle();
    ASSERT_EQ(b.lease->view().holder->pod, "a") << "it looks each few seconds only";
    b.lease->look_now();
    b.store->await_idle();
    EXPECT_EQ(b.lease->view().holder->pod, "c");
    const auto calls = a.lease->counters().calls;
    a.lease->look_now();
    a.store->await_idle();
    EXPECT_EQ(a.lease->counters().calls, calls) << "a leader renews when it is due";
}

TEST_F(KeptLease, only_the_leader_can_resign) {
    Pod a(server, clock, "a", 1), b(server, clock, "b", 2);
    a.start();
    b.start();
    const auto refused = b.lease->resign(1s);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, core::Errc::conflict);
}

TEST_F(KeptLease, a_release_without_a_store_fails_after_two_tries_and_says_when_the_key_runs_out) {
    Pod a(server, clock, "a");
    a.start();
    a.store->set_fault(Fault::refuse);
    const auto tries = a.store->tries();
    std::optional<core::Result<void>> result;
    std::thread releasing([&] { result = a.lease->release(20s); });
    a.store->await_tries(tries + 1);
    a.store->await_idle();
    clock.advance(200ms);
    releasing.join();
    ASSERT_FALSE(*result);
    EXPECT_EQ(result->error().code, core::Errc::unavailable);
    EXPECT_NE(result->error().context.find("15000 ms"), std::string::npos) << result->error().context;
    EXPECT_EQ(a.lease->standing(), Standing::unknown);
}

TEST_F(KeptLease, a_release_blocks_no_longer_than_its_grace) {
    Pod a(server, clock, "a");
    a.start();
    a.store->set_fault(Fault::hang);
    std::optional<core::Result<void>> result;
    std::thread releasing([&] { result = a.lease->release(3s); });
    a.store->await_hang();
    clock.await_waiters(2);  // the event thread and the one that releases
    clock.advance(3s);
    releasing.join();
    ASSERT_FALSE(*result);
    EXPECT_EQ(result->error().code, core::Errc::timed_out);
    a.store->let_go();
}

TEST_F(KeptLease, B1_standing_is_judged_by_the_clock_and_never_waits_for_a_call_that_hangs) {
    Pod a(server, clock, "a");
    a.start();
    (void)a.ear.await(1);
    a.store->set_fault(Fault::hang);
    clock.advance(5s);
    a.store->await_hang();
    EXPECT_EQ(a.lease->standing(), Standing::leader);
    clock.advance(8'199ms);
    EXPECT_EQ(a.lease->standing(), Standing::leader);
    clock.advance(1ms);
    EXPECT_EQ(a.ear.await(2).back(), LeaseEvent::lost) << "told on time, though nobody asked and the call still hangs";
    EXPECT_EQ(a.lease->standing(), Standing::unknown);
    a.store->set_fault(Fault::none);
    a.store->let_go();
    a.store->await_idle();
    EXPECT_EQ(a.ear.await(3).back(), LeaseEvent::gained) << "the stale key is let go of, a new term begins";
}

TEST_F(KeptLease, A11_B6_a_slow_listener_does_not_hold_up_renewals) {
    Pod a(server, clock, "a");
    a.ear.block(true);
    a.start();
    (void)a.ear.await(1);
    pass(60s, {&a});
    EXPECT_EQ(a.lease->standing(), Standing::leader);
    EXPECT_EQ(server.holder(), "a");
    EXPECT_EQ(a.ear.heard().size(), 1U);
    a.ear.block(false);
}

TEST_F(KeptLease, a_slow_listener_hears_every_event_in_order_in_the_end) {
    Pod a(server, clock, "a");
    a.ear.block(true);
    a.start();
    (void)a.ear.await(1);
    for (int i = 0; i < 3; ++i) {
        server.wipe();
        pass(5s, {&a});
    }
    a.ear.block(false);
    const auto heard = a.ear.await(7);
    for (std::size_t i = 0; i < heard.size(); ++i) {
        EXPECT_EQ(heard[i], i % 2 == 0 ? LeaseEvent::gained : LeaseEvent::lost);
    }
}

TEST_F(KeptLease, an_outage_ends_in_self_appointment_and_the_answer_ends_that) {
    Pod a(server, clock, "a", 1), b(server, clock, "b", 2);
    a.start();
    b.start();
    for (auto* pod : {&a, &b}) pod->store->set_fault(Fault::refuse, NoAnswer::misconfigured);
    pass(25s, {&a, &b});
    EXPECT_EQ(a.lease->standing(), Standing::self_appointed);
    EXPECT_EQ(b.lease->standing(), Standing::self_appointed);
    EXPECT_EQ(b.lease->view().outage->reason, NoAnswer::misconfigured);
    for (auto* pod : {&a, &b}) pod->store->set_fault(Fault::none);
    pass(10s, {&a, &b});
    EXPECT_EQ((a.lease->standing() == Standing::leader) + (b.lease->standing() == Standing::leader), 1);
    EXPECT_EQ((a.lease->standing() == Standing::follower) + (b.lease->standing() == Standing::follower), 1);
}

TEST_F(KeptLease, C2_a_store_restarted_empty_leaves_the_lead_with_the_incumbent) {
    Pod a(server, clock, "a", 1), b(server, clock, "b", 2);
    b.start();
    a.start();
    ASSERT_EQ(b.lease->standing(), Standing::leader);
    pass(3s, {&a, &b});
    server.restart_empty();
    pass(10s, {&a, &b});
    EXPECT_EQ(b.lease->standing(), Standing::leader);
    EXPECT_EQ(a.lease->standing(), Standing::follower) << "it looked, and saw who leads";
    EXPECT_EQ(b.ear.await(3), (std::vector{LeaseEvent::gained, LeaseEvent::lost, LeaseEvent::gained}));
    EXPECT_TRUE(a.ear.heard().empty());
}

TEST_F(KeptLease, the_log_of_an_idle_hour_is_one_line) {
    Pod a(server, clock, "a");
    a.start();
    pass(1h, {&a}, 5s);
    a.log.await(1);
    EXPECT_EQ(a.log.lines().size(), 1U);
}

TEST_F(KeptLease, its_threads_have_names) {
    Pod a(server, clock, "a");
    a.start();
    (void)a.ear.await(1);  // both threads are at work
    std::vector<std::string> names;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream file(task.path() / "comm");
        std::string name;
        std::getline(file, name);
        names.push_back(name);
    }
    EXPECT_EQ(std::count(names.begin(), names.end(), "lease"), 1);
    EXPECT_EQ(std::count(names.begin(), names.end(), "lease-events"), 1);
}

}  // namespace
}  // namespace understudy::lease
