// library/patient_reader.h: reads small files (NFO, playlists) in a thread of its own, so that a share that hangs holds
// a scan up no longer than the walk's patience. Used by the scanner, on the run's thread.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/result.h"
#include "core/time.h"
#include "library/file_system.h"

namespace understudy::library {

class PatientReader {
public:
    /// `stop` is asked at least every 200 ms while waiting.
    PatientReader(std::shared_ptr<const FileSystem> files, core::Millis patience, std::function<bool()> stop);
    ~PatientReader();
    PatientReader(const PatientReader&) = delete;
    PatientReader& operator=(const PatientReader&) = delete;

    /// At most `at_most` bytes from the start. Blocks at most `patience`, less after each file that did not answer.
    /// Errors: not_found, unavailable (both with what the system says, for people), timed_out, cancelled.
    [[nodiscard]] core::Result<std::string> read(const std::string& path, std::size_t at_most);

private:
    struct Desk;
    std::shared_ptr<const FileSystem> files_;
    core::Millis patience_;
    std::function<bool()> stop_;
    std::shared_ptr<Desk> desk_;  ///< shared with its thread, which may hang longer than we live
    int hung_ = 0;
};

}  // namespace understudy::library
