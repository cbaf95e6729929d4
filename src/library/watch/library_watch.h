// library/watch/library_watch.h: watches the folders of all libraries while this pod may, and asks for partial scans of
// what changed. Made, started and stopped by app. See docs/operations.md, «Changes as they happen».
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "core/log.h"
#include "core/result.h"
#include "core/time.h"
#include "library/watch/changed_folders.h"
#include "library/watch/root_watch.h"
#include "store/libraries.h"

namespace understudy::library {

struct LibraryWatchSettings {
    WatchMode mode = WatchMode::automatic;
    core::Millis poll_every{300'000};
    ChangedFolders::Times times;
    core::Millis look_again{60'000};  ///< at the libraries, and at roots that are away
    /// A pod that takes the lead reports what changed so lately: the one before it may have died with it in hand.
    core::Millis catch_up{300'000};
    core::Millis tick{1'000};          ///< how late a lost lead is noticed
    core::Millis report_again{5'000};  ///< after a report that was refused
};

struct LibraryWatchParts {
    /// Asked at each tick and before each report; from memory.
    std::function<bool()> may_watch;
    /// Asks for a scan of these paths (path bytes); blocks. What it refuses is kept and asked for again.
    std::function<core::Result<void>(const std::set<std::string>& paths)> report;
    store::LibraryStore& libraries;
    std::shared_ptr<const FileSystem> files;
    MakeNotifier make_notifier;
    std::function<bool(const std::string& path)> is_network;
    core::Clock& clock;
    core::Log& log;
};

struct LibraryWatchCounts {
    std::size_t folders_by_inotify = 0, folders_polled = 0, roots_away = 0;
    std::uint64_t reports = 0, failed_reports = 0, overflows = 0, polls = 0;
};

/// Safe from any thread, but for start and stop.
class LibraryWatch {
public:
    LibraryWatch(LibraryWatchSettings settings, LibraryWatchParts parts);
    ~LibraryWatch();
    LibraryWatch(const LibraryWatch&) = delete;
    LibraryWatch& operator=(const LibraryWatch&) = delete;

    void start();  ///< nothing where the mode is `off`
    /// Reports what is known at once, then ends: under 1 s, unless the database makes `report` wait.
    void stop();
    /// The lead or the libraries changed: look now. Never blocks.
    void wake();
    [[nodiscard]] LibraryWatchCounts counts() const;

private:
    class Listener;

    void run();
    void look_at_libraries();
    void drop_roots(const std::string& why);
    void report_due(bool everything);
    [[nodiscard]] core::Nanos wait_for(core::Instant now);

    const LibraryWatchSettings settings_;
    LibraryWatchParts parts_;
    const std::shared_ptr<Listener> listener_;

    // Of the thread alone.
    std::optional<core::Instant> looked_at_, refused_at_;
    std::optional<std::int64_t> changed_since_ns_;  ///< while the first look of a lead is still to come
    bool watching_ = false;

    mutable std::mutex mutex_;  ///< roots_, flags and numbers
    std::map<std::string, std::unique_ptr<RootWatch>> roots_;
    LibraryWatchCounts counts_;
    std::thread thread_;
};

}  // namespace understudy::library
