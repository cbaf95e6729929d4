#include "app/server.h"

#include <unistd.h>

#include <array>
#include <memory>

#include "app/descriptor_limit.h"
#include "app/media_folders.h"
#include "app/parts.h"
#include "app/server_facts.h"
#include "app/version.h"

namespace understudy::app {

namespace {

constexpr Millis http_grace{2'000};  // requests under way at the end; Ctrl-C ends in under 3 s

}  // namespace

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
    if (discovery_ != nullptr) discovery_->stop();
    http_->stop(http_grace);
}

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
