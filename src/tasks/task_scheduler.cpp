#include "tasks/task_scheduler.h"

#include <algorithm>
#include <array>
#include <utility>

namespace understudy::tasks {
namespace {

using namespace std::chrono_literals;

constexpr core::Nanos shortest_gap = 50ms;  // between two reads, however many notices come
constexpr core::Millis courtesy = 1s;       // other pods leave a kept request to the one that ended the run before it
constexpr core::Nanos first_backoff = 250ms;
constexpr core::Nanos held_idle = 1s;
constexpr core::Nanos gone_pods_every = 60s;

bool has_startup(const TaskStateRow& row) {
    return std::any_of(row.triggers.begin(), row.triggers.end(),
                       [](const Trigger& one) { return std::holds_alternative<StartupTrigger>(one.when); });
}

}  // namespace

TaskScheduler::TaskScheduler(TaskManagerSettings settings, Parts parts)
    : settings_(std::move(settings)),
      parts_(parts),
      // A dead run must be noticed also where a long ttl asks for few looks.
      poll_every_(std::min(settings_.poll_every, settings_.dead_after / 4)),
      started_at_(parts.clock.now()),
      watch_(settings_.dead_after, std::chrono::duration_cast<core::Millis>(3 * poll_every_ + 10s)) {}

void TaskScheduler::add(ScheduledTask& task) {
    const std::string key(task.info().key);
    WorkerOptions options;
    options.pod = {settings_.pod, settings_.boot, {}};
    options.gated = settings_.gated.contains(key);
    options.timing = {settings_.heartbeat, settings_.dead_after};
    options.random = &parts_.random;
    options.log = &parts_.log;
    options.events = parts_.events;
    options.launcher = &parts_.launcher;
    workers_[key] =
        std::make_unique<ScheduledTaskWorker>(task, parts_.ledger, parts_.clock, &parts_.lease, std::move(options));
}

ScheduledTaskWorker* TaskScheduler::worker(const std::string& key_or_id) const {
    const auto* entry = find_task(key_or_id);
    if (entry == nullptr) return nullptr;
    const auto it = workers_.find(std::string(entry->key));
    return it == workers_.end() ? nullptr : it->second.get();
}

core::Nanos TaskScheduler::tick() {
    if (held_) return held_idle;
    if (!rows_made_ && !ensure_rows()) return backoff();
    const auto now = parts_.clock.now().boot;
    const bool asked = wake_ || read_again_;
    if (asked && overview_ && !down_since_ && now - last_read_ < shortest_gap) return shortest_gap - (now - last_read_);
    if (asked || !overview_ || down_since_ || now >= next_read_) {
        wake_ = false;
        if (!read()) return backoff();
    }
    if (!act()) return backoff();
    if (held_) return held_idle;
    if (wake_ || read_again_) return shortest_gap;
    return std::max<core::Nanos>(next_wake_, 1ms);
}

bool TaskScheduler::ensure_rows() {
    for (const auto& [key, worker] : workers_) {
        const auto made = parts_.ledger.ensure_task(worker->entry(), worker->scope().scope);
        if (!made) return failed(made.error());
    }
    rows_made_ = true;
    return true;
}

bool TaskScheduler::read() {
    read_again_ = false;
    last_read_ = parts_.clock.now().boot;
    auto overview = parts_.ledger.overview(settings_.pod);
    const auto now = parts_.clock.now();
    if (!overview) return failed(overview.error());
    auto live = parts_.ledger.live_runs();
    if (!live) return failed(live.error());
    if (!overview_) {
        booted_at_ = overview->now - std::chrono::duration_cast<core::Millis>(now.boot - started_at_.boot);
        for (const auto& [key, worker] : workers_) worker->set_booted_at(booted_at_);
        // Start-up triggers as they stand at this boot: one added later waits for the next.
        for (const auto& row : overview->tasks) {
            if (has_startup(row)) startup_pending_.insert(row.task.task);
        }
    }
    const bool were_paused = timers_paused().value_or(false);
    note_timers_paused(overview->timers_paused);
    // As a restart found them, or as another pod was told.
    if (overview->timers_paused && !were_paused)
        parts_.log.warning("all timers are paused: no trigger fires on any pod until `understudy tasks resume`");
    if (!overview->timers_paused && were_paused) parts_.log.info("timers are resumed");
    overview_ = std::move(*overview);
    live_ = std::move(*live);
    read_at_ = now.boot;
    next_read_ = now.boot + poll_every_;
    tried_.clear();
    waiting_.clear();
    const auto seen = parts_.clock.now();
    watch_.saw(seen, live_);
    // A dead run is judged by a fresh look at the moment from which it counts as dead.
    if (const auto death = watch_.next_death(seen)) next_read_ = std::min(next_read_, seen.boot + *death);
    for (const auto& [key, worker] : workers_) worker->forget_old_claims();
    answered();
    return true;
}

bool TaskScheduler::act() {
    next_wake_ = next_read_ - parts_.clock.now().boot;
    if (!fail_gone_pods()) return false;
    // What has been due longest goes first.
    std::vector<std::pair<ScheduledTaskWorker*, const TaskStateRow*>> rows;
    for (const auto& row : overview_->tasks) {
        const auto it = workers_.find(row.task.task);
        if (it != workers_.end() && it->second->scope() == row.task) rows.emplace_back(it->second.get(), &row);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return a.second->next_slot.value_or(core::UtcTime::max()) < b.second->next_slot.value_or(core::UtcTime::max());
    });
    for (const auto& [worker, row] : rows) {
        if (held_) return true;
        if (!look_at(*worker, *row)) return false;
    }
    return true;
}

