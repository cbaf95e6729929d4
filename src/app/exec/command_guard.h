// app/exec/command_guard.h: the process between `understudy exec` and its command: it starts the command, and stops it
// in time, also where exec itself is killed or stands still. Used by exec alone.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "core/time.h"

namespace understudy::app {

struct GuardReport {
    enum class Kind {
        started,    ///< number: the command's process group
        not_found,  ///< number: errno of the start
        ended,      ///< number: as waitpid tells it; all that the command left behind is gone too
        gone,       ///< the guard itself has died
    };
    Kind kind = Kind::gone;
    int number = 0;
    bool stopped_for_the_lease = false;
};

/// One thread.
class CommandGuard {
public:
    /// Forks, so no thread may run yet. `command` is looked for in PATH; it runs with `mask` as its umask, with the
    /// signals and the descriptors of this process. Throws std::runtime_error where no process can be made.
    CommandGuard(std::vector<std::string> command, core::Millis kill_after, mode_t mask);
    /// Ends the guard, and so the command where it still runs: SIGTERM, then SIGKILL. Does not wait for those.
    ~CommandGuard();
    CommandGuard(const CommandGuard&) = delete;
    CommandGuard& operator=(const CommandGuard&) = delete;

    /// `NAME=VALUE` each, beside this process's environment.
    void start(const std::vector<std::string>& variables);
    /// The lease is proved for `left` from `now` on. Before start() and after each renewal.
    void trust(core::Instant now, core::Nanos left);
    void pass_on(int signal);  ///< to the command's process group
    void stop();               ///< the lease is lost
    /// A guard that was stopped (SIGSTOP) would tell of no end and keep the lease held for ever: it goes on. Does not
    /// block.
    void wake() const;
    /// Readable where read() has something to tell.
    [[nodiscard]] int descriptor() const noexcept { return channel_; }
    /// nullopt: nothing yet. Does not block.
    [[nodiscard]] std::optional<GuardReport> read();

private:
    int channel_ = -1;
    pid_t guard_ = -1;
    bool running_ = false;
};

}  // namespace understudy::app
