// Every way in which a run begins: claims, manual runs, kept requests, takeover.
#include <algorithm>

#include "tasks/transactional_run_ledger.h"

namespace understudy::tasks {
namespace {

using namespace std::chrono_literals;
using Outcome = Claim::Outcome;

constexpr core::Millis startup_delay = 3s;  // when a start-up slot is due after the process start

Claim refused(Outcome outcome, std::optional<RunRow> run = std::nullopt) {
    Claim claim;
    claim.outcome = outcome;
    claim.run = std::move(run);
    return claim;
}

Claim waits_for(std::string key) {
    Claim claim;
    claim.outcome = Outcome::waiting;
    claim.waiting_for = std::move(key);
    return claim;
}

Claim won(RunRow run) {
    Claim claim;
    claim.outcome = Outcome::won;
    claim.run = std::move(run);
    return claim;
}

void keep(ScopeRecord& scope, PendingRequest request, const JoinOptions& join) {
    if (scope.pending) {  // what was promised earlier is not put off
        request.not_before = std::min(request.not_before, scope.pending->not_before);
        if (join) request.options = join(scope.pending->options, request.options);
    }
    scope.pending = std::move(request);
}

}  // namespace

core::Result<Claim> TransactionalRunLedger::claim(const TaskScope& task, core::RunId run,
                                                  const std::function<Claim(LedgerTransaction&, Locked&)>& decide) {
    Claim claim;
    const auto done = tables_.transaction([&](LedgerTransaction& tx) -> core::Result<void> {
        claim = {};
        auto at = lock(tx, task, Queue::claims);
        if (!at) return {};
        // The same call again after an unknown outcome: it had been applied.
        if (at->live() && at->newest->id == run)
            claim = won(*at->newest);
        else
            claim = decide(tx, *at);
        return {};
    });
    if (!done) return tl::unexpected(done.error());
    return claim;
}

core::Result<Claim> TransactionalRunLedger::claim_slot(const PodRef& pod, const TaskStateRow& expected,
                                                       core::RunId run) {
    return claim(expected.task, run, [&](LedgerTransaction& tx, Locked& at) {
        if (at.live()) return refused(Outcome::running, at.newest);
        if (at.open()) return refused(Outcome::open_first, at.newest);
        if (!at.task.enabled) return refused(Outcome::disabled);
        if (at.cluster.timers_paused) return refused(Outcome::paused);
        if (at.scope.version != expected.version || at.scope.next_slot != expected.next_slot || !at.scope.next_slot)
            return refused(Outcome::changed);
        if (*at.scope.next_slot > at.now) return refused(Outcome::not_due);
        auto due = due_slot(at.task, at.scope, facts(at, false), zone_);
        // After a clock that went back a missed wall slot may be one that was started before: it gives way to the
        // stored slot.
        while (due && due->at != *at.scope.next_slot && tx.slot_taken(at.scope.task, due->at)) {
            at.scope.slots_after = due->at;
            due = due_slot(at.task, at.scope, facts(at, false), zone_);
        }
        if (due && tx.slot_taken(at.scope.task, due->at)) due.reset();
        if (!due) {  // missed, and the rule is `skip`; or a clock that went back brought a finished slot up again
            reschedule(tx, at, false);
            tx.update_scope(at.scope);
            return refused(Outcome::changed);
        }
        if (auto other = blocked(tx, at, *at.scope.next_slot); !other.empty()) return waits_for(std::move(other));
        const auto& triggers = at.task.triggers;
        const auto limit = due->trigger < triggers.size() ? triggers[due->trigger].max_runtime : std::nullopt;
        return start(tx, at, pod, run, {RunKind::timer, due, "{}", limit});
    });
}

core::Result<Claim> TransactionalRunLedger::claim_startup(const PodRef& pod, const TaskScope& task, core::RunId run,
                                                          bool gated) {
    return claim(task, run, [&](LedgerTransaction& tx, Locked& at) {
        const auto trigger = std::find_if(at.task.triggers.begin(), at.task.triggers.end(), [](const Trigger& one) {
            return std::holds_alternative<StartupTrigger>(one.when);
        });
        if (trigger == at.task.triggers.end()) return refused(Outcome::dropped);
        if (gated && startup_is_dropped(at.scope, pod.booted_at, at.now)) return refused(Outcome::dropped);
        if (at.live()) return refused(Outcome::running, at.newest);
        if (at.open()) return refused(Outcome::open_first, at.newest);
        if (!at.task.enabled) return refused(Outcome::disabled);
        if (at.cluster.timers_paused) return refused(Outcome::paused);
        const auto slot = std::min(pod.booted_at + startup_delay, at.now);
        if (tx.slot_taken(task, slot)) return refused(Outcome::dropped);
        if (auto other = blocked(tx, at, slot); !other.empty()) return waits_for(std::move(other));
        const auto index = static_cast<std::size_t>(trigger - at.task.triggers.begin());
        return start(tx, at, pod, run, {RunKind::startup, NextSlot{slot, index}, "{}", trigger->max_runtime});
    });
}

core::Result<Claim> TransactionalRunLedger::claim_manual(const PodRef& pod, const TaskScope& task, core::RunId run,
                                                         const std::string& options, const JoinOptions& join) {
    return claim(task, run, [&](LedgerTransaction& tx, Locked& at) {
        if (at.live()) return refused(Outcome::running, at.newest);
        if (at.open()) {
            auto old = tx.lock_run(at.newest->id);
            if (!old) return refused(Outcome::changed);
            if (takeover_of(*old) == Takeover::go_on) {
                const auto since = old->slot.value_or(old->started_at);
                if (auto other = blocked(tx, at, since); !other.empty()) return waits_for(std::move(other));
                // The open work keeps its own options; a request that wants something else follows it.
                if (options != "{}" && options != old->options) keep(at.scope, {options, at.now, 0}, join);
                return go_on(tx, at, pod, run, *old);
            }
            // What was to be cancelled or given up ends here; then this request starts afresh.
            const bool cancel = old->cancel_requested;
            if (!cancel) old->error = stuck_error(*old);
            finish(tx, at, *old, cancel ? RunState::cancelled : RunState::failed);
            tx.update_scope(at.scope);
        }
        if (auto other = blocked(tx, at, at.now); !other.empty()) return waits_for(std::move(other));
        return start(tx, at, pod, run, {RunKind::manual, std::nullopt, options, std::nullopt});
    });
}

core::Result<Claim> TransactionalRunLedger::claim_pending(const PodRef& pod, const TaskScope& task, core::RunId run) {
    return claim(task, run, [&](LedgerTransaction& tx, Locked& at) {
        if (at.live()) return refused(Outcome::running, at.newest);
        if (at.open()) return refused(Outcome::open_first, at.newest);
        if (!at.scope.pending) return refused(Outcome::changed);
        if (at.scope.pending->not_before > at.now) return refused(Outcome::not_due);
        if (auto other = blocked(tx, at, at.scope.pending->not_before); !other.empty())
            return waits_for(std::move(other));
        auto options = std::move(at.scope.pending->options);
        at.scope.pending.reset();
        return start(tx, at, pod, run, {RunKind::manual, std::nullopt, std::move(options), std::nullopt});
    });
}

core::Result<void> TransactionalRunLedger::request_later(const TaskScope& task, const std::string& options,
                                                         core::Millis delay, int attempt, const JoinOptions& join) {
    return tables_.transaction([&](LedgerTransaction& tx) -> core::Result<void> {
        auto scope = tx.lock_scope(task);
        if (!scope) return core::fail(core::Errc::not_found, "task " + task.task + " has no row for " + task.scope);
        keep(*scope, {options, tx.now() + delay, attempt}, join);
        tx.update_scope(*scope);
        return {};
    });
}

core::Result<Claim> TransactionalRunLedger::take_over(const PodRef& pod, const RunRow& seen, bool observed_dead,
                                                      core::RunId run) {
    return claim(seen.task, run, [&](LedgerTransaction& tx, Locked& at) {
        if (!at.newest || at.newest->id != seen.id) return refused(Outcome::changed, at.newest);
        const bool foreign = at.scope.task.scope != cluster_scope && at.scope.task.scope != pod.label;
        if (foreign) return refused(Outcome::changed, at.newest);
        auto old = tx.lock_run(seen.id);  // its writer, if one is at it, has committed now
        if (!old) return refused(Outcome::changed);
        if (is_live(old->state)) {
            const auto beat = tx.lock_beat(seen.id);
            at.now = tx.now();  // the locks may have taken a while
            if (!beat || !is_dead(*old, *beat, seen, pod.boot, observed_dead, at.now, settings_))
                return refused(Outcome::running, old);
        } else if (!is_open(old->state)) {
            return refused(Outcome::changed, old);
        }
        switch (takeover_of(*old)) {
            case Takeover::cancel:
                finish(tx, at, *old, RunState::cancelled);
                break;
            case Takeover::give_up:
                old->error = stuck_error(*old);
                finish(tx, at, *old, RunState::failed);
                break;
            case Takeover::go_on:
                if (is_live(old->state)) {  // its row kept the other group out until now
                    old->error = "no sign of life from " + old->pod;
                    finish(tx, at, *old, RunState::aborted);
                } else if (auto other = blocked(tx, at, old->slot.value_or(old->started_at)); !other.empty()) {
                    return waits_for(std::move(other));
                }
                return go_on(tx, at, pod, run, *old);
        }
        tx.update_scope(at.scope);
        return refused(Outcome::changed, old);
    });
}

core::Result<void> TransactionalRunLedger::fail_gone_pod(const RunRow& seen) {
    return tables_.transaction([&](LedgerTransaction& tx) -> core::Result<void> {
        auto at = lock(tx, seen.task, Queue::others);
        if (!at || !at->newest || at->newest->id != seen.id) return {};  // somebody was quicker
        auto old = tx.lock_run(seen.id);
        if (!old || !(is_live(old->state) || is_open(old->state))) return {};
        auto last_sign = old->ended_at;
        if (is_live(old->state)) {
            const auto beat = tx.lock_beat(seen.id);
            last_sign = beat ? std::optional(beat->at) : old->heartbeat_at;
            if (beat && beat->counter != seen.beat) last_sign = tx.now();
        }
        at->now = tx.now();
        if (at->scope.task.scope == cluster_scope || (last_sign && at->now - *last_sign < settings_.dead_after))
            return core::fail(core::Errc::conflict, "run " + seen.id.str() + " of " + seen.pod + " is not gone");
        old->error = "its pod is gone";
        finish(tx, *at, *old, old->cancel_requested ? RunState::cancelled : RunState::failed);
        tx.update_scope(at->scope);
        return {};
    });
}

Claim TransactionalRunLedger::start(LedgerTransaction& tx, Locked& at, const PodRef& pod, core::RunId run,
                                    Start with) const {
    RunRow row;
    row.id = run;
    row.task = at.scope.task;
    row.kind = with.kind;
    row.options = std::move(with.options);
    row.pod = pod.label;
    row.boot = pod.boot;
    row.epoch = ++at.scope.epoch;
    row.started_at = at.now;
    row.heartbeat_at = at.now;
    row.max_runtime = with.max_runtime;
    if (with.slot) row.slot = with.slot->at;
    tx.insert_run(row);
    if (row.slot) tx.insert_slot(row.task, *row.slot, row);
    if (row.slot && row.kind == RunKind::timer) at.scope.slots_after = row.slot;
    at.scope.last_start = at.now;
    reschedule(tx, at, true);
    tx.update_scope(at.scope);
    return won(std::move(row));
}

Claim TransactionalRunLedger::go_on(LedgerTransaction& tx, Locked& at, const PodRef& pod, core::RunId run,
                                    const RunRow& old) const {
    RunRow row;
    row.id = run;
    row.task = old.task;
    row.kind = old.kind;
    row.slot = old.slot;
    row.options = old.options;
    row.pod = pod.label;
    row.boot = pod.boot;
    row.epoch = ++at.scope.epoch;
    row.progress = old.progress;
    row.cursor = old.cursor;
    row.start_cursor = old.cursor;
    row.attempts = old.attempts + 1;
    row.stuck_takeovers = stuck_after(old);
    row.resumed_from = old.id;
    row.started_at = at.now;
    row.heartbeat_at = at.now;
    row.max_runtime = old.max_runtime;
    tx.insert_run(row);
    tx.repoint_slots(old.id, row);
    // A later slot that has come due meanwhile merges into the open work.
    if (at.task.enabled && !at.cluster.timers_paused) {
        const auto due = due_slot(at.task, at.scope, facts(at, true), zone_);
        if (due && !tx.slot_taken(row.task, due->at)) {
            tx.insert_slot(row.task, due->at, row);
            at.scope.slots_after = due->at;
        }
    }
    at.scope.last_start = at.now;
    reschedule(tx, at, true);
    tx.update_scope(at.scope);
    return won(std::move(row));
}

}  // namespace understudy::tasks
