// A server that was asked over HTTP to end: by the one way there is to stop, and once.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/ending.h"
#include "app/stop_signals.h"

namespace understudy::app {
namespace {

using core::Millis;

/// What `child` returns is the exit code of a process of its own, whose signals are not this one's.
template <class Child>
int in_a_process(Child child) {
    const auto pid = ::fork();
    if (pid == 0) ::_exit(child());
    int status = 0;
    ::waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(RequestedEnding, wakes_who_waits_for_a_signal_and_sends_no_second_one) {
    EXPECT_EQ(in_a_process([] {
                  const StopSignals signals;
                  RequestedEnding ending;
                  ending.begin(true);
                  ending.begin(true);
                  signals.wait();
                  if (signals.wait(Millis{0})) return 2;  // it would end the process at once
                  return ending.restart() ? 0 : 3;
              }),
              0);
}

TEST(RequestedEnding, who_asks_for_a_stop_gets_one_whatever_others_ask_for) {
    for (const bool restart_first : {true, false}) {
        EXPECT_EQ(in_a_process([restart_first] {
                      const StopSignals signals;
                      RequestedEnding ending;
                      ending.begin(restart_first);
                      ending.begin(!restart_first);
                      signals.wait();
                      if (signals.wait(Millis{0})) return 2;
                      return ending.restart() ? 3 : 0;
                  }),
                  0);
    }
}

}  // namespace
}  // namespace understudy::app
