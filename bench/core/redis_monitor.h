// bench/core/redis_monitor.h: counts the commands that each connection sends to a Redis. Used by the idle figure.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace understudy::bench {

/// MONITOR on a connection of its own. What a script calls inside Redis is not counted: nobody sent it.
class RedisMonitor {
public:
    /// Throws where there is no Redis on that port of the loopback.
    explicit RedisMonitor(int port);
    ~RedisMonitor();
    RedisMonitor(const RedisMonitor&) = delete;
    RedisMonitor& operator=(const RedisMonitor&) = delete;

    /// Since the start: by the client's port, how often each command (upper case) came.
    using Counts = std::map<int, std::map<std::string, int>>;
    [[nodiscard]] Counts counts() const;

private:
    mutable std::mutex mutex_;
    Counts counts_;
    std::atomic<bool> stopping_{false};
    std::thread thread_;
};

}  // namespace understudy::bench
