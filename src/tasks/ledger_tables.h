// tasks/ledger_tables.h: the rows of the ledger and the dumb port to them. Every rule stands once, in
// TransactionalRunLedger; an adapter only reads, locks and writes. Adapters: tasks/database (SQL), tests/support
// (memory).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/fence.h"
#include "core/ids.h"
#include "core/result.h"
#include "core/time.h"
#include "tasks/catalogue.h"
#include "tasks/run_ledger.h"
#include "tasks/trigger.h"

namespace understudy::tasks {

/// What stands once per task, whatever its scopes.
struct TaskRecord {
    std::string task;
    Group group = Group::none;
    bool enabled = true;
    std::vector<Trigger> triggers;
    friend bool operator==(const TaskRecord&, const TaskRecord&) = default;
};

/// A row of task_state: what every claim of this (task, scope) locks.
struct ScopeRecord {
    TaskScope task;
    std::int64_t version = 1;
    std::int64_t epoch = 0;  ///< of the newest run; epochs of a scope have no gaps
    std::optional<core::UtcTime> next_slot;
    std::optional<std::size_t> next_trigger;
    std::optional<core::UtcTime> slots_after;  ///< daily and weekly slots up to here were started or let go
    std::optional<PendingRequest> pending;
    std::optional<core::UtcTime> last_end;  ///< of the last completed, failed or cancelled run
    std::optional<core::UtcTime> last_start;
};

struct ClusterRecord {
    bool timers_paused = false;
    core::UtcTime started_at{};
};

struct BeatRecord {
    std::int64_t counter = 0;
    core::UtcTime at{};
};

/// Reads. The first error sticks: later calls do nothing and answer empty, and LedgerTables gives that error back,
/// whatever the work made of the empty answers.
class LedgerView {
public:
    virtual ~LedgerView() = default;
    /// The database's clock at this very moment, not at the transaction's start.
    [[nodiscard]] virtual core::UtcTime now() = 0;
    [[nodiscard]] virtual std::optional<ClusterRecord> cluster() = 0;
    [[nodiscard]] virtual std::vector<TaskRecord> tasks() = 0;
    [[nodiscard]] virtual std::optional<TaskRecord> task(const std::string& key) = 0;
    /// Rows of `cluster` scope and of `scope`; nullopt: of all.
    [[nodiscard]] virtual std::vector<ScopeRecord> scopes(const std::optional<std::string>& scope) = 0;
    /// The two newest runs of each of those rows, newest first within a row.
    [[nodiscard]] virtual std::vector<RunRow> newest_runs(const std::optional<std::string>& scope) = 0;
    /// The run of the highest epoch: the live one, or the open one, or the last that ended.
    [[nodiscard]] virtual std::optional<RunRow> newest_run(const TaskScope& task) = 0;
    [[nodiscard]] virtual std::optional<RunRow> run(core::RunId id) = 0;
    [[nodiscard]] virtual std::vector<RunRow> live_runs() = 0;
    /// Newest first; `waiting` and `with_waiting` are not looked at.
    [[nodiscard]] virtual RunLedger::RunPage runs(const RunFilter& filter) = 0;
    [[nodiscard]] virtual std::vector<SkipRow> skips(std::size_t limit) = 0;
};

/// Reads and writes of one transaction. Locks are taken in this order everywhere: group, task, scope, run, beat.
class LedgerTransaction : public LedgerView {
public:
    /// The one row that claims of grouped tasks queue at.
    virtual void lock_group() = 0;
    /// For edits of what stands once per task; claims only read it, under their scope's lock.
    [[nodiscard]] virtual std::optional<TaskRecord> lock_task(const std::string& key) = 0;
    [[nodiscard]] virtual std::optional<ScopeRecord> lock_scope(const TaskScope& task) = 0;
    /// All of a task, in scope order.
    [[nodiscard]] virtual std::vector<ScopeRecord> lock_scopes(const std::string& key) = 0;
    /// Waits for the run's writer, if one is at it. Runs are read with their beat, its progress and counts, everywhere.
    [[nodiscard]] virtual std::optional<RunRow> lock_run(core::RunId id) = 0;
    [[nodiscard]] virtual std::optional<BeatRecord> lock_beat(core::RunId id) = 0;

    virtual void insert_cluster(const ClusterRecord& cluster) = 0;  ///< nothing where there is one
    virtual void update_cluster(const ClusterRecord& cluster) = 0;
    virtual void insert_task(const TaskRecord& task) = 0;  ///< nothing where there is one
    virtual void update_task(const TaskRecord& task) = 0;
    virtual void insert_scope(const ScopeRecord& scope) = 0;  ///< nothing where there is one
    virtual void update_scope(const ScopeRecord& scope) = 0;

    /// With its beat (counter `run.beat`, at `run.heartbeat_at`). A second live run of the scope, or a second run of an
    /// epoch, is a `conflict`.
    virtual void insert_run(const RunRow& run) = 0;
    virtual void update_run(const RunRow& run) = 0;  ///< all but its beat
    /// Its counter and time stay with the run.
    virtual void drop_beat(core::RunId run) = 0;
    /// Counter + 1, time and progress (its percent never back), where the counter is `counter`. False: it is not, or no
    /// row.
    [[nodiscard]] virtual bool move_beat(core::RunId run, std::int64_t counter, const RunProgress& progress) = 0;

    [[nodiscard]] virtual bool slot_taken(const TaskScope& task, core::UtcTime slot) = 0;
    /// A slot that is there already is a `conflict`.
    virtual void insert_slot(const TaskScope& task, core::UtcTime slot, const RunRow& run) = 0;
    virtual void repoint_slots(core::RunId from, const RunRow& to) = 0;
    /// Removes runs, and the slots that point at them, up to epoch `up_to`, and those up to the newest epoch below
    /// `below` that ended before `ended_before`.
    virtual void forget_runs(const TaskScope& task, std::int64_t up_to, std::int64_t below,
                             core::UtcTime ended_before) = 0;

    /// As store/sql's pass_fence. The refusal is an answer, not an error that sticks.
    [[nodiscard]] virtual core::Result<void> pass_fence(const core::Fence& fence) = 0;

    /// Nothing where the same task, slot, pod and reason is there; keeps the newest `keep`.
    virtual void insert_skip(const SkipRow& skip, std::size_t keep) = 0;
};

class LedgerTables {
public:
    virtual ~LedgerTables() = default;
    /// Commits where `work` gives a value and no call failed. `work` may run more than once (serialization failures):
    /// it sets its results anew each time. Errors: the first failed call's, `work`'s own, unavailable or timed_out with
    /// an unknown outcome where the reply to COMMIT was lost.
    [[nodiscard]] virtual core::Result<void> transaction(
        const std::function<core::Result<void>(LedgerTransaction&)>& work) = 0;
    /// One consistent look.
    [[nodiscard]] virtual core::Result<void> look(const std::function<void(LedgerView&)>& work) = 0;
};

}  // namespace understudy::tasks
