// library/patient_reader.h: reads small files (NFO, playlists) in threads of its own, so that a share that hangs holds
// a scan up no longer than the walk's patience, and ahead of need, so that its latency is paid for several files at
// once. Used by the scanner, on the run's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/time.h"
#include "library/file_system.h"

namespace understudy::library {

class PatientReader {
public:
    /// Read at once ahead of need, and one more that is waited for.
    static constexpr std::size_t most_at_once = 8;
    /// Files, and bytes, that were read ahead and not yet asked for.
    static constexpr std::size_t most_ahead = 64, most_bytes_ahead = std::size_t{8} * 1024 * 1024;

    /// `stop` is asked at least every 200 ms while waiting.
    PatientReader(std::shared_ptr<const FileSystem> files, core::Millis patience, std::function<bool()> stop);
    ~PatientReader();
    PatientReader(const PatientReader&) = delete;
    PatientReader& operator=(const PatientReader&) = delete;

    /// These will be asked for, in about this order; never blocks. `batch`: for forget(), does not fall.
    void expect(const std::vector<std::string>& paths, std::size_t at_most, std::uint64_t batch);
    /// What is left of these batches will not be asked for.
    void forget(std::uint64_t up_to = std::numeric_limits<std::uint64_t>::max());
    /// At most `at_most` bytes from the start. Blocks at most `patience`, less after each file that did not answer.
    /// Errors: not_found, unavailable (both with what the system says, for people), timed_out, cancelled.
    [[nodiscard]] core::Result<std::string> read(const std::string& path, std::size_t at_most);

private:
    struct Job;
    struct Desk;
    void add_threads(std::size_t wanted);

    std::shared_ptr<const FileSystem> files_;
    core::Millis patience_;
    std::function<bool()> stop_;
    std::shared_ptr<Desk> desk_;  ///< shared with its threads, which may hang longer than we live
    int hung_ = 0;
};

}  // namespace understudy::library
