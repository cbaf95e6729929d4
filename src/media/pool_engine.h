// media/pool_engine.h: the one thread that starts, feeds, times and reaps the workers of a WorkerPool. Used by
// worker_pool.cpp.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/log.h"
#include "media/pool_call.h"
#include "media/unique_fd.h"
#include "media/worker_pool.h"
#include "media/worker_process.h"

namespace understudy::media {

class PoolEngine {
public:
    PoolEngine(WorkerPoolSettings settings, core::Log& log);
    ~PoolEngine();
    PoolEngine(const PoolEngine&) = delete;
    PoolEngine& operator=(const PoolEngine&) = delete;

    /// Guards every field of every call.
    [[nodiscard]] std::mutex& mutex() noexcept { return mutex_; }
    [[nodiscard]] const WorkerPoolSettings& settings() const noexcept { return settings_; }
    /// Files that a call may have open at once: enough that no worker waits for an open().
    [[nodiscard]] std::size_t window(bool probes) const noexcept;
    void enter(const std::shared_ptr<PoolCall>& call);
    /// Adds to the call's ready files.
    void submit(PoolCall& call, std::vector<PoolFilePtr> files);
    /// Kills the workers busy with the call; its files end as cancelled.
    void cancel(PoolCall& call);
    /// The engine has no file of it any more.
    void leave(const PoolCall& call);

    [[nodiscard]] WorkerPoolCounts counts() const noexcept;
    [[nodiscard]] std::vector<pid_t> workers() const;

private:
    using Time = std::chrono::steady_clock::time_point;

    struct InHand {
        PoolFilePtr file;
        std::uint32_t id = 0;
        std::uint64_t message = 0;  ///< which one it went down in: later ones were not even read when a worker dies
    };
    struct Worker {
        std::unique_ptr<WorkerProcess> process;
        std::deque<InHand> in_hand;  ///< in the order sent, which is the order of the answers
        Time since;                  ///< of the last sign of progress, or of becoming idle
        bool ready = false;          ///< has said hello
        std::string fault;           ///< why it could not work, as its hello said
    };
    struct Dying {
        std::unique_ptr<WorkerProcess> process;
        std::deque<InHand> in_hand;  ///< judged once we know how it ended
        std::vector<std::shared_ptr<PoolCall>> for_calls;
        Time since;
        bool killed = false;  ///< by us
        bool was_ready = false;
        std::string fault;
    };
    using Finished = std::vector<std::pair<PoolFilePtr, Payload>>;

    void run();
    void wake() const noexcept;
    // With the mutex held:
    void handle_cancelled();
    void dispatch(Time now);
    void start_workers(Time now);
    bool feed(Worker& worker, Time now);
    std::vector<PoolFilePtr> next_batch(bool for_idle_worker);
    void give_back(PoolFilePtr file, bool alone);
    void finish(PoolFilePtr file, Payload payload);
    void fail_all_ready(const core::Error& why);
    /// What ended a worker that had files in hand.
    enum class Guilt {
        certain,  ///< the file that it was at
        likely,   ///< the file that it was at, unless it was only slow
        none,     ///< somebody else killed it
    };
    /// Decides over the files of a worker that ended. What it had not begun is given back; the only one that it can
    /// have been at gets `why`, if its guilt is certain or it has been tried alone; else each suspect is tried again
    /// alone.
    void blame(std::deque<InHand> in_hand, const core::Error& why, Guilt guilt);
    void on_broken_start(const std::string& why);
    [[nodiscard]] std::size_t ready_files() const;
    /// Ready files, each analysis for as many as are worth the start of a worker.
    [[nodiscard]] std::size_t ready_load() const;
    // The engine's thread only:
    void wait_for_events();
    void on_readable(std::size_t worker);
    /// False: the worker speaks nonsense.
    bool take_answers(Worker& worker, Finished& finished);
    bool on_hello(Worker& worker, const wire::Answer& answer);
    void retire(std::size_t worker, bool kill, std::vector<std::shared_ptr<PoolCall>> for_calls = {});
    void check_limits(Time now);
    void reap();
    void judge(Dying& dead, int wait_status);
    void shut_down();
    [[nodiscard]] Time deadline(const Worker& worker) const;
    [[nodiscard]] int timeout_ms(Time now) const;

    const WorkerPoolSettings settings_;
    core::Log& log_;
    UniqueFd events_, bell_;

    mutable std::mutex mutex_;
    std::deque<std::shared_ptr<PoolCall>> calls_;  ///< rotated, so that each gets its turn
    bool hungry_ = true;                           ///< more files would be sent at once: ring the bell
    bool cancels_pending_ = false;
    bool stopping_ = false;
    std::vector<pid_t> pids_;  ///< for workers()

    std::vector<Worker> workers_;
    std::vector<Dying> dying_;
    std::uint32_t next_id_ = 0;
    std::uint64_t next_message_ = 0;
    unsigned start_failures_ = 0;  ///< in a row
    bool said_broken_ = false;

    std::atomic<std::uint64_t> spawned_{0}, killed_{0}, crashed_{0}, probed_{0}, retried_{0}, messages_{0};
    std::once_flag started_;
    std::jthread thread_;
};

}  // namespace understudy::media
