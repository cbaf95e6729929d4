#include "tasks/ledger_rules.h"

#include <algorithm>
#include <tuple>

namespace understudy::tasks {
namespace {

using namespace std::chrono_literals;

constexpr core::Millis startup_rest = 10min;  // a restart so soon after a start starts nothing again

bool is_interval(const Trigger& trigger) noexcept {
    return std::holds_alternative<IntervalTrigger>(trigger.when);
}

bool is_wall(const Trigger& trigger) noexcept {
    return std::holds_alternative<DailyTrigger>(trigger.when) || std::holds_alternative<WeeklyTrigger>(trigger.when);
}

/// next_slot() over the triggers that `wanted` picks, with the index brought back.
template <class Wanted>
std::optional<NextSlot> next_of(std::span<const Trigger> triggers, const ScheduleFacts& facts, core::UtcTime now,
                                const Zone& zone, Wanted wanted) {
    std::vector<Trigger> picked;
    std::vector<std::size_t> index;
    for (std::size_t i = 0; i < triggers.size(); ++i) {
        if (!wanted(triggers[i])) continue;
        picked.push_back(triggers[i]);
        // A database clock that ran ahead and was set back must not stop a task for that long.
        picked.back().created_at = std::min(picked.back().created_at, now);
        index.push_back(i);
    }
    if (picked.empty()) return std::nullopt;
    auto next = next_slot(picked, facts, zone);
    if (next) next->trigger = index[next->trigger];
    return next;
}

/// Slots older than this are missed where the rule is `skip`.
core::UtcTime schedule_now(const SlotFacts& facts) noexcept {
    return facts.misfire_skip ? facts.now - facts.misfire_grace : facts.now;
}

}  // namespace

std::optional<NextSlot> next_wall_slot(std::span<const Trigger> triggers, const SlotFacts& facts,
                                       std::optional<core::UtcTime> after, const Zone& zone) {
    ScheduleFacts schedule;
    schedule.now = schedule_now(facts);
    schedule.cluster_started = facts.cluster_started;
    schedule.after = after;
    schedule.misfire_skip = facts.misfire_skip;
    return next_of(triggers, schedule, facts.now, zone, is_wall);
}

std::optional<NextSlot> next_interval_slot(std::span<const Trigger> triggers, const SlotFacts& facts,
                                           std::optional<core::UtcTime> last_end, const Zone& zone) {
    if (facts.busy) return std::nullopt;
    ScheduleFacts schedule;
    schedule.now = facts.now;
    schedule.cluster_started = facts.cluster_started;
    schedule.last_end = last_end;
    return next_of(triggers, schedule, facts.now, zone, is_interval);
}

std::optional<NextSlot> due_slot(const TaskRecord& task, const ScopeRecord& scope, const SlotFacts& facts,
                                 const Zone& zone) {
    if (!scope.next_slot || *scope.next_slot > facts.now) return std::nullopt;
    const std::size_t trigger = scope.next_trigger.value_or(0);
    const bool wall = trigger < task.triggers.size() && is_wall(task.triggers[trigger]);
    std::optional<NextSlot> due;
    if (!facts.misfire_skip || !wall || *scope.next_slot >= facts.now - facts.misfire_grace)
        due = NextSlot{*scope.next_slot, trigger};
    auto after = scope.slots_after;
    if (after) after = std::min(*after, facts.now);
    // Each trigger has at most one missed slot, so this ends.
    for (std::size_t i = 0; i <= task.triggers.size(); ++i) {
        const auto missed = next_wall_slot(task.triggers, facts, after, zone);
        if (!missed || missed->at > facts.now) break;
        if (!due || missed->at > due->at) due = missed;
        after = missed->at;
    }
    return due;
}

bool startup_is_dropped(const ScopeRecord& scope, core::UtcTime booted_at, core::UtcTime now) noexcept {
    return scope.last_start && (*scope.last_start >= booted_at || *scope.last_start > now - startup_rest);
}

bool is_dead(const RunRow& old, const BeatRecord& beat, const RunRow& seen, core::BootId judge, bool observed_dead,
             core::UtcTime now, const LedgerSettings& settings) noexcept {
    if (old.boot == judge) return false;
    if (settings.others_are_dead) return true;
    // Seen unmoved for as long while the database answered: a database that was away makes nobody dead. And still
    // unmoved now, under the beat's lock: looking and judging are one step.
    return observed_dead && seen.epoch == old.epoch && seen.beat == beat.counter &&
           now - beat.at >= settings.dead_after;
}

int stuck_after(const RunRow& old) noexcept {
    const bool moved = old.cursor != old.start_cursor;
    if (old.state == RunState::yielded) return moved ? 0 : old.stuck_takeovers;
    return moved || old.stuck_takeovers == 0 ? 1 : old.stuck_takeovers + 1;
}

Takeover takeover_of(const RunRow& old) noexcept {
    if (old.cancel_requested) return Takeover::cancel;
    if (old.state != RunState::yielded && stuck_after(old) >= most_stuck_takeovers) return Takeover::give_up;
    return Takeover::go_on;
}

std::string stuck_error(const RunRow& old) {
    const std::string where = old.cursor.empty() ? "before its first checkpoint" : "at '" + old.cursor + "'";
    return "given up: the pod died " + std::to_string(most_stuck_takeovers) + " times in a row " + where +
           " (last on " + old.pod + "); look at that item, then run the task again";
}

std::optional<core::UtcTime> wish_of(const GroupMember& member, core::UtcTime now, bool timers_paused) {
    std::optional<core::UtcTime> wish;
    const auto also = [&](core::UtcTime since) { wish = wish ? std::min(*wish, since) : since; };
    if (member.newest && is_live(member.newest->state)) return std::nullopt;
    if (member.newest && is_open(member.newest->state)) also(member.newest->slot.value_or(member.newest->started_at));
    if (member.scope.pending && member.scope.pending->not_before <= now) also(member.scope.pending->not_before);
    if (!timers_paused && member.task.enabled && member.scope.next_slot && *member.scope.next_slot <= now)
        also(*member.scope.next_slot);
    return wish;
}

std::string blocked_by(Group group, const std::string& task, core::UtcTime due, std::span<const GroupMember> members,
                       core::UtcTime now, bool timers_paused, core::Millis patience) {
    if (group == Group::none) return {};
    const Group other = group == Group::library ? Group::optimize : Group::library;
    bool own_side_live = false;
    std::optional<core::UtcTime> own_side_end;  // since then the other side could have started
    for (const auto& member : members) {
        if (!member.newest) continue;
        const bool live = is_live(member.newest->state);
        if (member.task.group == other && live) return member.task.task;
        if (member.task.group != group) continue;
        own_side_live |= live;
        if (member.newest->ended_at)
            own_side_end = std::max(own_side_end.value_or(core::UtcTime{}), *member.newest->ended_at);
    }
    const GroupMember* first = nullptr;
    std::optional<core::UtcTime> first_since;
    for (const auto& member : members) {
        if (member.task.group != other) continue;
        const auto since = wish_of(member, now, timers_paused);
        if (!since || std::tie(*since, member.task.task) >= std::tie(due, task)) continue;
        const auto able_since = std::max(*since, own_side_end.value_or(*since));
        if (!own_side_live && now - able_since > patience) continue;
        if (!first || *since < *first_since) {
            first = &member;
            first_since = since;
        }
    }
    return first ? first->task.task : std::string();
}

std::vector<RunRow> waiting_rows(std::span<const GroupMember> members, core::UtcTime now, bool timers_paused,
                                 core::Millis patience) {
    std::vector<RunRow> rows;
    for (const auto& member : members) {
        const bool live = member.newest && is_live(member.newest->state);
        const bool open = member.newest && is_open(member.newest->state);
        const auto add = [&](RunKind kind, core::UtcTime since) {
            RunRow row;
            row.id = core::RunId{};
            row.task = member.scope.task;
            row.kind = kind;
            row.attempts = 0;
            row.options = "{}";
            row.waiting_for = live || open ? member.task.task
                                           : blocked_by(member.task.group, member.task.task, since, members, now,
                                                        timers_paused, patience);
            rows.push_back(row);
        };
        // A due slot merges into open work: then the open run is the row.
        if (!open && !timers_paused && member.task.enabled && member.scope.next_slot &&
            *member.scope.next_slot <= now) {
            add(RunKind::timer, *member.scope.next_slot);
            rows.back().slot = member.scope.next_slot;
        }
        if (member.scope.pending) {
            add(RunKind::manual, member.scope.pending->not_before);
            rows.back().options = member.scope.pending->options;
            rows.back().not_before = member.scope.pending->not_before;
        }
    }
    return rows;
}

}  // namespace understudy::tasks