bool TaskScheduler::look_at(ScheduledTaskWorker& worker, const TaskStateRow& row) {
    if (tried_.contains(row.task)) return true;
    if (row.live) return look_at_live(worker, *row.live);
    if (row.open) {
        // Open work goes first; who may not take it leaves it to the leader.
        return worker.may_take() ? settle(worker, Wish::open, worker.resume(*row.open, false)) : true;
    }
    if (!look_at_pending(worker, row)) return false;
    if (!tried_.contains(row.task) && !look_at_startup(worker, row)) return false;
    return tried_.contains(row.task) || look_at_slot(worker, row);
}

bool TaskScheduler::look_at_live(ScheduledTaskWorker& worker, const RunRow& live) {
    if (live.boot == settings_.boot) {
        if (parts_.runs.find(live.id)) return true;
        if (worker.adopt(live)) {
            read_again_ = true;
        } else if (watch_.dead(live.id)) {
            tried_.insert(live.task);
            worker.take_up_again(live);
        }
        return true;
    }
    const bool dead = settings_.others_are_dead || watch_.dead(live.id);
    return dead && worker.may_take() ? settle(worker, Wish::open, worker.resume(live, true)) : true;
}

bool TaskScheduler::look_at_pending(ScheduledTaskWorker& worker, const TaskStateRow& row) {
    if (!row.pending || waiting_.contains({row.task, Wish::pending})) return true;
    bool ours = row.task.scope != cluster_scope || (row.last_result && row.last_result->boot == settings_.boot);
    if (!ours) {
        const std::lock_guard lock(mutex_);
        ours = preferred_.contains(row.task);
    }
    auto at = row.pending->not_before;
    if (!ours) {
        // An end that lies ahead is one of a database clock that was set back since.
        const auto ended = row.last_result ? row.last_result->ended_at : std::nullopt;
        if (ended && *ended <= overview_->now) at = std::max(at, *ended);
        at += courtesy;
    }
    if (!over(until(at))) return true;
    const auto answer = worker.on_pending();
    if (answer) {
        const std::lock_guard lock(mutex_);
        preferred_.erase(row.task);
    }
    return settle(worker, Wish::pending, answer);
}

bool TaskScheduler::look_at_startup(ScheduledTaskWorker& worker, const TaskStateRow& row) {
    if (!startup_pending_.contains(row.task.task) || waiting_.contains({row.task, Wish::startup})) return true;
    if (settings_.gated.contains(row.task.task) && row.last_start && *row.last_start >= booted_at_) {
        startup_pending_.erase(row.task.task);
        return true;
    }
    if (!over(settings_.startup_delay - (parts_.clock.now().boot - started_at_.boot))) return true;
    const auto answer = worker.on_startup(row, overview_->timers_paused);
    if (!answer) return settle(worker, Wish::startup, answer);
    switch (*answer) {
        case TimerAnswer::started:
        case TimerAnswer::disabled:
        case TimerAnswer::dropped:
            startup_pending_.erase(row.task.task);
            break;
        case TimerAnswer::not_leader:
        case TimerAnswer::paused:
            return true;  // pending; the timers of the task go on
        case TimerAnswer::lost:
        case TimerAnswer::waiting:
        case TimerAnswer::busy:
            break;
    }
    return *answer == TimerAnswer::dropped ? true : settle(worker, Wish::startup, answer);
}

bool TaskScheduler::look_at_slot(ScheduledTaskWorker& worker, const TaskStateRow& row) {
    if (!row.next_slot || waiting_.contains({row.task, Wish::slot}) || !over(until(*row.next_slot))) return true;
    const auto answer = worker.on_timer(row, overview_->timers_paused);
    if (!answer) return settle(worker, Wish::slot, answer);
    switch (*answer) {
        case TimerAnswer::not_leader:
            return note_skip(row, "not_leader");
        case TimerAnswer::disabled:
            return note_skip(row, "disabled");
        case TimerAnswer::paused:
            return note_skip(row, "paused");
        case TimerAnswer::busy:
            if (!note_skip(row, "claimed")) return false;
            break;
        case TimerAnswer::started:
        case TimerAnswer::lost:
        case TimerAnswer::waiting:
        case TimerAnswer::dropped:
            break;
    }
    return settle(worker, Wish::slot, answer);
}

