#include "tasks/task_engine.h"

#include <malloc.h>
#include <pthread.h>

#include <algorithm>
#include <boost/json.hpp>

#include "core/text.h"

namespace understudy::tasks {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

constexpr core::Nanos beat_look = 250ms;  // how late a beat or a progress can be
constexpr core::Nanos no_runs_look = 1h;  // the beat thread is woken by a launch

void name_thread(const std::string& name) {
    ::pthread_setname_np(::pthread_self(), name.substr(0, 15).c_str());
}

}  // namespace

TaskManager::Engine::Engine(TaskManagerSettings settings, RunLedger& ledger, lease::ScanLeaderLease& lease,
                            cluster::EventLog& events, core::Clock& clock, core::Random& random, core::Log& log,
                            cluster::PodRegistry* pods)
    : settings_(std::move(settings)),
      ledger_(ledger),
      lease_(lease),
      events_(events),
      clock_(clock),
      random_(random),
      log_(log),
      scheduler_(settings_, TaskScheduler::Parts{ledger, lease, clock, random_, log, *this, runs_, &events, pods}) {}

TaskManager::Engine::~Engine() {
    stop(0ms);
    for (auto& place : run_threads_) {
        if (place.thread.joinable()) place.thread.join();
    }
}

void TaskManager::Engine::add(std::unique_ptr<ScheduledTask> task) {
    scheduler_.add(*task);
    tasks_.push_back(std::move(task));
}

void TaskManager::Engine::start() {
    listener_ = events_.listen([this](const cluster::Event& event) { hear(event); });
    lease_.on_event([this](lease::LeaseEvent event) {
        wake();
        note_term(event);
    });
    scheduler_.prepare();
    scheduling_ = std::thread([this] {
        name_thread("tasks-schedule");
        schedule();
    });
    beating_ = std::thread([this] {
        name_thread("tasks-beat");
        beat();
    });
}

void TaskManager::Engine::note_term(lease::LeaseEvent event) {
    if (activity_ == nullptr) return;
    const bool gained = event == lease::LeaseEvent::gained;
    ActivityEntry entry;
    entry.kind = gained ? "LeaderGained" : "LeaderLost";
    entry.severity = "Information";
    entry.title = "Pod " + settings_.pod + (gained ? " leads the scans" : " no longer leads the scans");
    if (const auto noted = activity_->add(entry); !noted)
        log_.debug("a term is not in the activity log", {{"error", noted.error().context}});
}

void TaskManager::Engine::schedule() {
    for (;;) {
        {
            const std::lock_guard lock(mutex_);
            if (stopping_) return;
            ticking_ = true;
        }
        const auto wait = scheduler_.tick();
        std::unique_lock lock(mutex_);
        ticking_ = false;
        run_ended_.notify_all();
        clock_.wait_for(lock, wake_schedule_, wait,
                        [this] { return stopping_ || (scheduler_.woken() && !scheduler_.held()); });
    }
}

void TaskManager::Engine::beat() {
    for (;;) {
        core::Nanos wait = no_runs_look;
        for (const auto& run : runs_.all()) wait = std::min({wait, run->beat(), beat_look});
        std::unique_lock lock(mutex_);
        clock_.wait_for(lock, wake_beat_, wait, [this] { return stopped_ || beat_now_; });
        if (stopped_) return;
        beat_now_ = false;
    }
}

void TaskManager::Engine::launch(std::shared_ptr<ActiveRun> run) {
    runs_.add(run);
    const std::lock_guard lock(mutex_);
    if (draining_) run->drain();  // claimed just before the triggers went off: it yields at its first unit
    for (auto it = run_threads_.begin(); it != run_threads_.end();) {
        if (!it->done) {
            ++it;
            continue;
        }
        it->thread.join();
        it = run_threads_.erase(it);
    }
    auto& place = run_threads_.emplace_back();
    place.run = std::move(run);
    place.thread = std::thread([this, &place] { execute(place); });
    beat_now_ = true;
    wake_beat_.notify_all();
}

void TaskManager::Engine::execute(RunThread& place) {
    const auto run = place.run;
    name_thread("run-" + run->scope().task);
    const auto fate = run->execute();
#ifdef __GLIBC__
    ::malloc_trim(0);  // a large scan's memory would stay with an idle pod for ever; takes a few milliseconds
#endif
    runs_.remove(run->id());
    count(*run, fate);
    if (activity_ != nullptr && run->outcome() == RunState::failed) {
        const auto* entry = find_task(run->scope().task);
        (void)activity_->add({"ScheduledTaskFailed", "Error", std::string(entry->name) + " failed", run->error()});
    }
    wake();
    {
        const std::lock_guard lock(mutex_);
        place.run.reset();
        place.done = true;
    }
    run_ended_.notify_all();
}

