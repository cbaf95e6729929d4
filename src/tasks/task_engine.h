// tasks/task_engine.h: the threads behind TaskManager: one that schedules, one for the beats, one for each run. Private
// to task_manager.cpp and task_engine.cpp.
#pragma once

#include <condition_variable>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tasks/run_launcher.h"
#include "tasks/task_manager.h"
#include "tasks/task_scheduler.h"

namespace understudy::tasks {

class TaskManager::Engine final : public RunLauncher {
public:
    Engine(TaskManagerSettings settings, RunLedger& ledger, lease::ScanLeaderLease& lease, cluster::EventLog& events,
           core::Clock& clock, core::Random& random, core::Log& log, cluster::PodRegistry* pods);
    ~Engine() override;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    void add(std::unique_ptr<ScheduledTask> task);
    void tell_failures_to(ActivityLog& log) { activity_ = &log; }
    void start();
    void stop(core::Millis grace);
    [[nodiscard]] core::Result<void> resign(core::Millis grace);
    void wake() noexcept;
    void launch(std::shared_ptr<ActiveRun> run) override;

    [[nodiscard]] core::Result<ScheduledTaskWorker*> known(const std::string& key_or_id) const;
    [[nodiscard]] core::Result<StartAnswer> run_now(ScheduledTaskWorker& worker, const std::string& options);
    [[nodiscard]] core::Result<void> queue(ScheduledTaskWorker& worker, const std::string& options);
    [[nodiscard]] core::Result<bool> cancel(ScheduledTaskWorker& worker, const std::string& reason);
    using Fields = std::vector<std::pair<std::string, std::string>>;
    /// Raises an event that makes every pod read the ledger, and reads it here at once.
    void tell(const std::string& kind, const Fields& fields);

    void note_timers_paused(bool paused) noexcept { scheduler_.note_timers_paused(paused); }
    [[nodiscard]] RunLedger& ledger() noexcept { return ledger_; }
    [[nodiscard]] core::Log& log() noexcept { return log_; }
    [[nodiscard]] const TaskManagerSettings& settings() const noexcept { return settings_; }
    [[nodiscard]] const TaskScheduler& scheduler() const noexcept { return scheduler_; }
    [[nodiscard]] const ActiveRuns& runs() const noexcept { return runs_; }
    [[nodiscard]] TaskCounters counters() const;

private:
    /// The system's source is safe from any thread, a seeded one is not.
    class LockedRandom final : public core::Random {
    public:
        explicit LockedRandom(core::Random& random) : random_(random) {}
        void fill(std::span<std::uint8_t> bytes) override {
            const std::lock_guard lock(mutex_);
            random_.fill(bytes);
        }

    private:
        core::Random& random_;
        std::mutex mutex_;
    };
    struct RunThread {
        std::shared_ptr<ActiveRun> run;
        std::thread thread;
        bool done = false;
    };

    /// On the lease's event thread, after the scheduler was woken: may block as long as the database does.
    void note_term(lease::LeaseEvent event);
    void schedule();
    void beat();
    void execute(RunThread& place);
    void hear(const cluster::Event& event);
    void count(const ActiveRun& run, RunFate fate);
    /// Starts nothing any more, asks all runs for a checkpoint and waits for their ends. False: some are still at it.
    bool drain(core::Millis grace);

    TaskManagerSettings settings_;
    RunLedger& ledger_;
    lease::ScanLeaderLease& lease_;
    cluster::EventLog& events_;
    core::Clock& clock_;
    LockedRandom random_;
    core::Log& log_;
    std::vector<std::unique_ptr<ScheduledTask>> tasks_;
    ActiveRuns runs_;
    TaskScheduler scheduler_;
    ActivityLog* activity_ = nullptr;
    int listener_ = -1;

    mutable std::mutex mutex_;
    std::condition_variable wake_schedule_, wake_beat_, run_ended_;
    bool stopping_ = false, stopped_ = false, beat_now_ = false, ticking_ = false, draining_ = false;
    std::list<RunThread> run_threads_;
    std::map<std::string, std::int64_t> completed_, failed_, cancelled_, yielded_, fenced_;
    std::thread scheduling_, beating_;
};

}  // namespace understudy::tasks
