// app/stop_signals.h: SIGINT and SIGTERM: the first one asks a server to stop, a later one ends it at once. Used by
// run_server in main's thread, before any other thread is there.
#pragma once

#include <csignal>
#include <thread>

#include "core/time.h"

namespace understudy::app {

/// Taken synchronously: blocked in all threads, waited for in main.
class StopSignals {
public:
    StopSignals();
    /// True: one has come.
    [[nodiscard]] bool wait(core::Millis at_most) const;
    void wait() const;
    [[nodiscard]] const sigset_t& set() const noexcept { return set_; }

private:
    sigset_t set_{};
};

/// One Ctrl-C often comes twice: from the terminal to the whole group, and as SIGTERM from the script or supervisor
/// that it ended. Signals within this time of the first are that one.
inline constexpr core::Millis same_stop{1'000};

/// While it lives: a further signal within `same` of now is dropped, a later one ends the process at once, by that
/// signal. A run that is cut short so is taken over, as after a crash.
class ImpatientStop {
public:
    explicit ImpatientStop(const StopSignals& signals, core::Millis same = same_stop);

private:
    std::jthread watch_;
};

}  // namespace understudy::app
