// Faults that comparable software has had, as far as the election alone can have them.
#include "machine_bench.h"

namespace understudy::lease {
namespace {

TEST(LeaseCases, A2_two_processes_of_one_name_are_told_apart_by_token) {
    MachineBench one, two;
    two.random = core::SeededRandom(8);
    const auto first = one.ask(), second = two.ask();
    EXPECT_NE(first.request.token, second.request.token);
    one.answer(first, granted());
    two.answer(second, held("same-name", 1));
    EXPECT_EQ(one.standing(), Standing::leader);
    EXPECT_EQ(two.standing(), Standing::follower);
}

TEST(LeaseCases, A3_a_leader_that_missed_a_renewal_and_finds_a_successor_steps_down_once) {
    MachineBench pod;
    pod.lead();
    pod.exchange(no_reply());
    pod.exchange(held("b"));
    EXPECT_EQ(pod.standing(), Standing::follower);
    for (int i = 0; i < 5; ++i) pod.exchange(held("b"));
    EXPECT_EQ(pod.events(), "gained lost");
}

TEST(LeaseCases, A4_a_vacant_key_regained_is_a_new_term_and_the_state_changes_before_the_event) {
    MachineBench pod;
    pod.lead();
    (void)pod.all_notes();
    const auto renew = pod.next_ask();
    pod.answer(renew, lost());
    EXPECT_EQ(pod.machine.standing(pod.now), Standing::unknown) << "before anybody heard the event";
    pod.lead();
    EXPECT_EQ(pod.events(), "gained lost gained");
    EXPECT_EQ(pod.machine.view(pod.now).term, 2);
}

TEST(LeaseCases, A6_replies_slower_than_the_polls_do_not_make_leadership_oscillate) {
    MachineBench pod;
    pod.lead();
    std::vector<LeaseMachine::Call> given_up;
    for (int i = 0; i < 6; ++i) {
        const auto call = pod.next_ask();
        pod.advance(2s);
        pod.no_answer(call);
        given_up.push_back(call);
        if (pod.standing() != Standing::leader) break;
    }
    for (const auto& call : given_up) pod.answer(call, granted());  // they resolve in a burst
    EXPECT_NE(pod.standing(), Standing::leader);
    EXPECT_EQ(pod.events(), "gained lost");
}

TEST(LeaseCases, A7_after_an_outage_longer_than_the_ttl_the_pod_acquires_as_any_other) {
    MachineBench pod;
    pod.lead();
    pod.outage(30s);
    const auto call = pod.exchange(granted());
    EXPECT_EQ(call.request.verb, Verb::acquire);
    EXPECT_EQ(pod.standing(), Standing::leader);
    EXPECT_EQ(pod.events(), "gained lost gained");
}

TEST(LeaseCases, A8_each_term_renews_on_a_schedule_of_its_own) {
    MachineBench pod;
    pod.lead();
    pod.exchange(no_reply());
    pod.exchange(lost());
    pod.lead();
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(pod.wait_for_ask(), core::Nanos{5s});
        EXPECT_EQ(pod.exchange(granted()).request.verb, Verb::renew);
    }
    EXPECT_EQ(pod.standing(), Standing::leader) << "held for more than three ttls";
}

TEST(LeaseCases, A9_an_acquire_cut_short_by_shutting_down_is_let_go_of) {
    MachineBench unclear;
    const auto first = unclear.exchange(no_reply());
    unclear.machine.shut_down(unclear.now);
    const auto release = unclear.next_ask();
    EXPECT_EQ(release.request.verb, Verb::release);
    EXPECT_EQ(release.request.token, first.request.token);

    MachineBench in_flight;
    const auto acquire = in_flight.ask();
    in_flight.machine.shut_down(in_flight.now);
    EXPECT_EQ(in_flight.machine.next(in_flight.now).kind, Kind::wait) << "one call at a time";
    in_flight.answer(acquire, granted());
    EXPECT_NE(in_flight.standing(), Standing::leader);
    EXPECT_EQ(in_flight.ask().request.verb, Verb::release);
    EXPECT_EQ(in_flight.events(), "");
}

TEST(LeaseCases, A10_the_news_of_having_won_may_come_too_late) {
    MachineBench pod;
    const auto call = pod.ask();
    pod.advance(16s);
    pod.answer(call, granted());
    EXPECT_NE(pod.standing(), Standing::leader);
    EXPECT_EQ(pod.events(), "");
}

TEST(LeaseCases, A12_a_leader_whose_renewals_vanish_stops_by_the_deadline) {
    MachineBench pod;
    const auto grant = pod.lead();
    while (core::elapsed(grant.sent_at, pod.now) < trust_window + 1s) {
        const bool in_time = core::elapsed(grant.sent_at, pod.now) < trust_window;
        EXPECT_EQ(pod.machine.standing(pod.now) == Standing::leader, in_time);
        if (pod.machine.next(pod.now).kind == Kind::ask) pod.no_answer(pod.machine.send(pod.now), refused());
        pod.advance(100ms);
    }
}

TEST(LeaseCases, B1_trust_ends_by_the_clock_while_the_renewal_hangs) {
    MachineBench pod;
    pod.lead();
    const auto renew = pod.next_ask();
    pod.advance(60s);
    EXPECT_EQ(pod.machine.standing(pod.now), Standing::unknown);
    pod.answer(renew, granted());
    EXPECT_EQ(pod.standing(), Standing::unknown);
    EXPECT_EQ(pod.events(), "gained lost");
}

TEST(LeaseCases, B2_two_slow_calls_fit_before_the_deadline) {
    for (const auto ttl : {3s, 15s, 60s, 3600s}) {
        SCOPED_TRACE(ttl.count());
        MachineBench pod(LeaseSettings::for_ttl(ttl));
        const auto& settings = pod.machine.settings();
        pod.lead();
        for (int minute = 0; minute < 20; ++minute) {
            for (int i = 0; i < 2; ++i) {
                const auto slow = pod.next_ask();
                pod.advance(settings.call_timeout);
                pod.no_answer(slow);
            }
            pod.exchange(granted());
        }
        EXPECT_EQ(pod.events(), "gained");
    }
}

TEST(LeaseCases, B3_a_dropped_connection_is_no_loss_while_trust_lasts) {
    MachineBench pod;
    pod.lead();
    pod.exchange(no_reply());
    EXPECT_EQ(pod.standing(), Standing::leader);
    EXPECT_LT(pod.wait_for_ask(), core::Nanos{300ms}) << "tries again soon";
    pod.exchange(granted());
    EXPECT_EQ(pod.events(), "gained");
}

TEST(LeaseCases, B7_a_pod_paused_past_its_ttl_trips_at_the_first_look_and_follows_its_successor) {
    MachineBench pod;
    pod.lead();
    pod.advance(25s);  // SIGSTOP: both clocks went on
    EXPECT_EQ(pod.machine.standing(pod.now), Standing::unknown);
    while (pod.machine.standing(pod.now) != Standing::follower) {
        const auto call = pod.next_ask();
        EXPECT_NE(call.request.verb, Verb::renew) << "the old term is not kept alive";
        pod.answer(call, call.request.verb == Verb::release ? released() : held("b"));
    }
    EXPECT_EQ(pod.events(), "gained lost");
}

TEST(LeaseCases, B8_a_blip_of_the_store_moves_nobody) {
    MachineBench leader, follower;
    leader.lead();
    follower.follow();
    leader.outage(3s, {NoAnswer::transient, false, "CLUSTERDOWN"});
    follower.outage(3s, {NoAnswer::transient, false, "CLUSTERDOWN"});
    EXPECT_EQ(leader.standing(), Standing::leader);
    EXPECT_EQ(follower.standing(), Standing::follower);
}

TEST(LeaseCases, B10_a_leader_that_never_gets_through_again_does_not_lead_for_ever) {
    MachineBench pod;
    pod.lead();
    pod.outage(24h);
    EXPECT_EQ(pod.standing(), Standing::self_appointed);
    EXPECT_EQ(pod.events(), "gained lost");
    EXPECT_TRUE(pod.machine.outage()) << "health can say so";
}

TEST(LeaseCases, C2_a_store_that_restarted_empty_costs_the_leader_its_term_and_nobody_else_slips_in) {
    MachineBench leader, other;
    leader.lead();
    other.follow();
    leader.advance(5s);
    other.advance(5s);
    const StoreRestart restart{.uptime = 2s, .identity_changed = true};
    leader.machine.on_connected(leader.now, restart);
    other.machine.on_connected(other.now, restart);
    leader.exchange(lost());
    leader.exchange(granted());
    EXPECT_EQ(leader.events(), "gained lost gained");
    const auto begin = other.now;
    for (;;) {
        other.wait_for_ask();
        if (core::elapsed(begin, other.now) >= 13s) break;  // T after the restart
        const auto call = other.machine.send(other.now);
        EXPECT_NE(call.request.verb, Verb::acquire);
        other.answer(call, held("a", 3));
    }
    EXPECT_EQ(other.count(NoteKind::store_restarted), 1U);
}

TEST(LeaseCases, D1_D2_an_error_while_acquiring_is_no_lock_and_the_loop_goes_on) {
    MachineBench pod;
    pod.exchange(no_reply());
    EXPECT_EQ(pod.standing(), Standing::unknown);
    pod.exchange(no_reply());
    pod.exchange(held());
    EXPECT_EQ(pod.standing(), Standing::follower);
}

TEST(LeaseCases, D3_to_D7_a_misconfigured_store_is_noted_once_and_appoints_after_the_hold_down) {
    MachineBench pod;
    pod.outage(10min,
               {NoAnswer::misconfigured, false, "WRONGTYPE: Jellyfin:ScanLeader:LeaseKey names another program's key"});
    EXPECT_EQ(pod.standing(), Standing::self_appointed);
    EXPECT_EQ(pod.count(NoteKind::outage_began), 1U);
    EXPECT_EQ(pod.count(NoteKind::outage_class), 0U);
    EXPECT_EQ(pod.machine.outage()->reason, NoAnswer::misconfigured);
}

TEST(LeaseCases, D8_D9_a_store_out_of_memory_or_loading_is_waited_for) {
    for (const auto* word : {"OOM", "LOADING"}) {
        MachineBench pod;
        pod.lead();
        pod.outage(5s, {NoAnswer::transient, false, word});
        EXPECT_EQ(pod.standing(), Standing::leader);
        pod.outage(5min, {NoAnswer::transient, false, word});
        EXPECT_EQ(pod.standing(), Standing::self_appointed);
        pod.exchange(granted());
        EXPECT_EQ(pod.standing(), Standing::leader);
        EXPECT_LE(pod.all_notes().size(), 5U) << "no flood: began, lost, ended, gained twice";
    }
}

TEST(LeaseCases, E1_a_foreign_key_without_a_ttl_is_reported_when_it_was_given_one) {
    MachineBench pod;
    auto said = held("dead", 5, 15s);
    said.repaired_missing_ttl = true;
    pod.exchange(said);
    EXPECT_EQ(pod.count(NoteKind::ttl_repaired), 1U);
    EXPECT_EQ(pod.machine.counters().ttl_repairs, 1U);
    pod.exchange(held("dead", 5, 11s));
    EXPECT_EQ(pod.machine.counters().ttl_repairs, 1U);
}

TEST(LeaseCases, E5_a_stepped_store_clock_is_counted_and_changes_no_standing) {
    MachineBench pod;
    auto said = granted();
    said.server_time = core::UtcTime{1000s};
    pod.exchange(said);
    said.server_time = core::UtcTime{1005s};
    pod.exchange(said);
    EXPECT_EQ(pod.machine.counters().store_clock_anomalies, 0U);
    said.server_time = core::UtcTime{1010s + 1h};
    pod.exchange(said);
    EXPECT_EQ(pod.machine.counters().store_clock_anomalies, 1U);
    EXPECT_EQ(pod.standing(), Standing::leader);
}

TEST(LeaseCases, E6_a_holder_whose_ttl_never_moves_raises_the_alarm_after_the_hold_down) {
    MachineBench pod;
    const auto begin = pod.now.boot;
    while (pod.now.boot - begin < 15s) {
        EXPECT_FALSE(pod.machine.ttl_frozen());
        pod.exchange(held("dead", 5, 8s));
    }
    for (int i = 0; i < 2; ++i) pod.exchange(held("dead", 5, 8s));
    EXPECT_TRUE(pod.machine.ttl_frozen());
    EXPECT_EQ(pod.standing(), Standing::follower);
    EXPECT_EQ(pod.count(NoteKind::ttl_frozen), 1U);
    pod.exchange(held("dead", 5, 7s));
    EXPECT_FALSE(pod.machine.ttl_frozen());
    EXPECT_EQ(pod.count(NoteKind::ttl_moves_again), 1U);
}

TEST(LeaseCases, E7_a_machine_that_slept_for_hours_is_demoted_at_the_first_guard) {
    MachineBench asleep, stopped;
    for (auto* pod : {&asleep, &stopped}) pod->lead();
    asleep.advance(3h);      // suspended: boot time and real time went on
    stopped.now.real += 3h;  // a stopped virtual machine: only real time did
    for (auto* pod : {&asleep, &stopped}) {
        EXPECT_EQ(pod->machine.standing(pod->now), Standing::unknown);
        EXPECT_EQ(pod->events(), "gained lost");
        const auto next = pod->next_ask();
        pod->answer(next, next.request.verb == Verb::release ? released() : granted());
        if (pod->standing() != Standing::leader) pod->exchange(granted());
        EXPECT_EQ(pod->standing(), Standing::leader) << "and back in office";
    }
}

TEST(LeaseCases, F2_F3_after_a_clean_exit_the_next_pod_acquires_on_the_notice_and_after_a_crash_on_the_ttl) {
    MachineBench other;
    other.follow("a", 1);
    other.machine.on_notice(other.now);
    EXPECT_EQ(other.wait_for_ask(), core::Nanos{0});
    other.exchange(granted());
    EXPECT_EQ(other.standing(), Standing::leader);

    MachineBench after_crash;
    const auto crash = after_crash.now;
    for (;;) {
        const auto call = after_crash.next_ask();
        const auto left = core::Nanos{15s} - core::elapsed(crash, after_crash.now);
        after_crash.answer(call, left > 0ns ? held("a", 1, std::chrono::duration_cast<core::Millis>(left)) : granted());
        if (left <= 0ns) break;
    }
    EXPECT_LE(core::elapsed(crash, after_crash.now), core::Nanos{20s});
    EXPECT_EQ(after_crash.standing(), Standing::leader);
}

}  // namespace
}  // namespace understudy::lease
