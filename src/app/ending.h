// app/ending.h: a pod that was asked over HTTP to stop or to begin anew. Used by run_server.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "core/log.h"

namespace understudy::app {

class RequestedEnding {
public:
    /// Notes which program this is and how it was called. After StopSignals.
    RequestedEnding();

    /// Sends this process the signal that StopSignals waits for, so that there is one way to stop, and once: a second
    /// signal would end the process at once. Who asks for a stop while it restarts gets one. Safe from any thread.
    void begin(bool restart) noexcept;
    [[nodiscard]] bool restart() const noexcept { return begun_ && !stop_; }

    /// Puts a new server into this process: the program that lies now where this one was started from, with the same
    /// arguments and environment. The process id stays, so that a supervisor, a container and a terminal see no end;
    /// all other threads end, and nothing but stdin, stdout and stderr stays open. Returns only where that failed.
    void begin_anew(core::Log& log) const;

private:
    std::atomic<bool> begun_ = false, stop_ = false;
    std::string program_;
    std::vector<std::string> arguments_;
};

}  // namespace understudy::app
