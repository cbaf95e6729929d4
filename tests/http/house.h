// tests/http/house.h: the whole HTTP side over fakes: services, router, dispatcher and (where asked) a server on a free
// port.
#pragma once

#include <boost/json.hpp>
#include <memory>
#include <string>

#include "http/auth/token_owners.h"
#include "http/dispatcher.h"
#include "http/fake_names.h"
#include "http/fake_users.h"
#include "http/fakes.h"
#include "http/routes.h"
#include "http/server/server.h"
#include "support/manual_clock.h"

namespace understudy::testing {

inline constexpr const char* admin_key = "0123456789abcdef-key";
inline constexpr const char* guest_key = "guest";

inline boost::json::value parsed(const http::Response& response) {
    return boost::json::parse(response.body);
}

/// The admin key, somebody who is known but no administrator, and whoever is logged in where sessions are kept.
class HouseIdentities final : public http::Identities {
public:
    HouseIdentities(const http::UserStores& stores, core::Clock& clock, core::Log& log)
        : owners_({admin_key}, stores, {}, clock, log) {}
    std::optional<http::Caller> find_in_memory(std::string_view token) const override {
        return owners_.find_in_memory(token);
    }
    core::Result<std::optional<http::Caller>> find(const http::Request& request) const override {
        if (broken) return tl::unexpected(*broken);
        if (request.credentials.token == guest_key)
            return std::optional(http::Caller{.name = "guest", .admin = false, .user = id_of<core::UserId>('9')});
        return owners_.find(request);
    }
    core::Result<bool> wizard_open() const override { return owners_.wizard_open(); }

    std::optional<core::Error> broken;

private:
    http::TokenOwners owners_;
};

/// Quick to compute, and worth nothing.
inline http::Passwords::Settings cheap_passwords() {
    http::Passwords::Settings settings;
    settings.operations = 1;
    settings.memory_bytes = 8'192;
    return settings;
}

struct House {
    explicit House(http::DispatcherSettings settings = {}) {
        services.info.pod = "a";
        services.info.boot = id_of<core::BootId>('b');
        services.info.server_id = std::string(32, 'e');
        services.info.version = "0.1.0";
        services.info.base_url = settings.base_url;
        services.names = &named;
        http::add_all_routes(router, services, counters, sources);
        dispatcher =
            std::make_unique<http::Dispatcher>(std::move(settings), router, identities, health, counters, clock, log);
    }
    ~House() {
        if (server) server->stop(core::Millis{0});
    }
    House(const House&) = delete;
    House& operator=(const House&) = delete;

    /// Starts a server on a free loopback port.
    std::uint16_t serve(http::ServerSettings settings = {}) {
        settings.listen = "127.0.0.1:0";
        settings.server_header = "Understudy/0.1.0";
        server = std::make_unique<http::Server>(std::move(settings), *dispatcher, counters, clock, log);
        if (const auto started = server->start(); !started) throw std::runtime_error(started.error().context);
        return server->port();
    }
    /// Through the dispatcher alone, as the server would ask it.
    http::Response ask(http::Request request) {
        if (auto quick = dispatcher->at_once(request)) return *quick;
        return dispatcher->handle(request);
    }
    /// With the admin key.
    http::Response ask(http::Method method, std::string target, std::string body = {}) {
        http::Request request;
        request.method = method;
        request.target = std::move(target);
        request.headers.push_back({"Authorization", std::string("MediaBrowser Token=\"") + admin_key + "\""});
        request.headers.push_back({"Host", "media.example"});
        request.body = std::move(body);
        request.peer = "127.0.0.1";
        return ask(std::move(request));
    }
    http::Response get(std::string target) { return ask(http::Method::get, std::move(target)); }
    http::Response post(std::string target, std::string body = {}) {
        return ask(http::Method::post, std::move(target), std::move(body));
    }

    ManualClock clock{
        core::Instant{std::chrono::hours{1}, std::chrono::seconds{1'796'032'760}}};  // 2026-11-30 09:59:20
    core::SeededRandom random{7};
    RecordingLog log;
    FakeTasks tasks;
    FakeLedger ledger;
    FakeLease lease;
    FakePods pods;
    FakeEvents events;
    FakeLibraries libraries;
    FakeCatalog catalog;
    FakeNames named{catalog};
    FakeUsers users;
    FakeCollections collections{catalog};
    FakeUserData user_data{catalog, collections};
    FakeScans scans;
    FakeHealth health;
    http::Passwords passwords{cheap_passwords()};
    http::HttpCounters counters;
    std::vector<const http::MetricSource*> sources;
    http::Services services{
        .info = {},
        .tasks = tasks,
        .ledger = ledger,
        .lease = lease,
        .pods = pods,
        .events = events,
        .libraries = libraries,
        .catalog = catalog,
        .scans = scans,
        .health = health,
        .clock = clock,
        .random = random,
        .log = log,
        .media = {},
        .users = {.accounts = &users, .data = &user_data, .collections = &collections, .passwords = &passwords}};
    HouseIdentities identities{services.users, clock, log};
    http::Router router;
    std::unique_ptr<http::Dispatcher> dispatcher;
    std::unique_ptr<http::Server> server;
};

}  // namespace understudy::testing
