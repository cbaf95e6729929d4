#include "tasks/schedule.h"

#include <gtest/gtest.h>

namespace understudy::tasks {
namespace {

using namespace std::chrono_literals;

core::UtcTime utc(std::string_view text) {
    return core::from_iso8601(text).value();
}

Zone zone(const char* name) {
    return Zone::named(name).value();
}

Trigger daily(core::Millis at, core::UtcTime created = {}) {
    return {DailyTrigger{at}, std::nullopt, created};
}
Trigger weekly(std::chrono::weekday day, core::Millis at) {
    return {WeeklyTrigger{day, at}, std::nullopt, {}};
}
Trigger every(core::Millis interval, core::UtcTime created = {}) {
    return {IntervalTrigger{interval}, std::nullopt, created};
}

/// Slots that fire from `from` to before `to` when each is claimed as it comes due and its run takes `runtime`.
std::vector<core::UtcTime> fires(const std::vector<Trigger>& triggers, const Zone& where, core::UtcTime from,
                                 core::UtcTime to, core::Millis runtime = 0ms) {
    std::vector<core::UtcTime> slots;
    ScheduleFacts facts{.now = from, .cluster_started = from, .after = from};
    for (;;) {
        const auto next = next_slot(triggers, facts, where);
        if (!next || next->at >= to) return slots;
        slots.push_back(next->at);
        facts.after = next->at;
        facts.last_end = facts.now = std::max(facts.now, next->at) + runtime;
    }
}

TEST(Schedule, daily_keeps_the_wall_time_across_both_changes) {
    struct Row {
        const char* why;
        const char* zone;
        core::Millis time;
        const char* from;
        std::vector<const char*> want;
    };
    const Row rows[] = {
        {"A1: 07:45 London in March",
         "Europe/London",
         7h + 45min,
         "2026-03-28T00:00:00Z",
         {"2026-03-28T07:45:00Z", "2026-03-29T06:45:00Z", "2026-03-30T06:45:00Z"}},
        {"A1: 07:45 London in October",
         "Europe/London",
         7h + 45min,
         "2026-10-24T00:00:00Z",
         {"2026-10-24T06:45:00Z", "2026-10-25T07:45:00Z", "2026-10-26T07:45:00Z"}},
        {"A1: 01:30 London does not exist: first instant after the gap",
         "Europe/London",
         1h + 30min,
         "2026-03-28T00:00:00Z",
         {"2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"}},
        {"C47: 01:00 London in March",
         "Europe/London",
         1h,
         "2026-03-28T00:00:00Z",
         {"2026-03-28T01:00:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z"}},
        {"C47: 01:00 London in October occurs twice: the first",
         "Europe/London",
         1h,
         "2026-10-23T12:00:00Z",
         {"2026-10-24T00:00:00Z", "2026-10-25T00:00:00Z", "2026-10-26T01:00:00Z"}},
        {"G4: 02:30 Berlin in March",
         "Europe/Berlin",
         2h + 30min,
         "2026-03-28T00:00:00Z",
         {"2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"}},
        {"G1: 02:00 Berlin in October",
         "Europe/Berlin",
         2h,
         "2026-10-23T23:00:00Z",
         {"2026-10-24T00:00:00Z", "2026-10-25T00:00:00Z", "2026-10-26T01:00:00Z"}},
        {"G1: 02:30 Berlin in October",
         "Europe/Berlin",
         2h + 30min,
         "2026-10-24T00:00:00Z",
         {"2026-10-24T00:30:00Z", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"}},
        {"G1: 01:30 New York in November",
         "America/New_York",
         1h + 30min,
         "2026-10-31T05:00:00Z",
         {"2026-10-31T05:30:00Z", "2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"}},
        {"G2: 01:45 Lord Howe, half an hour back",
         "Australia/Lord_Howe",
         1h + 45min,
         "2026-04-03T14:00:00Z",
         {"2026-04-03T14:45:00Z", "2026-04-04T14:45:00Z", "2026-04-05T15:15:00Z"}},
        {"G2: 02:15 Lord Howe, half an hour forwards",
         "Australia/Lord_Howe",
         2h + 15min,
         "2026-10-02T15:00:00Z",
         {"2026-10-02T15:45:00Z", "2026-10-03T15:30:00Z", "2026-10-04T15:15:00Z"}},
        {"a gap that ends at midnight belongs to the day before it",
         "America/Nuuk",
         23h + 30min,
         "2026-03-28T00:00:00Z",
         {"2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"}},
        {"a gap at midnight",
         "Africa/Cairo",
         0h + 30min,
         "2026-04-23T12:00:00Z",
         {"2026-04-23T22:00:00Z", "2026-04-24T21:30:00Z", "2026-04-25T21:30:00Z"}},
        {"a date that never was has no slot",
         "Pacific/Apia",
         2h,
         "2011-12-29T00:00:00Z",
         {"2011-12-29T12:00:00Z", "2011-12-30T12:00:00Z", "2011-12-31T12:00:00Z"}},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.why);
        const auto from = utc(row.from);
        const auto got = fires({daily(row.time)}, zone(row.zone), from, from + 100h);
        for (std::size_t i = 0; i < row.want.size(); ++i) {
            ASSERT_LT(i, got.size());
            EXPECT_EQ(core::to_iso8601(got[i]), core::to_iso8601(utc(row.want[i]))) << i;
        }
    }
}

TEST(Schedule, weekly_runs_on_its_local_day_only) {
    // Sunday 00:30 in Auckland is Saturday in UTC; on 27 September 2026 the clocks go forward at 02:00.
    const auto got = fires({weekly(std::chrono::Sunday, 30min)}, zone("Pacific/Auckland"), utc("2026-09-14T00:00:00Z"),
                           utc("2026-10-06T00:00:00Z"));
    const std::vector<core::UtcTime> want{utc("2026-09-19T12:30:00Z"), utc("2026-09-26T12:30:00Z"),
                                          utc("2026-10-03T11:30:00Z")};
    EXPECT_EQ(got, want);
}

TEST(Schedule, minute_intervals_run_on_through_the_repeated_hour) {  // G3
    const auto got =
        fires({every(1min)}, zone("Europe/Berlin"), utc("2026-10-25T00:00:00Z"), utc("2026-10-25T02:00:01Z"));
    EXPECT_EQ(got.size(), 120U);
}

TEST(Schedule, an_interval_counts_from_the_last_end_whatever_restarts) {  // A2
    const auto now = utc("2026-05-01T12:00:00Z");
    ScheduleFacts facts{.now = now, .cluster_started = now - 100h, .last_end = now - 5h, .after = now - 6h};
    const std::vector<Trigger> triggers{every(6h, now - 100h)};
    EXPECT_EQ(next_slot(triggers, facts, Zone())->at, now + 1h);
    facts.now = now + 7h;  // nobody was there: due at once, once
    EXPECT_EQ(next_slot(triggers, facts, Zone())->at, now + 1h);
}

TEST(Schedule, ten_restarts_a_day_still_give_four_runs_a_day) {  // A2
    const std::vector<Trigger> triggers{every(6h)};
    const auto begin = utc("2026-05-01T00:00:00Z");
    ScheduleFacts facts{.now = begin, .cluster_started = begin};
    int runs = 0;
    for (auto boot = begin; boot < begin + 10 * 24h; boot += 144min) {
        facts.now = boot;  // each boot computes anew from what is stored
        for (auto next = next_slot(triggers, facts, Zone()); next->at < boot + 144min;
             next = next_slot(triggers, facts, Zone())) {
            facts.after = next->at;
            facts.last_end = facts.now = std::max(boot, next->at);
            ++runs;
        }
    }
    EXPECT_EQ(runs, 40);
}

TEST(Schedule, a_long_interval_is_not_cut_to_a_week) {  // A3
    const auto now = utc("2026-05-01T12:00:00Z");
    const ScheduleFacts facts{.now = now + 8 * 24h, .cluster_started = now, .last_end = now, .after = now};
    const std::vector<Trigger> triggers{every(30 * 24h)};
    EXPECT_EQ(next_slot(triggers, facts, Zone())->at, now + 30 * 24h);
}

TEST(Schedule, a_task_that_never_ran_starts_within_a_minute) {
    const auto begin = utc("2026-05-01T12:00:00Z");
    const ScheduleFacts facts{.now = begin + 5s, .cluster_started = begin};
    EXPECT_EQ(next_slot(std::vector<Trigger>{every(12h, begin)}, facts, Zone())->at, begin + 1min);
    EXPECT_EQ(next_slot(std::vector<Trigger>{every(5s, begin)}, facts, Zone())->at, begin + 5s);
    EXPECT_EQ(next_slot(std::vector<Trigger>{every(12h, begin + 3s)}, facts, Zone())->at, begin + 63s);
}

TEST(Schedule, an_interval_whose_run_goes_on_is_not_due_again) {
    const auto now = utc("2026-05-01T12:00:00Z");
    const ScheduleFacts claimed{.now = now, .cluster_started = now - 100h, .last_end = now - 6h, .after = now};
    EXPECT_EQ(next_slot(std::vector<Trigger>{every(6h)}, claimed, Zone())->at, now + 6h);
    const ScheduleFacts first{.now = now, .cluster_started = now - 1min, .after = now};
    EXPECT_EQ(next_slot(std::vector<Trigger>{every(6h)}, first, Zone())->at, now + 6h);
}

TEST(Schedule, a_database_clock_that_was_set_back_stops_no_interval) {
    const auto now = utc("2026-05-01T12:00:00Z");
    const ScheduleFacts ended_ahead{
        .now = now, .cluster_started = now - 1h, .last_end = now + 240h, .after = now + 239h};
    EXPECT_EQ(next_slot(std::vector<Trigger>{every(5min)}, ended_ahead, Zone())->at, now + 5min);
    const ScheduleFacts back_during_run{.now = now, .cluster_started = now - 1h, .last_end = now, .after = now + 1h};
    EXPECT_EQ(next_slot(std::vector<Trigger>{every(5min)}, back_during_run, Zone())->at, now + 5min);
}

TEST(Schedule, a_missed_daily_slot_runs_once_and_late_or_not_at_all) {
    const std::vector<Trigger> triggers{daily(2h)};
    const auto seen = utc("2026-05-01T02:00:00Z");
    ScheduleFacts facts{.now = utc("2026-05-04T09:00:00Z"), .cluster_started = seen, .after = seen};
    EXPECT_EQ(next_slot(triggers, facts, Zone())->at, utc("2026-05-04T02:00:00Z"));  // the latest of three
    facts.after = utc("2026-05-04T02:00:00Z");
    EXPECT_EQ(next_slot(triggers, facts, Zone())->at, utc("2026-05-05T02:00:00Z"));
    facts.after = seen;
    facts.misfire_skip = true;
    EXPECT_EQ(next_slot(triggers, facts, Zone())->at, utc("2026-05-05T02:00:00Z"));
    facts.now = utc("2026-05-04T02:00:00Z");  // this very moment is no misfire
    EXPECT_EQ(next_slot(triggers, facts, Zone())->at, facts.now);
}

TEST(Schedule, a_trigger_made_after_todays_time_starts_tomorrow) {
    const auto made = utc("2026-05-01T10:00:00Z");
    const ScheduleFacts facts{.now = made, .cluster_started = made};
    EXPECT_EQ(next_slot(std::vector<Trigger>{daily(2h, made)}, facts, Zone())->at, utc("2026-05-02T02:00:00Z"));
    EXPECT_EQ(next_slot(std::vector<Trigger>{daily(11h, made)}, facts, Zone())->at, utc("2026-05-01T11:00:00Z"));
}

TEST(Schedule, a_finished_slot_does_not_come_back_when_the_clock_steps) {
    const auto slot = utc("2026-05-01T02:00:00Z");
    for (const core::Millis step : std::initializer_list<core::Millis>{-3h, -1min, 1min, 20h}) {
        const ScheduleFacts facts{.now = slot + step, .cluster_started = slot - 99h, .last_end = slot, .after = slot};
        EXPECT_EQ(next_slot(std::vector<Trigger>{daily(2h)}, facts, Zone())->at, slot + 24h);
    }
}

TEST(Schedule, the_earliest_trigger_wins_and_ties_go_to_the_first) {
    const auto now = utc("2026-05-01T00:00:00Z");
    const ScheduleFacts facts{.now = now, .cluster_started = now - 9h, .last_end = now, .after = now};
    const std::vector<Trigger> triggers{{StartupTrigger{}, std::nullopt, {}}, daily(3h), every(3h), every(2h)};
    EXPECT_EQ(next_slot(triggers, facts, Zone()), (NextSlot{now + 2h, 3}));
    EXPECT_EQ(next_slot(std::span(triggers).first(3), facts, Zone()), (NextSlot{now + 3h, 1}));
    EXPECT_EQ(next_slot(std::span(triggers).first(1), facts, Zone()), std::nullopt);
    EXPECT_EQ(next_slot({}, facts, Zone()), std::nullopt);
}

TEST(Schedule, upcoming_lists_future_slots_with_summer_time) {
    const auto now = utc("2026-10-23T12:00:00Z");
    const ScheduleFacts facts{.now = now, .cluster_started = now - 99h, .last_end = now - 13h, .after = now - 14h};
    const auto next = upcoming(std::vector<Trigger>{daily(2h)}, facts, zone("Europe/Berlin"), 3);
    ASSERT_EQ(next.size(), 3U);
    EXPECT_EQ(next[0].at, utc("2026-10-24T00:00:00Z"));
    EXPECT_EQ(next[1].at, utc("2026-10-25T00:00:00Z"));
    EXPECT_EQ(next[2].at, utc("2026-10-26T01:00:00Z"));
    const auto overdue = upcoming(std::vector<Trigger>{every(12h)}, facts, Zone(), 2);
    ASSERT_EQ(overdue.size(), 2U);
    EXPECT_EQ(overdue[0].at, now + 12h);  // the overdue one runs now
    EXPECT_EQ(overdue[1].at, now + 24h);
    EXPECT_TRUE(upcoming({}, facts, Zone(), 5).empty());
}

}  // namespace
}  // namespace understudy::tasks
