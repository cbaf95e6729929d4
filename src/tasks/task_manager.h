// tasks/task_manager.h: owns the workers and the queue; what http and app talk to. ARCHITECTURE.md: "A due slot".
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cluster/events.h"
#include "cluster/pods.h"
#include "core/log.h"
#include "core/random.h"
#include "core/result.h"
#include "core/time.h"
#include "lease/scan_leader_lease.h"
#include "tasks/activity_log.h"
#include "tasks/run_ledger.h"
#include "tasks/task.h"
#include "tasks/zones/zone.h"

namespace understudy::tasks {

struct TaskManagerSettings {
    std::string pod;  ///< label
    core::BootId boot;
    std::set<std::string> gated;      ///< keys; empty where election is off
    core::Millis heartbeat{10'000};   ///< `Jellyfin:Tasks:HeartbeatSeconds`
    core::Millis dead_after{45'000};  ///< `Jellyfin:Tasks:DeadAfterSeconds`
    core::Millis poll_every{3'750};   ///< T/4: how often the ledger is read without notice
    core::Millis startup_delay{3'000};
    bool others_are_dead = false;  ///< as LedgerSettings::others_are_dead (SQLite)
    Zone zone;
};

/// One task as a person sees it.
struct TaskView {
    const CatalogueEntry* entry = nullptr;
    TaskStateRow state;
    bool gated = false;
    bool timers_paused = false;
    core::UtcTime now{};               ///< the database's clock at this look
    std::optional<SkipRow> last_skip;  ///< by this pod
};

struct StartAnswer {
    RunRow run;  ///< the run that was started or joined
    bool joined = false;
    core::Millis beat_age{};  ///< since the run's last beat, by the database's clock
};

/// Counters for metrics; a snapshot from memory.
struct TaskCounters {
    std::map<std::string, std::int64_t> skipped_not_leader, claims_won, claims_lost, runs_completed, runs_failed,
        runs_cancelled, runs_yielded, takeovers, fenced;
    std::int64_t ledger_errors = 0;
};

/// Safe from any thread, but for start and stop, which app calls once each.
class TaskManager {
public:
    /// References outlive the manager. Tasks that are not built are simply not there. `pods` tells which pods are gone
    /// for good; without it the runs of their pod tasks stay as they are.
    TaskManager(TaskManagerSettings settings, RunLedger& ledger, lease::ScanLeaderLease& lease,
                cluster::EventLog& events, core::Clock& clock, core::Random& random, core::Log& log,
                cluster::PodRegistry* pods = nullptr);
    ~TaskManager();
    TaskManager(const TaskManager&) = delete;
    TaskManager& operator=(const TaskManager&) = delete;

    /// Where failed runs, and terms that this pod gains and loses, are told to administrators. Before start; outlives
    /// the manager.
    void tell_failures_to(ActivityLog& log);
    void add(std::unique_ptr<ScheduledTask> task);  ///< before start
    /// Makes the ledger's rows, starts the scheduler's thread. A database that is away is waited for in the background.
    void start();
    /// Triggers off; runs asked to reach a checkpoint and marked yielded; what is not done by `grace` is left to the
    /// fence.
    void stop(core::Millis grace);
    /// Runs that did not come back by the end of stop()'s grace. Where there are any, the destructor waits for them: a
    /// process that must end leaves by _exit.
    [[nodiscard]] std::size_t stragglers() const;
    /// Drains as stop() does, resigns the lease, goes on as a follower. Errors: conflict where this pod does not lead.
    [[nodiscard]] core::Result<void> resign(core::Millis grace);

    [[nodiscard]] core::Result<std::vector<TaskView>> tasks();
    /// By key or id. Errors: not_found (names the known keys).
    [[nodiscard]] core::Result<TaskView> task(const std::string& key_or_id);
    /// Starts a manual run on this pod, or joins the one that is live anywhere. Errors: not_found, conflict where its
    /// group is taken or this pod is shutting down (the request is then kept and runs when it can: the context says
    /// so), unavailable.
    [[nodiscard]] core::Result<StartAnswer> run_now(const std::string& key_or_id, const std::string& options);
    /// A follow-up where one is live, a run now otherwise; kept in the database. Errors: not_found, unavailable.
    [[nodiscard]] core::Result<void> queue(const std::string& key_or_id, const std::string& options);
    /// True: there was something to cancel. Errors: not_found, unavailable.
    [[nodiscard]] core::Result<bool> cancel(const std::string& key_or_id, const std::string& who);
    /// Validates, then stores. Errors: not_found, invalid, unavailable.
    [[nodiscard]] core::Result<void> set_triggers(const std::string& key_or_id, const std::vector<Trigger>& triggers);
    [[nodiscard]] core::Result<void> set_enabled(const std::string& key_or_id, bool enabled);
    [[nodiscard]] core::Result<void> set_timers_paused(bool paused);
    /// As last read from the ledger, from memory; nullopt: not read yet.
    [[nodiscard]] std::optional<bool> timers_paused() const noexcept;
    /// Read the ledger again now (lease gained, event heard).
    void wake() noexcept;
    /// Runs on this pod, for pod heartbeats and metrics.
    [[nodiscard]] std::vector<RunRow> local_runs() const;
    [[nodiscard]] TaskCounters counters() const;

private:
    class Engine;
    std::unique_ptr<Engine> engine_;
};

}  // namespace understudy::tasks
