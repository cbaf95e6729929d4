// app/media_tasks.h: the tasks that decode media, with the stores and the idle workers they share. Made and kept by
// Parts.
#pragma once

#include <memory>

#include "app/config/settings.h"
#include "core/log.h"
#include "core/time.h"
#include "library/file_system.h"
#include "media/worker_pool.h"
#include "store/analyses.h"
#include "store/blobs.h"
#include "store/libraries.h"
#include "store/scan_store.h"
#include "store/sql/sql_media_facts.h"
#include "tasks/task_manager.h"

namespace understudy::app {

class MediaTasks {
public:
    /// What it works with outlives it.
    struct Parts {
        store::sql::Database& database;
        store::LibraryStore& libraries;
        store::ScanStore& items;
        store::Analyses& analyses;
        store::BlobStore& blobs;
        std::shared_ptr<const library::FileSystem> files;
        core::Clock& clock;
        core::Log& log;
    };
    MediaTasks(const Settings& settings, const Parts& parts);

    /// The manager ends before this does.
    void add_to(tasks::TaskManager& manager);
    [[nodiscard]] media::WorkerPool& analyst() noexcept { return analyst_; }
    [[nodiscard]] store::sql::SqlMediaFacts& facts() noexcept { return facts_; }

private:
    const Settings::Analyses settings_;
    Parts parts_;
    store::sql::SqlMediaFacts facts_;
    media::WorkerPool analyst_;
};

}  // namespace understudy::app
