#include "app/stop_signals.h"

#include <pthread.h>

#include <chrono>
#include <ctime>

namespace understudy::app {
namespace {

using core::Millis;

/// 0: none came.
int next_signal(const sigset_t& set, Millis at_most) {
    const timespec limit{.tv_sec = at_most.count() / 1000, .tv_nsec = at_most.count() % 1000 * 1'000'000};
    const int signal = ::sigtimedwait(&set, nullptr, &limit);
    return signal > 0 ? signal : 0;
}

}  // namespace

StopSignals::StopSignals() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGINT);
    sigaddset(&set_, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &set_, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
}

bool StopSignals::wait(Millis at_most) const {
    return next_signal(set_, at_most) != 0;
}

void StopSignals::wait() const {
    int signal = 0;
    ::sigwait(&set_, &signal);
}

ImpatientStop::ImpatientStop(const StopSignals& signals, Millis same)
    : watch_([set = signals.set(), same, begun = std::chrono::steady_clock::now()](const std::stop_token& done) {
          ::pthread_setname_np(::pthread_self(), "stop-signals");
          constexpr Millis look{100};  // how long the end of a stop may wait for this thread
          while (!done.stop_requested()) {
              const int signal = next_signal(set, look);
              if (signal == 0 || std::chrono::steady_clock::now() - begun < same) continue;
              std::signal(signal, SIG_DFL);  // a shell's background jobs are born with SIGINT ignored
              ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
              ::raise(signal);
          }
      }) {}

}  // namespace understudy::app
