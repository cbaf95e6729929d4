// tests/support/library/tricky_notifier.h: the machine's inotify, with folders that are forbidden, watches that run out
// and events that a test makes up. (Tests run as root, whom chmod does not stop.)
#pragma once

#include <cerrno>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "library/watch/inotify_notifier.h"

namespace understudy::testing {

/// What a test asks of all notifiers that it makes. Safe from any thread.
struct Tricks {
    std::mutex mutex;
    std::set<std::string> forbidden;
    std::size_t watches_left = 1'000'000;
    std::vector<library::NotifyEvent> made_up;
    library::Notifier* last = nullptr;

    void make_up(library::NotifyEvent event) {
        const std::lock_guard lock(mutex);
        made_up.push_back(std::move(event));
        if (last != nullptr) last->wake();
    }
};

class TrickyNotifier final : public library::Notifier {
public:
    explicit TrickyNotifier(std::shared_ptr<Tricks> tricks) : tricks_(std::move(tricks)) {
        int error = 0;
        real_ = library::InotifyNotifier::make(error);
        const std::lock_guard lock(tricks_->mutex);
        tricks_->last = this;
    }
    ~TrickyNotifier() override {
        const std::lock_guard lock(tricks_->mutex);
        if (tricks_->last == this) tricks_->last = nullptr;
    }
    TrickyNotifier(const TrickyNotifier&) = delete;
    TrickyNotifier& operator=(const TrickyNotifier&) = delete;

    int add(const std::string& folder, int& watch) override {
        {
            const std::lock_guard lock(tricks_->mutex);
            if (tricks_->forbidden.contains(folder)) return EACCES;
            if (tricks_->watches_left == 0) return ENOSPC;
            --tricks_->watches_left;
        }
        return real_->add(folder, watch);
    }
    void remove(int watch) override { real_->remove(watch); }
    std::vector<library::NotifyEvent> wait(core::Millis at_most) override {
        auto events = real_->wait(at_most);
        const std::lock_guard lock(tricks_->mutex);
        for (auto& event : tricks_->made_up) events.push_back(std::move(event));
        tricks_->made_up.clear();
        return events;
    }
    void wake() override { real_->wake(); }
    bool is_whole(const std::string& file) const override { return real_->is_whole(file); }

private:
    std::shared_ptr<Tricks> tricks_;
    std::unique_ptr<library::Notifier> real_;
};

}  // namespace understudy::testing
