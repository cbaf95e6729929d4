// tasks/run_ledger.h: the shared truth about slots and runs (docs/adr/0001). Never wrong, whatever anyone
// believes about leadership. Port of the task engine; contract for all adapters: tests/contract/run_ledger.h
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/fence.h"
#include "core/ids.h"
#include "core/result.h"
#include "core/time.h"
#include "tasks/catalogue.h"
#include "tasks/pace.h"
#include "tasks/trigger.h"

namespace understudy::tasks {

enum class RunKind { timer, startup, manual };
enum class RunState { running, cancelling, completed, failed, cancelled, aborted, yielded };
[[nodiscard]] std::string_view to_string(RunKind kind) noexcept;
[[nodiscard]] std::string_view to_string(RunState state) noexcept;
[[nodiscard]] std::optional<RunKind> parse_run_kind(std::string_view text) noexcept;
[[nodiscard]] std::optional<RunState> parse_run_state(std::string_view text) noexcept;
[[nodiscard]] constexpr bool is_live(RunState state) noexcept {
    return state == RunState::running || state == RunState::cancelling;
}
/// Aborted and yielded are no ends: their slot or request is still open.
[[nodiscard]] constexpr bool is_open(RunState state) noexcept {
    return state == RunState::aborted || state == RunState::yielded;
}

/// Who asks. The label may repeat; the boot id may not.
struct PodRef {
    std::string label;
    core::BootId boot;
    core::UtcTime booted_at{};  ///< by the database's clock, from the pod's registration
};

/// Which row of task_state: the task's key, and `cluster` or, for a pod task, the pod's label.
struct TaskScope {
    std::string task;
    std::string scope;
    friend auto operator<=>(const TaskScope&, const TaskScope&) = default;
};
inline constexpr std::string_view cluster_scope = "cluster";

using Counts = std::map<std::string, std::int64_t>;  ///< `added`, `changed`, `kept_offline`, …

/// What a beat says of a run.
struct RunProgress {
    double percent = 0;  ///< 0..100, never goes back
    Counts counts;
    Pace pace;
};

struct RunRow {
    core::RunId id;
    TaskScope task;
    RunKind kind = RunKind::timer;
    std::optional<core::UtcTime> slot;  ///< null for manual runs
    std::string options;                ///< JSON object of a manual request, `{}` otherwise
    std::string pod;
    core::BootId boot;
    std::int64_t epoch = 0;
    RunState state = RunState::running;
    double progress = 0;       ///< 0..100, never goes back
    std::string cursor;        ///< the task's own words (UTF-8, no NUL); empty at the start
    std::string start_cursor;  ///< what the run was given to begin with
    std::int64_t cursor_seq = 0;
    int attempts = 1;         ///< runs of this slot or request so far, this one included
    int stuck_takeovers = 0;  ///< takeovers in a row of a dead run with the cursor unmoved
    std::optional<core::RunId> resumed_from;
    bool cancel_requested = false;
    std::string cancel_reason;  ///< `asked by …`, `MaxRuntimeTicks reached`
    core::UtcTime started_at{};
    std::optional<core::UtcTime> ended_at;
    std::optional<core::UtcTime> heartbeat_at;  ///< from task_beats
    std::int64_t beat = 0;                      ///< its counter
    std::string error;
    Counts counts;
    std::vector<std::string> warnings;
    Pace pace;  ///< while it lives
    std::optional<core::Millis> max_runtime;
    std::string waiting_for;  ///< of a waiting row: key of the task it waits for, its own where a run of it goes first

    /// Of a waiting row that is a kept request: when it was asked for or, ahead of now, what it waits for.
    std::optional<core::UtcTime> not_before;

