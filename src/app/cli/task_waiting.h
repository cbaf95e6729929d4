// app/cli/task_waiting.h: following runs until they end, over pods that die. Used by the tasks commands.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <vector>

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

struct WaitedTask {
    std::string key;
    std::string run_id;  ///< empty: its request is kept; its run is the first one by hand with a later epoch than this
    double before = 0;
};
/// Follows them all until the last has ended. Where no pod answers it tries again for `patience`: the runs go on
/// without us. Exit code of the command: 0 where all completed.
int wait_for_tasks(Command& command, const std::vector<WaitedTask>& tasks, std::chrono::seconds patience);

}  // namespace understudy::app
