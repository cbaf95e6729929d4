// app/exec/lease_exec.h: one life of `understudy exec`: wait for the lease, run the command while it is proved, let go.
// Used by cli/exec_command.cpp.
#pragma once

#include <sys/types.h>

#include <iosfwd>
#include <string>
#include <vector>

#include "app/config/settings.h"
#include "app/exec/exec_rules.h"

namespace understudy::app {

struct LeaseExecOptions {
    std::string name;  ///< of the lease, for people and for the command
    std::string key;   ///< of the lease, in the store
    lease::LeaseSettings lease;
    core::Millis kill_after{};
    std::optional<core::Millis> wait;  ///< nullopt: for ever
    std::vector<std::string> command;
    mode_t mask = 022;  ///< the command's umask
};

/// Returns the exit code of docs/cli.md. Forks, so it wants a process without threads, and takes the process's signals
/// for its own. Throws std::runtime_error where no process or no store can be made.
[[nodiscard]] int run_under_lease(const Settings& settings, const LeaseExecOptions& options, std::ostream& err);

}  // namespace understudy::app
