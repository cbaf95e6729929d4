#include "app/folder_watch.h"

#include "library/scan_options.h"
#include "library/watch/inotify_notifier.h"
#include "library/watch/network_mount.h"

namespace understudy::app {
namespace {

library::WatchMode mode_of(Settings::Watch::Mode mode) {
    switch (mode) {
        case Settings::Watch::Mode::automatic:
            return library::WatchMode::automatic;
        case Settings::Watch::Mode::inotify:
            return library::WatchMode::inotify;
        case Settings::Watch::Mode::poll:
            return library::WatchMode::poll;
        case Settings::Watch::Mode::off:
            return library::WatchMode::off;
    }
    return library::WatchMode::off;
}

library::LibraryWatchSettings settings_of(const Settings::Watch& watch) {
    library::LibraryWatchSettings settings;
    settings.mode = mode_of(watch.mode);
    settings.poll_every = watch.poll;
    settings.times = {watch.quiet, watch.latest};
    return settings;
}

library::LibraryWatchParts parts_of(const FolderWatch::Parts& parts) {
    library::LibraryWatchParts watch{
        .may_watch = [&lease = parts.lease] { return lease::may_start_gated(lease.standing()); },
        .report = [&manager = parts.manager](const std::set<std::string>& paths) -> core::Result<void> {
            library::ScanOptions options;
            options.paths = paths;
            return manager.queue("RefreshLibrary", options.json());
        },
        .libraries = parts.libraries,
        .files = parts.files,
        .make_notifier = library::InotifyNotifier::make,
        .is_network = library::is_network_mount,
        .clock = parts.clock,
        .log = parts.log,
    };
    return watch;
}

}  // namespace

FolderWatch::FolderWatch(const Settings& settings, const Parts& parts)
    : watch_(settings_of(settings.watch), parts_of(parts)) {}

void FolderWatch::collect(std::vector<http::MetricSample>& out) const {
    const auto counts = watch_.counts();
    const auto add = [&](const char* name, const char* help, http::MetricSample::Kind kind, std::uint64_t value,
                         std::vector<std::pair<std::string, std::string>> labels = {}) {
        out.push_back({name, help, kind, std::move(labels), static_cast<double>(value)});
    };
    using enum http::MetricSample::Kind;
    const char* folders = "understudy_watch_folders";
    const char* folders_help = "library folders this pod watches";
    add(folders, folders_help, gauge, counts.folders_by_inotify, {{"how", "inotify"}});
    add(folders, folders_help, gauge, counts.folders_polled, {{"how", "poll"}});
    add("understudy_watch_roots_away", "library roots to be watched that are not there", gauge, counts.roots_away);
    add("understudy_watch_reports_total", "scans of changed folders asked for", counter, counts.reports);
    add("understudy_watch_failed_reports_total", "scans of changed folders that could not be asked for, and were again",
        counter, counts.failed_reports);
    add("understudy_watch_overflows_total", "times the kernel dropped events and a whole root was reported", counter,
        counts.overflows);
    add("understudy_watch_polls_total", "looks at the folders of polled roots", counter, counts.polls);
}

}  // namespace understudy::app