bool TaskScheduler::settle(ScheduledTaskWorker& worker, Wish wish, const core::Result<TimerAnswer>& answer) {
    // Its kept request may wait for a task that waits for its slot, which has been due for longer: that one goes first.
    if (answer && *answer == TimerAnswer::waiting) {
        waiting_.insert({worker.scope(), wish});
        return true;
    }
    tried_.insert(worker.scope());
    if (!answer) return failed(answer.error());
    // A task that waits for its group stays due, and a run whose pod beats after all stays: both are looked at again
    // with the next read, which their end brings on.
    if (*answer != TimerAnswer::waiting && *answer != TimerAnswer::busy) read_again_ = true;
    return true;
}

bool TaskScheduler::note_skip(const TaskStateRow& row, const char* reason) {
    SkipRow skip{row.task.task, *row.next_slot, settings_.pod, overview_->now, reason, {}};
    {
        const std::lock_guard lock(mutex_);
        auto& last = last_skips_[row.task.task];
        if (last.slot == skip.slot && last.reason == skip.reason) return true;
        if (const auto view = parts_.lease.view(); view.holder) skip.holder = view.holder->pod;
        last = skip;
    }
    const auto noted = parts_.ledger.note_skip(skip);
    return noted ? true : failed(noted.error());
}

bool TaskScheduler::fail_gone_pods() {
    if (parts_.pods == nullptr) return true;
    std::vector<RunRow> orphans;
    for (const auto& run : live_) {
        const bool elsewhere = run.task.scope != cluster_scope && run.task.scope != settings_.pod;
        if (elsewhere && watch_.dead(run.id) && !tried_.contains(run.task)) orphans.push_back(run);
    }
    const auto now = parts_.clock.now().boot;
    if (now - looked_for_gone_ >= gone_pods_every && lease::may_start_gated(parts_.lease.standing())) {
        looked_for_gone_ = now;
        // Yielded by pods that never came back: nobody else may go on with them.
        for (const auto& [key, worker] : workers_) {
            if (worker->entry().scope != Scope::pod) continue;
            RunFilter filter;
            filter.task = key;
            filter.state = RunState::yielded;
            const auto page = parts_.ledger.runs(filter);
            if (!page) return failed(page.error());
            for (const auto& run : page->items) {
                if (run.task.scope != settings_.pod) orphans.push_back(run);
            }
        }
    }
    if (orphans.empty()) return true;
    const auto pods = parts_.pods->pods(settings_.dead_after);
    if (!pods) return failed(pods.error());
    for (const auto& run : orphans) {
        tried_.insert(run.task);
        const bool alive = std::any_of(pods->begin(), pods->end(),
                                       [&](const cluster::PodInfo& pod) { return pod.label == run.task.scope; });
        if (alive) continue;
        const auto done = parts_.ledger.fail_gone_pod(run);
        if (!done && done.error().code != core::Errc::conflict) return failed(done.error());
    }
    return true;
}

void TaskScheduler::prefer_pending(const TaskScope& task) {
    const std::lock_guard lock(mutex_);
    preferred_.insert(task);
}

std::optional<SkipRow> TaskScheduler::last_skip(const std::string& task) const {
    const std::lock_guard lock(mutex_);
    const auto it = last_skips_.find(task);
    return it == last_skips_.end() ? std::nullopt : std::optional(it->second);
}

std::optional<bool> TaskScheduler::timers_paused() const noexcept {
    const int known = timers_paused_.load();
    return known < 0 ? std::nullopt : std::optional(known != 0);
}

void TaskScheduler::answered() {
    failures_ = 0;
    if (!down_since_) return;
    const auto away = std::chrono::duration_cast<core::Millis>(parts_.clock.now().boot - *down_since_);
    down_since_.reset();
    parts_.log.debug("the task ledger answers again: timers go on", {{"after_ms", std::to_string(away.count())}});
}

bool TaskScheduler::failed(const core::Error& error) {
    ++ledger_errors_;
    watch_.missed();
    if (!down_since_) {
        down_since_ = parts_.clock.now().boot;
        // That the database is away is said once for all who meet it (app/database_watch.h); anything else is ours.
        const bool away = error.code == core::Errc::unavailable || error.code == core::Errc::timed_out;
        const std::array fields{core::LogField{"error", error.context}};
        parts_.log.write(away ? core::LogLevel::debug : core::LogLevel::warning,
                         "the task ledger does not answer: timers wait, runs go on for as long as they may", fields);
    }
    ++failures_;
    return false;
}

core::Nanos TaskScheduler::backoff() {
    const auto doubled = first_backoff * (1 << std::min(failures_, 6));
    const auto bounded = std::chrono::duration<double, std::nano>(std::min(doubled, poll_every_));
    return std::chrono::duration_cast<core::Nanos>(bounded * (0.6 + 0.4 * parts_.random.uniform()));
}

core::Nanos TaskScheduler::until(core::UtcTime at) const {
    return core::Nanos{at - overview_->now} - (parts_.clock.now().boot - read_at_);
}

bool TaskScheduler::over(core::Nanos wait) {
    if (wait <= core::Nanos{0}) return true;
    next_wake_ = std::min(next_wake_, wait);
    return false;
}

}  // namespace understudy::tasks
