#include "library/watch/library_watch.h"

#include <pthread.h>

#include <algorithm>
#include <vector>

#include "library/library_options.h"
#include "library/naming/text.h"
#include "library/walk.h"

namespace understudy::library {

using core::Millis;

// Outlives the watch where a root's thread hangs: then it says and keeps nothing any more.
class LibraryWatch::Listener final : public RootListener {
public:
    Listener(ChangedFolders::Times times, core::Clock& clock, core::Log& log)
        : changes(times), clock_(&clock), log_(&log) {}

    void changed(const std::string& root, const std::string& path) override {
        const std::lock_guard lock(mutex);
        if (clock_ == nullptr || !heard.contains(root)) return;
        changes.changed(root, path, clock_->now());
        wake.notify_all();
    }
    void say(core::LogLevel level, std::string_view message, std::initializer_list<core::LogField> fields) override {
        const std::lock_guard lock(mutex);
        if (log_ != nullptr) log_->write(level, message, {fields.begin(), fields.size()});
    }
    void overflowed() override {
        const std::lock_guard lock(mutex);
        ++overflows;
    }
    void polled() override {
        const std::lock_guard lock(mutex);
        ++polls;
    }
    void let_go() {
        const std::lock_guard lock(mutex);
        clock_ = nullptr;
        log_ = nullptr;
    }

