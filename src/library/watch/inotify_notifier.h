// library/watch/inotify_notifier.h: the Notifier over Linux' inotify(7).
#pragma once

#include "library/watch/notifier.h"

namespace understudy::library {

class InotifyNotifier final : public Notifier {
public:
    /// Null: errno in `error` (EMFILE: fs.inotify.max_user_instances).
    [[nodiscard]] static std::unique_ptr<Notifier> make(int& error);
    ~InotifyNotifier() override;
    InotifyNotifier(const InotifyNotifier&) = delete;
    InotifyNotifier& operator=(const InotifyNotifier&) = delete;

    [[nodiscard]] int add(const std::string& folder, int& watch) override;
    void remove(int watch) override;
    [[nodiscard]] std::vector<NotifyEvent> wait(core::Millis at_most) override;
    void wake() override;
    [[nodiscard]] bool is_whole(const std::string& file) const override;

private:
    InotifyNotifier(int events, int waker) : events_(events), waker_(waker) {}
    int events_, waker_;
};

/// `fs.inotify.max_user_watches`; 0 where it cannot be read.
[[nodiscard]] long most_watches();

}  // namespace understudy::library
