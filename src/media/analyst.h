// media/analyst.h: port through which library tasks learn what only a long look into a file can tell: keyframes,
// loudness, pictures, fingerprints. The adapter (media/worker_pool.h) hands files as descriptors to sandboxed
// processes; a crash or a hang costs that file alone.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/time.h"

namespace understudy::media {

/// What a worker can do with a file. Parameters and payload of each are bytes to everybody but its own header:
/// media/keyframes.h, loudness.h, pictures.h, fingerprint.h, cover.h, scaled.h (encode and decode beside plain values).
enum class Job : std::uint8_t {
    probe_video,
    probe_audio,
    keyframes,
    loudness,
    pictures,
    fingerprint,
    edges,
    cover,
    scale
};
inline constexpr std::size_t job_count = 9;

[[nodiscard]] constexpr bool is_probe(Job job) noexcept {
    return job == Job::probe_video || job == Job::probe_audio;
}

/// `keyframes`, `loudness`, …: for logs and errors.
[[nodiscard]] constexpr std::string_view to_string(Job job) noexcept {
    switch (job) {
        case Job::probe_video:
        case Job::probe_audio:
            return "probe";
        case Job::keyframes:
            return "keyframes";
        case Job::loudness:
            return "loudness";
        case Job::pictures:
            return "pictures";
        case Job::fingerprint:
            return "fingerprint";
        case Job::edges:
            return "edges";
        case Job::cover:
            return "cover";
        case Job::scale:
            return "scale";
    }
    return "?";
}

/// No payload is longer.
inline constexpr std::size_t max_payload_bytes = std::size_t{16} * 1024 * 1024;
/// No request's parameters are longer.
inline constexpr std::size_t max_parameter_bytes = std::size_t{64} * 1024;

struct AnalysisRequest {
    std::string path;  ///< absolute path bytes; opened by us, read-only, never by the worker
    Job job = Job::keyframes;
    std::string parameters;  ///< the job's own encoding, at most max_parameter_bytes
    core::Millis limit{};    ///< wall and processor time of the worker over this file; 0: what a probe may take
};

struct AnalysisAnswer {
    std::string payload;  ///< foreign bytes: the job's decode() checks them
    /// Size and mtime of the file as fstat said after the job: a difference to what is stored means that it changed.
    std::int64_t size_bytes = 0;
    std::int64_t mtime_ns = 0;
};

/// Errors of a file: not_found, unavailable (I/O: try again later), corrupt (a parser refused or crashed), timed_out,
/// unsupported (nothing of that kind in it), invalid (parameters), cancelled.
using AnalysisResult = core::Result<AnalysisAnswer>;

class Analyst {
public:
    virtual ~Analyst() = default;
    /// Works on `files` with all workers at once, one file each, and calls `done(index, result)` for every file, in any
    /// order, on the calling thread. Blocks until all are done. `stop` is asked often: then children busy with our
    /// files are killed and the rest ends as cancelled. Safe from several threads.
    virtual void analyse(const std::vector<AnalysisRequest>& files, const std::function<bool()>& stop,
                         const std::function<void(std::size_t, AnalysisResult)>& done) = 0;
};

}  // namespace understudy::media
