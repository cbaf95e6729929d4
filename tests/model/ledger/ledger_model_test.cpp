// The real ledger in every order of steps and faults of a small scope (I2, I3, I7, I8 of ARCHITECTURE.md). Leadership
// is left out on purpose: any pod may believe that it leads at any time.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>

#include "model/ledger/explorer.h"

namespace understudy::testing::model {
namespace {

void expect_sound(const Scope& scope) {
    const auto begin = std::chrono::steady_clock::now();
    const auto found = explore(scope);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    EXPECT_EQ(found.violation, "") << found.trace;
    std::printf(
        "    %zu states, %zu transitions, to rest in at most %d ticks of 15 s, live runs killed at most %d (%.1f s)\n",
        found.states, found.transitions, found.longest_ticks, found.most_killed, took.count());
}

void expect_fault(const Scope& scope, Without without, const char* word) {
    const auto found = explore(scope, without);
    EXPECT_NE(found.violation.find(word), std::string::npos) << "found: '" << found.violation << "'\n" << found.trace;
    std::printf("    after %zu states: %s\n", found.states, found.violation.c_str());
}

TEST(LedgerModel, pods_crash_and_restart) {
    expect_sound({.crash = 4});
}
TEST(LedgerModel, pods_crash_and_are_stopped) {
    expect_sound({.units = 3, .crash = 2, .stop = 2});
}
TEST(LedgerModel, two_slots_of_which_the_later_comes_due_on_the_way) {
    expect_sound({.slots = 2, .crash = 2, .stop = 1});
}
TEST(LedgerModel, somebody_runs_the_task_by_hand) {
    expect_sound({.crash = 2, .stop = 1, .manual = 1});
}
TEST(LedgerModel, replies_are_lost_and_runs_adopted) {
    expect_sound({.crash = 1, .manual = 1, .lost_reply = 2});
}
TEST(LedgerModel, the_database_goes_away) {
    expect_sound({.crash = 1, .stop = 1, .lost_reply = 1, .outage = 1});
}
TEST(LedgerModel, a_database_that_was_away_makes_nobody_dead) {
    expect_sound({.outage = 2, .strict = true});
}
TEST(LedgerModel, nobody_is_dead_who_beats) {
    expect_sound({.crash = 2, .stop = 1, .manual = 1, .strict = true});
}
TEST(LedgerModel, triggers_are_edited_while_slots_are_claimed) {
    expect_sound({.slots = 2, .crash = 1, .edit = 2});
}
TEST(LedgerModel, intervals_count_from_ends_whatever_happens) {
    expect_sound({.slots = 2, .interval = 3, .crash = 1, .manual = 1, .edit = 1});
}
TEST(LedgerModel, somebody_cancels) {
    expect_sound({.crash = 1, .stop = 1, .cancel = 1});
}
TEST(LedgerModel, two_pods_have_one_name) {
    expect_sound({.crash = 2, .stop = 1, .same_name = true});
}
TEST(LedgerModel, a_process_is_cloned_with_its_memory) {
    expect_sound({.pods = 3, .crash = 1, .clone = 1});
}
TEST(LedgerModel, three_pods) {
    expect_sound({.pods = 3, .crash = 1});
}
TEST(LedgerModel, an_item_that_kills_its_pod_is_given_up) {
    expect_sound({.crash = 1, .stop = 1, .poison = true});
}

// Each rule left out must show. An exploration that finds nothing here proves nothing there.
TEST(LedgerModelControl, a_slot_that_may_be_inserted_again_is_started_twice) {
    expect_fault({}, Without::slot_once, "I3");
}
TEST(LedgerModelControl, a_fence_without_the_count_of_writes_lets_a_clone_write) {
    expect_fault({.pods = 3, .clone = 1}, Without::write_count, "I2");
}
TEST(LedgerModelControl, a_fence_that_does_not_ask_for_the_state_lets_the_dead_write) {
    expect_fault({}, Without::state_in_fence, "I2");
}
TEST(LedgerModelControl, a_takeover_without_another_look_kills_the_living) {
    expect_fault({}, Without::recheck, "I8");
}
TEST(LedgerModelControl, a_beats_age_alone_makes_the_healthy_dead_after_an_outage) {
    expect_fault({.outage = 1, .strict = true}, Without::own_watch, "I8");
}
TEST(LedgerModelControl, work_that_nobody_goes_on_with_never_ends) {
    expect_fault({.stop = 1}, Without::open_work, "I7");
}
TEST(LedgerModelControl, an_uncounted_death_kills_pod_after_pod) {
    expect_fault({.poison = true}, Without::stuck_count, "I7");
}
TEST(LedgerModelControl, a_takeover_that_leaves_the_slot_behind_is_seen) {
    expect_fault({.crash = 1}, Without::repoint, "I7");
}
TEST(LedgerModelControl, a_forgotten_claim_is_found_by_the_others_only_once_it_is_dead) {
    // Not a fault of safety: another pod takes it over. Alone it would wait for ever, which is why workers must adopt.
    expect_fault({.pods = 1, .lost_reply = 1}, Without::adoption, "I7");
}

}  // namespace
}  // namespace understudy::testing::model
