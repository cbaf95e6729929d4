// tests/contract/lease_store/lease_store_contract.h: what every LeaseStore must do (port: lease/lease_store.h).
//
// A back end is a default-constructible type of one empty place for leases:
//   static constexpr bool has_notices;                    // does a release wake the wait() of others?
//   std::unique_ptr<lease::LeaseStore> pod(std::string label);   // stores of one place, each with its own connection
//   void forget_lease();                                  // the key or row is gone, as after FLUSHALL
// Then, in the back end's own test file: INSTANTIATE_TYPED_TEST_SUITE_P(Redis, LeaseStoreContract, RedisBackend);
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/random.h"
#include "lease/lease_store.h"

namespace understudy::testing {

using namespace std::chrono_literals;
using Verb = lease::LeaseRequest::Verb;
using Verdict = lease::LeaseAnswer::Verdict;

inline core::LeaseToken new_token() {
    core::SystemRandom random;
    return core::LeaseToken::make(random);
}

/// Connects where needed and asks; a missing answer fails the test.
inline lease::LeaseAnswer ask(lease::LeaseStore& store, Verb verb, const core::LeaseToken& token,
                              core::Millis ttl = 60s) {
    const auto connected = store.connect();
    EXPECT_TRUE(connected) << (connected ? "" : connected.error().detail);
    if (!connected) return {};
    auto reply = store.ask({verb, token, ttl});
    if (const auto* none = std::get_if<lease::LeaseNoAnswer>(&reply)) {
        ADD_FAILURE() << "no answer: " << none->detail;
        return {};
    }
    return std::get<lease::LeaseAnswer>(reply);
}

template <class Backend>
class LeaseStoreContract : public ::testing::Test {
protected:
    Backend backend;
    std::unique_ptr<lease::LeaseStore> a = backend.pod("pod-a");
    std::unique_ptr<lease::LeaseStore> b = backend.pod("pod-b");
    core::LeaseToken token_a = new_token();
    core::LeaseToken token_b = new_token();
};

TYPED_TEST_SUITE_P(LeaseStoreContract);

TYPED_TEST_P(LeaseStoreContract, grants_a_vacant_lease) {
    const auto answer = ask(*this->a, Verb::acquire, this->token_a, 60s);
    EXPECT_EQ(answer.verdict, Verdict::granted);
    EXPECT_EQ(answer.holder, "pod-a");
    EXPECT_EQ(answer.holder_token, this->token_a);
    ASSERT_TRUE(answer.ttl_left);
    EXPECT_LE(*answer.ttl_left, 60s);
    EXPECT_GT(*answer.ttl_left, 50s);
    ASSERT_TRUE(answer.server_time);
    EXPECT_GT(*answer.server_time, core::from_unix_ms(1'600'000'000'000));
    EXPECT_FALSE(answer.repaired_missing_ttl);
}

TYPED_TEST_P(LeaseStoreContract, tells_the_others_who_holds_and_for_how_long) {
    ask(*this->a, Verb::acquire, this->token_a, 60s);
    const auto answer = ask(*this->b, Verb::acquire, this->token_b, 300s);
    EXPECT_EQ(answer.verdict, Verdict::held);
    EXPECT_EQ(answer.holder, "pod-a");
    EXPECT_EQ(answer.holder_token, this->token_a);
    ASSERT_TRUE(answer.ttl_left);
    EXPECT_LE(*answer.ttl_left, 60s);  // asking gave the holder nothing
    EXPECT_GT(*answer.ttl_left, 50s);
}

TYPED_TEST_P(LeaseStoreContract, grants_the_same_token_again) {
    ask(*this->a, Verb::acquire, this->token_a, 20s);
    const auto answer = ask(*this->a, Verb::acquire, this->token_a, 60s);
    EXPECT_EQ(answer.verdict, Verdict::granted);
    EXPECT_GT(*answer.ttl_left, 50s);
}

TYPED_TEST_P(LeaseStoreContract, a_label_may_repeat_a_token_may_not) {
    auto twin = this->backend.pod("pod-a");
    ask(*this->a, Verb::acquire, this->token_a);
    const auto answer = ask(*twin, Verb::acquire, this->token_b);
    EXPECT_EQ(answer.verdict, Verdict::held);
    EXPECT_EQ(answer.holder_token, this->token_a);
}

TYPED_TEST_P(LeaseStoreContract, renewing_gives_the_full_ttl_again) {
    ask(*this->a, Verb::acquire, this->token_a, 20s);
    const auto answer = ask(*this->a, Verb::renew, this->token_a, 60s);
    EXPECT_EQ(answer.verdict, Verdict::granted);
    EXPECT_GT(*answer.ttl_left, 50s);
}

TYPED_TEST_P(LeaseStoreContract, renewing_never_creates) {
    ask(*this->a, Verb::acquire, this->token_a);
    this->backend.forget_lease();
    EXPECT_EQ(ask(*this->a, Verb::renew, this->token_a).verdict, Verdict::lost);
    EXPECT_EQ(ask(*this->b, Verb::acquire, this->token_b).verdict, Verdict::granted);
}

TYPED_TEST_P(LeaseStoreContract, renewing_a_foreign_lease_says_held_and_changes_nothing) {
    ask(*this->a, Verb::acquire, this->token_a, 60s);
    const auto answer = ask(*this->b, Verb::renew, this->token_b, 300s);
    EXPECT_EQ(answer.verdict, Verdict::held);
    EXPECT_EQ(answer.holder_token, this->token_a);
    EXPECT_LE(*answer.ttl_left, 60s);
}

TYPED_TEST_P(LeaseStoreContract, a_released_lease_is_vacant) {
    ask(*this->a, Verb::acquire, this->token_a);
    EXPECT_EQ(ask(*this->a, Verb::release, this->token_a).verdict, Verdict::released);
    EXPECT_EQ(ask(*this->a, Verb::renew, this->token_a).verdict, Verdict::lost);
    EXPECT_EQ(ask(*this->b, Verb::acquire, this->token_b).verdict, Verdict::granted);
}

TYPED_TEST_P(LeaseStoreContract, releasing_a_foreign_or_vacant_lease_changes_nothing) {
    EXPECT_EQ(ask(*this->b, Verb::release, this->token_b).verdict, Verdict::released);
    ask(*this->a, Verb::acquire, this->token_a);
    EXPECT_EQ(ask(*this->b, Verb::release, this->token_b).verdict, Verdict::released);
    EXPECT_EQ(ask(*this->a, Verb::renew, this->token_a).verdict, Verdict::granted);
}

TYPED_TEST_P(LeaseStoreContract, another_pod_takes_over_when_the_ttl_has_run_out) {
    ask(*this->a, Verb::acquire, this->token_a, 150ms);
    const auto give_up = std::chrono::steady_clock::now() + 20s;
    auto answer = ask(*this->b, Verb::acquire, this->token_b);
    while (answer.verdict == Verdict::held && std::chrono::steady_clock::now() < give_up) {
        (void)this->b->wait(10ms);
        answer = ask(*this->b, Verb::acquire, this->token_b);
    }
    EXPECT_EQ(answer.verdict, Verdict::granted);
    const auto late = ask(*this->a, Verb::renew, this->token_a);
    EXPECT_EQ(late.verdict, Verdict::held);
    EXPECT_EQ(late.holder, "pod-b");
}

TYPED_TEST_P(LeaseStoreContract, of_many_pods_at_once_one_is_granted) {
    constexpr int pods = 6;
    constexpr int rounds = 5;
    for (int round = 0; round < rounds; ++round) {
        this->backend.forget_lease();
        std::atomic<int> granted{0};
        std::atomic<int> waiting{pods};
        std::vector<std::jthread> threads;
        for (int pod = 0; pod < pods; ++pod) {
            threads.emplace_back([&] {
                auto store = this->backend.pod("pod");
                (void)store->connect();
                waiting.fetch_sub(1);
                while (waiting.load() > 0) std::this_thread::yield();
                if (ask(*store, Verb::acquire, new_token()).verdict == Verdict::granted) granted.fetch_add(1);
            });
        }
        threads.clear();
        EXPECT_EQ(granted.load(), 1);
    }
}

TYPED_TEST_P(LeaseStoreContract, keeps_odd_labels) {
    for (const std::string label : {"a:b c", "Küche-😀", ":", "' OR 1=1 --", "x"}) {
        SCOPED_TRACE(label);
        this->backend.forget_lease();
        auto odd = this->backend.pod(label);
        ask(*odd, Verb::acquire, this->token_a);
        const auto answer = ask(*this->b, Verb::acquire, this->token_b);
        EXPECT_EQ(answer.holder, label);
        EXPECT_EQ(answer.holder_token, this->token_a);
    }
}

TYPED_TEST_P(LeaseStoreContract, a_wait_ends_at_its_time) {
    ASSERT_TRUE(this->a->connect());
    const auto from = std::chrono::steady_clock::now();
    EXPECT_EQ(this->a->wait(60ms), lease::LeaseStore::Wake::timeout);
    EXPECT_GE(std::chrono::steady_clock::now() - from, 60ms);
    EXPECT_EQ(this->a->wait(0ms), lease::LeaseStore::Wake::timeout);
}

TYPED_TEST_P(LeaseStoreContract, an_interrupt_ends_this_wait_or_the_next_one_once) {
    ASSERT_TRUE(this->a->connect());
    this->a->interrupt();
    EXPECT_EQ(this->a->wait(60s), lease::LeaseStore::Wake::interrupted);
    EXPECT_EQ(this->a->wait(1ms), lease::LeaseStore::Wake::timeout);
    std::jthread other([&] { this->a->interrupt(); });
    EXPECT_EQ(this->a->wait(60s), lease::LeaseStore::Wake::interrupted);
}

TYPED_TEST_P(LeaseStoreContract, waits_also_without_a_connection) {
    EXPECT_EQ(this->a->wait(20ms), lease::LeaseStore::Wake::timeout);
    std::jthread other([&] { this->a->interrupt(); });
    EXPECT_EQ(this->a->wait(60s), lease::LeaseStore::Wake::interrupted);
}

TYPED_TEST_P(LeaseStoreContract, a_release_wakes_the_other_pods_within_100_ms) {
    if constexpr (!TypeParam::has_notices) GTEST_SKIP() << "this back end has no notices: pods poll";
    ask(*this->a, Verb::acquire, this->token_a);
    EXPECT_EQ(ask(*this->b, Verb::acquire, this->token_b).verdict, Verdict::held);
    // The best of five: the machine may stall any one of them.
    auto best = std::chrono::steady_clock::duration::max();
    for (int i = 0; i < 5; ++i) {
        std::atomic<std::chrono::steady_clock::time_point> released_at{};
        std::jthread other([&] {
            released_at = std::chrono::steady_clock::now();
            ask(*this->a, Verb::release, this->token_a);
        });
        EXPECT_EQ(this->b->wait(20s), lease::LeaseStore::Wake::notice);
        EXPECT_EQ(ask(*this->b, Verb::acquire, this->token_b).verdict, Verdict::granted);
        best = std::min(best, std::chrono::steady_clock::now() - released_at.load());
        other.join();
        ask(*this->b, Verb::release, this->token_b);
        EXPECT_EQ(this->b->wait(20s), lease::LeaseStore::Wake::notice);  // its own
        ask(*this->a, Verb::acquire, this->token_a);
    }
    EXPECT_LT(best, 100ms);
}

REGISTER_TYPED_TEST_SUITE_P(LeaseStoreContract, grants_a_vacant_lease, tells_the_others_who_holds_and_for_how_long,
                            grants_the_same_token_again, a_label_may_repeat_a_token_may_not,
                            renewing_gives_the_full_ttl_again, renewing_never_creates,
                            renewing_a_foreign_lease_says_held_and_changes_nothing, a_released_lease_is_vacant,
                            releasing_a_foreign_or_vacant_lease_changes_nothing,
                            another_pod_takes_over_when_the_ttl_has_run_out, of_many_pods_at_once_one_is_granted,
                            keeps_odd_labels, a_wait_ends_at_its_time, an_interrupt_ends_this_wait_or_the_next_one_once,
                            waits_also_without_a_connection, a_release_wakes_the_other_pods_within_100_ms);

}  // namespace understudy::testing
