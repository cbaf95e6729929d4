#include "tasks/run_launcher.h"

#include <algorithm>
#include <condition_variable>
#include <thread>

namespace understudy::tasks {

void InlineLauncher::launch(std::shared_ptr<ActiveRun> run) {
    std::mutex mutex;
    std::condition_variable wake;
    bool ended = false;
    std::jthread beats([&] {
        std::unique_lock lock(mutex);
        while (!ended) {
            lock.unlock();
            const auto wait = run->beat();
            lock.lock();
            clock_.wait_for(lock, wake, wait, [&] { return ended; });
        }
    });
    (void)run->execute();
    {
        const std::lock_guard lock(mutex);
        ended = true;
    }
    wake.notify_all();
}

void ActiveRuns::add(std::shared_ptr<ActiveRun> run) {
    const std::lock_guard lock(mutex_);
    runs_.push_back(std::move(run));
}

void ActiveRuns::remove(core::RunId id) {
    const std::lock_guard lock(mutex_);
    std::erase_if(runs_, [&](const auto& run) { return run->id() == id; });
}

std::shared_ptr<ActiveRun> ActiveRuns::find(core::RunId id) const {
    const std::lock_guard lock(mutex_);
    const auto it = std::find_if(runs_.begin(), runs_.end(), [&](const auto& run) { return run->id() == id; });
    return it == runs_.end() ? nullptr : *it;
}

std::vector<std::shared_ptr<ActiveRun>> ActiveRuns::all() const {
    const std::lock_guard lock(mutex_);
    return runs_;
}

}  // namespace understudy::tasks