    mutable std::mutex mutex;
    std::condition_variable wake;
    ChangedFolders changes;
    std::set<std::string> heard;  // roots under watch: one that was dropped says nothing more
    std::uint64_t overflows = 0, polls = 0;
    bool woken = false, stopping = false;

private:
    core::Clock* clock_;
    core::Log* log_;
};

LibraryWatch::LibraryWatch(LibraryWatchSettings settings, LibraryWatchParts parts)
    : settings_(settings),
      parts_(std::move(parts)),
      listener_(std::make_shared<Listener>(settings.times, parts_.clock, parts_.log)) {}

LibraryWatch::~LibraryWatch() {
    stop();
}

void LibraryWatch::start() {
    if (settings_.mode == WatchMode::off) return;
    thread_ = std::thread([this] {
        ::pthread_setname_np(::pthread_self(), "library-watch");
        run();
    });
}

void LibraryWatch::stop() {
    {
        const std::lock_guard lock(listener_->mutex);
        listener_->stopping = true;
    }
    listener_->wake.notify_all();
    if (thread_.joinable()) thread_.join();
    listener_->let_go();
}

void LibraryWatch::wake() {
    {
        const std::lock_guard lock(listener_->mutex);
        listener_->woken = true;
    }
    listener_->wake.notify_all();
}

void LibraryWatch::run() {
    for (;;) {
        bool woken = false;
        {
            const std::lock_guard lock(listener_->mutex);
            if (listener_->stopping) break;
            woken = std::exchange(listener_->woken, false);
        }
        const bool may = parts_.may_watch();
        const auto now = parts_.clock.now();
        if (may) {
            if (!watching_) changed_since_ns_ = (now.real - core::Nanos{settings_.catch_up}).count();
            if (woken || !watching_ || !looked_at_ || core::elapsed(*looked_at_, now) >= settings_.look_again) {
                looked_at_ = now;
                look_at_libraries();
            }
            report_due(false);
        } else {
            if (watching_) drop_roots("this pod does not lead any more");
            report_due(true);  // nobody else has seen these
        }
        watching_ = may;
        const auto wait = wait_for(parts_.clock.now());
        std::unique_lock lock(listener_->mutex);
        (void)parts_.clock.wait_for(lock, listener_->wake, wait,
                                    [this] { return listener_->stopping || listener_->woken; });
    }
    drop_roots({});
    report_due(true);
}

core::Nanos LibraryWatch::wait_for(core::Instant now) {
    const std::lock_guard lock(listener_->mutex);
    core::Nanos wait = settings_.tick;
    const auto due = listener_->changes.next_due(now);
    if (due && !refused_at_) wait = std::min(wait, *due);
    return std::max<core::Nanos>(wait, Millis{1});
}

void LibraryWatch::look_at_libraries() {
    const auto libraries = parts_.libraries.all();
    if (!libraries) return;  // the watches that stand go on; a database that is away is told of elsewhere
    std::map<std::string, model::LibraryKind> wanted;
    for (const auto& library : *libraries) {
        if (!LibraryOptions::parse(library.options).watch) continue;
        for (const auto& root : outermost_roots(library.paths)) wanted.emplace(root, library.kind);
    }
    std::vector<std::unique_ptr<RootWatch>> dropped;
    {
        const std::lock_guard lock(mutex_);
        for (auto root = roots_.begin(); root != roots_.end();) {
            const auto still = wanted.find(root->first);
            if (still != wanted.end() && still->second == root->second->settings().kind) {
                ++root;
                continue;
            }
            root->second->stop();
            dropped.push_back(std::move(root->second));
            root = roots_.erase(root);
        }
    }
    for (const auto& root : dropped) {
        const std::lock_guard lock(listener_->mutex);
        listener_->heard.erase(root->settings().root);
    }
    dropped.clear();  // waits for their threads
    for (const auto& [path, kind] : wanted) {
        RootWatchSettings settings{
            path, kind, settings_.mode, settings_.poll_every, changed_since_ns_, settings_.look_again};
        const std::lock_guard lock(mutex_);
        if (roots_.contains(path)) continue;
        {
            const std::lock_guard heard(listener_->mutex);
            listener_->heard.insert(path);
        }
        RootWatchParts parts{listener_, parts_.files, parts_.make_notifier, parts_.is_network};
        roots_.emplace(path, std::make_unique<RootWatch>(std::move(settings), std::move(parts)));
    }
    changed_since_ns_.reset();
}

void LibraryWatch::drop_roots(const std::string& why) {
    std::map<std::string, std::unique_ptr<RootWatch>> dropped;
    {
        const std::lock_guard lock(mutex_);
        dropped.swap(roots_);
    }
    {
        const std::lock_guard lock(listener_->mutex);
        listener_->heard.clear();
    }
    for (const auto& [path, root] : dropped) root->stop();
    looked_at_.reset();
    if (!why.empty() && !dropped.empty()) parts_.log.info("library folders are no longer watched", {{"why", why}});
}

void LibraryWatch::report_due(bool everything) {
    const auto now = parts_.clock.now();
    bool last = false;
    std::set<std::string> due;
    {
        const std::lock_guard lock(listener_->mutex);
        last = listener_->stopping;
        if (refused_at_ && core::elapsed(*refused_at_, now) < settings_.report_again && !last) return;
        due = everything ? listener_->changes.take_all() : listener_->changes.take_due(now);
    }
    if (due.empty()) return;
    const auto reported = parts_.report(due);
    const auto first = naming::display_text(*due.begin());
    const auto many = std::to_string(due.size());
    if (reported) {
        refused_at_.reset();
        {
            const std::lock_guard lock(mutex_);
            ++counts_.reports;
        }
        parts_.log.info("changed library folders: a scan of them was asked for", {{"folders", many}, {"first", first}});
        return;
    }
    if (!refused_at_ || last) {
        parts_.log.warning(last ? "changed library folders could not be reported: the next full scan finds them"
                                : "changed library folders could not be reported: they are kept and reported again",
                           {{"folders", many}, {"first", first}, {"error", reported.error().context}});
    }
    refused_at_ = now;
    {
        const std::lock_guard lock(listener_->mutex);
        listener_->changes.put_back(due, now);
    }
    const std::lock_guard lock(mutex_);
    ++counts_.failed_reports;
}

LibraryWatchCounts LibraryWatch::counts() const {
    LibraryWatchCounts counts;
    {
        const std::lock_guard lock(mutex_);
        counts = counts_;
        for (const auto& [path, root] : roots_) {
            if (root->how() == RootWatch::How::inotify) counts.folders_by_inotify += root->folders();
            if (root->how() == RootWatch::How::polling) counts.folders_polled += root->folders();
            if (root->how() == RootWatch::How::away) ++counts.roots_away;
        }
    }
    const std::lock_guard lock(listener_->mutex);
    counts.overflows = listener_->overflows;
    counts.polls = listener_->polls;
    return counts;
}

}  // namespace understudy::library
