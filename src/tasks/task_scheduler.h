// tasks/task_scheduler.h: what this pod does next: reads the ledger, asks the gate, starts, resumes and takes over
// through the workers. Owns no thread: TaskManager drives it from one, the simulator from virtual time.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cluster/pods.h"
#include "tasks/beat_watch.h"
#include "tasks/run_launcher.h"
#include "tasks/scheduled_task_worker.h"
#include "tasks/task_manager.h"

namespace understudy::tasks {

class TaskScheduler {
public:
    struct Parts {
        RunLedger& ledger;
        const lease::ScanLeaderLease& lease;
        core::Clock& clock;
        core::Random& random;  ///< safe from any thread, or driven from one
        core::Log& log;
        RunLauncher& launcher;
        const ActiveRuns& runs;  ///< kept by the launcher
        cluster::EventLog* events = nullptr;
        cluster::PodRegistry* pods = nullptr;  ///< null: runs of pod tasks whose pod is gone stay as they are
    };
    TaskScheduler(TaskManagerSettings settings, Parts parts);

    void add(ScheduledTask& task);  ///< before the first tick
    /// Makes the ledger's rows now, so that requests find them; where the ledger does not answer, a tick makes them
    /// later.
    void prepare() { (void)ensure_rows(); }
    /// Looks at what is due and acts; blocks for the ledger's calls. Returns how long there is nothing to do, unless
    /// wake(). One thread at a time.
    core::Nanos tick();
    /// Read the ledger again at the next tick. From any thread.
    void wake() noexcept { wake_ = true; }
    [[nodiscard]] bool woken() const noexcept { return wake_; }
    /// Triggers, takeovers and kept requests off (shutdown, resign) or on again. From any thread.
    void hold(bool held) noexcept { held_ = held; }
    [[nodiscard]] bool held() const noexcept { return held_; }

    // From any thread.
    [[nodiscard]] ScheduledTaskWorker* worker(const std::string& key_or_id) const;
    [[nodiscard]] const std::map<std::string, std::unique_ptr<ScheduledTaskWorker>>& workers() const {
        return workers_;
    }
    /// This pod was asked: it takes the kept request itself, without the courtesy wait of the others.
    void prefer_pending(const TaskScope& task);
    [[nodiscard]] std::optional<SkipRow> last_skip(const std::string& task) const;
    [[nodiscard]] std::int64_t ledger_errors() const noexcept { return ledger_errors_; }
    /// As last read or set here; nullopt: nothing read yet. Any thread.
    [[nodiscard]] std::optional<bool> timers_paused() const noexcept;
    void note_timers_paused(bool paused) noexcept { timers_paused_ = paused ? 1 : 0; }

private:
    enum class Wish { open, pending, startup, slot };
    // Each returns false where the ledger did not answer.
    [[nodiscard]] bool ensure_rows();
    [[nodiscard]] bool read();
    [[nodiscard]] bool act();
    [[nodiscard]] bool fail_gone_pods();
    [[nodiscard]] bool look_at(ScheduledTaskWorker& worker, const TaskStateRow& row);
    [[nodiscard]] bool look_at_live(ScheduledTaskWorker& worker, const RunRow& live);
    [[nodiscard]] bool look_at_pending(ScheduledTaskWorker& worker, const TaskStateRow& row);
    [[nodiscard]] bool look_at_startup(ScheduledTaskWorker& worker, const TaskStateRow& row);
    [[nodiscard]] bool look_at_slot(ScheduledTaskWorker& worker, const TaskStateRow& row);
    [[nodiscard]] bool settle(ScheduledTaskWorker& worker, Wish wish, const core::Result<TimerAnswer>& answer);
    [[nodiscard]] bool note_skip(const TaskStateRow& row, const char* reason);

    void answered();
    [[nodiscard]] bool failed(const core::Error& error);
    [[nodiscard]] core::Nanos backoff();
    /// Until the database's clock shows `at`, by the least it can show now: a timer armed so never fires early.
    [[nodiscard]] core::Nanos until(core::UtcTime at) const;
    /// Where `wait` is over: true. Else the next tick is due by then.
    bool over(core::Nanos wait);

    TaskManagerSettings settings_;
    Parts parts_;
    const core::Nanos poll_every_;
    const core::Instant started_at_;
    std::map<std::string, std::unique_ptr<ScheduledTaskWorker>> workers_;  ///< by key
    std::atomic<bool> wake_{true}, held_{false};
    std::atomic<std::int64_t> ledger_errors_{0};
    std::atomic<int> timers_paused_{-1};  ///< -1: not known

    // The ticking thread alone.
    bool rows_made_ = false;
    std::optional<RunLedger::Overview> overview_;
    std::vector<RunRow> live_;
    core::Nanos read_at_{};  ///< boot time at which the overview's answer was here
    core::Nanos last_read_{}, next_read_{};
    bool read_again_ = true;
    core::UtcTime booted_at_{};  ///< by the database's clock
    BeatWatch watch_;
    std::set<TaskScope> tried_;                     ///< asked since the last read: not again before the next
    std::set<std::pair<TaskScope, Wish>> waiting_;  ///< so are these, but what else the task wants may still be started
    std::set<std::string> startup_pending_;
    core::Nanos looked_for_gone_{};
    core::Nanos next_wake_{};
    std::optional<core::Nanos> down_since_;
    int failures_ = 0;

    mutable std::mutex mutex_;
    std::set<TaskScope> preferred_;
    std::map<std::string, SkipRow> last_skips_;
};

}  // namespace understudy::tasks
