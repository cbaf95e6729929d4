// tests/contract/cluster/events_contract.h: what every EventLog must do.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "contract/cluster/cluster_fixture.h"

namespace understudy::testing {

using namespace std::chrono_literals;

/// Keeps what it hears; waits for so many.
class Ear {
public:
    explicit Ear(cluster::EventLog& log) : log_(log) {
        token_ = log.listen([this](const cluster::Event& event) {
            {
                const std::lock_guard lock(mutex_);
                if (event.sequence == 0) ++caught_up_;
            }
            if (event.sequence > 0) {
                const std::lock_guard lock(mutex_);
                events_.push_back(event);
            }
            heard_.notify_all();
        });
    }
    Ear(const Ear&) = delete;
    Ear& operator=(const Ear&) = delete;
    ~Ear() { log_.drop(token_); }
    std::vector<cluster::Event> wait_for(std::size_t count, std::chrono::seconds at_most = 20s) {
        std::unique_lock lock(mutex_);
        heard_.wait_for(lock, at_most, [&] { return events_.size() >= count; });
        return events_;
    }

    /// Until `log.caught_up` was heard.
    bool await_caught_up(std::chrono::seconds at_most = 20s) {
        std::unique_lock lock(mutex_);
        return heard_.wait_for(lock, at_most, [&] { return caught_up_ > 0; });
    }

private:
    cluster::EventLog& log_;
    int token_ = 0, caught_up_ = 0;
    std::mutex mutex_;
    std::condition_variable heard_;
    std::vector<cluster::Event> events_;
};

class EventsContract : public ClusterFixture {
protected:
    static void publish(cluster::EventLog& log, const std::string& kind, const std::string& payload = "{}") {
        const auto published = log.publish(kind, payload);
        ASSERT_TRUE(published) << published.error().context;
    }
};

TEST_P(EventsContract, a_pod_hears_its_own_events_in_order) {
    const auto log = make_log("a");
    Ear ear(*log);
    publish(*log, "run.started", R"({"task":"Zoë"})");
    publish(*log, "run.ended");
    const auto events = ear.wait_for(2);
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[0].kind, "run.started");
    EXPECT_EQ(events[0].payload, R"({"task":"Zoë"})");
    EXPECT_EQ(events[0].pod, "a");
    EXPECT_EQ(events[1].kind, "run.ended");
    EXPECT_LT(events[0].sequence, events[1].sequence);
    EXPECT_LE(events[0].at, events[1].at);
    EXPECT_GT(core::to_unix_ms(events[0].at), 1'600'000'000'000);
}

TEST_P(EventsContract, a_dropped_listener_hears_no_more) {
    const auto log = make_log("a");
    Ear ear(*log);
    int heard = 0;
    const int token = log->listen([&](const cluster::Event&) { ++heard; });
    publish(*log, "one");
    ear.wait_for(1);
    log->drop(token);  // waits for a call in progress, so `heard` is ours again
    const int before = heard;
    publish(*log, "two");
    ear.wait_for(2);
    EXPECT_EQ(heard, before);
}

TEST_P(EventsContract, a_listener_may_drop_itself_and_publish) {
    const auto log = make_log("a");
    Ear ear(*log);
    int token = 0, calls = 0;
    std::mutex mutex;
    {
        const std::lock_guard lock(mutex);
        token = log->listen([&](const cluster::Event&) {
            const std::lock_guard inner(mutex);
            ++calls;
            log->drop(token);
            EXPECT_TRUE(log->publish("answer", "{}"));
        });
    }
    publish(*log, "question");
    EXPECT_EQ(ear.wait_for(2).size(), 2U);
    const std::lock_guard lock(mutex);
    EXPECT_EQ(calls, 1);
}

TEST_P(EventsContract, nothing_is_lost_or_out_of_order_among_many_publishers) {
    constexpr std::size_t publishers = 6, each = 40;
    const auto a = make_log("a");
    const auto b = local() ? nullptr : make_log("b");  // alone, there is only one pod
    auto& other = b ? *b : *a;
    Ear first(*a), second(other);
    std::vector<std::thread> threads;
    for (std::size_t p = 0; p < publishers; ++p) {
        threads.emplace_back([&, p] {
            for (std::size_t i = 0; i < each; ++i) {
                publish(p % 2 == 0 ? *a : other, std::to_string(p), std::to_string(i));
            }
        });
    }
    for (auto& thread : threads) thread.join();
    const auto heard = first.wait_for(publishers * each), also = second.wait_for(publishers * each);
    ASSERT_EQ(heard.size(), publishers * each);
    ASSERT_EQ(also.size(), publishers * each);
    std::vector<std::size_t> next(publishers, 0);
    for (std::size_t i = 0; i < heard.size(); ++i) {
        EXPECT_EQ(heard[i].sequence, also[i].sequence);
        EXPECT_LT(i == 0 ? 0 : heard[i - 1].sequence, heard[i].sequence);
        EXPECT_EQ(std::stoul(heard[i].payload), next[std::stoul(heard[i].kind)]++);
    }
}

}  // namespace understudy::testing
