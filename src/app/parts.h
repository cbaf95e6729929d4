// app/parts.h: all parts of a running server and the order in which they live. Made by server.cpp; parts_cluster.cpp,
// parts_tasks.cpp and parts_http.cpp make those of one room each.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/ending.h"
#include "app/event_socket.h"
#include "app/folder_watch.h"
#include "app/health.h"
#include "app/lead_recorder.h"
#include "app/media_tasks.h"
#include "app/pod_reporter.h"
#include "app/root_sight.h"
#include "app/scaled_pictures.h"
#include "app/server.h"
#include "app/stop_signals.h"
#include "app/stores.h"
#include "cluster/database/event_log.h"
#include "core/random.h"
#include "http/auth/token_owners.h"
#include "http/dispatcher.h"
#include "http/kept_settings.h"
#include "http/router.h"
#include "http/server/discovery_responder.h"
#include "http/server/server.h"
#include "lease/database/database_lease_store.h"
#include "lease/kept_scan_leader_lease.h"
#include "library/embedded_covers.h"
#include "library/file_system.h"
#include "library/roots_seen.h"
#include "tasks/announced_activity_log.h"
#include "tasks/database/sql_activity_log.h"
#include "tasks/database/sql_ledger_tables.h"
#include "tasks/transactional_run_ledger.h"

namespace understudy::app {

using core::Millis;
using namespace std::chrono_literals;

template <class T>
T or_throw(core::Result<T> result, const std::string& what) {
    if (!result) throw std::runtime_error(what + ": " + result.error().context);
    return std::move(*result);
}

/// All parts of a running server, in the order in which they depend on each other: destroyed in reverse.
class Parts {
public:
    Parts(const Settings& settings, const ServerOptions& options, RequestedEnding& ending, core::Log& log);
    /// A start that was refused half-way: nobody may ask a part that is gone already.
    ~Parts() {
        reporter_->stop();
        for (const int listener : listeners_) events_->drop(listener);
    }
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;

    /// Waits until the database answers and is migrated; false: a signal came first.
    bool prepare_database(const StopSignals& signals);
    void start(const ServerOptions& options);
    /// ARCHITECTURE.md, "Shutdown": stop starting slots, runs to a checkpoint, yielded, lease released, HTTP last.
    void stop();
    [[nodiscard]] std::size_t stragglers() const { return manager_->stragglers(); }

    void start_http();
    void start_discovery();

private:
    [[nodiscard]] Millis pod_report_every() const { return std::min<Millis>(5'000ms, settings_.tasks.heartbeat); }
    void note(const char* kind, const std::string& title, const std::string& overview = {});
    void make_cluster();
    void make_lease();
    [[nodiscard]] std::unique_ptr<lease::LeaseStore> make_lease_store();
    void make_tasks();
    void add_cleaning_tasks();
    /// What an administrator set for all pods (/System/Configuration), else this pod's setting.
    [[nodiscard]] std::function<std::chrono::days()> keep_days(const char* field, int setting);
    void make_http();

    const Settings& settings_;
    const std::vector<EffectiveSetting>& in_force_;
    RequestedEnding& ending_;
    core::Log& log_;
    core::SystemClock clock_;
    core::SystemRandom random_;
    const core::BootId boot_ = core::BootId::make(random_);
    tasks::Zone zone_;
    Health health_;

    Stores stores_;
    std::unique_ptr<store::sql::Database> lease_database_;
    const std::shared_ptr<const library::FileSystem> files_ = std::make_shared<library::PosixFileSystem>();
    std::unique_ptr<library::RootsSeen> roots_seen_;
    std::unique_ptr<cluster::PodRegistry> pods_;
    std::unique_ptr<cluster::EventLog> events_;
    cluster::DatabaseEventLog* database_events_ = nullptr;  // where `events_` must be started
    std::unique_ptr<PodReporter> reporter_;

    std::unique_ptr<cluster::LeadHistory> leads_;  // where there is an election
    std::unique_ptr<LeadRecorder> lead_recorder_;
    std::unique_ptr<lease::ScanLeaderLease> lease_;
    lease::KeptScanLeaderLease* kept_lease_ = nullptr;
    lease::DatabaseLeaseStore* database_lease_ = nullptr;

    std::unique_ptr<tasks::database::SqlActivityLog> activity_;
    std::unique_ptr<tasks::ActivityLog> announced_activity_;  // the same, heard of by all pods
    std::unique_ptr<tasks::database::SqlLedgerTables> tables_;
    std::unique_ptr<tasks::RunLedger> ledger_;
    std::unique_ptr<media::WorkerPool> prober_;
    std::unique_ptr<library::EmbeddedCovers> covers_;
    std::unique_ptr<MediaTasks> media_tasks_;
    std::unique_ptr<tasks::TaskManager> manager_;
    std::unique_ptr<FolderWatch> folder_watch_;
    std::unique_ptr<RootSight> root_sight_;  // where there is an election

    std::unique_ptr<PictureParts> pictures_;
    std::unique_ptr<http::TaskManagerService> task_service_;
    std::optional<http::WebFolder> web_;
    std::unique_ptr<http::Services> services_;
    std::vector<std::unique_ptr<http::MetricSource>> metric_sources_;
    std::vector<const http::MetricSource*> metrics_;
    http::HttpCounters counters_;
    http::Router router_;
    std::unique_ptr<http::Passwords> passwords_;
    std::unique_ptr<http::KeptSettings> kept_settings_;
    std::unique_ptr<http::TokenOwners> token_owners_;
    std::unique_ptr<http::Dispatcher> dispatcher_;
    std::unique_ptr<EventSocket> event_socket_;
    std::unique_ptr<http::Server> http_;
    std::unique_ptr<http::DiscoveryResponder> discovery_;  ///< null: clients are not told by themselves
    std::unique_ptr<DatabaseWatch> database_watch_;
    std::vector<int> listeners_;  ///< for events, dropped before the parts that they tell
    std::jthread removals_;       ///< of libraries, which a crash cut short
};

}  // namespace understudy::app
