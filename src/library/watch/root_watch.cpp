#include "library/watch/root_watch.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "library/naming/text.h"
#include "library/watch/folder_poller.h"
#include "library/watch/inotify_notifier.h"
#include "library/watch/watched_tree.h"

namespace understudy::library {

using namespace std::chrono_literals;
using core::LogLevel;
using core::Millis;
using Steady = std::chrono::steady_clock;

namespace {

constexpr Millis patience_at_end{500};
constexpr Millis breath{1'000};  // between two surveys, where events are dropped again and again
constexpr int politeness = 10;   // nice(2) of a thread that polls

std::string shown(const std::string& path) {
    return naming::display_text(path);
}

Millis left(Steady::time_point until) {
    return std::max(Millis{0}, std::chrono::ceil<Millis>(until - Steady::now()));
}

}  // namespace

class RootWatch::Body {
public:
    Body(RootWatchSettings settings, RootWatchParts parts) : settings_(std::move(settings)), parts_(std::move(parts)) {}

    void run() {
        for (bool missed = false; !stopping();) {
            FileStatus root;
            if (parts_.files->status(settings_.root, root) != 0 || root.kind != FileKind::directory) {
                if (how_.exchange(How::away) != How::away) {
                    say(LogLevel::warning, "a library folder is away and cannot be watched; looked for every minute",
                        {{"path", shown(settings_.root)}});
                }
                folders_ = 0;
                missed = true;
                pause(settings_.look_again);
                continue;
            }
            const bool network = settings_.mode == WatchMode::automatic && parts_.is_network(settings_.root);
            const bool by_events = !no_inotify_ && !network && settings_.mode != WatchMode::poll;
            if (by_events) {
                missed = watch(missed) || missed;
                if (!no_inotify_) pause(breath);
            } else {
                poll(missed, network);
                missed = true;
            }
        }
        const std::lock_guard lock(mutex_);
        ended_ = true;
        wake_.notify_all();
    }

    void stop() {
        const std::lock_guard lock(mutex_);
        if (!stopping_) asked_at_ = Steady::now();
        stopping_ = true;
        if (notifier_ != nullptr) notifier_->wake();
        wake_.notify_all();
    }
    void await_end() {
        std::unique_lock lock(mutex_);
        wake_.wait_until(lock, asked_at_ + patience_at_end, [this] { return ended_; });  // of all roots together
    }

    const RootWatchSettings settings_;
    std::atomic<How> how_{How::starting};
    std::atomic<std::size_t> folders_{0};

private:
    using Fields = std::initializer_list<core::LogField>;

    void say(LogLevel level, std::string_view message, Fields fields) { parts_.listener->say(level, message, fields); }
    void changed(const std::string& path) { parts_.listener->changed(settings_.root, path); }
    [[nodiscard]] bool stopping() const { return stopping_; }

    void pause(Millis at_most) {
        std::unique_lock lock(mutex_);
        wake_.wait_for(lock, at_most, [this] { return stopping_.load(); });
    }

    /// Until the root is away, events were dropped, or the kernel has no watches left. False: nothing was missed, as it
    /// never came to watching.
    bool watch(bool missed) {
        int error = 0;
        auto notifier = parts_.make_notifier(error);
        if (notifier == nullptr) {
            no_inotify_ = true;
            say(LogLevel::warning,
                "the kernel gives no inotify instance (fs.inotify.max_user_instances): a library folder is polled",
                {{"path", shown(settings_.root)}, {"error", error_text(error)}});
            return false;
        }
        lend(notifier.get());
        WatchedTree tree(settings_.root, settings_.kind,
                         {*notifier, *parts_.files, [this] { return stopping(); }, parts_.is_network,
                          [this](const std::string& path) { changed(path); },
                          [this](const std::string& folder, int fault) { unreadable(folder, fault); }});
        bool watched = false;
        auto state = tree.survey(missed ? std::nullopt : settings_.changed_since_ns);
        if (state == WatchedTree::State::watching && !stopping()) {
            folders_ = tree.folders();
            how_ = How::inotify;
            watched = true;
            if (missed) changed(settings_.root);  // whatever came while nobody looked
            say(LogLevel::info, "a library folder is watched",
                {{"path", shown(settings_.root)}, {"folders", std::to_string(tree.folders())}});
            state = follow(tree, *notifier);
        }
        lend(nullptr);
        if (tree.overflows() > 0) {
            parts_.listener->overflowed();
            say(LogLevel::warning, "the kernel dropped events of a library folder: all of it is looked at",
                {{"path", shown(settings_.root)}});
        }
        if (state == WatchedTree::State::exhausted) {
            no_inotify_ = true;
            say(LogLevel::warning,
                "no inotify watches left: a library folder is polled; raise fs.inotify.max_user_watches (sysctl) on "
                "this machine by at least what is needed, then restart",
                {{"path", shown(settings_.root)},
                 {"needed", std::to_string(tree.needed())},
                 {"limit", std::to_string(most_watches())}});
        }
        return watched || state == WatchedTree::State::lost;
    }

