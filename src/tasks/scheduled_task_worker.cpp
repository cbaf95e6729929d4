#include "tasks/scheduled_task_worker.h"

#include <utility>

#include "tasks/timer_gate.h"

namespace understudy::tasks {

std::string_view to_string(TimerAnswer answer) noexcept {
    switch (answer) {
        case TimerAnswer::started:
            return "started";
        case TimerAnswer::not_leader:
            return "not_leader";
        case TimerAnswer::disabled:
            return "disabled";
        case TimerAnswer::paused:
            return "paused";
        case TimerAnswer::lost:
            return "lost";
        case TimerAnswer::waiting:
            return "waiting";
        case TimerAnswer::busy:
            return "busy";
        case TimerAnswer::dropped:
            return "dropped";
    }
    return "?";
}

ScheduledTaskWorker::ScheduledTaskWorker(ScheduledTask& task, RunLedger& ledger, core::Clock& clock,
                                         const lease::ScanLeaderLease* lease, WorkerOptions options)
    : task_(task),
      entry_(task.info()),
      ledger_(ledger),
      clock_(clock),
      lease_(lease),
      options_(std::move(options)),
      scope_{std::string(entry_.key), entry_.scope == Scope::pod ? options_.pod.label : std::string(cluster_scope)},
      own_launcher_(clock) {}

core::Result<TimerAnswer> ScheduledTaskWorker::on_timer(const TaskStateRow& row, bool timers_paused) {
    if (!row.enabled) return TimerAnswer::disabled;
    if (timers_paused) return TimerAnswer::paused;
    // Judged now, not when the timer was armed: a pod that was paused learns here that it leads no more.
    const auto standing = lease_ ? lease_->standing() : lease::Standing::leader;
    if (!timer_may_start(options_.gated, standing)) {
        const std::lock_guard lock(mutex_);
        if (counted_skip_ != row.next_slot)
            ++counters_.skipped_not_leader;  // once a slot, however often it is looked at
        counted_skip_ = row.next_slot;
        return TimerAnswer::not_leader;
    }
    const auto won = claim([&](const PodRef& pod, core::RunId run) { return ledger_.claim_slot(pod, row, run); });
    if (!won) return tl::unexpected(won.error());
    return answer_to(*won);
}

core::Result<TimerAnswer> ScheduledTaskWorker::on_startup(const TaskStateRow& row, bool timers_paused) {
    if (!row.enabled) return TimerAnswer::disabled;
    if (timers_paused) return TimerAnswer::paused;
    if (!timer_may_start(options_.gated, lease_ ? lease_->standing() : lease::Standing::leader))
        return TimerAnswer::not_leader;
    const auto won = claim(
        [&](const PodRef& pod, core::RunId run) { return ledger_.claim_startup(pod, scope_, run, options_.gated); });
    if (!won) return tl::unexpected(won.error());
    return answer_to(*won);
}

core::Result<TimerAnswer> ScheduledTaskWorker::on_pending() {
    const auto won = claim([&](const PodRef& pod, core::RunId run) { return ledger_.claim_pending(pod, scope_, run); });
    if (!won) return tl::unexpected(won.error());
    return answer_to(*won);
}

core::Result<TimerAnswer> ScheduledTaskWorker::resume(const RunRow& seen, bool observed_dead) {
    const auto won =
        claim([&](const PodRef& pod, core::RunId run) { return ledger_.take_over(pod, seen, observed_dead, run); });
    if (!won) return tl::unexpected(won.error());
    if (won->outcome == Claim::Outcome::won) {
        const std::lock_guard lock(mutex_);
        ++counters_.takeovers;
    }
    return answer_to(*won);
}

core::Result<Claim> ScheduledTaskWorker::start_manual(const std::string& options) {
    const auto ask = [&](const PodRef& pod, core::RunId run) {
        return ledger_.claim_manual(pod, scope_, run, options, joining(task_));
    };
    return claim(ask, 2);
}

bool ScheduledTaskWorker::may_take() const noexcept {
    return timer_may_start(options_.gated, lease_ ? lease_->standing() : lease::Standing::leader);
}

core::Result<Claim> ScheduledTaskWorker::claim(const Ask& ask, int tries) {
    const auto run = core::RunId::make(random());
    const auto sent_at = clock_.now();
    PodRef pod;
    {
        const std::lock_guard lock(mutex_);
        issued_.emplace(run, sent_at);
        pod = options_.pod;
    }
    auto claim = ask(pod, run);
    // The same id again: a claim that had been applied answers as the first time.
    while (!claim && --tries > 0) claim = ask(pod, run);
    if (!claim) return claim;  // it may have been applied: the id stays among the issued ones
    const bool won = claim->outcome == Claim::Outcome::won && claim->run;
    {
        const std::lock_guard lock(mutex_);
        // The scheduler may have found the run in the ledger and launched it before this reply came.
        const bool ours = issued_.erase(run) > 0;
        if (won && !ours) return claim;
        ++(won ? counters_.claims_won : counters_.claims_lost);
    }
    if (won) launch(*claim->run, sent_at);
    return claim;
}

bool ScheduledTaskWorker::adopt(const RunRow& live) {
    core::Instant sent_at;
    {
        const std::lock_guard lock(mutex_);
        const auto it = issued_.find(live.id);
        if (it == issued_.end()) return false;
        sent_at = it->second;
        issued_.erase(it);
        ++counters_.claims_won;
    }
    log().info("claim found after its reply was lost", {{"task", scope_.task}, {"run", live.id.str()}});
    launch(live, sent_at);
    return true;
}

void ScheduledTaskWorker::take_up_again(const RunRow& live) {
    log().warning("a run of this pod was left without its code and goes on",
                  {{"task", scope_.task}, {"run", live.id.str()}});
    launch(live, clock_.now());
}

void ScheduledTaskWorker::forget_old_claims() {
    const auto now = clock_.now();
    const std::lock_guard lock(mutex_);
    // A claim still on its way can be applied as long as the database may hold the statement; found in the list of live
    // runs until then it is adopted, a later one is taken over as dead.
    std::erase_if(issued_,
                  [&](const auto& one) { return core::elapsed(one.second, now) > 2 * options_.timing.dead_after; });
}

TimerAnswer ScheduledTaskWorker::answer_to(const Claim& claim) {
    switch (claim.outcome) {
        case Claim::Outcome::won:
            return TimerAnswer::started;
        case Claim::Outcome::not_due:
        case Claim::Outcome::changed:
            return TimerAnswer::lost;
        case Claim::Outcome::running:
        case Claim::Outcome::open_first:
            return TimerAnswer::busy;
        case Claim::Outcome::waiting:
            return TimerAnswer::waiting;
        case Claim::Outcome::disabled:
            return TimerAnswer::disabled;
        case Claim::Outcome::paused:
            return TimerAnswer::paused;
        case Claim::Outcome::dropped:
            return TimerAnswer::dropped;
    }
    return TimerAnswer::lost;
}

void ScheduledTaskWorker::launch(RunRow row, core::Instant claimed_at) {
    auto run = std::make_shared<ActiveRun>(task_, std::move(row), claimed_at, options_.timing, ledger_, clock_, log(),
                                           options_.events);
    (options_.launcher ? *options_.launcher : own_launcher_).launch(std::move(run));
}

core::Result<void> ScheduledTaskWorker::request_later(const std::string& options) {
    return ledger_.request_later(scope_, options, core::Millis{0}, 0, joining(task_));
}

void ScheduledTaskWorker::set_booted_at(core::UtcTime at) {
    const std::lock_guard lock(mutex_);
    options_.pod.booted_at = at;
}

ScheduledTaskWorker::Counters ScheduledTaskWorker::counters() const {
    const std::lock_guard lock(mutex_);
    return counters_;
}

}  // namespace understudy::tasks
