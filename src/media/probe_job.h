// media/probe_job.h: one probe() call while it is in hand: files that wait for a worker, results that wait for the
// caller. Shared by worker_pool (the caller's thread) and pool_engine; all fields are under the engine's mutex.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "media/prober.h"
#include "media/unique_fd.h"

namespace understudy::media {

struct ProbeJob;

/// One file on its way. Its descriptor stays open here until the result is taken: it is needed for a second try and for
/// the fstat after the probe.
struct ProbeFile {
    ProbeJob* job = nullptr;
    std::size_t index = 0;
    UniqueFd fd;
    std::int64_t size_bytes = 0;
    ProbeKind kind = ProbeKind::video;
    bool alone = false;      ///< it was in hand when a worker died: next time nobody else is at risk
    int foreign_deaths = 0;  ///< workers that somebody else killed over it (an operator, the kernel short of memory)
};
using ProbeFilePtr = std::unique_ptr<ProbeFile>;

struct ProbeJob {
    std::deque<ProbeFilePtr> ready;
    std::vector<std::pair<ProbeFilePtr, ProbeResult>> finished;
    std::size_t in_engine = 0;   ///< given to the engine and not yet taken out of `finished`
    unsigned dying_workers = 0;  ///< killed for this job's sake and not yet reaped
    bool cancelled = false;
    std::condition_variable wake;
};

}  // namespace understudy::media
