// http/dispatcher.h: the way of a request: address -> route -> authorization -> handler -> answer. Built by app over a
// router.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/log.h"
#include "core/time.h"
#include "http/admin/health.h"
#include "http/auth/identities.h"
#include "http/counters.h"
#include "http/request_handler.h"
#include "http/request_rates.h"
#include "http/router.h"

namespace understudy::http {

struct DispatcherSettings {
    std::string base_url;  ///< `Jellyfin:Http:BaseUrl`: `/jf`, normalised by normal_base_url(); empty: none
    bool legacy_authorization =
        true;  ///< `EnableLegacyAuthorization`: five credential forms, `/emby` and `/mediabrowser`
    std::uint32_t unknown_per_minute = 0;  ///< requests of an address without a token that is known; 0: no limit
    std::vector<std::string> trusted_proxies = {};  ///< whose X-Forwarded-For says the address
};

/// `jf`, `/jf/`, `/a/b` -> `/jf`, `/jf`, `/a/b`; `/` -> empty. Errors: invalid, naming the setting.
[[nodiscard]] core::Result<std::string> normal_base_url(std::string_view text);

/// References outlive it. Safe from any thread.
class Dispatcher final : public RequestHandler {
public:
    Dispatcher(DispatcherSettings settings, const Router& router, const Identities& identities,
               const HealthSource& health, HttpCounters& counters, core::Clock& clock, core::Log& log);
    [[nodiscard]] std::optional<Response> at_once(Request& request) noexcept override;
    [[nodiscard]] Response handle(Request& request) noexcept override;
    /// Probes: /health, /metrics.
    [[nodiscard]] bool is_vital(const Request& request) const noexcept override;
    /// Route::large_body.
    [[nodiscard]] bool takes_large_body(const Request& request) const noexcept override;
    [[nodiscard]] std::optional<Response> admit(Request& request) noexcept override;

private:
    /// What can be said of the request without the database; where that is nothing, `request.admitted` tells whether it
    /// may go on or settle() must be asked.
    std::optional<Response> judge_from_memory(Request& request);
    /// Splits the target, takes prefixes off, finds the route. A response: that is the answer already.
    std::optional<Response> route(Request& request);
    /// Reads the credentials, and decides what memory can decide: a refusal, or `request.admitted`. Neither: settle()
    /// must, on the pool.
    std::optional<Response> authorize(Request& request);
    /// Asks the database who calls. A response: a refusal. Blocks.
    std::optional<Response> settle(Request& request);
    void note_refused_forms(const Request& request);
    std::optional<Response> judge(Request& request);
    /// Of those who have no token that is known: 429 where their address has asked too often. nullopt: go on.
    std::optional<Response> refuse_crowd(const Request& request);
    Response call(const Request& request);
    Response finish(const Request& request, Response response) noexcept;

    DispatcherSettings settings_;
    const Router& router_;
    const Identities& identities_;
    const HealthSource& health_;
    HttpCounters& counters_;
    core::Clock& clock_;
    core::Log& log_;
    RequestRates rates_;
    std::array<std::atomic<bool>, credential_form_count> refusal_said_{};  ///< a form's refusal is said loudly once
};

}  // namespace understudy::http
