#include "app/server.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>

#include "app/descriptor_limit.h"
#include "app/ending.h"
#include "app/event_socket.h"
#include "app/folder_watch.h"
#include "app/health.h"
#include "app/http_parts.h"
#include "app/lead_recorder.h"
#include "app/lease_stores.h"
#include "app/media_tasks.h"
#include "app/metric_sources.h"
#include "app/pod_reporter.h"
#include "app/root_sight.h"
#include "app/scaled_pictures.h"
#include "app/server_facts.h"
#include "app/stop_signals.h"
#include "app/stores.h"
#include "app/version.h"
#include "cluster/database/event_log.h"
#include "cluster/database/lead_history.h"
#include "cluster/database/pod_registry.h"
#include "cluster/local/event_log.h"
#include "cluster/local/pod_registry.h"
#include "core/random.h"
#include "http/auth/token_owners.h"
#include "http/dashboard/embedded.h"
#include "http/dispatcher.h"
#include "http/jellyfin/configuration_sections.h"
#include "http/kept_settings.h"
#include "http/routes.h"
#include "http/server.h"
#include "lease/database/database_lease_store.h"
#include "lease/null/null_scan_leader_lease.h"
#include "library/clean_collections.h"
#include "library/cleanup_user_data.h"
#include "library/embedded_covers.h"
#include "library/file_system.h"
#include "library/optimize_database.h"
#include "library/refresh_library.h"
#include "library/refresh_people.h"
#include "library/roots_seen.h"
#include "redis/connection_string.h"
#include "tasks/announced_activity_log.h"
#include "tasks/database/sql_activity_log.h"
#include "tasks/database/sql_ledger_tables.h"
#include "tasks/pod/clean_activity_log.h"
#include "tasks/pod/clean_log_files.h"
#include "tasks/pod/delete_cache_files.h"
#include "tasks/transactional_run_ledger.h"

