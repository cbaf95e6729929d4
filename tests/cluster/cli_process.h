// tests/cluster/cli_process.h: a real `understudy exec` with a shell script as its command. Used by exec_test.cpp.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/time.h"

namespace understudy::testing {

/// Killed in the destructor, whatever state it is in.
class CliProcess {
public:
    struct Options {
        std::filesystem::path folder;                 ///< where it runs; what it says goes to a log there
        std::map<std::string, std::string> settings;  ///< given through the environment
        std::vector<std::string> words;               ///< behind `understudy`
    };
    explicit CliProcess(Options options);
    ~CliProcess();
    CliProcess(const CliProcess&) = delete;
    CliProcess& operator=(const CliProcess&) = delete;

    [[nodiscard]] pid_t pid() const noexcept { return pid_; }
    void signal(int number) const;
    void kill();  ///< SIGKILL, and reaped
    /// Exit code, 128 + signal; nullopt: it has not ended within `at_most`.
    std::optional<int> await_exit(core::Millis at_most);
    [[nodiscard]] bool ended();
    [[nodiscard]] std::string said() const;

private:
    void reap();
    std::filesystem::path log_;
    pid_t pid_ = -1;
    std::optional<int> code_;
};

/// Of a process that still runs: no zombie.
[[nodiscard]] bool alive(pid_t pid);
[[nodiscard]] std::string read_file(const std::filesystem::path& file);
[[nodiscard]] std::vector<std::string> lines_of(const std::filesystem::path& file);

}  // namespace understudy::testing
