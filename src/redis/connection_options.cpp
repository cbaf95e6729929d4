#include "redis/connection_options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <numeric>
#include <vector>

namespace understudy::redis {
namespace {

using core::Errc;
using core::fail;
using core::Result;

enum class Option {
    password,
    user,
    ssl,
    ssl_host,
    ssl_ca_file,
    ssl_cert_file,
    ssl_key_file,
    abort_connect,
    connect_timeout,
    sync_timeout,
    default_database,
    name,
    channel_prefix,
    service_name,
    ignored,
};

struct Known {
    std::string_view name;
    Option option;
};

// StackExchange.Redis 2.x, ConfigurationOptions; the three ssl…File are ours.
constexpr std::array known_options = {
    Known{"password", Option::password},
    Known{"user", Option::user},
    Known{"ssl", Option::ssl},
    Known{"sslHost", Option::ssl_host},
    Known{"sslCaFile", Option::ssl_ca_file},
    Known{"sslCertFile", Option::ssl_cert_file},
    Known{"sslKeyFile", Option::ssl_key_file},
    Known{"abortConnect", Option::abort_connect},
    Known{"connectTimeout", Option::connect_timeout},
    Known{"syncTimeout", Option::sync_timeout},
    Known{"defaultDatabase", Option::default_database},
    Known{"name", Option::name},
    Known{"channelPrefix", Option::channel_prefix},
    Known{"serviceName", Option::service_name},
    Known{"allowAdmin", Option::ignored},
    Known{"asyncTimeout", Option::ignored},
    Known{"checkCertificateRevocation", Option::ignored},
    Known{"configChannel", Option::ignored},
    Known{"configCheckSeconds", Option::ignored},
    Known{"connectRetry", Option::ignored},
    Known{"heartbeatConsistencyChecks", Option::ignored},
    Known{"heartbeatInterval", Option::ignored},
    Known{"highIntegrity", Option::ignored},
    Known{"keepAlive", Option::ignored},
    Known{"preserveAsyncOrder", Option::ignored},
    Known{"protocol", Option::ignored},
    Known{"proxy", Option::ignored},
    Known{"resolveDns", Option::ignored},
    Known{"responseTimeout", Option::ignored},
    Known{"setlib", Option::ignored},
    Known{"sslProtocols", Option::ignored},
    Known{"tiebreaker", Option::ignored},
    Known{"tunnel", Option::ignored},
    Known{"version", Option::ignored},
    Known{"writeBuffer", Option::ignored},
};

char lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_key(std::string_view a, std::string_view b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

const Known* find_option(std::string_view key) noexcept {
    const auto found = std::find_if(known_options.begin(), known_options.end(),
                                    [&](const Known& known) { return same_key(known.name, key); });
    return found == known_options.end() ? nullptr : &*found;
}

// Edits between two words, a swap of neighbours counted as one, case ignored.
std::size_t edits(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    std::iota(rows[0].begin(), rows[0].end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        rows[i][0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
            rows[i][j] = std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + change});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
                rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
            }
        }
    }
    return rows[a.size()][b.size()];
}

// A string that is torn in the wrong place has the rest of it, perhaps with a password, in what should be one short
// word.
std::string shown(std::string_view text) {
    if (text.size() > 64 || text.find_first_of(",=@&") != std::string_view::npos) return "(not shown)";
    return std::string(text);
}

Result<bool> read_bool(std::string_view key, std::string_view value) {
    for (const auto* yes : {"true", "yes", "on", "1"}) {
        if (same_key(value, yes)) return true;
    }
    for (const auto* no : {"false", "no", "off", "0"}) {
        if (same_key(value, no)) return false;
    }
    return fail(Errc::invalid, std::string(key) + "=" + shown(value) + ": allowed are true and false");
}

Result<int> read_int(std::string_view key, std::string_view value, int least, int most) {
    int number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc{} || end != value.data() + value.size() || number < least || number > most) {
        return fail(Errc::invalid, std::string(key) + "=" + shown(value) + ": a whole number from " +
                                       std::to_string(least) + " to " + std::to_string(most) + " is wanted");
    }
    return number;
}

Result<void> set_millis(std::optional<core::Millis>& into, std::string_view key, std::string_view value) {
    const auto number = read_int(key, value, 1, 600'000);
    if (!number) return tl::unexpected(number.error());
    into = core::Millis{*number};
    return {};
}

Result<void> set_bool(bool& into, std::string_view key, std::string_view value) {
    const auto flag = read_bool(key, value);
    if (!flag) return tl::unexpected(flag.error());
    into = *flag;
    return {};
}

}  // namespace