    /// A due slot or kept request without a run yet (RunFilter::waiting): no id, epoch or start.
    [[nodiscard]] bool waiting() const noexcept { return id.empty(); }
};

/// A manual request kept until a run takes it (`POST /Library/Refresh` while a scan runs; files still settling).
struct PendingRequest {
    std::string options = "{}";  ///< of all requests that met here, where the task can join them; else the latest
    core::UtcTime not_before{};  ///< by the database's clock
    int attempt = 0;             ///< how often in a row this kind of follow-up was asked for (back-off)
};

struct TaskStateRow {
    TaskScope task;
    std::int64_t version = 0;  ///< grows with every edit of triggers or enabled
    bool enabled = true;
    std::vector<Trigger> triggers;
    std::int64_t epoch = 0;                   ///< of the newest run
    std::optional<core::UtcTime> next_slot;   ///< stored, never from a private timer; null: nothing scheduled
    std::optional<std::size_t> next_trigger;  ///< which of `triggers` next_slot comes from
    std::optional<PendingRequest> pending;
    std::optional<core::UtcTime> last_end;  ///< of the last completed, failed or cancelled run
    std::optional<core::UtcTime> last_start;
    std::optional<RunRow> live;         ///< the run in `running` or `cancelling`
    std::optional<RunRow> open;         ///< the latest run of an open slot or request, where none is live
    std::optional<RunRow> last_result;  ///< latest ended run (aborted and yielded included)
    std::string waiting_for;            ///< key of the group member that keeps a due slot waiting; empty: none
};

/// What a claim came to.
struct Claim {
    enum class Outcome {
        won,         ///< `run` is ours and live
        not_due,     ///< the database's clock says later
        changed,     ///< the version or slot moved: read again
        running,     ///< a run of this task is live: `run`
        waiting,     ///< its group is taken, or an excluded task was due first; `waiting_for`
        open_first,  ///< open work goes before new slots: resume that
        disabled,
        paused,
        dropped,  ///< start-up slot: the task has started since this pod's boot or in the last 10 minutes
    };
    Outcome outcome = Outcome::changed;
    std::optional<RunRow> run;
    std::string waiting_for;
};
[[nodiscard]] std::string_view to_string(Claim::Outcome outcome) noexcept;

/// How a run ended, or went.
struct RunEnd {
    RunState state = RunState::completed;  ///< completed, failed, cancelled or yielded
    double progress = 100;
    std::string error;
    Counts counts;
    std::vector<std::string> warnings;
};

/// Says of a beat whether the run may go on.
struct BeatAnswer {
    bool still_ours = true;  ///< false: fenced; stop at once
    bool cancel_requested = false;
    std::string cancel_reason;
};

struct RunFilter {
    std::string task;  ///< key, empty: all
    std::optional<RunState> state;
    bool waiting = false;       ///< only due slots and kept requests without a run yet
    bool with_waiting = false;  ///< those first, then the runs (where neither `state` nor `pod` is set)
    std::string pod;
    std::size_t start_index = 0;
    std::size_t limit = 100;
};

struct SkipRow {
    std::string task;
    core::UtcTime slot{};
    std::string pod;
    core::UtcTime at{};
    std::string reason;  ///< `not_leader`, `claimed`, `disabled`, `paused`
    std::string holder;
};

/// Facts of the cluster that every claim needs.
struct LedgerSettings {
    core::Millis dead_after{45'000};           ///< `Jellyfin:Tasks:DeadAfterSeconds`
    std::string zone = "UTC";                  ///< IANA name for daily and weekly triggers
    std::map<std::string, bool> misfire_skip;  ///< tasks whose misfire rule is `skip`; absent: run_once
    std::size_t keep_runs = 100;               ///< history a task
    core::Millis keep_for = std::chrono::days{90};
    /// An exclusive lock proves that no other process uses this database (SQLite): live runs of other boots are dead.
    bool others_are_dead = false;
    /// With misfire rule `skip`: how late a daily or weekly slot may start and still not count as missed.
    core::Millis misfire_grace{60'000};
    /// A due task of the other group that nobody starts for this long though it could start holds nobody back any more
    /// (rows of a task that no pod has).
    core::Millis group_patience{600'000};
};

/// Options that stand for both requests: joining the same again changes nothing.
using JoinOptions = std::function<std::string(const std::string& kept, const std::string& wanted)>;

/// All calls block (at most the store's statement time limit); safe from any thread. Errors of all: unavailable,
/// timed_out (the outcome is then unknown: look the run id up), corrupt. Times are the database's, never this
/// machine's.
class RunLedger {
public:
    virtual ~RunLedger() = default;

    /// The database's clock.
    [[nodiscard]] virtual core::Result<core::UtcTime> now() = 0;
    /// Makes the rows of a task where they are missing (`scope`: cluster or a pod's label) with its default triggers
    /// and first next_slot. Repeating it changes nothing.
    [[nodiscard]] virtual core::Result<void> ensure_task(const CatalogueEntry& entry, const std::string& scope) = 0;
    /// All rows of `cluster` scope and of the pod's own scope, with live, open and last runs; one consistent look.
    struct Overview {
        core::UtcTime now{};
        bool timers_paused = false;
        std::vector<TaskStateRow> tasks;
    };
    [[nodiscard]] virtual core::Result<Overview> overview(const std::string& pod_label) = 0;
    /// Live runs of every scope (all pods), with their beats.
    [[nodiscard]] virtual core::Result<std::vector<RunRow>> live_runs() = 0;

    /// The due slot, in one transaction (ARCHITECTURE.md). `expected` is the row as the caller saw it: its
    /// version and next_slot are compared. `run` is made by the caller, so that a lost reply can be looked up.
    [[nodiscard]] virtual core::Result<Claim> claim_slot(const PodRef& pod, const TaskStateRow& expected,
                                                         core::RunId run) = 0;
    /// A start-up slot. Of a gated task: dropped if the task has started since `pod.booted_at` or in the last 10
    /// minutes. An ungated task has one on each pod.
    [[nodiscard]] virtual core::Result<Claim> claim_startup(const PodRef& pod, const TaskScope& task, core::RunId run,
                                                            bool gated = true) = 0;
    /// A manual run now. `running` where one is live: the request joins it. Open work is resumed first, as this
    /// run; a request that wants something else is then kept as request_later() keeps one.
    [[nodiscard]] virtual core::Result<Claim> claim_manual(const PodRef& pod, const TaskScope& task, core::RunId run,
                                                           const std::string& options,
                                                           const JoinOptions& join = {}) = 0;
    /// The kept request, once its time has come and nothing of the task is live.
    [[nodiscard]] virtual core::Result<Claim> claim_pending(const PodRef& pod, const TaskScope& task,
                                                            core::RunId run) = 0;
    /// Keeps one follow-up request. Where one is kept already, `join` makes one of both in the same transaction;
    /// without it the latest options win. `not_before` is a delay from the database's now.
    [[nodiscard]] virtual core::Result<void> request_later(const TaskScope& task, const std::string& options,
                                                           core::Millis delay, int attempt,
                                                           const JoinOptions& join = {}) = 0;
    /// Goes on with open work (yielded or aborted), or takes over a dead live run: one transaction that checks again,
    /// marks a dead one aborted, inserts the successor (same kind, slot, options, cursor; epoch + 1, attempts + 1) and
    /// repoints the slot. `observed_dead` = this pod has seen the beat unmoved for DeadAfter while the database
    /// answered. The third takeover in a row of a dead run with the cursor unmoved ends it `failed`; a set cancel flag,
    /// `cancelled`: then the outcome is `changed` and the row says so.
    [[nodiscard]] virtual core::Result<Claim> take_over(const PodRef& pod, const RunRow& seen, bool observed_dead,
                                                        core::RunId run) = 0;
    /// Ends a dead run of a pod task whose pod is gone: `failed`, 'its pod is gone'.
    [[nodiscard]] virtual core::Result<void> fail_gone_pod(const RunRow& seen) = 0;

    /// Compare-and-set: `counter` is the value last acknowledged (RunRow::beat of the claim at first), acknowledged it
    /// has grown by one. Brings the cancel flag back and stores the progress. After an unknown outcome look the
    /// run up and go on from its counter.
    [[nodiscard]] virtual core::Result<BeatAnswer> beat(core::RunId run, std::int64_t epoch, std::int64_t counter,
                                                        const RunProgress& progress) = 0;
    /// A cursor without other writes, under the fence. Errors: fenced.
    [[nodiscard]] virtual core::Result<void> checkpoint(const core::Fence& fence) = 0;
    /// Ends a run, computes next_slot in the same transaction, trims the history. Repeating it with the same fence
    /// (after an unknown outcome) is answered as the first time. Errors: fenced.
    [[nodiscard]] virtual core::Result<void> end(const core::Fence& fence, const RunEnd& end) = 0;
    /// Sets the cancel flag of a live run; of open work without one, ends it `cancelled`; drops a kept request whose
    /// time has come. False: there was nothing.
    [[nodiscard]] virtual core::Result<bool> cancel(const TaskScope& task, const std::string& reason) = 0;

    /// Validated already. Writes triggers, version and next_slot of all rows of the task, in scope order, in one
    /// transaction. Errors: not_found.
    [[nodiscard]] virtual core::Result<void> set_triggers(const std::string& task,
                                                          const std::vector<Trigger>& triggers) = 0;
    [[nodiscard]] virtual core::Result<void> set_enabled(const std::string& task, bool enabled) = 0;
    [[nodiscard]] virtual core::Result<void> set_timers_paused(bool paused) = 0;

    [[nodiscard]] virtual core::Result<std::optional<RunRow>> find_run(core::RunId run) = 0;
    struct RunPage {
        std::vector<RunRow> items;
        std::size_t total = 0;
    };
    /// Newest first.
    [[nodiscard]] virtual core::Result<RunPage> runs(const RunFilter& filter) = 0;
    /// Keeps a skip for people (bounded: the newest 1,000; the same task, slot, pod and reason once).
    [[nodiscard]] virtual core::Result<void> note_skip(const SkipRow& skip) = 0;
    [[nodiscard]] virtual core::Result<std::vector<SkipRow>> skips(std::size_t limit) = 0;
};

}  // namespace understudy::tasks
