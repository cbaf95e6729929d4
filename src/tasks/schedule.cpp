#include "tasks/schedule.h"

#include <algorithm>

namespace understudy::tasks {
namespace {

using namespace std::chrono_literals;
using std::chrono::days;
using std::chrono::local_days;

constexpr core::Millis first_run_delay = 60s;  // a task that never ran starts a minute after the cluster

/// Wall-clock slots of one trigger. A slot belongs to its local date even where a gap at midnight moves it into the
/// next.
class WallSlots {
public:
    WallSlots(core::Millis time_of_day, std::optional<std::chrono::weekday> day, const Zone& zone)
        : time_of_day_(time_of_day), day_(day), zone_(zone) {}

    [[nodiscard]] std::optional<core::UtcTime> latest_until(core::UtcTime limit) const {
        auto date = zone_.local_date(limit) + days{1};
        for (int i = 0; i < reach; ++i, date -= days{1}) {
            if (!has(date)) continue;
            if (const auto slot = zone_.at(date, time_of_day_); slot <= limit) return slot;
        }
        return std::nullopt;
    }
    /// The first slot that is later than `limit`.
    [[nodiscard]] std::optional<core::UtcTime> first_after(core::UtcTime limit) const {
        auto date = zone_.local_date(limit) - days{1};
        for (int i = 0; i < reach; ++i, date += days{1}) {
            if (!has(date)) continue;
            if (const auto slot = zone_.at(date, time_of_day_); slot > limit) return slot;
        }
        return std::nullopt;
    }

private:
    static constexpr int reach = 20;  // two weeks, the days beside, and a date that a zone left out

    [[nodiscard]] bool has(local_days date) const {
        if (day_ && std::chrono::weekday{date} != *day_) return false;
        // A date that never was (a zone that crossed the date line): its whole day is one gap.
        return zone_.at(date, core::Millis{0}) != zone_.at(date + days{1}, core::Millis{0});
    }

    core::Millis time_of_day_;
    std::optional<std::chrono::weekday> day_;
    const Zone& zone_;
};

std::optional<core::UtcTime> wall_slot(const WallSlots& slots, const Trigger& trigger, const ScheduleFacts& facts) {
    // Not before the trigger was made, and not one that was claimed already.
    const auto floor = facts.after ? std::max(*facts.after, trigger.created_at) : trigger.created_at;
    if (facts.misfire_skip) {
        // A slot of this very moment is not missed yet.
        return slots.first_after(std::max(floor, facts.now - core::Millis{1}));
    }
    if (const auto missed = slots.latest_until(facts.now); missed && *missed > floor) return missed;
    return slots.first_after(std::max(floor, facts.now));
}

core::UtcTime interval_slot(core::Millis every, const Trigger& trigger, const ScheduleFacts& facts) {
    // Every basis is cut at now: a database clock that ran ahead and was set back must not stop a task for that long.
    if (!facts.last_end && !facts.after) {
        const auto basis = std::max(facts.cluster_started, trigger.created_at);
        return std::min(basis, facts.now) + std::min(every, first_run_delay);
    }
    // A slot was claimed whose run has not ended: taken to end now. Its real end computes this anew.
    const bool ended = facts.last_end && (!facts.after || *facts.last_end >= *facts.after);
    return (ended ? std::min(*facts.last_end, facts.now) : facts.now) + every;
}

std::optional<core::UtcTime> slot_of(const Trigger& trigger, const ScheduleFacts& facts, const Zone& zone) {
    if (const auto* daily = std::get_if<DailyTrigger>(&trigger.when))
        return wall_slot(WallSlots(daily->time_of_day, std::nullopt, zone), trigger, facts);
    if (const auto* weekly = std::get_if<WeeklyTrigger>(&trigger.when))
        return wall_slot(WallSlots(weekly->time_of_day, weekly->day, zone), trigger, facts);
    if (const auto* interval = std::get_if<IntervalTrigger>(&trigger.when))
        return interval_slot(interval->every, trigger, facts);
    return std::nullopt;  // start-up triggers have no slot in time
}

}  // namespace

std::optional<NextSlot> next_slot(std::span<const Trigger> triggers, const ScheduleFacts& facts, const Zone& zone) {
    std::optional<NextSlot> next;
    for (std::size_t i = 0; i < triggers.size(); ++i) {
        const auto slot = slot_of(triggers[i], facts, zone);
        if (slot && (!next || *slot < next->at)) next = NextSlot{*slot, i};
    }
    return next;
}

std::vector<NextSlot> upcoming(std::span<const Trigger> triggers, const ScheduleFacts& facts, const Zone& zone,
                               std::size_t count) {
    std::vector<NextSlot> slots;
    auto then = facts;
    // One look may find an overdue slot, which lies before now and is not listed.
    for (std::size_t look = 0; slots.size() < count && look < 2 * count + 2; ++look) {
        const auto next = next_slot(triggers, then, zone);
        if (!next) break;
        if (next->at > facts.now) slots.push_back(*next);
        then.now = std::max(then.now, next->at);
        then.after = next->at;
        then.last_end = then.now;
    }
    return slots;
}

}  // namespace understudy::tasks
