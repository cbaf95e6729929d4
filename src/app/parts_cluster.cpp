#include "app/parts.h"

#include <cstdlib>

#include "app/lease_stores.h"
#include "app/metric_sources.h"
#include "app/server_facts.h"
#include "cluster/database/lead_history.h"
#include "cluster/database/pod_registry.h"
#include "cluster/local/event_log.h"
#include "cluster/local/pod_registry.h"
#include "lease/null/null_scan_leader_lease.h"
#include "redis/connection_string.h"

namespace understudy::app {

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

}  // namespace understudy::app
