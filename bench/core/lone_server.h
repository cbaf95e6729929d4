// bench/core/lone_server.h: one server without an election, its libraries and its scans. Used by the scan and memory
// figures.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "cluster/pod_process.h"

namespace understudy::bench {

struct ScanResult {
    double seconds = 0;      ///< the run's, as its row in task_runs says
    double cpu_seconds = 0;  ///< server and workers
    std::map<std::string, std::int64_t> counts;
};

class LoneServer {
public:
    using Settings = std::map<std::string, std::string>;
    /// Data in `folder`; more settings over SQLite and what is standard.
    LoneServer(std::filesystem::path folder, Settings settings = {});

    void start();  ///< returns when it is ready
    /// The time from before the process is made to its own word that it is ready. (It was asked, too.)
    [[nodiscard]] double start_timed();
    void stop();  ///< SIGTERM, and waits
    void add_library(const std::string& name, const std::string& kind, const std::filesystem::path& folder);
    /// A run of RefreshLibrary from start to end; `look` is called ten times a second meanwhile. Throws where it does
    /// not complete.
    [[nodiscard]] ScanResult scan(const std::function<void()>& look = {});
    [[nodiscard]] std::vector<pid_t> processes() const;  ///< the server's and its workers'
    [[nodiscard]] std::size_t items() const;

private:
    testing::PodProcess pod_;
};

/// The instant (Unix ms) of the last line with this message in a pod's JSON log behind `from`; -1 where there is none.
[[nodiscard]] double logged_ms(const std::string& log, std::size_t from, std::string_view message);
[[nodiscard]] double wall_ms();

}  // namespace understudy::bench