void TaskManager::Engine::count(const ActiveRun& run, RunFate fate) {
    const auto& task = run.scope().task;
    const std::lock_guard lock(mutex_);
    if (fate == RunFate::fenced) ++fenced_[task];
    const auto outcome = run.outcome();
    if (!outcome) return;
    switch (*outcome) {
        case RunState::completed:
            ++completed_[task];
            break;
        case RunState::failed:
            ++failed_[task];
            break;
        case RunState::cancelled:
            ++cancelled_[task];
            break;
        case RunState::yielded:
            ++yielded_[task];
            break;
        case RunState::running:
        case RunState::cancelling:
        case RunState::aborted:
            break;
    }
}

void TaskManager::Engine::wake() noexcept {
    scheduler_.wake();
    { const std::lock_guard lock(mutex_); }  // the scheduling thread is either asleep or will see the flag
    wake_schedule_.notify_all();
}

void TaskManager::Engine::hear(const cluster::Event& event) {
    if (event.kind == "run.cancel") {
        json::error_code error;
        const auto payload = json::parse(event.payload, error);
        if (error || !payload.is_object()) return;
        const auto* id = payload.get_object().if_contains("run");
        const auto* reason = payload.get_object().if_contains("reason");
        if (id == nullptr || !id->is_string()) return;
        const auto run = core::RunId::parse(std::string_view(id->get_string()));
        const auto active = run ? runs_.find(*run) : nullptr;
        if (active)
            active->request_cancel(reason != nullptr && reason->is_string() ? std::string(reason->get_string()) : "");
        return;
    }
    if (event.kind == "run.ended" || event.kind == "run.queued" || event.kind == "task.edited" ||
        event.kind == "timers")
        wake();
}

void TaskManager::Engine::tell(const std::string& kind, const Fields& fields) {
    json::object payload;
    for (const auto& [name, value] : fields) {
        if (value == "true" || value == "false") {
            payload[name] = value == "true";
        } else {
            payload[name] = value;
        }
    }
    // A hint: pods that miss it read the ledger every T/4.
    (void)events_.publish(kind, json::serialize(payload));
    wake();
}

core::Result<ScheduledTaskWorker*> TaskManager::Engine::known(const std::string& key_or_id) const {
    if (auto* worker = scheduler_.worker(key_or_id)) return worker;
    std::vector<std::string> keys;
    for (const auto& [key, worker] : scheduler_.workers()) keys.push_back(key);
    return core::fail(core::Errc::not_found,
                      "task '" + key_or_id + "' does not exist" + core::choices(key_or_id, keys));
}

core::Result<StartAnswer> TaskManager::Engine::run_now(ScheduledTaskWorker& worker, const std::string& options) {
    const auto keep = [&](const std::string& why) -> core::Result<StartAnswer> {
        const auto kept = queue(worker, options);
        if (!kept) return tl::unexpected(kept.error());
        return core::fail(core::Errc::conflict,
                          worker.scope().task + ": " + why + "; the request is kept and runs when it can");
    };
    if (scheduler_.held()) return keep("this pod stops or hands over");
    for (int attempt = 0; attempt < 3; ++attempt) {
        auto claim = worker.start_manual(options);
        if (!claim) {
            wake();  // it may have been applied: the next read finds it
            return tl::unexpected(claim.error());
        }
        switch (claim->outcome) {
            case Claim::Outcome::won:
                wake();
                return StartAnswer{std::move(*claim->run), false, {}};
            case Claim::Outcome::running: {
                StartAnswer answer{std::move(*claim->run), true, {}};
                const auto now = ledger_.now();
                if (now && answer.run.heartbeat_at) answer.beat_age = std::max(*now - *answer.run.heartbeat_at, 0ms);
                return answer;
            }
            case Claim::Outcome::waiting:
                return keep("waits for " + claim->waiting_for);
            case Claim::Outcome::changed:
            case Claim::Outcome::open_first:
            case Claim::Outcome::not_due:
            case Claim::Outcome::disabled:
            case Claim::Outcome::paused:
            case Claim::Outcome::dropped:
                break;  // somebody was at it at the same time: once more
        }
    }
    return keep("other pods are at it");
}

