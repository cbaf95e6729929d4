// Every order of events for two pods in a small scope, with the machine that ships. In each state: at most one trusted
// leader (I1). From each state, if nothing fails any more: a leader within a bound (I4); if the store stays away: every
// pod appoints itself (I5). And with one rule taken away, the explorer must find the broken state, or it proves
// nothing.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <deque>
#include <vector>

#include "lease_world.h"

namespace understudy::lease::model {
namespace {

class Visited {
public:
    /// False where it was there.
    bool add(const Key& key) {
        if ((size_ + 1) * 2 > table_.size()) grow();
        auto at = key.low & (table_.size() - 1);
        while (table_[at] != Key{}) {
            if (table_[at] == key) return false;
            at = (at + 1) & (table_.size() - 1);
        }
        table_[at] = key;
        ++size_;
        return true;
    }

private:
    void grow() {
        std::vector<Key> old(table_.size() * 2);
        old.swap(table_);
        for (const auto& key : old) {
            if (key == Key{}) continue;
            auto at = key.low & (table_.size() - 1);
            while (table_[at] != Key{}) at = (at + 1) & (table_.size() - 1);
            table_[at] = key;
        }
    }
    std::vector<Key> table_ = std::vector<Key>(1U << 16U);
    std::size_t size_ = 0;
};

struct Outcome {
    std::size_t states = 0, transitions = 0;
    int slowest_election = 0, slowest_self_appointment = 0;
    std::string violation, trace;
};

// A sanitizer is there for the machine's memory, not for the proof: one fault less keeps its run ten times as short.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int two = 1;
#else
constexpr int two = 2;
#endif

constexpr std::size_t state_limit = 6'000'000;

/// Breadth-first, so that a trace is a shortest one.
Outcome explore(const Scope& scope, int election_limit, int self_appointment_limit) {
    struct Origin {
        std::uint32_t parent;
        World::Step step;
    };
    ModelRandom random;
    Outcome outcome;
    Visited visited;
    std::vector<Origin> origins;
    std::deque<World> frontier;
    std::uint32_t index = 0;

    const auto trace = [&](std::uint32_t state) {
        std::vector<std::string> words;
        for (; state != 0; state = origins[state].parent) words.push_back(World::describe(origins[state].step));
        for (auto word = words.rbegin(); word != words.rend(); ++word) outcome.trace += "  " + *word + "\n";
    };
    World start(scope, random);
    visited.add(start.key());
    origins.push_back({0, {}});
    frontier.push_back(std::move(start));
    for (; !frontier.empty(); ++index) {
        const World world = std::move(frontier.front());
        frontier.pop_front();
        if (world.trusted_leaders() > 1) {
            outcome.violation = "I1: two trusted leaders";
        } else if (world.anybody_may_lead()) {
            const int election = world.ticks_to_a_leader(election_limit);
            const int appointment = scope.outage ? world.ticks_to_self_appointment(self_appointment_limit) : 0;
            outcome.slowest_election = std::max(outcome.slowest_election, election);
            outcome.slowest_self_appointment = std::max(outcome.slowest_self_appointment, appointment);
            if (election < 0) outcome.violation = "I4: no leader though nothing fails any more";
            if (appointment < 0) outcome.violation = "I5: a pod never appoints itself though the store stays away";
        }
        if (!outcome.violation.empty()) {
            trace(index);
            break;
        }
        for (const auto& step : world.steps()) {
            World next = world;
            next.take(step);
            ++outcome.transitions;
            if (!visited.add(next.key())) continue;
            origins.push_back({index, step});
            frontier.push_back(std::move(next));
        }
        if (origins.size() > state_limit) {
            outcome.violation = "the scope is too large for this test";
            break;
        }
    }
    outcome.states = origins.size();
    return outcome;
}

Outcome run(const char* name, const Scope& scope) {
    const auto from = std::chrono::steady_clock::now();
    const auto ttl = static_cast<int>(scope.settings.ttl / std::chrono::seconds{1});
    const auto hold_down = static_cast<int>(scope.settings.outage_hold_down / std::chrono::seconds{1});
    // I4: a hold-down or a dead pod's key runs for T; a poll comes on top, and calls take no time here.
    auto outcome = explore(scope, ttl + 1, hold_down + 1);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - from;
    std::printf(
        "%s: %zu states, %zu transitions, %.1f s; slowest election %d ticks, self-appointment %d ticks (T = %d)%s%s\n",
        name, outcome.states, outcome.transitions, took.count(), outcome.slowest_election,
        outcome.slowest_self_appointment, ttl, outcome.violation.empty() ? "" : "; found ", outcome.violation.c_str());
    return outcome;
}

void must_hold(const char* name, const Scope& scope) {
    const auto outcome = run(name, scope);
    EXPECT_EQ(outcome.violation, "") << outcome.trace;
}

void must_break(const char* name, const Scope& scope, const std::string& violation) {
    const auto outcome = run(name, scope);
    EXPECT_EQ(outcome.violation, violation);
    std::printf("%s", outcome.trace.c_str());
}

TEST(LeaseModel, calls_that_hang_or_get_lost) {
    auto scope = Scope::small();
    must_hold("lost calls", scope);
}

TEST(LeaseModel, replies_that_come_late) {
    auto scope = Scope::small();
    scope.late = true;
    scope.give_ups = two;
    scope.outage = false;  // in which nothing arrives, late or not: the test above has been there
    must_hold("late replies", scope);
}

TEST(LeaseModel, pods_that_crash_and_come_back) {
    auto scope = Scope::small();
    scope.crashes = 1;
    scope.give_ups = two;
    must_hold("crashes", scope);
}

TEST(LeaseModel, a_store_that_restarts_empty) {
    auto scope = Scope::small();
    scope.store_restarts = two;
    scope.give_ups = two;
    must_hold("store restarts", scope);
}

TEST(LeaseModel, a_store_that_restarts_empty_while_pods_crash) {
    auto scope = Scope::small();
    scope.store_restarts = 1;
    scope.crashes = 1;
    scope.give_ups = 0;
    scope.outage = false;  // a test of each alone has been there
    must_hold("store restart and crash", scope);
}

TEST(LeaseModel, resignation_and_shut_down) {
    auto scope = Scope::small();
    scope.resignations = two;
    scope.shut_downs = 1;
    scope.give_ups = two;
    must_hold("resignations", scope);
}

TEST(LeaseModelControl, trust_counted_from_the_reply_makes_two_leaders) {
    auto scope = Scope::small();
    scope.trust_from_reply = true;
    must_break("control: trust from reply", scope, "I1: two trusted leaders");
}

TEST(LeaseModelControl, late_replies_taken_at_their_word_make_two_leaders) {
    auto scope = Scope::small();
    scope.late = true;
    scope.give_ups = 3;
    scope.late_answers_count = true;
    must_break("control: late replies count", scope, "I1: two trusted leaders");
}

TEST(LeaseModelControl, a_store_whose_clock_stands_still_never_frees_a_dead_leaders_key) {
    auto scope = Scope::small();
    scope.crashes = 1;
    scope.give_ups = 0;
    scope.outage = false;
    scope.frozen_store = true;
    must_break("control: frozen store", scope, "I4: no leader though nothing fails any more");
}

TEST(LeaseModelControl, a_restarted_store_without_hold_down_makes_two_leaders) {
    auto scope = Scope::small();
    scope.store_restarts = 1;
    scope.give_ups = 2;
    scope.no_hold_down = true;
    must_break("control: no hold-down", scope, "I1: two trusted leaders");
}

}  // namespace
}  // namespace understudy::lease::model
