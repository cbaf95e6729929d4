#include "core/processes.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace understudy::bench {
namespace {

namespace fs = std::filesystem;

fs::path proc(pid_t pid) {
    return fs::path("/proc") / std::to_string(pid);
}

std::int64_t kilobytes_in(const fs::path& file, std::string_view name) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with(name)) return std::strtoll(line.c_str() + name.size(), nullptr, 10);
    }
    return 0;
}

}  // namespace

double cpu_seconds(pid_t pid) {
    // The process's own clock counts nanoseconds; /proc/PID/stat counts ticks of 10 ms, too coarse for an idle minute.
    clockid_t clock{};
    timespec used{};
    if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return 0;
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9;
}

double cpu_seconds(const std::vector<pid_t>& pids) {
    double total = 0;
    for (const auto pid : pids) total += cpu_seconds(pid);
    return total;
}

std::int64_t pss_bytes(const std::vector<pid_t>& pids) {
    std::int64_t total = 0;
    for (const auto pid : pids) total += kilobytes_in(proc(pid) / "smaps_rollup", "Pss:");
    return total * 1024;
}

std::int64_t resident_bytes(pid_t pid) {
    return kilobytes_in(proc(pid) / "status", "VmRSS:") * 1024;
}

std::string thread_summary(pid_t pid) {
    std::string text;
    std::error_code gone;
    for (const auto& thread : fs::directory_iterator(proc(pid) / "task", gone)) {
        std::string name;
        std::int64_t run_ns = 0;
        std::getline(std::ifstream(thread.path() / "comm"), name);
        std::ifstream(thread.path() / "schedstat") >> run_ns;
        text += fmt::format("{}{} {:.1f} ms", text.empty() ? "" : ", ", name, static_cast<double>(run_ns) / 1e6);
    }
    return text;
}

std::set<int> tcp_ports(pid_t pid) {
    std::set<std::string> inodes;
    std::error_code gone;
    for (const auto& entry : fs::directory_iterator(proc(pid) / "fd", gone)) {
        const auto target = fs::read_symlink(entry.path(), gone).string();
        constexpr std::string_view socket = "socket:[";
        if (target.starts_with(socket)) inodes.insert(target.substr(socket.size(), target.size() - socket.size() - 1));
    }
    std::set<int> ports;
    std::ifstream table(proc(pid) / "net/tcp");
    std::string line;
    std::getline(table, line);  // the heading
    while (std::getline(table, line)) {
        std::istringstream words(line);
        std::string skipped, local, inode;
        words >> skipped >> local;
        for (int i = 0; i < 7; ++i) words >> skipped;
        words >> inode;
        const auto colon = local.find(':');
        if (colon != std::string::npos && inodes.contains(inode))
            ports.insert(std::stoi(local.substr(colon + 1), nullptr, 16));
    }
    return ports;
}

Cost cost_of(const std::string& command) {
    const auto used = [] {
        rusage usage{};
        ::getrusage(RUSAGE_CHILDREN, &usage);  // those that were waited for
        const auto seconds = [](const timeval& time) {
            return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
        };
        return seconds(usage.ru_utime) + seconds(usage.ru_stime);
    };
    const auto used_before = used();
    const auto begun = std::chrono::steady_clock::now();
    const int status = std::system(command.c_str());  // NOLINT(cert-env33-c): our own words
    const auto took = std::chrono::steady_clock::now() - begun;
    if (status != 0) throw std::runtime_error("failed: " + command);
    return {std::chrono::duration<double>(took).count(), used() - used_before};
}

}  // namespace understudy::bench
