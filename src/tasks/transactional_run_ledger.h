// tasks/transactional_run_ledger.h: the run ledger, its rules over any LedgerTables (SQL or memory). app builds it; the
// task engine sees it as RunLedger. The claims are in ledger_claims.cpp, the rest in transactional_run_ledger.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tasks/ledger_rules.h"
#include "tasks/ledger_tables.h"
#include "tasks/run_ledger.h"
#include "tasks/zones/zone.h"

namespace understudy::tasks {

class TransactionalRunLedger final : public RunLedger {
public:
    /// `tables` outlives the ledger. `zone` is where daily and weekly triggers live.
    TransactionalRunLedger(LedgerTables& tables, LedgerSettings settings, Zone zone);

    [[nodiscard]] core::Result<core::UtcTime> now() override;
    [[nodiscard]] core::Result<void> ensure_task(const CatalogueEntry& entry, const std::string& scope) override;
    [[nodiscard]] core::Result<Overview> overview(const std::string& pod_label) override;
    [[nodiscard]] core::Result<std::vector<RunRow>> live_runs() override;

    [[nodiscard]] core::Result<Claim> claim_slot(const PodRef& pod, const TaskStateRow& expected,
                                                 core::RunId run) override;
    [[nodiscard]] core::Result<Claim> claim_startup(const PodRef& pod, const TaskScope& task, core::RunId run,
                                                    bool gated) override;
    [[nodiscard]] core::Result<Claim> claim_manual(const PodRef& pod, const TaskScope& task, core::RunId run,
                                                   const std::string& options, const JoinOptions& join) override;
    [[nodiscard]] core::Result<Claim> claim_pending(const PodRef& pod, const TaskScope& task, core::RunId run) override;
    [[nodiscard]] core::Result<void> request_later(const TaskScope& task, const std::string& options,
                                                   core::Millis delay, int attempt, const JoinOptions& join) override;
    [[nodiscard]] core::Result<Claim> take_over(const PodRef& pod, const RunRow& seen, bool observed_dead,
                                                core::RunId run) override;
    [[nodiscard]] core::Result<void> fail_gone_pod(const RunRow& seen) override;

    [[nodiscard]] core::Result<BeatAnswer> beat(core::RunId run, std::int64_t epoch, std::int64_t counter,
                                                const RunProgress& progress) override;
    [[nodiscard]] core::Result<void> checkpoint(const core::Fence& fence) override;
    [[nodiscard]] core::Result<void> end(const core::Fence& fence, const RunEnd& end) override;
    [[nodiscard]] core::Result<bool> cancel(const TaskScope& task, const std::string& reason) override;

    [[nodiscard]] core::Result<void> set_triggers(const std::string& task,
                                                  const std::vector<Trigger>& triggers) override;
    [[nodiscard]] core::Result<void> set_enabled(const std::string& task, bool enabled) override;
    [[nodiscard]] core::Result<void> set_timers_paused(bool paused) override;

    [[nodiscard]] core::Result<std::optional<RunRow>> find_run(core::RunId run) override;
    [[nodiscard]] core::Result<RunPage> runs(const RunFilter& filter) override;
    [[nodiscard]] core::Result<void> note_skip(const SkipRow& skip) override;
    [[nodiscard]] core::Result<std::vector<SkipRow>> skips(std::size_t limit) override;

private:
    /// One scope, locked, with what every decision about it needs. `now` is read after the locks were won.
    struct Locked {
        TaskRecord task;
        ScopeRecord scope;
        ClusterRecord cluster;
        std::optional<RunRow> newest;
        core::UtcTime now{};

        [[nodiscard]] bool live() const { return newest && is_live(newest->state); }
        [[nodiscard]] bool open() const { return newest && is_open(newest->state); }
    };
    enum class Queue { claims, others };  ///< claims of grouped tasks lock the group first
    [[nodiscard]] static std::optional<Locked> lock(LedgerTransaction& tx, const TaskScope& task, Queue queue);

    [[nodiscard]] SlotFacts facts(const Locked& at, bool busy) const;
    /// Stores the next slot in `at.scope` (not yet in the tables). `busy`: a run of the scope is live or open
    /// afterwards.
    void reschedule(LedgerTransaction& tx, Locked& at, bool busy) const;
    /// Sets the end of a run and everything that hangs on it; `run` is locked.
    void finish(LedgerTransaction& tx, Locked& at, RunRow& run, RunState state) const;
    [[nodiscard]] std::string blocked(LedgerTransaction& tx, const Locked& at, core::UtcTime due) const;

    struct Start {
        RunKind kind = RunKind::timer;
        std::optional<NextSlot> slot;
        std::string options = "{}";
        std::optional<core::Millis> max_runtime;
    };
    [[nodiscard]] Claim start(LedgerTransaction& tx, Locked& at, const PodRef& pod, core::RunId run, Start with) const;
    /// The successor of `old`, which has ended: aborted or yielded.
    [[nodiscard]] Claim go_on(LedgerTransaction& tx, Locked& at, const PodRef& pod, core::RunId run,
                              const RunRow& old) const;
    [[nodiscard]] core::Result<Claim> claim(const TaskScope& task, core::RunId run,
                                            const std::function<Claim(LedgerTransaction&, Locked&)>& decide);

    LedgerTables& tables_;
    LedgerSettings settings_;
    Zone zone_;
};

}  // namespace understudy::tasks
