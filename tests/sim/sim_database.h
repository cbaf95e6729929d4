// tests/sim/sim_database.h: the shared database: the real ledger rules over rows in memory, with a clock of its own,
// behind a network that delays, loses requests and replies, and applies some calls long after the caller has given up.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "checker.h"
#include "support/memory_ledger_tables.h"
#include "tasks/transactional_run_ledger.h"
#include "world.h"

namespace understudy::sim {

/// Rules left out on purpose: the checker must then find something (controls).
enum class Broken { nothing, fence, slots };

/// How well a pod reaches a server.
struct Link {
    Nanos cut_until{};     ///< nothing gets through
    double loss = 0.0005;  ///< of a request, and of a reply
};

class SimDatabase {
public:
    SimDatabase(World& world, tasks::LedgerSettings settings, Broken broken);
    ~SimDatabase();

    [[nodiscard]] core::UtcTime now() const {
        return core::UtcTime{std::chrono::floor<core::Millis>(SimClock::epoch + 1h + world_.now() + step)};
    }
    [[nodiscard]] bool down() const { return world_.now() < down_until; }

    World& world() { return world_; }
    tasks::RunLedger& ledger() { return *ledger_; }
    /// The last answer again where nothing was written since (most looks of a quiet cluster); only `waiting_for` may be
    /// stale.
    core::Result<tasks::RunLedger::Overview> overview(const std::string& pod_label);
    testing::MemoryLedgerRows& rows() { return rows_; }
    Checker& checker() { return checker_; }

    Nanos step{};         ///< of its clock
    Nanos down_until{};   ///< refuses connections
    Nanos stuck_until{};  ///< accepts them and does not answer (SIGSTOP)
    const Broken broken;

private:
    class BrokenTables;
    World& world_;
    testing::MemoryLedgerRows rows_;
    std::unique_ptr<BrokenTables> tables_;
    std::map<std::string, std::pair<std::uint64_t, std::optional<tasks::RunLedger::Overview>>> overviews_;
    std::unique_ptr<tasks::TransactionalRunLedger> ledger_;
    Checker checker_;
};

/// One pod's RunLedger.
class SimLedger final : public tasks::RunLedger {
public:
    SimLedger(SimDatabase& database, Link& link) : database_(database), link_(link) {}

    core::Result<core::UtcTime> now() override;
    core::Result<void> ensure_task(const tasks::CatalogueEntry& entry, const std::string& scope) override;
    core::Result<Overview> overview(const std::string& pod_label) override;
    core::Result<std::vector<tasks::RunRow>> live_runs() override;
    core::Result<tasks::Claim> claim_slot(const tasks::PodRef& pod, const tasks::TaskStateRow& expected,
                                          core::RunId run) override;
    core::Result<tasks::Claim> claim_startup(const tasks::PodRef& pod, const tasks::TaskScope& task, core::RunId run,
                                             bool gated) override;
    core::Result<tasks::Claim> claim_manual(const tasks::PodRef& pod, const tasks::TaskScope& task, core::RunId run,
                                            const std::string& options, const tasks::JoinOptions& join) override;
    core::Result<tasks::Claim> claim_pending(const tasks::PodRef& pod, const tasks::TaskScope& task,
                                             core::RunId run) override;
    core::Result<void> request_later(const tasks::TaskScope& task, const std::string& options, core::Millis delay,
                                     int attempt, const tasks::JoinOptions& join) override;
    core::Result<tasks::Claim> take_over(const tasks::PodRef& pod, const tasks::RunRow& seen, bool observed_dead,
                                         core::RunId run) override;
    core::Result<void> fail_gone_pod(const tasks::RunRow& seen) override;
    core::Result<tasks::BeatAnswer> beat(core::RunId run, std::int64_t epoch, std::int64_t counter,
                                         const tasks::RunProgress& progress) override;
    core::Result<void> checkpoint(const core::Fence& fence) override;
    core::Result<void> end(const core::Fence& fence, const tasks::RunEnd& end) override;
    core::Result<bool> cancel(const tasks::TaskScope& task, const std::string& reason) override;
    core::Result<void> set_triggers(const std::string& task, const std::vector<tasks::Trigger>& triggers) override;
    core::Result<void> set_enabled(const std::string& task, bool enabled) override;
    core::Result<void> set_timers_paused(bool paused) override;
    core::Result<std::optional<tasks::RunRow>> find_run(core::RunId run) override;
    core::Result<RunPage> runs(const tasks::RunFilter& filter) override;
    core::Result<void> note_skip(const tasks::SkipRow& skip) override;
    core::Result<std::vector<tasks::SkipRow>> skips(std::size_t limit) override;

    /// A task's own write: passes the fence and leaves unit `unit` of its work behind, in one transaction.
    core::Result<void> write(const core::Fence& fence, int unit);

    [[nodiscard]] Nanos answered_at() const noexcept { return answered_at_; }

private:
    template <class T>
    core::Result<T> call(std::function<core::Result<T>(SimDatabase&)> work);
    core::Result<tasks::Claim> claim(std::function<core::Result<tasks::Claim>(tasks::RunLedger&)> ask);

    SimDatabase& database_;
    Link& link_;
    Nanos answered_at_{};
};

}  // namespace understudy::sim
