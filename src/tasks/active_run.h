// tasks/active_run.h: one run while it lives on this pod: what the task sees of it, its beats, and how it ends in the
// ledger. Built by ScheduledTaskWorker; executed by a RunLauncher; owns no thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cluster/events.h"
#include "core/log.h"
#include "core/time.h"
#include "tasks/pace.h"
#include "tasks/run_ledger.h"
#include "tasks/run_log.h"
#include "tasks/task.h"

namespace understudy::tasks {

struct RunTiming {
    core::Millis heartbeat{10'000};   ///< the longest time between two signs of life
    core::Millis dead_after{45'000};  ///< without a beat acknowledged for 2/3 of it the run stops itself
};

/// How an execution came to its end on this pod.
enum class RunFate { ended, fenced, abandoned };

class ActiveRun final : public Run {
public:
    /// @param row as claimed  @param claimed_at when the claim was sent: trust in its first beat counts from there
    /// @param events may be null. References outlive the run.
    ActiveRun(ScheduledTask& task, RunRow row, core::Instant claimed_at, RunTiming timing, RunLedger& ledger,
              core::Clock& clock, core::Log& log, cluster::EventLog* events);

    // What the task sees.
    [[nodiscard]] core::RunId id() const noexcept override { return row_.id; }
    [[nodiscard]] std::int64_t epoch() const noexcept override { return row_.epoch; }
    [[nodiscard]] const std::string& options() const noexcept override { return row_.options; }
    [[nodiscard]] RunKind kind() const noexcept override { return row_.kind; }
    [[nodiscard]] const std::string& cursor() const noexcept override { return row_.cursor; }
    [[nodiscard]] bool should_stop() const noexcept override;
    void report(double progress) noexcept override;
    void work(std::string_view unit, double done, double total) noexcept override;
    void count(std::string_view name, std::int64_t by = 1) override;
    void warn(const std::string& text) override;
    [[nodiscard]] core::Result<void> commit(
        std::optional<std::string> cursor, const std::function<core::Result<void>(const core::Fence&)>& write) override;
    [[nodiscard]] core::Result<void> request_follow_up(const std::string& options, core::Millis delay,
                                                       int attempt) override;
    [[nodiscard]] core::Log& log() noexcept override { return log_; }

    /// The whole life on the calling thread: runs the task, then ends the run in the ledger; a database that is away is
    /// asked again until it answers or abandon(). Call once.
    RunFate execute();
    /// One look from the beat thread (one thread at a time): sends a beat where one is due. Blocks for the ledger's
    /// call. Returns how long the next look can wait.
    core::Nanos beat();

    /// The cancel flag, heard before the next beat brings it. From any thread.
    void request_cancel(const std::string& reason);
    /// Stop at the next unit and be marked yielded.
    void drain();
    /// The grace period is over: wait for the database no longer; the fence keeps the run's writes out.
    void abandon();

    [[nodiscard]] const TaskScope& scope() const noexcept { return row_.task; }
    [[nodiscard]] bool finished() const noexcept { return finished_.load(); }
    /// The state it was ended with; nullopt while it lives or where it was fenced or abandoned.
    [[nodiscard]] std::optional<RunState> outcome() const;
    /// Why it failed or was cancelled; empty before its end.
    [[nodiscard]] std::string error() const;
    /// The row as this pod would write it now.
    [[nodiscard]] RunRow snapshot() const;

private:
    enum class Seen { live, ours_ended, gone, unknown };

    void moved() noexcept { moves_.fetch_add(1, std::memory_order_relaxed); }
    [[nodiscard]] bool out_of_contact(core::Instant now) const noexcept;
    [[nodiscard]] core::Result<void> run_task();
    [[nodiscard]] RunEnd end_for(const core::Result<void>& result);
    [[nodiscard]] RunFate end_in_ledger(const RunEnd& end);
    /// Looks the run's row up: is it still ours, and how far did its cursor_seq come?
    [[nodiscard]] Seen look_up(const std::optional<RunState>& ended_as, std::int64_t& cursor_seq, std::string& cursor);
    /// False: abandoned.
    bool pause(core::Nanos at_most);
    void set_fenced();
    void resolve_beat();
    void on_beat_answer(const BeatAnswer& answer, core::Instant sent_at);
    void publish(const char* kind, RunState state, double progress);
    [[nodiscard]] std::string described(RunState state, double progress) const;

    ScheduledTask& task_;
    RunRow row_;  ///< as claimed; cursor is the one the run started with
    RunTiming timing_;
    RunLedger& ledger_;
    core::Clock& clock_;
    RunLog log_;
    cluster::EventLog* events_;
    const core::Instant started_at_;

    std::atomic<std::uint64_t> moves_{1};  ///< calls of the run's code: its sign of life
    std::atomic<bool> finished_{false};
    mutable std::atomic<bool> lost_contact_{false};

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    core::Instant acknowledged_at_;  ///< when the latest acknowledged beat was sent
    bool fenced_ = false, draining_ = false, abandoned_ = false, cancel_ = false;
    std::string cancel_reason_;
    double progress_ = 0;
    PaceMeter pace_;
    Counts counts_;
    std::vector<std::string> warnings_;
    std::set<std::string> known_warnings_;
    std::uint64_t version_ = 0;  ///< grows with progress, counts and warnings
    std::optional<RunState> outcome_;
    std::string error_;

    // The run's thread alone.
    std::int64_t cursor_seq_ = 0;
    bool cursor_seq_unsure_ = false;  ///< a write was given up whose outcome is unknown
    bool ledger_away_ = false;        ///< the task was told so by commit()

    // The beat thread alone.
    std::int64_t beat_ = 0;         ///< the counter as last known
    int unclear_beats_ = 0;         ///< sent since, without a clear answer
    std::uint64_t beat_moves_ = 0;  ///< of moves_, at the last acknowledged beat
    std::uint64_t beat_version_ = 0;
    core::Instant beat_sent_at_;
    double published_progress_ = -1;
    core::Instant published_at_{};
    core::Nanos beat_backoff_{};
};

}  // namespace understudy::tasks
