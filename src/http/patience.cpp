#include "http/patience.h"

#include <pthread.h>

#include <condition_variable>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>

#include "http/text.h"

namespace understudy::http {

struct Patience::State {
    std::mutex mutex;
    std::condition_variable answered;
    std::map<std::string, int> overdue;
    int hanging = 0;
};

Patience::Patience(core::Millis patience) : patience_(patience), state_(std::make_shared<State>()) {}

core::Result<void> Patience::run(const std::string& name, std::function<void()> work) const {
    struct Job {
        bool done = false, given_up = false;
    };
    const auto silent = [&](const char* why) {
        return core::fail(core::Errc::unavailable, printable(name) + ": " + why);
    };
    std::unique_lock lock(state_->mutex);
    if (state_->overdue.contains(name)) return silent("does not answer; a share that went away?");
    if (state_->hanging >= most_hanging) return silent("was not looked at, as too many folders do not answer");
    lock.unlock();
    const auto job = std::make_shared<Job>();
    try {
        std::thread([state = state_, job, name, work = std::move(work)] {
            ::pthread_setname_np(::pthread_self(), "look");
            work();
            const std::lock_guard own(state->mutex);
            job->done = true;
            if (job->given_up) {
                --state->hanging;
                if (--state->overdue[name] == 0) state->overdue.erase(name);
            }
            state->answered.notify_all();
        }).detach();
    } catch (const std::system_error&) {
        return silent("was not looked at, as there is no thread left");
    }
    lock.lock();
    state_->answered.wait_for(lock, patience_, [&] { return job->done; });
    if (job->done) return {};
    job->given_up = true;
    ++state_->hanging;
    ++state_->overdue[name];
    return silent("does not answer; a share that went away?");
}

}  // namespace understudy::http
