// store/maintenance.h: what keeps the database itself quick and small. Used by OptimizeDatabaseTask. Contract for all
// adapters: tests/contract/maintenance/maintenance_test.cpp
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/fence.h"
#include "core/result.h"

namespace understudy::store {

enum class Upkeep {
    statistics,  ///< what the planner knows of the tables
    vacuum,      ///< room of deleted rows is given back or made ready for new ones
    checkpoint,  ///< SQLite's write-ahead log goes into the file
};

struct UpkeepStep {
    Upkeep kind = Upkeep::statistics;
    std::string table;            ///< as SQL names it; empty: the whole database
    std::int64_t size_bytes = 0;  ///< about how much is read or written: for progress
    std::string skip;             ///< not empty: it is not to be done now, and why
    bool wanted = true;           ///< of what is skipped: it would pay, so people should know why it cannot be done
};

struct UpkeepResult {
    std::string skipped;           ///< not empty: it could not be done now (a lock, a limit), and why
    std::int64_t freed_bytes = 0;  ///< given back to the disc
};

/// All calls block. Errors of all: unavailable, timed_out.
class Maintenance {
public:
    virtual ~Maintenance() = default;
    /// Is the run still the one that may write? Errors: also fenced.
    [[nodiscard]] virtual core::Result<void> pass(const core::Fence& fence) = 0;
    /// What is worth doing now, in order. Nothing was written since the last time: nothing that costs.
    [[nodiscard]] virtual core::Result<std::vector<UpkeepStep>> plan() = 0;
    /// Takes minutes with a large table, beside readers and writers (SQLite: its one writer waits). `stop` is asked
    /// about once a second; true: what was begun is given up and nothing is lost. Errors: also cancelled.
    [[nodiscard]] virtual core::Result<UpkeepResult> carry_out(const UpkeepStep& step,
                                                               const std::function<bool()>& stop) = 0;
};

}  // namespace understudy::store