namespace understudy::app {
namespace {

using core::Millis;
using namespace std::chrono_literals;

constexpr Millis http_grace{2'000};  // requests under way at the end; Ctrl-C ends in under 3 s

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
    /// lease-and-claims §6: stop starting slots, runs to a checkpoint, yielded, lease released, HTTP last.
    void stop();
    [[nodiscard]] std::size_t stragglers() const { return manager_->stragglers(); }

    void start_http();

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
    std::unique_ptr<DatabaseWatch> database_watch_;
    std::vector<int> listeners_;  ///< for events, dropped before the parts that they tell
    std::jthread removals_;       ///< of libraries, which a crash cut short
};

Parts::Parts(const Settings& settings, const ServerOptions& options, RequestedEnding& ending, core::Log& log)
    : settings_(settings),
      in_force_(options.in_force),
      ending_(ending),
      log_(log),
      zone_(or_throw(tasks::Zone::configured(std::getenv("TZ")), "time zone")),
      stores_(settings, random_, log) {
    make_cluster();
    make_lease();
    make_tasks();
    make_http();
}

void Parts::note(const char* kind, const std::string& title, const std::string& overview) {
    const auto noted = announced_activity_->add({kind, "Information", title, overview});
    if (!noted) log_.debug("an entry is missing in the activity log", {{"error", noted.error().context}});
}

void Parts::make_cluster() {
    if (on_sqlite(settings_)) {
        pods_ = std::make_unique<cluster::LocalPodRegistry>(clock_);
        events_ = std::make_unique<cluster::LocalEventLog>(clock_, settings_.pod);
    } else {
        pods_ = std::make_unique<cluster::DatabasePodRegistry>(stores_.database);
        cluster::DatabaseEventLog::Settings events;
        events.pod = settings_.pod;
        events.conninfo = settings_.database.connection;
        auto log = std::make_unique<cluster::DatabaseEventLog>(std::move(events), stores_.database, log_);
        database_events_ = log.get();
        events_ = std::move(log);
    }
    roots_seen_ = std::make_unique<library::RootsSeen>(stores_.libraries, files_);
    PodReporter::Settings reports;
    reports.self = pod_info(settings_, boot_, zone_);
    reports.every = pod_report_every();
    reports.standing = [this] {
        return lease_->view().single ? std::string("single") : std::string(lease::to_string(lease_->standing()));
    };
    reports.roots = [this] {
        auto roots = roots_seen_->look();
        health_.set_roots(roots);
        return roots;
    };
    reports.on_look = [this](const auto& self, const auto& pods, core::UtcTime now) {
        if (root_sight_ != nullptr) root_sight_->look(self, pods, now);
        if (lead_recorder_ != nullptr) lead_recorder_->look(lease_->view());
    };
    reports.on_alone = [this] {
        if (kept_lease_ != nullptr) kept_lease_->reconsider();
    };
    reports.on_left = [this] {
        note("PodLeft", "Pod " + settings_.pod + " left");
        if (const auto told = events_->publish("pod.left", "{}"); !told)
            log_.debug("nobody was told that this pod left", {{"error", told.error().context}});
    };
    reporter_ = std::make_unique<PodReporter>(std::move(reports), *pods_, clock_, log_);
    health_.ask_for_differences([this] { return reporter_->differences(); });
}

std::unique_ptr<lease::LeaseStore> Parts::make_lease_store() {
    const auto& leader = settings_.scan_leader;
    if (leader.provider == LeaseProvider::redis)
        return make_redis_lease_store(settings_, leader.key, settings_.pod, leader.lease.call_timeout, log_);
    // A connection of its own: a pool that runs keep busy must not starve the lease.
    if (!on_sqlite(settings_)) lease_database_ = store::sql::open_postgresql(settings_.database.connection, 1);
    auto config = database_lease_settings(settings_, leader.key, settings_.pod, leader.lease.call_timeout);
    config.on_released = [this] {
        if (const auto told = events_->publish("lease.released", "{}"); !told) {
            log_.debug("nobody was told that the lease is free", {{"error", told.error().context}});
        }
    };
    auto store = std::make_unique<lease::DatabaseLeaseStore>(
        std::move(config), lease_database_ ? *lease_database_ : stores_.database, clock_);
    database_lease_ = store.get();
    return store;
}

void Parts::make_lease() {
    if (settings_.scan_leader.provider == LeaseProvider::none) {
        lease_ = std::make_unique<lease::NullScanLeaderLease>(settings_.pod, clock_);
        return;
    }
    lease::KeptScanLeaderLease::Settings kept;
    kept.lease = settings_.scan_leader.lease;
    kept.pod = settings_.pod;
    kept.another_pod_lives = [this] { return reporter_->another_lives(); };
    kept.on_turn = [this](lease::LeaseEvent) { reporter_->look_now(); };
    auto lease =
        std::make_unique<lease::KeptScanLeaderLease>(std::move(kept), make_lease_store(), clock_, random_, log_);
    kept_lease_ = lease.get();
    lease_ = std::move(lease);
    metric_sources_.push_back(std::make_unique<LeaseMetrics>(*kept_lease_));
    leads_ = std::make_unique<cluster::DatabaseLeadHistory>(stores_.database);
    LeadRecorder::Settings terms;
    terms.pod = settings_.pod;
    terms.boot = boot_;
    terms.on_new_term = [this] {
        if (const auto told = events_->publish("lead.changed", "{}"); !told)
            log_.debug("nobody was told that this pod leads", {{"error", told.error().context}});
    };
    lead_recorder_ = std::make_unique<LeadRecorder>(std::move(terms), *leads_, clock_, log_);
    RootSight::Settings sight;
    sight.fresh = 2 * pod_report_every();
    sight.gone = 3 * pod_report_every();
    sight.holds_for = pod_report_every();
    sight.leads = [this] { return lease_->standing() == lease::Standing::leader; };
    sight.stand_back = [this](std::string why) { kept_lease_->stand_back(std::move(why)); };
    sight.resign = [this] { return manager_->resign(settings_.tasks.shutdown_grace); };
    root_sight_ = std::make_unique<RootSight>(std::move(sight), log_);
    metrics_.push_back(root_sight_.get());
}

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

void Parts::make_http() {
    task_service_ = std::make_unique<http::TaskManagerService>(*manager_);

    auto info = server_info(settings_, boot_, zone_, pod_report_every());
    services_ = std::make_unique<http::Services>(http::Services{std::move(info), *task_service_, *ledger_, *lease_,
                                                                *pods_, *events_, stores_.libraries, stores_.catalog,
                                                                stores_.scans, health_, clock_, random_, log_});
    services_->media = {&stores_.analyses, &media_tasks_->facts(), &media_tasks_->facts(), &media_tasks_->facts(),
                        &stores_.blobs};
    http::Passwords::Settings passwords;
    passwords.in_hand = static_cast<unsigned>(std::max<std::size_t>(settings_.http.handler_threads, 2)) - 1;
    passwords_ = std::make_unique<http::Passwords>(passwords);
    kept_settings_ = std::make_unique<http::KeptSettings>(stores_.server_settings, clock_);
    services_->users = {&stores_.users,    &stores_.user_data,   &stores_.collections, &stores_.sessions,
                        &stores_.attempts, kept_settings_.get(), passwords_.get(),     &stores_.open_sockets};
    token_owners_ = std::make_unique<http::TokenOwners>(std::vector{admin_key(settings_, random_, log_)},
                                                        services_->users, settings_.http.trusted_proxies, clock_, log_);
    services_->people = &stores_.people;
    event_socket_ = std::make_unique<EventSocket>(*services_, random_);
    services_->leads = leads_.get();
    services_->system = system_parts(settings_, in_force_);
    services_->system.activity = announced_activity_.get();
    services_->system.history = activity_.get();
    services_->system.configurations = &stores_.configurations;
    services_->system.display = &stores_.display_preferences;
    services_->system.end = [this](http::Ending ending) {
        const bool restart = ending == http::Ending::restart;
        if (restart) event_socket_->will_restart();
        ending_.begin(restart);
    };
    services_->names = &stores_.names;
    pictures_ = std::make_unique<PictureParts>(settings_, random_, clock_, log_);
    metric_sources_.push_back(std::make_unique<WorkerPoolMetrics>(pictures_->workers, "picture"));
    services_->scaled = &pictures_->pictures;
    services_->shows = &stores_.shows;
    services_->discovery = &stores_.discovery;
    services_->dashboard = http::dashboard_files();
    if (!settings_.web_dir.empty()) {
        web_ = or_throw(http::WebFolder::open(settings_.web_dir), "web client");
        services_->web = &*web_;
    }
    for (const auto& source : metric_sources_) metrics_.push_back(source.get());
    http::add_all_routes(router_, *services_, counters_, metrics_);

    http::DispatcherSettings dispatch;
    dispatch.base_url = settings_.http.base_url;
    dispatch.legacy_authorization = settings_.http.legacy_authorization;
    dispatch.unknown_per_minute = settings_.http.unknown_per_minute;
    dispatch.trusted_proxies = settings_.http.trusted_proxies;
    dispatcher_ = std::make_unique<http::Dispatcher>(std::move(dispatch), router_, *token_owners_, health_, counters_,
                                                     clock_, log_);

    http::ServerSettings server;
    server.listen = settings_.http.listen;
    server.server_header = "Understudy/" + std::string(version_text());
    server.handler_threads = settings_.http.handler_threads;
    http_ = std::make_unique<http::Server>(std::move(server), *dispatcher_, counters_, clock_, log_);
}

void Parts::start_http() {
    if (const auto started = http_->start(); !started) throw std::runtime_error(started.error().context);
    log_.info("listening", {{"listen", fmt::format("{}:{}", settings_.http.address, http_->port())}});
}

bool Parts::prepare_database(const StopSignals& signals) {
    for (Millis wait{100};; wait = std::min<Millis>(2 * wait, 5'000ms)) {
        health_.set_phase(http::HealthReport::Phase::starting, "migrating the database");
        const auto applied = store::sql::migrate(stores_.database);
        if (applied) {
            if (*applied > 0) log_.info("database migrated", {{"migrations", std::to_string(*applied)}});
            if (auto id = server_id(stores_.database, random_)) {
                services_->info.server_id = *id;
                health_.set_database(true, true);
                stores_.outage.on_ping(clock_.now(), {});
                return true;
            } else if (id.error().code != core::Errc::unavailable && id.error().code != core::Errc::timed_out) {
                throw std::runtime_error("database: " + id.error().context);
            }
        } else if (on_sqlite(settings_) ||
                   (applied.error().code != core::Errc::unavailable && applied.error().code != core::Errc::timed_out)) {
            throw std::runtime_error("database: " + applied.error().context);
        }
        const auto reason = applied ? std::string("lost it again") : applied.error().context;
        health_.set_database(false, false, reason);
        health_.set_phase(http::HealthReport::Phase::starting, "waiting for the database");
        stores_.outage.on_ping(clock_.now(), core::fail(core::Errc::unavailable, reason));
        if (signals.wait(wait)) return false;
    }
}

void Parts::start(const ServerOptions& options) {
    stores_.open_blobs(settings_, clock_, random_);  // before anything that could use them
    database_watch_ = std::make_unique<DatabaseWatch>(stores_.database, stores_.outage, health_, clock_);
    if (database_events_ != nullptr) database_events_->start();
    if (database_lease_ != nullptr) {
        listeners_.push_back(events_->listen([this](const cluster::Event& event) {
            if (event.kind == "lease.released") database_lease_->notify();
        }));
    }
    listeners_.push_back(events_->listen([this](const cluster::Event& event) {
        if (event.kind == "pod.left" || event.kind == "pod.joined") reporter_->look_now();
        // Who leads is known at once, not at the next look at the lease.
        if (event.kind == "lead.changed" && kept_lease_ != nullptr) kept_lease_->look_now();
    }));
    removals_ = std::jthread([this] {
        if (const auto done = stores_.libraries.finish_removals(); !done) {
            log_.warning("removed libraries are cleared away at the next start", {{"error", done.error().context}});
        }
    });
    or_throw(reporter_->start(), "pod registry");
    if (const auto told = events_->publish("pod.joined", "{}"); !told)
        log_.debug("nobody was told that this pod is here", {{"error", told.error().context}});
    note("PodJoined", "Pod " + settings_.pod + " joined", "Version " + std::string(version_text()));
    const auto added =
        or_throw(add_media_folders(options.media, settings_.data_dir, stores_.libraries, random_, log_), "libraries");
    manager_->start();  // hears of gained and lost terms, so before the election
    listeners_.push_back(events_->listen([this](const cluster::Event& event) {
        if (event.kind == "library.changed") folder_watch_->wake();
    }));
    event_socket_->start();
    folder_watch_->start();
    if (kept_lease_ != nullptr) kept_lease_->start();
    if (const auto open = token_owners_->wizard_open(); open && *open) {
        log_.warning(
            "the start wizard is open: whoever reaches this server first makes the administrator; do it "
            "now, in a browser at its address or with `understudy users add NAME --admin`");
    }
    health_.set_phase(http::HealthReport::Phase::ready);
    if (added || !options.media.empty()) {
        if (const auto queued = manager_->queue("RefreshLibrary", "{}"); !queued) {
            log_.warning("the first scan could not be queued", {{"error", queued.error().context}});
        }
    }
    log_.info("ready", {{"pod", settings_.pod},
                        {"version", std::string(version_text())},
                        {"database", on_sqlite(settings_) ? "SQLite" : "PostgreSQL"},
                        {"lease", lease_->view().provider}});
}

void Parts::stop() {
    health_.set_phase(http::HealthReport::Phase::stopping);
    const auto begun = clock_.now();
    folder_watch_->stop();  // while its reports are still taken
    manager_->stop(settings_.tasks.shutdown_grace);
    const auto left =
        std::chrono::duration_cast<Millis>(settings_.tasks.shutdown_grace - core::elapsed(begun, clock_.now()));
    const auto released =
        lease_->release(std::clamp<Millis>(left, 500ms, 2 * settings_.scan_leader.lease.call_timeout));
    if (!released) log_.warning("the lease was not released", {{"error", released.error().context}});
    if (lead_recorder_ != nullptr) lead_recorder_->look(lease_->view());
    reporter_->stop();
    for (const int listener : listeners_) events_->drop(listener);
    event_socket_->stop();
    pictures_->scaler.stop();
    http_->stop(http_grace);
}

}  // namespace

int run_server(const Settings& settings, const ServerOptions& options) {
    const StopSignals signals;
    raise_descriptor_limit();
    RequestedEnding ending;
    core::SpdlogLog log({.format = settings.log_format,
                         .level = settings.log_level,
                         .pod = settings.pod,
                         .directory = settings.log_dir});
    for (const auto& warning : settings.warnings) log.warning(warning);
    for (const auto& name : options.ignored_environment) {
        log.debug("environment variable ignored: it is no setting of ours", {{"name", name}});
    }
    std::optional<Parts> running(std::in_place, settings, options, ending, log);
    auto& parts = *running;
    parts.start_http();
    if (!parts.prepare_database(signals)) {
        log.info("stopped before the database answered");
        return 0;
    }
    parts.start(options);
    signals.wait();
    const ImpatientStop impatient(signals);
    log.info("stopping");
    parts.stop();
    if (parts.stragglers() > 0) {
        // A run that does not come back: the fence keeps its writes out, and its successor goes on from the last
        // checkpoint.
        log.warning("a run did not reach a checkpoint in time; leaving without it");
        if (ending.restart()) ending.begin_anew(log);  // ends that run's thread too
        ::_exit(ending.restart() ? 1 : 0);
    }
    running.reset();
    log.info("stopped");
    if (!ending.restart()) return 0;
    ending.begin_anew(log);
    return 1;
}

}  // namespace understudy::app
