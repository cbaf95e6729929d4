// media/worker_pool.h: the Prober and Analyst that hands files to sandboxed understudy-media processes. Made by app,
// one for what somebody waits for and one (`idle`) for long work; used by library.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/log.h"
#include "core/time.h"
#include "media/analyst.h"
#include "media/prober.h"

namespace understudy::media {

struct WorkerPoolSettings {
    std::filesystem::path worker;          ///< `Jellyfin:Media:WorkerPath`: the binary understudy-media
    unsigned workers = 0;                  ///< most processes at once; 0: one a core
    int nice = 0;                          ///< 0..19: how much less urgent than the server
    bool idle = false;                     ///< SCHED_IDLE, nice 19 and idle I/O priority instead: for long work
    std::size_t batch = 16;                ///< files of a probe in one message, 1..16; an analysis has one
    core::Millis file_limit{15'000};       ///< of a probe of a small file; large ones get more
    core::Millis batch_patience{5'000};    ///< silence after which a batch is broken up and each file tried alone
    core::Millis start_limit{15'000};      ///< from start to hello
    core::Millis idle_limit{60'000};       ///< an idle worker leaves after this
    bool keep_stderr = false;              ///< workers write to the server's stderr: for tests
    std::vector<std::string> environment;  ///< of the workers; they need none
};

/// How long a worker may take to probe one file: `base`, and a second more for each 256 MiB of music or 4 GiB of video
/// (indexes grow with the length), at most 60 s more.
[[nodiscard]] core::Millis time_limit(core::Millis base, ProbeKind kind, std::int64_t size_bytes) noexcept;

/// Since the pool was made; for metrics and tests.
struct WorkerPoolCounts {
    std::uint64_t spawned = 0;   ///< processes started
    std::uint64_t killed = 0;    ///< by us: hung, cancelled, or speaking nonsense
    std::uint64_t crashed = 0;   ///< ended by themselves with a file in hand
    std::uint64_t probed = 0;    ///< files with a result from a worker, good or bad: probes and analyses
    std::uint64_t retried = 0;   ///< files that went to a second worker
    std::uint64_t messages = 0;  ///< batches sent
};

class PoolEngine;

/// Starts workers when there is work and lets idle ones go. Outlives all calls. A pool that is not used has no process
/// and no thread.
class WorkerPool final : public Prober, public Analyst {
public:
    WorkerPool(WorkerPoolSettings settings, core::Log& log);
    /// Ends all workers and reaps them.
    ~WorkerPool() override;

    void probe(const std::vector<ProbeRequest>& files, const std::function<bool()>& stop,
               const std::function<void(std::size_t, ProbeResult)>& done) override;
    void analyse(const std::vector<AnalysisRequest>& files, const std::function<bool()>& stop,
                 const std::function<void(std::size_t, AnalysisResult)>& done) override;

    [[nodiscard]] WorkerPoolCounts counts() const noexcept;
    /// Process ids of the living workers.
    [[nodiscard]] std::vector<pid_t> workers() const;

private:
    std::unique_ptr<PoolEngine> engine_;
};

}  // namespace understudy::media
