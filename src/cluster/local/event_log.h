// cluster/local/event_log.h: events of a server that is alone: from thread to thread, nothing stored. Made by app for
// SQLite.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include "cluster/events.h"
#include "cluster/listeners.h"
#include "core/time.h"

namespace understudy::cluster {

class LocalEventLog final : public EventLog {
public:
    /// `clock` must outlive the log.
    LocalEventLog(const core::Clock& clock, std::string pod);
    ~LocalEventLog() override;
    [[nodiscard]] core::Result<void> publish(const std::string& kind, const std::string& payload) override;
    int listen(std::function<void(const Event&)> listener) override { return listeners_.add(std::move(listener)); }
    void drop(int token) override { listeners_.drop(token); }

private:
    void deliver(const std::stop_token& stop);

    const core::Clock& clock_;
    const std::string pod_;
    Listeners listeners_;
    std::mutex mutex_;
    std::condition_variable_any arrived_;
    std::deque<Event> waiting_;
    std::int64_t last_ = 0;
    std::jthread thread_;  // last: the others must live while it ends
};

}  // namespace understudy::cluster
