#include "redis/connection_string.h"

#include <algorithm>

#include "redis/connection_options.h"

namespace understudy::redis {
namespace {

using core::Errc;
using core::fail;
using core::Result;

constexpr std::uint16_t plain_port = 6379;
constexpr std::uint16_t tls_port = 6380;  // StackExchange.Redis' default with ssl=true

std::string_view trim(std::string_view text) {
    const auto from = text.find_first_not_of(" \t\r\n");
    if (from == std::string_view::npos) return {};
    return text.substr(from, text.find_last_not_of(" \t\r\n") - from + 1);
}

bool has_control(std::string_view text) {
    return std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

std::vector<std::string_view> split(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    for (;;) {
        const auto end = text.find(at);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

int hex(char c) noexcept {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/// nullopt: '%' without two hex digits after it.
std::optional<std::string> percent_decode(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out.push_back(text[i]);
            continue;
        }
        if (i + 2 >= text.size() || hex(text[i + 1]) < 0 || hex(text[i + 2]) < 0) return std::nullopt;
        out.push_back(static_cast<char>(hex(text[i + 1]) * 16 + hex(text[i + 2])));
        i += 2;
    }
    return out;
}

// What follows a password may be its own tail after a ',', so from there on nothing foreign is shown.
constexpr const char* torn_password =
    "something unknown stands behind 'password'. A password with ',' cannot be written in this form: use "
    "redis://user:password@host:port with ',' as %2C. (Endpoints stand before the options.)";

Result<void> parse_options_form(ConnectionSettings& into, std::string_view text) {
    std::vector<std::string_view> endpoints;
    bool after_password = false;
    for (const auto raw : split(text, ',')) {
        const auto part = trim(raw);
        if (part.empty()) {
            if (after_password) return fail(Errc::invalid, torn_password);
            continue;
        }
        const auto equals = part.find('=');
        if (equals == std::string_view::npos) {
            if (after_password && !endpoints.empty()) return fail(Errc::invalid, torn_password);
            if (part.starts_with('!') || part.starts_with('/')) {
                return fail(Errc::unsupported, "Unix sockets are not supported: give host:port");
            }
            endpoints.push_back(part);
            continue;
        }
        const auto key = trim(part.substr(0, equals));
        if (after_password && !is_known_option(key) && !key.starts_with('$')) return fail(Errc::invalid, torn_password);
        if (auto applied = apply_option(into, key, trim(part.substr(equals + 1))); !applied) return applied;
        after_password = after_password || is_secret_option(key);
    }
    for (const auto part : endpoints) {
        auto endpoint = parse_endpoint(part, into.tls ? tls_port : plain_port);
        if (!endpoint) {
            if (after_password) return fail(Errc::invalid, "an endpoint is wrong: host or host:port is wanted");
            return tl::unexpected(endpoint.error());
        }
        into.endpoints.push_back(std::move(*endpoint));
    }
    return {};
}

Result<void> parse_url_query(ConnectionSettings& into, std::string_view query) {
    if (query.empty()) return {};
    bool after_password = false;
    for (const auto part : split(query, '&')) {
        const auto equals = part.find('=');
        const auto key = percent_decode(part.substr(0, equals));
        const auto value =
            percent_decode(equals == std::string_view::npos ? std::string_view{} : part.substr(equals + 1));
        if (!key || !value) return fail(Errc::invalid, "'%' in a URL stands before two hex digits; write it as %25");
        const std::string_view name = *key == "db" ? "defaultDatabase" : std::string_view(*key);
        if (after_password && !is_known_option(name) && !name.starts_with('$')) {
            return fail(Errc::invalid,
                        "something unknown stands behind 'password': '&' in a password is written as %26");
        }
        if (has_control(*value) || has_control(*key)) return fail(Errc::invalid, "an option holds a control character");
        if (auto applied = apply_option(into, name, *value); !applied) return applied;
        after_password = after_password || is_secret_option(name);
    }
    return {};
}

Result<void> parse_url_form(ConnectionSettings& into, std::string_view rest) {
    std::string_view query;
    if (const auto mark = rest.find('?'); mark != std::string_view::npos) {
        query = rest.substr(mark + 1);
        rest = rest.substr(0, mark);
    }
    std::string_view path;
    if (const auto slash = rest.find('/'); slash != std::string_view::npos) {
        path = rest.substr(slash + 1);
        rest = rest.substr(0, slash);
    }
    const bool has_login = rest.find('@') != std::string_view::npos || path.find('@') != std::string_view::npos ||
                           query.find('@') != std::string_view::npos;
    if (const auto at = rest.rfind('@'); at != std::string_view::npos) {
        const auto login = rest.substr(0, at);
        rest = rest.substr(at + 1);
        const auto colon = login.find(':');
        const auto user = percent_decode(login.substr(0, colon));
        const auto password =
            percent_decode(colon == std::string_view::npos ? std::string_view{} : login.substr(colon + 1));
        if (!user || !password) {
            return fail(Errc::invalid,
                        "'%' in user or password of a URL stands before two hex digits; write it as %25");
        }
        into.user = *user;
        into.password = *password;
    }
    // A '/' or '?' in a password cuts the URL in the wrong place, and the pieces would be shown below.
    const bool torn = path.find('@') != std::string_view::npos || query.find('@') != std::string_view::npos;
    if (torn) return fail(Errc::invalid, "user and password of a URL need '/' as %2F, '?' as %3F and '@' as %40");
    // The two forms mixed, and then the pieces may hold a password.
    if (rest.find('=') != std::string_view::npos || path.find('=') != std::string_view::npos) {
        return fail(Errc::invalid,
                    "a URL has its options behind '?', as in redis://host:port?option=value&…; "
                    "host:port,option=value,… stands without redis://");
    }
    for (const auto part : split(rest, ',')) {
        auto endpoint = parse_endpoint(trim(part), plain_port);
        if (!endpoint) {
            // `redis://:secret` without its '@host': what stands there may be a password.
            if (!has_login && trim(part).find(':') != std::string_view::npos && !part.starts_with('['))
                return fail(Errc::invalid,
                            "host or host:port is wanted; a password stands before '@': redis://:password@host:port");
            if (has_login) return fail(Errc::invalid, "host[:port] is wanted behind the '@' of the URL");
            return tl::unexpected(endpoint.error());
        }
        into.endpoints.push_back(std::move(*endpoint));
    }
    if (!path.empty()) {
        if (auto applied = apply_option(into, "defaultDatabase", path); !applied) {
            return fail(Errc::invalid, "the path of the URL is the database's number: " + applied.error().context);
        }
    }
    return parse_url_query(into, query);
}

Result<void> parse_any(ConnectionSettings& into, std::string_view text) {
    if (has_control(text)) return fail(Errc::invalid, "holds a control character (a line end from a secret's file?)");
    if (text.empty()) return fail(Errc::invalid, "is empty: host:port is wanted");
    if (const auto scheme_end = text.find("://");
        scheme_end != std::string_view::npos && scheme_end < 20 &&
        text.substr(0, scheme_end).find_first_of(",=") == std::string_view::npos) {
        const auto scheme = text.substr(0, scheme_end);
        into.tls = scheme == "rediss";
        if (scheme != "redis" && scheme != "rediss") {
            return fail(Errc::unsupported,
                        "scheme '" + std::string(scheme) + "://' is not supported: allowed are redis:// and rediss://");
        }
        return parse_url_form(into, text.substr(scheme_end + 3));
    }
    return parse_options_form(into, text);
}

}  // namespace

std::string Endpoint::str() const {
    const bool v6 = host.find(':') != std::string::npos;
    return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

Result<ConnectionSettings> parse_connection_string(std::string_view text, std::string_view setting) {
    ConnectionSettings settings;
    settings.setting = setting;
    const auto named = [&](const core::Error& error) {
        return fail(error.code, std::string(setting) + ": " + error.context);
    };
    if (auto parsed = parse_any(settings, trim(text)); !parsed) return named(parsed.error());
    if (settings.endpoints.empty()) {
        return named({Errc::invalid, "names no server: host:port is wanted before the options"});
    }
    if (settings.tls_cert_file.empty() != settings.tls_key_file.empty()) {
        return named({Errc::invalid, "sslCertFile and sslKeyFile go together"});
    }
    if (settings.client_name.find(' ') != std::string::npos) {
        return named({Errc::invalid, "name: Redis allows no blanks in a client's name"});
    }
    if (!settings.tls &&
        (!settings.tls_server_name.empty() || !settings.tls_ca_file.empty() || !settings.tls_cert_file.empty())) {
        settings.warnings.emplace_back("sslHost, sslCaFile and sslCertFile do nothing without ssl=true");
    }
    for (auto& warning : settings.warnings) warning.insert(0, std::string(setting) + ": ");
    return settings;
}

}  // namespace understudy::redis