core::Result<void> TaskManager::Engine::queue(ScheduledTaskWorker& worker, const std::string& options) {
    const auto kept = worker.request_later(options);
    if (!kept) return kept;
    scheduler_.prefer_pending(worker.scope());
    tell("run.queued", {{"task", worker.scope().task}, {"scope", worker.scope().scope}});
    return {};
}

core::Result<bool> TaskManager::Engine::cancel(ScheduledTaskWorker& worker, const std::string& reason) {
    // What a person sees as one task may live on several pods: all its runs are asked to stop.
    const auto live = ledger_.live_runs();
    if (!live) return tl::unexpected(live.error());
    std::vector<TaskScope> scopes{worker.scope()};
    for (const auto& run : *live) {
        if (run.task.task == worker.scope().task && run.task != worker.scope()) scopes.push_back(run.task);
    }
    bool any = false;
    for (const auto& scope : scopes) {
        const auto done = ledger_.cancel(scope, reason);
        if (!done) return done;
        any |= *done;
        for (const auto& run : *live) {
            if (!*done || run.task != scope) continue;
            if (const auto here = runs_.find(run.id)) here->request_cancel(reason);
            tell("run.cancel",
                 {{"run", run.id.str()}, {"task", scope.task}, {"scope", scope.scope}, {"reason", reason}});
        }
    }
    return any;
}

bool TaskManager::Engine::drain(core::Millis grace) {
    scheduler_.hold(true);
    std::unique_lock lock(mutex_);
    draining_ = true;
    for (const auto& run : runs_.all()) run->drain();
    // A tick under way may still launch what it has claimed; launch() then drains it.
    return clock_.wait_for(lock, run_ended_, grace, [this] { return !ticking_ && runs_.all().empty(); });
}

void TaskManager::Engine::stop(core::Millis grace) {
    {
        const std::lock_guard lock(mutex_);
        if (stopped_) return;
    }
    const bool drained = drain(grace);
    {
        const std::lock_guard lock(mutex_);
        stopping_ = stopped_ = true;
    }
    wake_schedule_.notify_all();
    wake_beat_.notify_all();
    if (!drained) {
        const auto left = runs_.all();
        for (const auto& run : left) run->abandon();
        log_.warning("runs did not reach a checkpoint within the grace period; the fence stops them",
                     {{"runs", std::to_string(left.size())}, {"grace_ms", std::to_string(grace.count())}});
    }
    if (listener_ >= 0) events_.drop(listener_);
    lease_.on_event([](lease::LeaseEvent) {});
    if (scheduling_.joinable()) scheduling_.join();
    if (beating_.joinable()) beating_.join();
}

core::Result<void> TaskManager::Engine::resign(core::Millis grace) {
    if (lease_.standing() != lease::Standing::leader)
        return core::fail(core::Errc::conflict,
                          "pod " + settings_.pod +
                              " does not lead, so it has nothing to resign from; ask the one that does "
                              "(`understudy leader status` names it)");
    const auto began = clock_.now();
    if (!drain(grace)) {
        log_.warning("runs did not reach a checkpoint within the grace period; they go on here under their claims",
                     {{"runs", std::to_string(runs_.all().size())}});
    }
    const auto left = grace - std::chrono::duration_cast<core::Millis>(core::elapsed(began, clock_.now()));
    const auto resigned = lease_.resign(std::max(left, core::Millis{1'000}));
    {
        const std::lock_guard lock(mutex_);
        draining_ = false;
    }
    scheduler_.hold(false);
    wake();
    return resigned;
}

TaskCounters TaskManager::Engine::counters() const {
    TaskCounters counters;
    for (const auto& [key, worker] : scheduler_.workers()) {
        const auto own = worker->counters();
        counters.skipped_not_leader[key] = own.skipped_not_leader;
        counters.claims_won[key] = own.claims_won;
        counters.claims_lost[key] = own.claims_lost;
        counters.takeovers[key] = own.takeovers;
    }
    counters.ledger_errors = scheduler_.ledger_errors();
    const std::lock_guard lock(mutex_);
    counters.runs_completed = completed_;
    counters.runs_failed = failed_;
    counters.runs_cancelled = cancelled_;
    counters.runs_yielded = yielded_;
    counters.fenced = fenced_;
    return counters;
}

}  // namespace understudy::tasks
