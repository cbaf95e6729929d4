#include "app/parts.h"

#include <fmt/format.h>

#include "app/http_parts.h"
#include "app/metric_sources.h"
#include "app/server_facts.h"
#include "app/version.h"
#include "http/dashboard/embedded.h"
#include "http/jellyfin/system/discovery_answer.h"
#include "http/routes.h"

namespace understudy::app {

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
    start_discovery();
}

/// Not worth ending for: clients can still be told the address.
void Parts::start_discovery() {
    if (settings_.http.discovery.empty()) return;
    const bool everywhere = settings_.http.address == "0.0.0.0" || settings_.http.address == "::";
    discovery_ = std::make_unique<http::DiscoveryResponder>(
        settings_.http.discovery,
        [this, everywhere](const std::string& own) {
            return http::discovery_answer(*services_, everywhere ? own : settings_.http.address, http_->port());
        },
        clock_, log_);
    if (const auto started = discovery_->start(); started)
        log_.info("clients that look for servers find this one", {{"udp_port", std::to_string(discovery_->port())}});
    else
        log_.warning("clients that look for servers do not find this one", {{"cause", started.error().context}});
}

}  // namespace understudy::app
