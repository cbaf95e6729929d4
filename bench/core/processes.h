// bench/core/processes.h: what other processes cost, from /proc. Used by the figures.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace understudy::bench {

/// CPU time of a process, all threads, ended ones too; 0 where it is gone.
[[nodiscard]] double cpu_seconds(pid_t pid);
[[nodiscard]] double cpu_seconds(const std::vector<pid_t>& pids);
/// Proportional set sizes, summed: a page shared by two counts half for each.
[[nodiscard]] std::int64_t pss_bytes(const std::vector<pid_t>& pids);
[[nodiscard]] std::int64_t resident_bytes(pid_t pid);
[[nodiscard]] std::string thread_summary(pid_t pid);  ///< name: CPU ms of each thread, for the log

/// Local ports of the TCP sockets that a process holds.
[[nodiscard]] std::set<int> tcp_ports(pid_t pid);

struct Cost {
    double seconds = 0, cpu_seconds = 0;
};
/// What a shell command takes as a whole process. Throws where it fails.
[[nodiscard]] Cost cost_of(const std::string& command);

}  // namespace understudy::bench