bool is_known_option(std::string_view key) {
    return find_option(key) != nullptr;
}

bool is_secret_option(std::string_view key) {
    return same_key(key, "password");
}

std::string_view nearest_option(std::string_view key) {
    // A key is as long as an operator's line at most; a comparison with 64 letters says all there is to say.
    key = key.substr(0, 64);
    return std::min_element(known_options.begin(), known_options.end(),
                            [&](const Known& a, const Known& b) { return edits(key, a.name) < edits(key, b.name); })
        ->name;
}

Result<void> apply_option(ConnectionSettings& into, std::string_view key, std::string_view value) {
    if (key.starts_with('$')) {
        into.warnings.push_back("option '" + shown(key) + "' (a renamed command) does nothing here");
        return {};
    }
    const Known* known = find_option(key);
    if (known == nullptr) {
        return fail(Errc::invalid, "unknown option '" + shown(key) + "', the nearest known one is '" +
                                       std::string(nearest_option(key)) + "'");
    }
    switch (known->option) {
        case Option::password:
            into.password = value;
            return {};
        case Option::user:
            into.user = value;
            return {};
        case Option::ssl:
            return set_bool(into.tls, known->name, value);
        case Option::ssl_host:
            into.tls_server_name = value;
            return {};
        case Option::ssl_ca_file:
            into.tls_ca_file = value;
            return {};
        case Option::ssl_cert_file:
            into.tls_cert_file = value;
            return {};
        case Option::ssl_key_file:
            into.tls_key_file = value;
            return {};
        case Option::abort_connect:
            return set_bool(into.abort_connect, known->name, value);
        case Option::connect_timeout:
            return set_millis(into.connect_timeout, known->name, value);
        case Option::sync_timeout:
            return set_millis(into.command_timeout, known->name, value);
        case Option::default_database: {
            const auto number = read_int(known->name, value, 0, std::numeric_limits<int>::max());
            if (!number) return tl::unexpected(number.error());
            into.database = *number;
            return {};
        }
        case Option::name:
            into.client_name = value;
            return {};
        case Option::channel_prefix:
            into.channel_prefix = value;
            return {};
        case Option::service_name:
            return fail(
                Errc::unsupported,
                "serviceName asks for Sentinel, which is not supported yet: name the primary itself, or a service "
                "address that follows it");
        case Option::ignored:
            into.warnings.push_back("option '" + std::string(known->name) + "' does nothing here");
            return {};
    }
    return {};
}

Result<Endpoint> parse_endpoint(std::string_view text, std::uint16_t default_port) {
    const std::string what = "endpoint '" + shown(text) + "'";
    Endpoint endpoint{{}, default_port};
    std::string_view port;
    bool has_port = false;
    if (text.starts_with('[')) {
        const auto close = text.find(']');
        if (close == std::string_view::npos) return fail(Errc::invalid, what + ": ']' is missing");
        endpoint.host = text.substr(1, close - 1);
        const auto rest = text.substr(close + 1);
        if (!rest.empty() && !rest.starts_with(':')) return fail(Errc::invalid, what + ": ':port' is wanted after ']'");
        has_port = !rest.empty();
        port = has_port ? rest.substr(1) : rest;
    } else if (const auto colon = text.find(':');
               colon != std::string_view::npos && text.find(':', colon + 1) != std::string_view::npos) {
        endpoint.host = text;  // a bare IPv6 address: a port would need brackets
    } else {
        endpoint.host = text.substr(0, colon);
        has_port = colon != std::string_view::npos;
        if (has_port) port = text.substr(colon + 1);
    }
    if (endpoint.host.empty()) return fail(Errc::invalid, what + ": a host is missing");
    const auto fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
               c == '_' || c == ':' || c == '%' || (static_cast<unsigned char>(c) & 0x80U) != 0;
    };
    if (!std::all_of(endpoint.host.begin(), endpoint.host.end(), fits)) {
        return fail(Errc::invalid, what + ": not a host name or address (parts are divided by ',')");
    }
    if (has_port) {
        const auto number = read_int("port", port, 1, 65'535);
        if (!number) return fail(Errc::invalid, what + ": " + number.error().context);
        endpoint.port = static_cast<std::uint16_t>(*number);
    }
    return endpoint;
}

}  // namespace understudy::redis
