#include "cluster/local/event_log.h"

#include <pthread.h>

#include <utility>

namespace understudy::cluster {
namespace {

// A listener that hangs must not eat the memory; events are hints, the oldest go first.
constexpr std::size_t most_waiting = 10'000;

}  // namespace

LocalEventLog::LocalEventLog(const core::Clock& clock, std::string pod) : clock_(clock), pod_(std::move(pod)) {
    thread_ = std::jthread([this](const std::stop_token& stop) { deliver(stop); });
    ::pthread_setname_np(thread_.native_handle(), "events");
}

LocalEventLog::~LocalEventLog() = default;

core::Result<void> LocalEventLog::publish(const std::string& kind, const std::string& payload) {
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back({++last_, kind, payload, clock_.utc_now(), pod_});
        if (waiting_.size() > most_waiting) waiting_.pop_front();
    }
    arrived_.notify_one();
    return {};
}

void LocalEventLog::deliver(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (arrived_.wait(lock, stop, [this] { return !waiting_.empty(); })) {
        const auto event = std::move(waiting_.front());
        waiting_.pop_front();
        lock.unlock();
        listeners_.tell(event);
        lock.lock();
    }
}

}  // namespace understudy::cluster
