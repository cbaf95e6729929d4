// Hand-over, kill -9 and the cost of idling: three real pods over a real Redis and a real PostgreSQL.
#include <fmt/format.h>

#include <chrono>
#include <map>
#include <stdexcept>
#include <thread>

#include "cluster/cluster.h"
#include "core/lone_server.h"
#include "core/processes.h"
#include "core/redis_monitor.h"
#include "core/report.h"

namespace understudy::bench {
namespace {

using testing::Cluster;
using testing::eventually;
using testing::PodProcess;
using namespace std::chrono_literals;

constexpr std::string_view leads = "this pod leads the scheduled tasks";

// The product's own defaults, where the tests hurry.
const std::map<std::string, std::string> standard{{"Jellyfin:ScanLeader:LeaseDurationSeconds", "15"},
                                                  {"Jellyfin:Tasks:HeartbeatSeconds", "10"},
                                                  {"Jellyfin:Tasks:DeadAfterSeconds", "45"}};

PodProcess& leader_of(Cluster& cluster) {
    auto* leader = cluster.await_leader(60s);
    if (leader == nullptr) throw std::runtime_error("no pod leads");
    return *leader;
}

// All the others know who leads, so each waits for the news.
void await_calm(Cluster& cluster, const PodProcess& leader) {
    for (auto* pod : cluster.living()) {
        if (pod != &leader && !cluster.await_standing(*pod, "follower", 60s)) {
            throw std::runtime_error(pod->name() + " does not follow: " + cluster.standing(*pod));
        }
    }
}

void start_again(PodProcess& pod) {
    pod.start();
    if (!eventually(30s, [&] { return pod.request("GET", "/health/ready").status == 200; })) {
        throw std::runtime_error(pod.name() + " is not ready again");
    }
}

// Milliseconds from `from` to another pod's own line that it leads, rounded up: the log cuts to milliseconds.
class NextLeader {
public:
    NextLeader(Cluster& cluster, const PodProcess& leader) {
        for (auto* pod : cluster.living()) {
            if (pod != &leader) marks_.push_back({pod, pod->log().size()});
        }
    }
    [[nodiscard]] double await(double from, core::Millis at_most) {
        const bool found = eventually(at_most, [&] {
            for (const auto& [pod, size] : marks_) {
                at_ = logged_ms(pod->log(), size, leads);
                if (at_ >= 0) return true;
            }
            return false;
        });
        if (!found) throw std::runtime_error("no other pod leads in time");
        return at_ + 1 - from;
    }

private:
    struct Mark {
        PodProcess* pod;
        std::size_t size;
    };
    std::vector<Mark> marks_;
    double at_ = -1;
};

constexpr auto short_ttl = 3s;  // of a Cluster

// A Redis that has just started may have forgotten a leader: pods that saw it so wait a ttl.
void await_trusted_store(Cluster& cluster) {
    const bool trusted = eventually(60s, [&] {
        const auto info = cluster.redis().command({"INFO", "server"});
        const auto at = info.find("uptime_in_seconds:");
        return at != std::string::npos && std::stol(info.substr(at + 18)) >= 2 * short_ttl.count();
    });
    if (!trusted) throw std::runtime_error("Redis does not tell its uptime");
}

/// Hand-overs one after another. After a resign a pod acquires nothing for T, so that a round begins only once another
/// pod may take over: what is measured is the news, not that rule.
class HandOvers {
public:
    explicit HandOvers(Cluster& cluster) : cluster_(cluster) { await_trusted_store(cluster); }

    double round(bool resign) {
        auto& leader = leader_of(cluster_);
        await_calm(cluster_, leader);
        if (!eventually(60s, [&] { return somebody_may_follow(leader); }))
            throw std::runtime_error("no pod may take over");
        NextLeader next(cluster_, leader);
        const auto from = wall_ms();
        if (resign) {
            const auto reply = leader.request("POST", "/cluster/leader/resign");
            if (reply.status != 202) throw std::runtime_error("resign: " + reply.reason());
            resigned_[&leader] = Clock::now();
        } else {
            leader.terminate();
        }
        const auto took = next.await(from, 10s);
        if (!resign) {
            if (leader.await_exit(30s) != 0) throw std::runtime_error(leader.name() + " did not end well");
            start_again(leader);
            resigned_.erase(&leader);  // a new process owes nothing
        }
        return took;
    }

private:
    using Clock = std::chrono::steady_clock;
    [[nodiscard]] bool somebody_may_follow(const PodProcess& leader) {
        for (const auto* pod : cluster_.living()) {
            const auto resigned = resigned_.find(pod);
            if (pod == &leader) continue;
            if (resigned == resigned_.end() || Clock::now() - resigned->second > short_ttl + 200ms) return true;
        }
        return false;
    }

