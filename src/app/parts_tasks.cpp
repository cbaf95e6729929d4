#include "app/parts.h"

#include <unistd.h>

#include "app/metric_sources.h"
#include "app/server_facts.h"
#include "http/jellyfin/system/configuration_sections.h"
#include "library/clean_collections.h"
#include "library/cleanup_user_data.h"
#include "library/optimize_database.h"
#include "library/refresh_library.h"
#include "library/refresh_people.h"
#include "tasks/pod/clean_activity_log.h"
#include "tasks/pod/clean_log_files.h"
#include "tasks/pod/delete_cache_files.h"

namespace understudy::app {

void Parts::make_tasks() {
    tables_ = std::make_unique<tasks::database::SqlLedgerTables>(stores_.database);
    tasks::LedgerSettings ledger;
    ledger.dead_after = settings_.tasks.dead_after;
    ledger.zone = zone_.name();
    ledger.misfire_skip = settings_.tasks.misfire_skip;
    ledger.others_are_dead = on_sqlite(settings_);  // the lock on the data folder proves it
    ledger_ = std::make_unique<tasks::TransactionalRunLedger>(*tables_, std::move(ledger), zone_);

    tasks::TaskManagerSettings manager;
    manager.pod = settings_.pod;
    manager.boot = boot_;
    manager.gated = settings_.scan_leader.gated;
    manager.heartbeat = settings_.tasks.heartbeat;
    manager.dead_after = settings_.tasks.dead_after;
    manager.poll_every = settings_.scan_leader.lease.ttl / 4;
    manager.zone = zone_;
    manager.others_are_dead = on_sqlite(settings_);
    manager_ = std::make_unique<tasks::TaskManager>(std::move(manager), *ledger_, *lease_, *events_, clock_, random_,
                                                    log_, pods_.get());
    activity_ = std::make_unique<tasks::database::SqlActivityLog>(stores_.database);
    announced_activity_ = std::make_unique<tasks::AnnouncedActivityLog>(*activity_, *events_, log_);
    manager_->tell_failures_to(*announced_activity_);

    if (::access(settings_.worker_path.c_str(), X_OK) != 0) {
        throw std::runtime_error("Jellyfin:Media:WorkerPath = '" + settings_.worker_path.string() +
                                 "' is no program that can be run; understudy-media belongs beside the server");
    }
    media::WorkerPoolSettings workers;
    workers.worker = settings_.worker_path;
    workers.workers = static_cast<unsigned>(settings_.media_workers);
    prober_ = std::make_unique<media::WorkerPool>(std::move(workers), log_);
    metric_sources_.push_back(std::make_unique<WorkerPoolMetrics>(*prober_, "media"));

    library::RefreshLibrary::Settings refresh;
    refresh.settle = settings_.settle;
    refresh.walk_threads = settings_.walk_threads;
    refresh.on_changed = [this](const std::string& payload) {
        if (const auto told = events_->publish("library.changed", payload); !told) {
            log_.warning("the change of a library could not be announced", {{"error", told.error().context}});
        }
    };
    const library::ScanCompanions companions{&stores_.people, &stores_.collections};
    covers_ =
        std::make_unique<library::EmbeddedCovers>(stores_.covers, stores_.analyses, stores_.blobs, *prober_, clock_);
    manager_->add(std::make_unique<library::RefreshLibrary>(std::move(refresh), stores_.libraries, stores_.scans,
                                                            *prober_, clock_, random_, files_, companions,
                                                            covers_.get()));
    const auto library_paths = [this]() -> core::Result<std::vector<std::string>> {
        const auto libraries = stores_.libraries.all();
        if (!libraries) return tl::unexpected(libraries.error());
        std::vector<std::string> paths;
        for (const auto& library : *libraries) paths.insert(paths.end(), library.paths.begin(), library.paths.end());
        return paths;
    };
    manager_->add(std::make_unique<tasks::pod::DeleteCacheFiles>(
        settings_.cache_dir, std::chrono::days{settings_.cache_keep_days}, library_paths, clock_));
    manager_->add(std::make_unique<tasks::pod::CleanLogFiles>(
        settings_.log_dir, keep_days("LogFileRetentionDays", settings_.log_keep_days), library_paths, clock_));
    manager_->add(std::make_unique<tasks::pod::CleanActivityLog>(
        *activity_, keep_days("ActivityLogRetentionDays", settings_.activity_keep_days)));
    media_tasks_ = std::make_unique<MediaTasks>(
        settings_, MediaTasks::Parts{stores_.database, stores_.libraries, stores_.scans, stores_.analyses,
                                     stores_.blobs, files_, clock_, log_});
    media_tasks_->add_to(*manager_);
    metric_sources_.push_back(std::make_unique<WorkerPoolMetrics>(media_tasks_->analyst(), "analysis"));
    add_cleaning_tasks();
    folder_watch_ = std::make_unique<FolderWatch>(
        settings_, FolderWatch::Parts{*lease_, *manager_, stores_.libraries, files_, clock_, log_});
    metrics_.push_back(folder_watch_.get());
}

std::function<std::chrono::days()> Parts::keep_days(const char* field, int setting) {
    return [this, field, setting] {
        const auto kept = stores_.configurations.find("system");
        if (!kept || !*kept) return std::chrono::days{setting};
        return std::chrono::days{http::kept_number(**kept, field).value_or(setting)};
    };
}

void Parts::add_cleaning_tasks() {
    manager_->add(std::make_unique<library::RefreshPeople>(stores_.people, stores_.catalog, stores_.blobs,
                                                           media_tasks_->analyst(), files_, clock_));
    manager_->add(std::make_unique<library::CleanCollections>(stores_.libraries, stores_.collections, files_));
    manager_->add(std::make_unique<library::CleanupUserData>(std::chrono::days{settings_.user_data_keep_days},
                                                             stores_.user_data, clock_));
    manager_->add(std::make_unique<library::OptimizeDatabase>(stores_.analyses, stores_.blobs, stores_.blob_references,
                                                              stores_.maintenance));
}

}  // namespace understudy::app
