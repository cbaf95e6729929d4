// cluster/listeners.h: who listens to an event log, and how they are told. Used by both adapters.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "cluster/events.h"

namespace understudy::cluster {

/// Safe from any thread. After drop() has returned the listener is not called any more, so it may be destroyed then;
/// a listener may add and drop from inside its own call.
class Listeners {
public:
    int add(std::function<void(const Event&)> listener) {
        const std::lock_guard lock(mutex_);
        listeners_[++last_] = std::make_shared<std::function<void(const Event&)>>(std::move(listener));
        return last_;
    }
    void drop(int token) {
        {
            const std::lock_guard lock(mutex_);
            listeners_.erase(token);
            if (caller_ == std::this_thread::get_id()) return;
        }
        const std::lock_guard wait_for_the_call_in_progress(calling_);
    }
    /// By the log's thread alone.
    void tell(const Event& event) {
        const std::lock_guard calling(calling_);
        std::vector<int> tokens;
        {
            const std::lock_guard lock(mutex_);
            caller_ = std::this_thread::get_id();
            for (const auto& [token, listener] : listeners_) tokens.push_back(token);
        }
        for (const int token : tokens) {
            std::shared_ptr<std::function<void(const Event&)>> listener;
            {
                const std::lock_guard lock(mutex_);
                const auto found = listeners_.find(token);
                if (found != listeners_.end()) listener = found->second;
            }
            if (listener) (*listener)(event);
        }
        const std::lock_guard lock(mutex_);
        caller_ = {};
    }

private:
    std::mutex calling_;  // held while listeners run
    std::mutex mutex_;    // the rest
    std::map<int, std::shared_ptr<std::function<void(const Event&)>>> listeners_;
    std::thread::id caller_;
    int last_ = 0;
};

}  // namespace understudy::cluster