    WatchedTree::State follow(WatchedTree& tree, Notifier& notifier) {
        std::map<std::string, std::unique_ptr<FolderPoller>> shares;
        auto look_again = Steady::now() + settings_.look_again, poll_again = Steady::now();
        auto state = WatchedTree::State::watching;
        while (state == WatchedTree::State::watching && !stopping()) {
            auto until = look_again;
            if (!tree.shares().empty()) {
                if (left(poll_again) == 0ms) {
                    poll_shares(tree.shares(), shares);
                    poll_again = Steady::now() + settings_.poll_every;
                }
                until = std::min(until, poll_again);
            }
            for (const auto& event : notifier.wait(left(until))) {
                if (stopping()) break;
                state = tree.on_event(event);
                if (state != WatchedTree::State::watching) break;
            }
            if (state == WatchedTree::State::watching && left(look_again) == 0ms) {
                state = tree.look_again();
                look_again = Steady::now() + settings_.look_again;
            }
            folders_ = tree.folders();
        }
        return state;
    }

    void poll_shares(const std::set<std::string>& paths, std::map<std::string, std::unique_ptr<FolderPoller>>& shares) {
        std::erase_if(shares, [&](const auto& share) { return !paths.contains(share.first); });
        for (const auto& path : paths) {
            auto& poller = shares[path];
            if (poller == nullptr) poller = make_poller(path);
            (void)poller->look();
            parts_.listener->polled();
        }
    }

    void poll(bool missed, bool network) {
        // By thread: Linux' setpriority takes a thread's id.
        (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), politeness);
        const auto poller = make_poller(settings_.root);
        for (bool first = true; !stopping(); first = false) {
            if (!poller->look(missed ? std::nullopt : settings_.changed_since_ns)) return;
            folders_ = poller->folders();
            how_ = How::polling;
            parts_.listener->polled();
            if (first) {
                if (missed) changed(settings_.root);
                say(LogLevel::info, "a library folder is polled",
                    {{"path", shown(settings_.root)},
                     {"folders", std::to_string(poller->folders())},
                     {"why", network       ? "it lies on a network mount"
                             : no_inotify_ ? "inotify has no room"
                                           : "settings"},
                     {"every_seconds", std::to_string(settings_.poll_every.count() / 1000)}});
            }
            pause(settings_.poll_every);
        }
    }

    std::unique_ptr<FolderPoller> make_poller(const std::string& root) {
        return std::make_unique<FolderPoller>(
            root, settings_.kind,
            FolderPoller::Parts{*parts_.files, [this] { return stopping(); },
                                [this](const std::string& path) { changed(path); },
                                [this](const std::string& folder, int error) { unreadable(folder, error); }});
    }

    void unreadable(const std::string& folder, int error) {
        if (!told_.insert(folder).second) return;
        say(LogLevel::warning, "a folder cannot be watched; the rest of its library is",
            {{"path", shown(folder)}, {"error", error_text(error)}});
    }

    void lend(Notifier* notifier) {
        const std::lock_guard lock(mutex_);
        notifier_ = notifier;
    }

    RootWatchParts parts_;
    bool no_inotify_ = false;
    std::set<std::string> told_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::atomic<bool> stopping_{false};
    Steady::time_point asked_at_;
    bool ended_ = false;
    Notifier* notifier_ = nullptr;  // of the thread, for stop()
};

RootWatch::RootWatch(RootWatchSettings settings, RootWatchParts parts)
    : body_(std::make_shared<Body>(std::move(settings), std::move(parts))) {
    std::thread([body = body_] {
        ::pthread_setname_np(::pthread_self(), "watch-root");
        body->run();
    }).detach();
}

RootWatch::~RootWatch() {
    body_->stop();
    body_->await_end();
}

void RootWatch::stop() {
    body_->stop();
}
const RootWatchSettings& RootWatch::settings() const noexcept {
    return body_->settings_;
}
RootWatch::How RootWatch::how() const noexcept {
    return body_->how_;
}
std::size_t RootWatch::folders() const noexcept {
    return body_->folders_;
}

}  // namespace understudy::library
