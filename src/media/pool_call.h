// media/pool_call.h: one call of probe() or analyse() while it is in hand: files that wait for a worker, payloads that
// wait for the caller. Shared by worker_pool (the caller's thread) and pool_engine; all fields are under the engine's
// mutex.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/time.h"
#include "media/analyst.h"
#include "media/unique_fd.h"

namespace understudy::media {

struct PoolCall;

/// What a worker said of a file: bytes that only the job's own codec understands.
using Payload = core::Result<std::string>;

/// One file on its way. Its descriptor stays open here until the payload is taken: it is needed for a second try and
/// for the fstat after the job.
struct PoolFile {
    PoolCall* call = nullptr;
    std::size_t index = 0;
    UniqueFd fd;
    std::int64_t size_bytes = 0;
    Job job = Job::probe_video;
    std::string_view parameters;  ///< the caller's, who waits for us
    core::Millis limit{};         ///< wall and processor time
    bool alone = false;           ///< it was in hand when a worker died: next time nobody else is at risk
    int foreign_deaths = 0;  ///< workers that somebody else killed over it (an operator, the kernel short of memory)

    /// A message of its own to a worker that has nothing else.
    [[nodiscard]] bool travels_alone() const noexcept { return alone || !is_probe(job); }
};
using PoolFilePtr = std::unique_ptr<PoolFile>;

struct PoolCall {
    std::deque<PoolFilePtr> ready;
    std::vector<std::pair<PoolFilePtr, Payload>> finished;
    std::size_t in_engine = 0;   ///< given to the engine and not yet taken out of `finished`
    unsigned dying_workers = 0;  ///< killed for this call's sake and not yet reaped
    bool cancelled = false;
    std::condition_variable wake;
};

}  // namespace understudy::media
