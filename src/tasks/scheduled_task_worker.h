// tasks/scheduled_task_worker.h: one task in one scope on this pod: asks the gate, claims in the ledger, runs. Used by
// TaskScheduler; alone it behaves as a single instance. ARCHITECTURE.md: "A due slot".
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "cluster/events.h"
#include "core/log.h"
#include "core/random.h"
#include "core/time.h"
#include "lease/scan_leader_lease.h"
#include "tasks/run_launcher.h"
#include "tasks/run_ledger.h"
#include "tasks/task.h"

namespace understudy::tasks {

/// What the manager hands to each worker. All pointers may be null; what they point to outlives the worker.
struct WorkerOptions {
    PodRef pod{.label = "single", .boot = {}, .booted_at = {}};
    bool gated = false;  ///< its timers ask the lease
    RunTiming timing;
    core::Random* random = nullptr;       ///< null: the system's
    core::Log* log = nullptr;             ///< null: silent
    cluster::EventLog* events = nullptr;  ///< null: nobody is told
    RunLauncher* launcher = nullptr;      ///< null: runs on the caller's thread
};

/// What a look at a due timer came to.
enum class TimerAnswer {
    started,
    not_leader,  ///< gated, and this pod neither leads nor elected itself: armed again, counted, nothing queued
    disabled,
    paused,
    lost,     ///< somebody has it, or it is not due after all: armed again
    waiting,  ///< its group is taken: it stays due
    busy,     ///< a run or open work of this task comes first
    dropped,  ///< a start-up slot that is not needed any more
};
[[nodiscard]] std::string_view to_string(TimerAnswer answer) noexcept;

/// Safe from any thread.
class ScheduledTaskWorker {
public:
    /// @param lease null: as NullScanLeaderLease, this pod leads for ever
    ScheduledTaskWorker(ScheduledTask& task, RunLedger& ledger, core::Clock& clock,
                        const lease::ScanLeaderLease* lease = nullptr, WorkerOptions options = {});
    ScheduledTaskWorker(const ScheduledTaskWorker&) = delete;
    ScheduledTaskWorker& operator=(const ScheduledTaskWorker&) = delete;

    // All errors: unavailable, timed_out, corrupt. A claim whose reply was lost is found again by adopt().

    /// The timer path, gated. `row` as last read; its next_slot is due.
    [[nodiscard]] core::Result<TimerAnswer> on_timer(const TaskStateRow& row, bool timers_paused = false);
    /// A start-up trigger, gated alike.
    [[nodiscard]] core::Result<TimerAnswer> on_startup(const TaskStateRow& row, bool timers_paused = false);
    /// A kept request whose time has come: started on any pod.
    [[nodiscard]] core::Result<TimerAnswer> on_pending();
    /// Open work, or the run of a dead pod. The caller has asked may_take().
    [[nodiscard]] core::Result<TimerAnswer> resume(const RunRow& seen, bool observed_dead);
    /// A manual run: never asks for leadership. Won: it is launched. Other outcomes as the ledger says them.
    [[nodiscard]] core::Result<Claim> start_manual(const std::string& options);

    /// A follow-up, joined with one that is kept already. Errors: not_found too.
    [[nodiscard]] core::Result<void> request_later(const std::string& options);

    /// May this pod go on with open work, or take over a dead run, of this task?
    [[nodiscard]] bool may_take() const noexcept;
    /// `live` as read from the ledger: if its id was made here by a claim whose reply was lost, it is launched now.
    bool adopt(const RunRow& live);
    /// A live run of this very process that nobody here executes (its end could not be written) goes on from its
    /// cursor, under the same id and epoch. The caller has seen its beat unmoved for DeadAfter.
    void take_up_again(const RunRow& live);
    /// Forgets lost claims that can arrive no more. Call after each read of the ledger.
    void forget_old_claims();

    [[nodiscard]] const CatalogueEntry& entry() const noexcept { return entry_; }
    [[nodiscard]] const TaskScope& scope() const noexcept { return scope_; }
    [[nodiscard]] bool gated() const noexcept { return options_.gated; }
    /// By the database's clock, once it is known (PodRef::booted_at).
    void set_booted_at(core::UtcTime at);

    struct Counters {
        std::int64_t skipped_not_leader = 0, claims_won = 0, claims_lost = 0, takeovers = 0;
    };
    [[nodiscard]] Counters counters() const;

private:
    using Ask = std::function<core::Result<Claim>(const PodRef&, core::RunId)>;

    [[nodiscard]] core::Result<Claim> claim(const Ask& ask, int tries = 1);
    [[nodiscard]] TimerAnswer answer_to(const Claim& claim);
    void launch(RunRow row, core::Instant claimed_at);
    [[nodiscard]] core::Random& random() noexcept { return options_.random ? *options_.random : own_random_; }
    [[nodiscard]] core::Log& log() noexcept { return options_.log ? *options_.log : own_log_; }

    ScheduledTask& task_;
    const CatalogueEntry& entry_;
    RunLedger& ledger_;
    core::Clock& clock_;
    const lease::ScanLeaderLease* lease_;
    WorkerOptions options_;
    TaskScope scope_;
    core::SystemRandom own_random_;
    core::NullLog own_log_;
    InlineLauncher own_launcher_;

    mutable std::mutex mutex_;
    std::map<core::RunId, core::Instant> issued_;  ///< claims sent, by when; without a reply yet, or for ever
    std::optional<core::UtcTime> counted_skip_;
    Counters counters_;
};

}  // namespace understudy::tasks
