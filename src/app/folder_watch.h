// app/folder_watch.h: the watch over library folders, wired: only while this pod may start gated work, reporting to the
// task engine, with its numbers for /metrics. Made and kept by Parts.
#pragma once

#include <functional>
#include <memory>

#include "app/config/settings.h"
#include "core/log.h"
#include "core/time.h"
#include "http/admin/metrics.h"
#include "lease/scan_leader_lease.h"
#include "library/watch/library_watch.h"
#include "store/libraries.h"
#include "tasks/task_manager.h"

namespace understudy::app {

class FolderWatch final : public http::MetricSource {
public:
    /// What it works with outlives it.
    struct Parts {
        const lease::ScanLeaderLease& lease;
        tasks::TaskManager& manager;
        store::LibraryStore& libraries;
        std::shared_ptr<const library::FileSystem> files;
        core::Clock& clock;
        core::Log& log;
    };
    FolderWatch(const Settings& settings, const Parts& parts);

    void start() { watch_.start(); }
    void stop() { watch_.stop(); }
    void wake() { watch_.wake(); }  ///< the libraries changed
    void collect(std::vector<http::MetricSample>& out) const override;

private:
    library::LibraryWatch watch_;
};

}  // namespace understudy::app
