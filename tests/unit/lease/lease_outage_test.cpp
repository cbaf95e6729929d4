// No answer is not "no": what a pod is while the store is silent, and what people are told.
#include "machine_bench.h"

namespace understudy::lease {
namespace {

TEST(LeaseOutage, a_pod_that_never_got_an_answer_appoints_itself_after_the_hold_down) {
    MachineBench pod;
    pod.outage(15s - 1ms);
    EXPECT_EQ(pod.standing(), Standing::unknown);
    pod.advance(1ms);
    EXPECT_EQ(pod.standing(), Standing::self_appointed);
    EXPECT_EQ(pod.events(), "") << "no term was gained";
}

TEST(LeaseOutage, a_follower_stays_one_until_the_hold_down_is_over) {
    MachineBench pod;
    pod.follow();
    const auto heard = pod.now.boot;
    pod.outage(15s - 1ms);
    EXPECT_EQ(pod.standing(), Standing::follower);
    pod.advance(heard + 15s - pod.now.boot);
    EXPECT_EQ(pod.standing(), Standing::self_appointed);
}

TEST(LeaseOutage, a_leader_is_unknown_between_the_end_of_its_trust_and_its_self_appointment) {
    MachineBench pod;
    pod.lead();
    pod.outage(trust_window - 1ms);
    EXPECT_EQ(pod.standing(), Standing::leader) << "keeps trying till the deadline";
    pod.outage(1ms);
    EXPECT_EQ(pod.standing(), Standing::unknown);
    pod.outage(15s - trust_window);
    EXPECT_EQ(pod.standing(), Standing::self_appointed);
    EXPECT_EQ(pod.events(), "gained lost");
}

TEST(LeaseOutage, every_class_of_failure_leads_to_self_appointment) {
    for (const auto reason :
         {NoAnswer::unreachable, NoAnswer::transient, NoAnswer::redirect, NoAnswer::misconfigured}) {
        SCOPED_TRACE(to_string(reason));
        MachineBench pod;
        pod.outage(15s, {reason, false, "why"});
        EXPECT_EQ(pod.standing(), Standing::self_appointed);
        EXPECT_GE(pod.machine.counters().failures_of(reason), 5U);
    }
}

TEST(LeaseOutage, a_self_appointed_pod_that_hears_of_a_holder_follows_at_once) {
    MachineBench pod;
    pod.outage(20s);
    ASSERT_EQ(pod.standing(), Standing::self_appointed);
    pod.exchange(held());
    EXPECT_EQ(pod.standing(), Standing::follower);
    EXPECT_FALSE(pod.machine.outage());
}

TEST(LeaseOutage, a_self_appointed_pod_that_is_granted_the_lease_leads) {
    MachineBench pod;
    pod.outage(20s);
    pod.lead();
    EXPECT_EQ(pod.events(), "gained");
}

TEST(LeaseOutage, a_self_appointed_pod_goes_on_while_the_restarted_store_cannot_say_who_leads) {
    MachineBench pod;
    pod.outage(20s);
    pod.machine.on_connected(pod.now, {.uptime = 0s, .identity_changed = true});
    const auto restarted = std::chrono::duration_cast<core::Millis>(pod.now.real);
    pod.exchange(lost());
    EXPECT_EQ(pod.standing(), Standing::self_appointed);
    const auto view = pod.machine.view(pod.now);
    EXPECT_FALSE(view.outage) << "the store answers: why it did not is history";
    ASSERT_TRUE(view.waits_until);
    EXPECT_EQ(view.waits_until->time_since_epoch(), restarted + 15s);
    pod.exchange(held());
    EXPECT_EQ(pod.standing(), Standing::follower);
    EXPECT_FALSE(pod.machine.view(pod.now).waits_until);
}

TEST(LeaseOutage, an_outage_shorter_than_the_hold_down_changes_nothing) {
    MachineBench pod;
    pod.lead();
    pod.outage(8s);
    pod.exchange(granted());
    pod.outage(8s);
    EXPECT_EQ(pod.standing(), Standing::leader);
    EXPECT_EQ(pod.events(), "gained");
}

TEST(LeaseOutage, a_hold_down_of_zero_appoints_at_the_first_failure) {
    LeaseSettings settings;
    settings.outage_hold_down = 0ms;
    MachineBench pod(settings);
    EXPECT_EQ(pod.standing(), Standing::unknown);
    pod.exchange(refused());
    EXPECT_EQ(pod.standing(), Standing::self_appointed);
}

TEST(LeaseOutage, a_follower_that_slept_for_hours_neither_leads_nor_appoints_itself) {
    MachineBench pod;
    pod.follow();
    pod.advance(3h);
    EXPECT_EQ(pod.standing(), Standing::unknown) << "what it heard is no news any more";
    pod.exchange(refused());  // the network is not up yet
    EXPECT_EQ(pod.standing(), Standing::follower);
    pod.outage(15s);
    EXPECT_EQ(pod.standing(), Standing::self_appointed);
}

TEST(LeaseOutage, the_view_says_since_when_in_which_class_and_why) {
    MachineBench pod;
    pod.follow();
    EXPECT_FALSE(pod.machine.view(pod.now).outage);
    const auto call = pod.next_ask();
    const auto began = std::chrono::duration_cast<core::Millis>(pod.now.real);
    pod.no_answer(call, refused());
    pod.outage(5s, {NoAnswer::misconfigured, false, "WRONGPASS: check Jellyfin:TranscodeStore:RedisConnectionString"});
    const auto outage = pod.machine.view(pod.now).outage;
    ASSERT_TRUE(outage);
    EXPECT_EQ(outage->since.time_since_epoch(), began);
    EXPECT_EQ(outage->reason, NoAnswer::misconfigured);
    EXPECT_EQ(outage->detail, "WRONGPASS: check Jellyfin:TranscodeStore:RedisConnectionString");
    pod.follow();
    EXPECT_FALSE(pod.machine.view(pod.now).outage);
}

TEST(LeaseOutage, notes_an_outage_once_and_each_of_its_classes_once) {
    MachineBench pod;
    pod.follow();
    for (int i = 0; i < 10; ++i) {
        pod.exchange(refused());
        pod.exchange(LeaseNoAnswer{NoAnswer::transient, false, "LOADING"});
    }
    EXPECT_EQ(pod.count(NoteKind::outage_began), 1U);
    EXPECT_EQ(pod.count(NoteKind::outage_class), 1U);
    pod.follow();
    EXPECT_EQ(pod.count(NoteKind::outage_ended), 1U);
}

TEST(LeaseOutage, the_view_counts_the_holders_ttl_down) {
    MachineBench pod;
    pod.exchange(held("b", 200, 12s));
    pod.advance(2s);
    const auto view = pod.machine.view(pod.now);
    EXPECT_EQ(view.ttl_left, core::Millis{10s});
    EXPECT_EQ(view.holder->pod, "b");
    pod.advance(20s);
    EXPECT_EQ(pod.machine.view(pod.now).ttl_left, core::Millis{0});
}

}  // namespace
}  // namespace understudy::lease
