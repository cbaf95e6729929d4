// The rules of the election, one by one.
#include "machine_bench.h"

namespace understudy::lease {
namespace {

TEST(LeaseMachine, knows_nothing_at_first_and_asks_at_once) {
    MachineBench pod;
    EXPECT_EQ(pod.standing(), Standing::unknown);
    const auto call = pod.ask();
    EXPECT_EQ(call.request.verb, Verb::acquire);
    EXPECT_FALSE(call.request.token.empty());
    EXPECT_EQ(call.request.ttl, core::Millis{15s});
}

TEST(LeaseMachine, trusts_a_grant_from_when_it_was_asked_for_not_from_when_it_came) {
    MachineBench pod;
    const auto call = pod.ask();
    pod.advance(2s);
    pod.answer(call, granted());
    EXPECT_EQ(pod.standing(), Standing::leader);
    pod.advance(trust_window - 2s - 1ms);
    EXPECT_EQ(pod.machine.standing(pod.now), Standing::leader);
    pod.advance(1ms);
    EXPECT_EQ(pod.machine.standing(pod.now), Standing::unknown) << "judged by the clock, without being told";
}

TEST(LeaseMachine, takes_no_grant_that_is_older_than_its_trust) {
    MachineBench pod;
    const auto call = pod.ask();
    pod.advance(trust_window);
    pod.answer(call, granted());
    EXPECT_EQ(pod.standing(), Standing::unknown);
    EXPECT_EQ(pod.events(), "");
    EXPECT_EQ(pod.machine.counters().late_grants, 1U);
    const auto again = pod.next_ask();
    EXPECT_EQ(again.request.verb, Verb::acquire);
    EXPECT_EQ(again.request.token, call.request.token) << "the key is ours: the same token will be granted again";
    pod.answer(again, granted());
    EXPECT_EQ(pod.standing(), Standing::leader);
}

TEST(LeaseMachine, a_late_renewal_does_not_extend_trust) {
    MachineBench pod;
    pod.lead();
    const auto renew = pod.next_ask();
    ASSERT_EQ(renew.request.verb, Verb::renew);
    pod.advance(trust_window);
    pod.answer(renew, granted());
    EXPECT_NE(pod.standing(), Standing::leader);
    EXPECT_EQ(pod.events(), "gained lost");
}

TEST(LeaseMachine, renews_with_the_token_of_the_term_and_extends_from_the_renewals_send) {
    MachineBench pod;
    const auto first = pod.lead();
    EXPECT_EQ(pod.wait_for_ask(), core::Nanos{5s});
    const auto renew = pod.machine.send(pod.now);
    EXPECT_EQ(renew.request.verb, Verb::renew);
    EXPECT_EQ(renew.request.token, first.request.token);
    pod.advance(1s);
    pod.answer(renew, granted());
    EXPECT_EQ(pod.machine.trust_left(pod.now), trust_window - 1s);
    EXPECT_EQ(pod.events(), "gained");
}

TEST(LeaseMachine, each_term_has_a_token_of_its_own) {
    MachineBench pod;
    const auto first = pod.lead();
    pod.exchange(lost());
    const auto second = pod.lead();
    EXPECT_NE(first.request.token, second.request.token);
    EXPECT_EQ(pod.machine.counters().terms, 2U);
    EXPECT_EQ(pod.events(), "gained lost gained");
}

TEST(LeaseMachine, a_renewal_that_finds_the_key_gone_ends_the_term_and_creates_nothing) {
    MachineBench pod;
    pod.lead();
    pod.exchange(lost());
    EXPECT_EQ(pod.standing(), Standing::unknown);
    EXPECT_EQ(pod.ask().request.verb, Verb::acquire) << "a new term, asked for at once";
}

TEST(LeaseMachine, a_renewal_that_finds_another_token_ends_the_term_at_once) {
    MachineBench pod;
    pod.lead();
    pod.exchange(held("b"));
    EXPECT_EQ(pod.standing(), Standing::follower);
    EXPECT_EQ(pod.events(), "gained lost");
    EXPECT_EQ(pod.machine.view(pod.now).holder->pod, "b");
}

TEST(LeaseMachine, keeps_the_token_while_it_cannot_know_whether_the_acquire_was_applied) {
    MachineBench pod;
    const auto first = pod.exchange(no_reply());
    const auto second = pod.next_ask();
    EXPECT_EQ(second.request.token, first.request.token);
    pod.no_answer(second, refused());  // this one certainly was not, the one before still may have been
    EXPECT_EQ(pod.next_ask().request.token, first.request.token);
}

TEST(LeaseMachine, takes_a_new_token_when_the_unclear_acquire_can_no_longer_be_in_the_store) {
    MachineBench pod;
    const auto first = pod.exchange(no_reply());
    pod.advance(15s - 1ms);
    pod.machine.observe(pod.now);
    EXPECT_EQ(pod.machine.essence(pod.now).token, first.request.token);
    pod.advance(1ms);
    EXPECT_NE(pod.next_ask().request.token, first.request.token);
}

TEST(LeaseMachine, takes_a_new_token_when_the_unclear_acquire_is_answered_by_another_holder) {
    MachineBench pod;
    const auto first = pod.exchange(no_reply());
    pod.follow();
    EXPECT_NE(pod.next_ask().request.token, first.request.token);
}

TEST(LeaseMachine, a_request_that_was_never_sent_leaves_nothing_unclear) {
    MachineBench pod;
    const auto first = pod.exchange(refused());
    EXPECT_NE(pod.next_ask().request.token, first.request.token);
}

TEST(LeaseMachine, has_one_call_in_flight_at_a_time) {
    MachineBench pod;
    (void)pod.ask();
    for (int i = 0; i < 100; ++i) {
        pod.advance(1s);
        EXPECT_EQ(pod.machine.next(pod.now).kind, Kind::wait);
    }
}

TEST(LeaseMachine, a_late_reply_of_a_given_up_call_grants_nothing) {
    MachineBench pod;
    const auto call = pod.ask();
    pod.advance(2s);
    pod.no_answer(call);
    pod.answer(call, granted());
    EXPECT_EQ(pod.standing(), Standing::unknown);

    MachineBench leader;
    leader.lead();
    const auto renew = leader.next_ask();
    leader.advance(2s);
    leader.no_answer(renew);
    const auto left = leader.machine.trust_left(leader.now);
    leader.answer(renew, granted());
    EXPECT_EQ(leader.machine.trust_left(leader.now), left);
}

TEST(LeaseMachine, a_late_reply_can_end_the_term) {
    for (const auto& bad : {lost(), held()}) {
        MachineBench pod;
        pod.lead();
        const auto renew = pod.next_ask();
        pod.advance(2s);
        pod.no_answer(renew);
        EXPECT_EQ(pod.standing(), Standing::leader);
        pod.answer(renew, bad);
        EXPECT_NE(pod.standing(), Standing::leader);
        EXPECT_EQ(pod.events(), "gained lost");
    }
}

TEST(LeaseMachine, a_late_refusal_of_an_earlier_acquire_says_nothing_about_the_term) {
    MachineBench pod;
    const auto first = pod.exchange(no_reply());
    pod.lead();
    pod.answer(first, held());
    EXPECT_EQ(pod.standing(), Standing::leader);
}

TEST(LeaseMachine, a_machine_that_stood_still_is_demoted_at_the_first_look) {
    MachineBench pod;
    pod.lead();
    pod.advance(1s);
    pod.now.real += 1501ms;  // a stopped virtual machine: real time went on, its own did not
    EXPECT_EQ(pod.machine.standing(pod.now), Standing::unknown);
    EXPECT_EQ(pod.events(), "gained lost");
    EXPECT_EQ(pod.count(NoteKind::suspected_pause), 1U);
    EXPECT_EQ(pod.machine.counters().suspected_pauses, 1U);
}

TEST(LeaseMachine, a_small_step_of_real_time_is_no_pause) {
    MachineBench pod;
    pod.lead();
    pod.now.real += 1500ms;
    EXPECT_EQ(pod.standing(), Standing::leader);
    pod.now.real -= 1h;  // backwards counts for nothing: boot time goes on
    EXPECT_EQ(pod.standing(), Standing::leader);
    pod.now.boot += trust_window;
    EXPECT_EQ(pod.standing(), Standing::unknown);
}

TEST(LeaseMachine, a_term_that_ended_stays_ended_when_the_clock_is_set_back) {
    MachineBench pod;
    pod.lead();
    pod.now.real += 10s;
    EXPECT_EQ(pod.standing(), Standing::unknown);
    pod.now.real -= 10s;
    EXPECT_EQ(pod.standing(), Standing::unknown);
    EXPECT_EQ(pod.events(), "gained lost");
}

TEST(LeaseMachine, lets_go_of_a_term_that_ran_out_before_it_asks_for_another) {
    MachineBench pod;
    const auto first = pod.lead();
    pod.now.real += 2s;  // suspected pause, the key lives on
    const auto release = pod.next_ask();
    EXPECT_EQ(release.request.verb, Verb::release);
    EXPECT_EQ(release.request.token, first.request.token);
    pod.answer(release, released());
    const auto again = pod.ask();
    EXPECT_EQ(again.request.verb, Verb::acquire);
    EXPECT_NE(again.request.token, first.request.token);
}

TEST(LeaseMachine, lets_go_of_a_key_that_was_renewed_for_a_term_that_had_ended_meanwhile) {
    MachineBench pod;
    pod.lead();
    pod.advance(12'500ms);
    const auto renew = pod.ask();
    ASSERT_EQ(renew.request.verb, Verb::renew);
    pod.advance(1s);
    ASSERT_EQ(pod.standing(), Standing::unknown);
    pod.answer(renew, granted());
    EXPECT_EQ(pod.standing(), Standing::unknown) << "a term that is over is not revived";
    EXPECT_EQ(pod.events(), "gained lost");
    EXPECT_EQ(pod.ask().request.verb, Verb::release);
}

TEST(LeaseMachine, forgets_a_stale_token_once_its_ttl_has_run_out) {
    MachineBench pod;
    pod.lead();
    pod.outage(30s);
    EXPECT_EQ(pod.next_ask().request.verb, Verb::acquire);
}

TEST(LeaseMachine, followers_poll_every_quarter_of_the_ttl_give_or_take_a_fifth) {
    MachineBench pod;
    core::Nanos least = 1h, most = 0s;
    for (int i = 0; i < 300; ++i) {
        const auto waited = pod.wait_for_ask();
        if (i > 0) {
            least = std::min(least, waited);
            most = std::max(most, waited);
        }
        pod.exchange(held("b", 200, core::Millis{14'000 - i}));
    }
    EXPECT_GE(least, core::Nanos{3s});
    EXPECT_LE(most, core::Nanos{4500ms});
    EXPECT_LT(least, core::Nanos{3200ms});
    EXPECT_GT(most, core::Nanos{4300ms});
}

TEST(LeaseMachine, a_follower_is_there_when_the_holders_key_runs_out) {
    MachineBench pod;
    pod.exchange(held("b", 200, 500ms));
    const auto waited = pod.wait_for_ask();
    EXPECT_GE(waited, core::Nanos{500ms + 750ms});
    EXPECT_LE(waited, core::Nanos{500ms + 1500ms});
}

TEST(LeaseMachine, a_notice_lets_a_follower_acquire_at_once_and_leaves_a_leader_alone) {
    MachineBench pod;
    pod.follow();
    EXPECT_EQ(pod.machine.next(pod.now).kind, Kind::wait);
    pod.machine.on_notice(pod.now);
    EXPECT_EQ(pod.ask().request.verb, Verb::acquire);

    MachineBench leader;
    leader.lead();
    leader.machine.on_notice(leader.now);
    EXPECT_EQ(leader.machine.next(leader.now).kind, Kind::wait);
}

TEST(LeaseMachine, retries_with_growing_jittered_steps_never_longer_than_a_quarter_of_the_ttl) {
    MachineBench pod;
    pod.follow();
    pod.exchange(no_reply());
    core::Nanos before{};
    for (int i = 0; i < 60; ++i) {
        const auto waited = pod.machine.next(pod.now).wait;
        const auto full = std::min<core::Nanos>(200ms * (1 << std::min(i, 10)), 3750ms);
        if (pod.standing() == Standing::self_appointed) {  // before, the wait may end at the self-appointment
            EXPECT_GE(waited, full / 2);
        }
        EXPECT_LE(waited, full);
        before = waited;
        pod.exchange(no_reply());
    }
    EXPECT_GT(before, core::Nanos{1s});
}

TEST(LeaseMachine, after_a_restart_of_the_store_a_newcomer_waits_until_T_after_it) {
    MachineBench pod;
    pod.machine.on_connected(pod.now, {.uptime = 4s});
    const auto look = pod.ask();
    EXPECT_EQ(look.request.verb, Verb::renew) << "looks, and creates nothing";
    EXPECT_TRUE(look.request.token.empty());
    pod.answer(look, lost());
    EXPECT_EQ(pod.standing(), Standing::unknown);
    EXPECT_TRUE(pod.machine.view(pod.now).waits_until) << "and says so";
    const auto start = pod.now.boot;
    for (;;) {
        const auto call = pod.next_ask();
        if (call.request.verb == Verb::acquire) break;
        pod.answer(call, lost());
        ASSERT_LT(pod.now.boot - start, core::Nanos{12s});
    }
    EXPECT_EQ(pod.now.boot - start, core::Nanos{11s}) << "4 s of 15 s had passed";
}

TEST(LeaseMachine, an_old_store_holds_nobody_off) {
    MachineBench pod;
    pod.machine.on_connected(pod.now, {.uptime = 15s});
    EXPECT_EQ(pod.ask().request.verb, Verb::acquire);
}

TEST(LeaseMachine, another_run_id_of_a_store_that_is_up_for_long_holds_off_for_T_from_now) {
    MachineBench pod;
    pod.follow();
    pod.advance(1s);
    pod.machine.on_connected(pod.now, {.uptime = 100h, .identity_changed = true});
    pod.machine.on_notice(pod.now);
    const auto look = pod.ask();
    EXPECT_EQ(look.request.verb, Verb::renew);
    pod.advance(15s);
    pod.answer(look, lost());
    EXPECT_EQ(pod.next_ask().request.verb, Verb::acquire);
}

TEST(LeaseMachine, who_looks_during_a_hold_down_learns_who_leads) {
    MachineBench pod;
    pod.machine.on_connected(pod.now, {.uptime = 0s});
    pod.exchange(held("a", 9));
    EXPECT_EQ(pod.standing(), Standing::follower);
    EXPECT_EQ(pod.machine.view(pod.now).holder->pod, "a");
}

TEST(LeaseMachine, the_incumbent_may_acquire_during_the_hold_down) {
    MachineBench pod;
    pod.lead();
    pod.advance(5s);
    pod.machine.on_connected(pod.now, {.uptime = 1s, .identity_changed = true});
    const auto renew = pod.ask();
    EXPECT_EQ(renew.request.verb, Verb::renew);
    pod.answer(renew, lost());
    EXPECT_EQ(pod.ask().request.verb, Verb::acquire);
}

TEST(LeaseMachine, the_incumbents_right_ends_with_its_own_trust_counted_from_its_send) {
    MachineBench pod;
    pod.lead();
    pod.advance(5s);
    pod.machine.on_connected(pod.now, {.uptime = 1s, .identity_changed = true});
    pod.exchange(lost());
    pod.advance(trust_window - 5s);
    const auto call = pod.ask();
    EXPECT_EQ(call.request.verb, Verb::renew) << "no incumbent any more: it may only look";
    EXPECT_TRUE(call.request.token.empty());
}

TEST(LeaseMachine, a_self_appointed_pod_is_no_incumbent) {
    MachineBench pod;
    pod.outage(16s);
    ASSERT_EQ(pod.standing(), Standing::self_appointed);
    pod.machine.on_connected(pod.now, {.uptime = 1s, .identity_changed = true});
    EXPECT_EQ(pod.next_ask().request.verb, Verb::renew);
}

TEST(LeaseMachine, a_pod_whose_key_was_taken_is_no_incumbent) {
    MachineBench pod;
    pod.lead();
    pod.exchange(held());
    pod.machine.on_connected(pod.now, {.uptime = 1s, .identity_changed = true});
    pod.machine.on_notice(pod.now);
    EXPECT_TRUE(pod.ask().request.token.empty());
}

TEST(LeaseMachine, a_resignation_releases_and_holds_off_for_T_while_another_pod_lives) {
    MachineBench pod;
    const auto grant = pod.lead();
    EXPECT_TRUE(pod.machine.resign(pod.now));
    EXPECT_EQ(pod.standing(), Standing::follower);
    EXPECT_TRUE(pod.machine.releasing());
    const auto release = pod.ask();
    EXPECT_EQ(release.request.verb, Verb::release);
    EXPECT_EQ(release.request.token, grant.request.token);
    pod.answer(release, released());
    EXPECT_FALSE(pod.machine.releasing());
    const auto start = pod.now.boot;
    for (;;) {
        const auto call = pod.next_ask();
        if (call.request.verb == Verb::acquire) break;
        EXPECT_TRUE(call.request.token.empty());
        pod.answer(call, lost());
        ASSERT_LE(pod.now.boot - start, core::Nanos{15s});
    }
    EXPECT_EQ(pod.now.boot - start, core::Nanos{15s});
    EXPECT_EQ(pod.events(), "gained lost");
}

TEST(LeaseMachine, the_last_pod_alive_takes_the_lease_back_after_it_resigned) {
    MachineBench pod;
    pod.lead();
    ASSERT_TRUE(pod.machine.resign(pod.now));
    pod.exchange(released());
    pod.machine.set_another_pod_lives(false);
    EXPECT_LT(pod.wait_for_ask(), core::Nanos{1s});
    EXPECT_EQ(pod.machine.send(pod.now).request.verb, Verb::acquire);
}

TEST(LeaseMachine, a_pod_that_stands_back_leaves_the_lease_to_others_and_takes_what_was_free_for_T) {
    MachineBench pod;
    pod.follow();
    pod.machine.stand_back(pod.now, "b sees more");
    EXPECT_EQ(pod.machine.view(pod.now).stands_back, "b sees more");
    const auto look = pod.next_ask();
    EXPECT_TRUE(look.request.token.empty()) << "it only looks";
    pod.answer(look, lost());
    const auto free_since = pod.now.boot;
    for (;;) {
        const auto call = pod.next_ask();
        if (call.request.verb == Verb::acquire) break;
        EXPECT_TRUE(call.request.token.empty());
        pod.answer(call, lost());
        ASSERT_LE(pod.now.boot - free_since, core::Nanos{15s}) << "S3: nobody waits for a pod that does not come";
    }
    EXPECT_EQ(pod.now.boot - free_since, core::Nanos{15s});
}

TEST(LeaseMachine, a_lease_that_another_pod_took_meanwhile_counts_as_free_anew) {
    MachineBench pod;
    pod.machine.stand_back(pod.now, "b sees more");
    pod.exchange(lost());
    pod.advance(14s);
    pod.exchange(held());
    const auto call = pod.next_ask();
    EXPECT_TRUE(call.request.token.empty());
    pod.answer(call, lost());
    const auto free_since = pod.now.boot;
    auto next = pod.next_ask();
    while (next.request.verb != Verb::acquire) {
        pod.answer(next, lost());
        next = pod.next_ask();
    }
    EXPECT_EQ(pod.now.boot - free_since, core::Nanos{15s});
}

TEST(LeaseMachine, a_pod_that_stands_back_no_longer_acquires_at_once) {
    MachineBench pod;
    pod.machine.stand_back(pod.now, "b sees more");
    pod.exchange(lost());
    pod.machine.stand_back(pod.now, {});
    EXPECT_EQ(pod.ask().request.verb, Verb::acquire);
    EXPECT_EQ(pod.machine.view(pod.now).stands_back, "");
}

TEST(LeaseMachine, standing_back_ends_no_term_and_a_resignation_says_why) {
    MachineBench pod;
    pod.lead();
    pod.machine.stand_back(pod.now, "b sees more");
    EXPECT_EQ(pod.standing(), Standing::leader);
    pod.exchange(granted());
    EXPECT_EQ(pod.standing(), Standing::leader);
    ASSERT_TRUE(pod.machine.resign(pod.now));
    const auto& notes = pod.all_notes();
    const auto lost_note =
        std::find_if(notes.begin(), notes.end(), [](const auto& n) { return n.kind == NoteKind::lost; });
    ASSERT_NE(lost_note, notes.end());
    EXPECT_EQ(lost_note->detail, "resigned: b sees more");
}

TEST(LeaseMachine, a_pod_that_stands_back_appoints_itself_like_any_other_when_the_store_is_silent) {
    MachineBench pod;
    pod.follow();
    pod.machine.stand_back(pod.now, "b sees more");
    pod.outage(40s);
    EXPECT_EQ(pod.standing(), Standing::self_appointed);
}

TEST(LeaseMachine, who_does_not_lead_has_nothing_to_resign_from) {
    MachineBench pod;
    EXPECT_FALSE(pod.machine.resign(pod.now));
    pod.follow();
    EXPECT_FALSE(pod.machine.resign(pod.now));
    pod.outage(20s);
    ASSERT_EQ(pod.standing(), Standing::self_appointed);
    EXPECT_FALSE(pod.machine.resign(pod.now));
}

TEST(LeaseMachine, a_renewal_in_flight_cannot_undo_a_resignation) {
    MachineBench pod;
    pod.lead();
    const auto renew = pod.next_ask();
    ASSERT_TRUE(pod.machine.resign(pod.now));
    pod.answer(renew, granted());
    EXPECT_EQ(pod.standing(), Standing::follower);
    EXPECT_TRUE(pod.machine.releasing());
    EXPECT_EQ(pod.ask().request.verb, Verb::release);
}

TEST(LeaseMachine, shutting_down_releases_the_term_and_asks_for_nothing_more) {
    MachineBench pod;
    pod.lead();
    pod.machine.shut_down(pod.now);
    EXPECT_EQ(pod.standing(), Standing::unknown);
    pod.exchange(released());
    EXPECT_EQ(pod.machine.next(pod.now).kind, Kind::finished);
    EXPECT_FALSE(pod.machine.release_failure());
    EXPECT_EQ(pod.events(), "gained lost");
}

TEST(LeaseMachine, a_follower_that_shuts_down_has_nothing_to_let_go_of) {
    MachineBench pod;
    pod.follow();
    pod.machine.shut_down(pod.now);
    EXPECT_EQ(pod.machine.next(pod.now).kind, Kind::finished);
}

TEST(LeaseMachine, a_release_that_gets_no_answer_is_tried_twice) {
    MachineBench pod;
    pod.lead();
    pod.machine.shut_down(pod.now);
    pod.exchange(no_reply());
    EXPECT_TRUE(pod.machine.releasing());
    EXPECT_LT(pod.wait_for_ask(), core::Nanos{250ms});
    pod.machine.on_no_connection(pod.now, refused());
    EXPECT_FALSE(pod.machine.releasing());
    ASSERT_TRUE(pod.machine.release_failure());
    EXPECT_EQ(pod.machine.release_failure()->detail, "connection refused");
    EXPECT_EQ(pod.machine.next(pod.now).kind, Kind::finished);
}

TEST(LeaseMachine, wakes_when_its_own_trust_runs_out) {
    LeaseSettings settings;
    settings.renew_every = 10h;  // nothing else to wake for
    MachineBench pod(settings);
    pod.lead();
    EXPECT_EQ(pod.machine.next(pod.now).wait, trust_window);
}

TEST(LeaseMachine, copies_go_their_own_ways) {
    MachineBench pod;
    const auto call = pod.ask();
    LeaseMachine copy = pod.machine;
    EXPECT_EQ(copy.essence(pod.now), pod.machine.essence(pod.now));
    pod.answer(call, granted());
    EXPECT_EQ(copy.standing(pod.now), Standing::unknown);
    EXPECT_FALSE(copy.essence(pod.now) == pod.machine.essence(pod.now));
}

}  // namespace
}  // namespace understudy::lease
