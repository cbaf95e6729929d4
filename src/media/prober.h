// media/prober.h: port through which a scan learns what is inside files. The adapter (media/worker_pool.h) hands them
// as descriptors to sandboxed processes; a crash or a hang costs that file alone.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/result.h"
#include "media/analyst.h"
#include "model/media.h"

namespace understudy::media {

enum class ProbeKind { video, audio };

[[nodiscard]] constexpr Job job_of(ProbeKind kind) noexcept {
    return kind == ProbeKind::audio ? Job::probe_audio : Job::probe_video;
}

struct ProbeRequest {
    std::string path;  ///< absolute path bytes; opened by us, read-only, never by the worker
    ProbeKind kind = ProbeKind::video;
};

/// Errors of a file: not_found, unavailable (I/O: keep the item), corrupt (a parser refused or crashed), timed_out,
/// unsupported (no media in it), cancelled.
using ProbeResult = core::Result<model::MediaInfo>;

class Prober {
public:
    virtual ~Prober() = default;
    /// Probes all of `files` on all workers at once and calls `done(index, result)` for each, in any order, on the
    /// calling thread. Blocks until all are done. `stop` is asked often: then children busy with our files are killed
    /// and the rest ends as cancelled. Safe from several threads.
    virtual void probe(const std::vector<ProbeRequest>& files, const std::function<bool()>& stop,
                       const std::function<void(std::size_t, ProbeResult)>& done) = 0;
};

}  // namespace understudy::media
