#include "http/auth/token_owners.h"

#include <utility>

#include "http/auth/secrets.h"
#include "http/jellyfin/dto/user_settings.h"
#include "http/proxies.h"
#include "http/text.h"
#include "store/server_settings.h"
#include "store/sessions.h"

namespace understudy::http {
namespace {

// Activity is noted this often: a client asks many things a second, and each note is a write.
constexpr core::Millis noted_every{60'000};

/// As the session has it, with what the request says otherwise.
store::Client seen_client(const store::Client& known, const Request& request,
                          const std::vector<std::string>& trusted_proxies) {
    auto client = known;
    const auto& said = request.credentials.client;
    if (!said.client.empty()) client.name = printable(said.client);
    if (!said.device.empty()) client.device = printable(said.device);
    if (!said.version.empty()) client.version = printable(said.version);
    client.address = client_address(request, trusted_proxies);
    return client;
}

}  // namespace

Caller caller_of(const store::TokenOwner& owner) {
    Caller caller;
    if (const auto& session = owner.session) {
        caller.name = session->user_name;
        caller.admin = session->admin;
        caller.user = session->user;
        caller.libraries = open_libraries(session->policy);
        caller.session = session->id;
        caller.client = session->client.name;
        caller.device_id = session->client.device_id;
    } else {
        caller.name = "key of " + owner.key->app;
        caller.admin = true;
        caller.client = owner.key->app;
        caller.key = owner.key->number;
    }
    return caller;
}

core::Result<std::optional<Caller>> TokenOwners::find(const Request& request) const {
    const auto& token = request.credentials.token;
    if (token.empty()) return std::optional<Caller>();
    if (auto caller = keys_.find(token)) return caller;
    if (stores_.sessions == nullptr) return std::optional<Caller>();
    const auto owner = stores_.sessions->find(hash_secret(token));
    if (!owner) return tl::unexpected(owner.error());
    if (!*owner) return std::optional<Caller>();
    note(request, **owner);
    return std::optional(caller_of(**owner));
}

void TokenOwners::note(const Request& request, const store::TokenOwner& owner) const {
    const auto& session = owner.session;
    const auto client = session ? seen_client(session->client, request, trusted_proxies_) : store::Client{};
    const bool changed = session && client.version != session->client.version;
    if (owner.idle < noted_every && !changed) return;
    // Where the one writer of SQLite is busy for long (VACUUM), one request a minute waits for it and not each.
    const auto now = clock_.now().boot.count();
    if (now < quiet_until_) return;
    const auto noted =
        session ? stores_.sessions->touch(session->id, client) : stores_.sessions->touch_key(owner.key->number);
    if (noted) return;
    quiet_until_ = now + core::Nanos(noted_every).count();
    log_.debug("activity was not noted", {{"cause", noted.error().context}});
}

core::Result<bool> TokenOwners::wizard_open() const {
    if (wizard_done_ || stores_.settings == nullptr) return false;
    const auto settings = stores_.settings->all();
    if (!settings) return tl::unexpected(settings.error());
    const auto done = settings->find(store::setting::wizard_completed);
    if (done != settings->end() && done->second == "true") wizard_done_ = true;
    return !wizard_done_;
}

}  // namespace understudy::http