    Cluster& cluster_;
    std::map<const PodProcess*, Clock::time_point> resigned_;
};

std::vector<double> kill_rounds(Bench& bench, Cluster& cluster, int rounds, core::Millis at_most) {
    std::vector<double> seconds;
    for (int round = 0; round < rounds; ++round) {
        auto& leader = leader_of(cluster);
        await_calm(cluster, leader);
        NextLeader next(cluster, leader);
        const auto from = wall_ms();
        leader.kill();
        seconds.push_back(next.await(from, at_most) / 1000);
        bench.say(fmt::format("kill -9, round {}: {:.2f} s", round + 1, seconds.back()));
        start_again(leader);
    }
    return seconds;
}

void add_kill_figure(Bench& bench, const std::vector<double>& seconds, const std::string& ttl, double budget) {
    const auto worst = quantile(seconds, 1);
    bench.add(
        {.what = "kill -9 of the leader to the next leader, T = " + ttl + " s",
         .measured = fmt::format("worst of {}: {:.2f} s (median {:.2f} s)", seconds.size(), worst, median(seconds)),
         .budget = fmt::format("<= {} s", budget),
         .ok = worst <= budget});
}

struct IdleCost {
    double cpu_share = 0;  ///< of one core
    std::int64_t resident = 0;
    int commands = 0;
    std::string words;  ///< which commands
};

class IdlePod {
public:
    explicit IdlePod(const PodProcess& pod)
        : pid_(pod.pid()), cpu_(cpu_seconds(pid_)), ports_(tcp_ports(pid_)), begun_(std::chrono::steady_clock::now()) {}

    [[nodiscard]] IdleCost cost(const RedisMonitor::Counts& counts) {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begun_;
        IdleCost cost;
        cost.cpu_share = (cpu_seconds(pid_) - cpu_) / passed.count();
        cost.resident = resident_bytes(pid_);
        ports_.merge(tcp_ports(pid_));  // where it has connected anew
        std::map<std::string, int> commands;
        for (const auto& [port, sent] : counts) {
            if (!ports_.contains(port)) continue;
            for (const auto& [command, times] : sent) commands[command] += times;
        }
        for (const auto& [command, times] : commands) {
            cost.commands += times;
            cost.words += fmt::format("{}{} {}", cost.words.empty() ? "" : ", ", times, command);
        }
        return cost;
    }

private:
    pid_t pid_;
    double cpu_;
    std::set<int> ports_;
    std::chrono::steady_clock::time_point begun_;
};

void measure_idle(Bench& bench, Cluster& cluster) {
    const auto span = bench.quick ? 30s : 90s;
    auto& leader = leader_of(cluster);
    await_calm(cluster, leader);
    const PodProcess* follower = nullptr;
    for (const auto* pod : cluster.living()) {
        if (pod != &leader) follower = pod;
    }
    struct Role {
        const char* name;
        const PodProcess* pod;
    };
    const Role roles[] = {{"leader", &leader}, {"follower", follower}};
    const RedisMonitor monitor(cluster.redis().port());
    std::vector<IdlePod> idle;
    for (const auto& role : roles) idle.emplace_back(*role.pod);
    std::this_thread::sleep_for(span);  // the span that is measured
    for (std::size_t i = 0; i < idle.size(); ++i) {
        const auto cost = idle[i].cost(monitor.counts());
        const auto seconds = static_cast<double>(span.count());
        const auto every = cost.commands > 0 ? seconds / cost.commands : seconds;
        bench.say(
            fmt::format("idle {}, threads since their start: {}", roles[i].name, thread_summary(roles[i].pod->pid())));
        bench.add({.what = fmt::format("idle {}, lease on, {} s: CPU", roles[i].name, span.count()),
                   .measured = fmt::format("{:.3f} % of a core", 100 * cost.cpu_share),
                   .budget = "< 0.2 %",
                   .ok = cost.cpu_share < 0.002});
        bench.add({.what = fmt::format("idle {}: resident memory", roles[i].name),
                   .measured = fmt::format("{:.1f} MB", static_cast<double>(cost.resident) / 1e6),
                   .budget = "< 40 MB",
                   .ok = cost.resident < 40'000'000});
        bench.add({.what = fmt::format("idle {}: Redis commands sent", roles[i].name),
                   .measured = fmt::format("one in {:.2f} s ({})", every, cost.words),
                   .budget = "<= 1 in 3 s",
                   .ok = cost.commands > 0 && every >= 3});
    }
}

}  // namespace

void measure_hand_over(Bench& bench) {
    Cluster cluster;  // T = 3 s: after a resign a pod holds off for T
    const int rounds = bench.quick ? 10 : 50;
    HandOvers hand_overs(cluster);
    std::vector<double> all, signals, resigns;
    for (int round = 0; round < rounds; ++round) {
        const bool resign = round % 2 == 1;
        all.push_back(hand_overs.round(resign));
        (resign ? resigns : signals).push_back(all.back());
        bench.say(fmt::format("hand-over {} by {}: {:.1f} ms", round + 1, resign ? "resign" : "SIGTERM", all.back()));
    }
    const auto p99 = quantile(all, 0.99);
    bench.add({.what = fmt::format("graceful hand-over to the next leader, p99 of {}", rounds),
               .measured = fmt::format("{:.0f} ms (median: SIGTERM {:.0f} ms, resign {:.0f} ms)", p99, median(signals),
                                       median(resigns)),
               .budget = "< 100 ms",
               .ok = p99 < 100});
}

void measure_short_lease(Bench& bench) {
    Cluster cluster;
    add_kill_figure(bench, kill_rounds(bench, cluster, bench.quick ? 3 : 8, 20s), "3", 4.5);
}

void measure_idle_and_long_lease(Bench& bench) {
    Cluster cluster({.settings = standard});
    measure_idle(bench, cluster);
    add_kill_figure(bench, kill_rounds(bench, cluster, bench.quick ? 1 : 3, 60s), "15", 20);
}

}  // namespace understudy::bench
