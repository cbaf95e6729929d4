// tests/sim/checker.h: watches what the database accepts and says which invariant of ARCHITECTURE.md was broken.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "support/memory_ledger_tables.h"
#include "world.h"

namespace understudy::sim {

struct Violation {
    int invariant = 0;  ///< the n of In
    Nanos at{};
    std::string what;
};

struct Tally {
    std::int64_t slots_started = 0, takeovers = 0, resumes = 0, writes = 0, ended = 0, fenced_off = 0;
    std::int64_t duplicate_starts = 0, overlapping_writes = 0, lost_slots = 0;
};

class Checker {
public:
    Checker(World& world, testing::MemoryLedgerRows& rows) : world_(world), rows_(rows) {}

    /// Is this run healthy, as its own process sees it? Asked when somebody declares it dead.
    std::function<bool(const tasks::RunRow&)> healthy = [](const tasks::RunRow&) { return false; };

    void before_claim();
    void on_claim(const tasks::Claim& claim);
    void after_change();
    void on_write(const core::Fence& fence, int unit);
    void on_end(const core::Fence& fence);
    void on_leaders(int trusted, bool store_is_sane);
    /// After the faults have stopped and the bound has passed: nothing may still be due. `waiting` says what a group
    /// holds back.
    void due_work_has_started(core::UtcTime since, const std::set<std::string>& scopes,
                              const std::set<tasks::TaskScope>& waiting);
    /// At the very end: whatever was started has come to an end, or is at it.
    void no_work_is_lost(const std::set<std::string>& scopes);

    void violation(int invariant, std::string what);
    [[nodiscard]] const std::vector<Violation>& violations() const noexcept { return violations_; }
    [[nodiscard]] const Tally& tally() const noexcept { return tally_; }

private:
    struct Chain {
        core::RunId last;
        int units = 0;
        tasks::TaskScope task;
        std::string about;
    };
    struct Live {
        tasks::RunRow row;
    };

    World& world_;
    testing::MemoryLedgerRows& rows_;
    std::vector<Violation> violations_;
    Tally tally_;
    std::map<core::RunId, core::RunId> root_;  ///< of a run's chain of takeovers
    std::map<core::RunId, Chain> chains_;
    std::map<tasks::TaskScope, std::map<core::UtcTime, core::RunId>> starts_;
    std::map<tasks::TaskScope, std::int64_t> newest_epoch_;
    std::map<core::RunId, tasks::RunRow> live_before_;
};

}  // namespace understudy::sim
