// http/server/worker_pool.h: a few threads for handlers that block, behind one bounded queue. Used by the server.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace understudy::http {

/// Safe from any thread, but for stop(), which is called once.
class WorkerPool {
public:
    /// `name`: of its threads, at most 15 characters.
    WorkerPool(std::size_t threads, std::size_t queue_bound, const char* name = "http-work");
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// False: the queue is full or the pool stops. `job` must not throw.
    [[nodiscard]] bool submit(std::function<void()> job);
    /// Drops what waits and joins; a job that runs is waited for (each of its waits has a deadline of its own).
    void stop();
    [[nodiscard]] std::size_t waiting() const;

private:
    void work();

    std::size_t bound_;
    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::function<void()>> queue_;
    bool stopping_ = false;
    std::vector<std::jthread> threads_;
};

}  // namespace understudy::http
