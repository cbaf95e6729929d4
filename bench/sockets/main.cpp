// bench_sockets [SOCKETS [EVENTS]]: opens so many event sockets to one server over SQLite. Prints by how much its
// resident memory grew, and how long each of EVENTS (a user is changed) took from the request until the last socket had
// it. The clients read one after the other on one thread: what they need counts too. Ends with 1 where a figure is over
// budget.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <exception>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <vector>

#include "cluster/pod_process.h"
#include "http/socket_client.h"
#include "support/temp_folder.h"

namespace {

using namespace understudy;
using Clock = std::chrono::steady_clock;

constexpr double memory_budget_mb = 60, event_budget_s = 1;

double resident_mb(pid_t pid) {
    std::ifstream in("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("VmRSS:")) return std::stod(line.substr(6)) / 1024;
    }
    throw std::runtime_error("no VmRSS");
}

int measure(int sockets, int events) {
    rlimit files{};
    ::getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);

    const testing::TempFolder folder("sockets");
    testing::PodProcess::Options options;
    options.name = "bench";
    options.folder = folder.path();
    options.key = "socket-bench-admin-key";
    testing::PodProcess pod(options);
    pod.start();
    while (pod.request("GET", "/health/ready").status != 200) {
    }
    const auto made = pod.request("POST", "/Users/New", R"({"Name":"Ann","Password":"sea"})");
    if (made.status != 200) throw std::runtime_error("no user: " + made.body);
    const auto user = boost::json::parse(made.body);
    const std::string id(user.at("Id").as_string());
    const auto port = static_cast<std::uint16_t>(std::stoi(pod.url().substr(pod.url().rfind(':') + 1)));

    // Threads and pools have their memory before the first look.
    for (int i = 0; i < 200; ++i) static_cast<void>(pod.request("GET", "/Sessions"));
    const auto before = resident_mb(pod.pid());
    std::vector<std::unique_ptr<testing::SocketClient>> open;
    const auto begun = Clock::now();
    for (int i = 0; i < sockets; ++i) {
        open.push_back(std::make_unique<testing::SocketClient>(port, "/socket?ApiKey=" + options.key));
        if (open.back()->status() != 101) throw std::runtime_error(fmt::format("socket {} was refused", i));
        open.back()->send(R"({"MessageType":"ScheduledTasksInfoStart","Data":"0,1000"})");
    }
    for (const auto& socket : open) {
        if (socket->await("\"ScheduledTasksInfo\"").empty()) throw std::runtime_error("a socket was closed");
    }
    const std::chrono::duration<double> opened = Clock::now() - begun;

    std::vector<double> seconds;
    for (int i = 0; i < events; ++i) {
        const auto sent = Clock::now();
        const auto changed = pod.request("POST", "/Users/Configuration?userId=" + id, "{}");
        if (changed.status != 204) throw std::runtime_error("not changed: " + changed.body);
        for (const auto& socket : open) {
            if (socket->await("\"UserUpdated\"").empty()) throw std::runtime_error("a socket was closed");
        }
        seconds.push_back(std::chrono::duration<double>(Clock::now() - sent).count());
    }
    const double grown = resident_mb(pod.pid()) - before;
    std::ranges::sort(seconds);
    const double worst = seconds.empty() ? 0 : seconds.back();
    const double middle = seconds.empty() ? 0 : seconds[seconds.size() / 2];
    fmt::print("{} sockets, opened in {:.2f} s, each told of all tasks\n", sockets, opened.count());
    fmt::print("memory: {:.1f} MB more (before: {:.1f} MB), budget < {} MB: {}\n", grown, before, memory_budget_mb,
               grown < memory_budget_mb ? "ok" : "OVER");
    fmt::print("an event at all of them: median {:.3f} s, worst of {} {:.3f} s, budget < {} s: {}\n", middle, events,
               worst, event_budget_s, worst < event_budget_s ? "ok" : "OVER");
    return grown < memory_budget_mb && worst < event_budget_s ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
    try {
        return measure(count > 1 ? std::stoi(words[1]) : 1000, count > 2 ? std::stoi(words[2]) : 50);
    } catch (const std::exception& error) {
        fmt::print(stderr, "bench_sockets: {}\n", error.what());
        return 1;
    }
}
