// tasks/task.h: what a task is to the engine, and what a run is to a task. A library task implements ScheduledTask.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>

#include "core/fence.h"
#include "core/log.h"
#include "core/result.h"
#include "core/time.h"
#include "tasks/catalogue.h"
#include "tasks/run_ledger.h"

namespace understudy::tasks {

/// One execution, as the task sees it. Used on the run's own thread; report(), work() and should_stop() may be called
/// from helpers of the run (walk threads) too.
class Run {
public:
    virtual ~Run() = default;
    [[nodiscard]] virtual core::RunId id() const noexcept = 0;
    [[nodiscard]] virtual std::int64_t epoch() const noexcept = 0;
    [[nodiscard]] virtual const std::string& options()
        const noexcept = 0;  ///< JSON of a manual request, `{}` otherwise
    [[nodiscard]] virtual RunKind kind() const noexcept = 0;
    /// Where the run this one goes on from had come to; empty at a fresh start.
    [[nodiscard]] virtual const std::string& cursor() const noexcept = 0;
    /// True: stop at the next unit (cancelled, fenced, shutting down, no beat acknowledged). Cheap; ask often.
    [[nodiscard]] virtual bool should_stop() const noexcept = 0;
    /// 0..100; going back is ignored. Counts as a sign of life: beats go out only while a run's code moves.
    virtual void report(double progress) noexcept = 0;
    /// For the rate and the time left that people see (tasks/pace.h): `done` of `total`, both in `unit` and of this run
    /// alone. Another unit begins a new piece of work. Also a sign of life.
    virtual void work(std::string_view unit, double done, double total) noexcept = 0;
    virtual void count(std::string_view name, std::int64_t by = 1) = 0;
    /// Kept with the run (at most 100 distinct; then counted) and logged once.
    virtual void warn(const std::string& text) = 0;
    /// A write under the fence: `write` gets the fence with the new cursor and must apply it in its own transaction
    /// (store/sql/fence.h). An unknown outcome (unavailable, timed_out) is resolved by looking the run's row up:
    /// `write` is repeated where it had not been applied. Errors: fenced and whatever `write` says.
    [[nodiscard]] virtual core::Result<void> commit(
        std::optional<std::string> cursor, const std::function<core::Result<void>(const core::Fence&)>& write) = 0;
    /// One follow-up request for this task, kept in the database.
    [[nodiscard]] virtual core::Result<void> request_follow_up(const std::string& options, core::Millis delay,
                                                               int attempt) = 0;
    [[nodiscard]] virtual core::Log& log() noexcept = 0;  ///< every line has task, run, pod and epoch
};

/// Idempotent, resumable, cancellable within 5 s.
class ScheduledTask {
public:
    virtual ~ScheduledTask() = default;
    [[nodiscard]] virtual const CatalogueEntry& info() const noexcept = 0;
    /// Options of one follow-up that does what two requests ask for. By default the latest win.
    [[nodiscard]] virtual std::string join_requests(const std::string& /*kept*/, const std::string& wanted) const {
        return wanted;
    }
    /// Plain blocking code on the run's thread. Errors: cancelled (stopped as asked), fenced, anything else fails the
    /// run.
    [[nodiscard]] virtual core::Result<void> execute(Run& run) = 0;
};

/// How the ledger joins requests of `task`, which outlives the answer.
[[nodiscard]] inline JoinOptions joining(const ScheduledTask& task) {
    return [&task](const std::string& kept, const std::string& wanted) { return task.join_requests(kept, wanted); };
}

}  // namespace understudy::tasks
