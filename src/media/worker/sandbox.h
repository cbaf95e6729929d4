// media/worker/sandbox.h: shuts the worker in before it sees a foreign byte. Used by worker.cpp, in this order:
// limit_self, then whatever must still reach the system, then forbid_system_calls.
#pragma once

#include <sys/types.h>

#include <string>

namespace understudy::media {

/// Dies with `parent`; no new privileges, no core, no debugger; closes descriptors above `last_fd`; bounds memory,
/// descriptors, processes and file size. Returns what failed; empty: all done.
[[nodiscard]] std::string limit_self(pid_t parent, int last_fd);

/// From here on only the few calls that reading given descriptors and answering on `socket` need; any other kills the
/// process (SIGSYS), but starting a thread, which fails. Returns what failed; empty: done. Not to be undone.
[[nodiscard]] std::string forbid_system_calls(int socket);

/// Lets the kernel end the process once it has used `seconds` more of processor time than now.
void allow_processor_seconds(unsigned seconds);

}  // namespace understudy::media
