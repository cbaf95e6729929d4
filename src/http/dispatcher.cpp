#include "http/dispatcher.h"

#include <algorithm>
#include <cstdlib>

#include "core/text.h"
#include "http/auth/credentials.h"
#include "http/compression.h"
#include "http/problem.h"
#include "http/proxies.h"
#include "http/text.h"

namespace understudy::http {
namespace {

/// Takes `prefix` (whole segments, any case) off `path`; false where it is not there.
bool strip_prefix(std::string_view& path, std::string_view prefix) {
    if (path.size() < prefix.size() || !iequals(path.substr(0, prefix.size()), prefix)) return false;
    const auto rest = path.substr(prefix.size());
    if (!rest.empty() && rest.front() != '/') return false;
    path = rest.empty() ? "/" : rest;
    return true;
}

bool is_probe(std::string_view path) {
    const auto below = [&](std::string_view literal) {
        auto rest = path;
        return strip_prefix(rest, literal);
    };
    return below("/health") || below("/metrics");
}

/// A target's parts.
struct Address {
    std::string_view path, query;
    bool below_base = false;     ///< else nothing is served there
    bool legacy_prefix = false;  ///< `/emby` or `/mediabrowser` stood before the path
};

Address address_of(std::string_view target, const DispatcherSettings& settings) {
    // The form that proxies send (RFC 9112 §3.2.2): the authority is of no interest here.
    for (const std::string_view scheme : {"http://", "https://"}) {
        if (target.size() >= scheme.size() && iequals(target.substr(0, scheme.size()), scheme)) {
            target.remove_prefix(scheme.size());
            const auto path = target.find_first_of("/?");
            target = path == std::string_view::npos ? std::string_view("/") : target.substr(path);
            break;
        }
    }
    Address address;
    const auto question = target.find('?');
    if (question != std::string_view::npos) address.query = target.substr(question + 1);
    address.path = target.substr(0, question);
    if (address.path.empty()) address.path = "/";
    address.below_base = settings.base_url.empty() || strip_prefix(address.path, settings.base_url) ||
                         is_probe(address.path);  // a probe never needs the prefix
    address.legacy_prefix = address.below_base && settings.legacy_authorization &&
                            (strip_prefix(address.path, "/emby") || strip_prefix(address.path, "/mediabrowser"));
    return address;
}

/// That of the kind of JSON that is wanted most; of equals the first one named. Official clients name all three kinds
/// in one header, the plain one first.
Spelling wanted_spelling(std::string_view accept) {
    if (!icontains(accept, "profile")) return Spelling::pascal;
    auto spelling = Spelling::pascal;
    double most = 0;
    for (const auto& kind : core::split_trimmed(accept, ',')) {
        const auto words = core::split_trimmed(kind, ';');
        constexpr std::string_view json[] = {"application/json", "text/json", "application/*", "*/*"};
        if (words.empty() || std::ranges::find(json, core::to_lower_ascii(words.front())) == std::end(json)) continue;
        double quality = 1;
        bool camel = false;
        for (const auto& word : words) {
            const auto lower = core::to_lower_ascii(word);
            if (lower.starts_with("q=")) quality = std::strtod(lower.c_str() + 2, nullptr);
            if (lower.starts_with("profile")) camel = lower.find("camelcase") != std::string::npos;
        }
        if (quality <= most) continue;
        most = quality;
        spelling = camel ? Spelling::camel : Spelling::pascal;
    }
    return spelling;
}

/// What a browser asks before it sends the real request; any origin, method and header is welcome.
Response preflight(const Request& request, std::string_view allow) {
    auto response = no_content();
    const auto method = request.header("Access-Control-Request-Method");
    if (!request.has_header("Origin") || method.empty()) {
        response.with("Allow", std::string(allow.empty() ? "GET, HEAD, POST, PUT, DELETE, OPTIONS" : allow));
        return response;
    }
    response.with("Access-Control-Allow-Methods", std::string(method));
    const auto headers = request.header("Access-Control-Request-Headers");
    if (!headers.empty()) response.with("Access-Control-Allow-Headers", std::string(headers));
    response.with("Access-Control-Max-Age", "86400");
    return response;
}

void open_to_browsers(const Request& request, Response& response) {
    if (request.has_header("Origin")) response.with("Access-Control-Allow-Origin", "*");
}

/// Does the address name a user who is not the caller? What is no id is the handler's to refuse.
bool names_another(const Request& request) {
    const auto other = [&](std::string_view text) {
        const auto id = core::UserId::parse(trim(text));
        return id && *id != request.caller->user;
    };
    return other(request.param("userId")) || other(request.query.text("userId"));
}

bool asks_the_wizard(Access access) {
    return access == Access::wizard || access == Access::wizard_or_user;
}

bool takes_users(Access access) {
    return access == Access::user || access == Access::wizard_or_user;
}

constexpr std::string_view way_in = "send `Authorization: MediaBrowser Token=\"KEY\"` or `?ApiKey=KEY`";

}  // namespace

core::Result<std::string> normal_base_url(std::string_view text) {
    std::string normal;
    for (const auto segment : split(trim(text), '/')) {
        if (segment.empty()) continue;
        const bool plain = std::ranges::all_of(segment, [](char c) {
            return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' ||
                   c == '~';
        });
        if (!plain || segment == "." || segment == "..") {
            return core::fail(core::Errc::invalid,
                              "Jellyfin:Http:BaseUrl: '" + printable(text) +
                                  "' is no path; use letters, digits, '-', '_', '.', '~' and '/', as in /jf");
        }
        normal += '/';
        normal += segment;
    }
    return normal;
}

Dispatcher::Dispatcher(DispatcherSettings settings, const Router& router, const Identities& identities,
                       const HealthSource& health, HttpCounters& counters, core::Clock& clock, core::Log& log)
    : settings_(std::move(settings)),
      router_(router),
      identities_(identities),
      health_(health),
      counters_(counters),
      clock_(clock),
      log_(log),
      rates_(settings_.unknown_per_minute, clock) {}

std::optional<Response> Dispatcher::at_once(Request& request) noexcept {
    try {
        request.received_at = clock_.now();
        std::optional<Response> answer;
        if (!request.admitted) answer = judge_from_memory(request);  // else admit() has
        if (!answer && request.admitted && request.route->where == Where::inline_) answer = call(request);
        if (!answer && request.admitted && request.route->from_memory) answer = request.route->from_memory(request);
        if (!answer) return std::nullopt;
        return finish(request, std::move(*answer));
    } catch (const std::exception& error) {
        log_.error("a request failed unexpectedly", {{"path", request.path}, {"cause", error.what()}});
        return finish(request, text_answer(500, "Error processing request."));
    }
}

std::optional<Response> Dispatcher::judge_from_memory(Request& request) {
    if (auto answer = route(request)) return answer;
    auto answer = authorize(request);
    if (!request.caller && (answer || request.admitted)) {
        if (auto refusal = refuse_crowd(request)) return refusal;
    }
    return answer;
}

std::optional<Response> Dispatcher::admit(Request& request) noexcept {
    std::optional<Response> refusal;
    try {
        refusal = judge_from_memory(request);
        if (!refusal && !request.admitted) refusal = settle(request);
    } catch (const std::exception& error) {
        log_.error("a request failed unexpectedly", {{"path", request.path}, {"cause", error.what()}});
        refusal = text_answer(500, "Error processing request.");
    }
    if (refusal) open_to_browsers(request, *refusal);
    return refusal;
}

Response Dispatcher::handle(Request& request) noexcept {
    try {
        if (!request.admitted) {
            if (auto refusal = settle(request)) return finish(request, std::move(*refusal));
        }
        auto answer = call(request);
        make_light(request, answer);
        return finish(request, std::move(answer));
    } catch (const std::exception& error) {
        log_.error("a request failed unexpectedly", {{"path", request.path}, {"cause", error.what()}});
        return finish(request, text_answer(500, "Error processing request."));
    }
}

bool Dispatcher::is_vital(const Request& request) const noexcept {
    return is_probe(address_of(request.target, settings_).path);
}

bool Dispatcher::takes_large_body(const Request& request) const noexcept {
    const auto address = address_of(request.target, settings_);
    if (!address.below_base) return false;
    const auto found = router_.find(request.method, address.path);
    return found.route != nullptr && found.route->large_body;
}

std::optional<Response> Dispatcher::route(Request& request) {
    const auto address = address_of(request.target, settings_);
    const auto path = address.path;
    request.query = Query(address.query);
    request.spelling = wanted_spelling(request.header("Accept"));
    request.path = path;

    const auto found = address.below_base ? router_.find(request.method, path) : Router::Match();
    if (request.method == Method::options) {
        const bool known = !found.allow.empty() || path == "*";
        if (known || request.has_header("Access-Control-Request-Method")) return preflight(request, found.allow);
    }
    if (!found.route && !found.allow.empty()) {
        return text_answer(405, "This path answers " + found.allow + ".").with("Allow", found.allow);
    }
    if (!found.route) {
        log_.debug("not served",
                   {{"method", std::string(to_string(request.method))}, {"path", printable(request.path)}});
        return json_answer("{}", 404);
    }
    if (address.legacy_prefix) counters_.legacy_prefix_used.fetch_add(1, std::memory_order_relaxed);
    request.route = found.route;
    request.params = found.params;
    if (!request.route->while_starting) {
        const auto health = health_.report();
        if (health.phase == HealthReport::Phase::starting) {
            const auto detail = health.phase_detail.empty() ? std::string() : ": " + health.phase_detail;
            return text_answer(503, "The server is starting" + detail + ".").with("Retry-After", "5");
        }
    }
    return std::nullopt;
}

std::optional<Response> Dispatcher::authorize(Request& request) {
    request.credentials = find_credentials(request, settings_.legacy_authorization);
    note_refused_forms(request);
    const auto& token = request.credentials.token;
    if (!token.empty()) request.caller = identities_.find_in_memory(token);
    const auto access = request.route->access;
    if (access == Access::open || request.caller) return judge(request);
    if (token.empty() && !asks_the_wizard(access)) return judge(request);
    return std::nullopt;
}

std::optional<Response> Dispatcher::settle(Request& request) {
    if (health_.report().phase == HealthReport::Phase::starting)  // no tables to look into yet
        return text_answer(503, "The server is starting; only the administrator's key is known.")
            .with("Retry-After", "5");
    if (!request.credentials.token.empty()) {
        auto caller = identities_.find(request);
        if (!caller) return problem(caller.error());
        request.caller = std::move(*caller);
    }
    if (!request.caller) {
        if (auto refusal = refuse_crowd(request)) return refusal;
    }
    const auto access = request.route->access;
    const bool may = request.caller && (request.caller->admin || takes_users(access));
    if (asks_the_wizard(access) && !may) {
        const auto open = identities_.wizard_open();
        if (!open) return problem(open.error());
        request.admitted = *open;
        if (*open) return std::nullopt;
    }
    return judge(request);
}

void Dispatcher::note_refused_forms(const Request& request) {
    for (const auto form : request.credentials.refused) {
        const auto index = static_cast<std::size_t>(form);
        counters_.forms_refused[index].fetch_add(1, std::memory_order_relaxed);
        const bool said = refusal_said_[index].exchange(true);
        log_.write(said ? core::LogLevel::debug : core::LogLevel::warning,
                   "a legacy credential form was refused, as EnableLegacyAuthorization is off; the client should send "
                   "Authorization: MediaBrowser",
                   std::array{core::LogField{"form", std::string(to_string(form))},
                              core::LogField{"client", printable(request.header("User-Agent"))},
                              core::LogField{"path", printable(request.path)}});
    }
}

/// With all that is known of the caller.
std::optional<Response> Dispatcher::judge(Request& request) {
    const auto& credentials = request.credentials;
    if (request.caller)
        counters_.forms_used[static_cast<std::size_t>(credentials.form)].fetch_add(1, std::memory_order_relaxed);
    request.admitted = true;
    if (request.route->access == Access::open) return std::nullopt;
    if (request.caller) {
        if (request.caller->admin) return std::nullopt;
        if (!takes_users(request.route->access)) return text_answer(403, "This needs an administrator.");
        if (!request.route->others && names_another(request))
            return text_answer(403, "Only an administrator may name another user.");
        return std::nullopt;
    }
    std::string why;
    if (!credentials.token.empty()) {
        why = "The access token is not known here (sent as " + std::string(to_string(credentials.form)) + ").";
    } else if (!credentials.refused.empty()) {
        why = "The credential form " + std::string(to_string(credentials.refused.front())) +
              " is turned off here (EnableLegacyAuthorization=false); " + std::string(way_in) + ".";
    } else {
        why = "An access token is needed: " + std::string(way_in) + ".";
    }
    auto refusal = text_answer(request.route->unknown_caller, why);
    constexpr int unauthorized = 401;
    if (refusal.status == unauthorized) refusal.with("WWW-Authenticate", "MediaBrowser");
    return refusal;
}

std::optional<Response> Dispatcher::refuse_crowd(const Request& request) {
    if (settings_.unknown_per_minute == 0 || is_probe(request.path)) return std::nullopt;
    if (rates_.take(address_group(client_address(request, settings_.trusted_proxies)))) return std::nullopt;
    return text_answer(429, "Too many requests without a token from your address; log in, or ask more slowly.")
        .with("Retry-After", std::to_string(rates_.retry_after_s()));
}

Response Dispatcher::call(const Request& request) {
    return request.route->handler(request);
}

Response Dispatcher::finish(const Request& request, Response response) noexcept {
    open_to_browsers(request, response);
    counters_.count(response.status, core::elapsed(request.received_at, clock_.now()));
    return response;
}

}  // namespace understudy::http
