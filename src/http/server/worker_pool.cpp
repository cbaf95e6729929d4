#include "http/server/worker_pool.h"

#include <pthread.h>

namespace understudy::http {

WorkerPool::WorkerPool(std::size_t threads, std::size_t queue_bound, const char* name) : bound_(queue_bound) {
    for (std::size_t i = 0; i < threads; ++i) {
        threads_.emplace_back([this] { work(); });
        pthread_setname_np(threads_.back().native_handle(), name);
    }
}

WorkerPool::~WorkerPool() {
    stop();
}

bool WorkerPool::submit(std::function<void()> job) {
    {
        const std::lock_guard lock(mutex_);
        if (stopping_ || queue_.size() >= bound_) return false;
        queue_.push_back(std::move(job));
    }
    wake_.notify_one();
    return true;
}

void WorkerPool::stop() {
    std::deque<std::function<void()>> dropped;
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        dropped.swap(queue_);
    }
    wake_.notify_all();
    threads_.clear();  // joins
}

std::size_t WorkerPool::waiting() const {
    const std::lock_guard lock(mutex_);
    return queue_.size();
}

void WorkerPool::work() {
    for (;;) {
        std::function<void()> job;
        {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
            if (stopping_) return;
            job = std::move(queue_.front());
            queue_.pop_front();
        }
        job();
    }
}

}  // namespace understudy::http
