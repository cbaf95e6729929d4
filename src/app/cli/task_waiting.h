// app/cli/task_waiting.h: following a run until it ends, over pods that die. Used by the tasks commands.
#pragma once

#include <boost/json/value.hpp>
#include <string>

#include "app/cli/command.h"

namespace understudy::app {

/// `files 12, bytes 4000`: a run's counts.
[[nodiscard]] std::string counts_text(const boost::json::value& run);
/// `61 s of media/s, about 4 min left`: as the run's own pod measures it; empty where it says nothing.
[[nodiscard]] std::string pace_text(const boost::json::value& run);
/// `request 5.0 s old, behind RefreshLibrary`, `request for in 8.0 s`, `slot due for 3.0 s, behind RefreshPeople`.
[[nodiscard]] std::string waiting_text(const boost::json::value& row, core::UtcTime now);

/// The newest epoch of a task's runs; 0: it never ran.
[[nodiscard]] double newest_epoch(Command& command, const std::string& key);

/// Where no pod answers it tries again for `patience`: the run goes on without us. Exit code of the command.
int wait_for_run(Command& command, boost::json::value run, std::chrono::seconds patience);
/// A request that was kept: its run is the first one by hand with a later epoch than `before`; then that run.
int wait_for_kept(Command& command, const std::string& key, double before, std::chrono::seconds patience);

}  // namespace understudy::app
