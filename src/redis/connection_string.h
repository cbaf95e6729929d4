// redis/connection_string.h: what an operator writes to name a Redis, understood. Used by app (settings) and
// Connection.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/time.h"

namespace understudy::redis {

struct Endpoint {
    std::string host;  ///< name or address, IPv6 without brackets
    std::uint16_t port = 6379;

    /// `redis:6379`, `[::1]:6379`
    [[nodiscard]] std::string str() const;
    friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

/// Everything needed to open a connection. Holds a secret: never print it whole.
struct ConnectionSettings {
    std::string setting = "Jellyfin:TranscodeStore:RedisConnectionString";  ///< where it was written, for messages
    std::vector<Endpoint> endpoints;                                        ///< at least one; all of one primary's set
    std::string user;                                                       ///< empty: Redis' `default` user
    std::string password;                                                   ///< empty and no user: no AUTH
    bool tls = false;
    std::string tls_server_name;  ///< `sslHost`; empty: the endpoint's host
    std::string tls_ca_file;      ///< `sslCaFile` (ours): PEM; empty: the system's authorities
    std::string tls_cert_file;    ///< `sslCertFile` (ours): PEM, for servers that ask clients for one
    std::string tls_key_file;     ///< `sslKeyFile` (ours)
    bool abort_connect = true;    ///< accepted for habit's sake: a pod starts whether Redis answers or not
    std::optional<core::Millis> connect_timeout;
    std::optional<core::Millis> command_timeout;  ///< `syncTimeout`
    int database = 0;
    std::string client_name;            ///< `name`
    std::string channel_prefix;         ///< put before every channel
    std::vector<std::string> warnings;  ///< a line each: options that are known but do nothing here
};

/// Two forms: StackExchange.Redis (`host[:port],…,option=value,…`; keys in any case; port 6379, with `ssl=true` 6380)
/// and `redis://[user][:password]@host[:port][/database][?option=value&…]`, `rediss://` for TLS (port 6379 in both, as
/// other clients have it). `setting` goes into every message. Errors: invalid: one line that names setting, option,
/// what is allowed or the nearest known option; unsupported: Sentinel and Unix sockets. No message ever holds a
/// password or a piece that may belong to one.
[[nodiscard]] core::Result<ConnectionSettings> parse_connection_string(
    std::string_view text, std::string_view setting = "Jellyfin:TranscodeStore:RedisConnectionString");

}  // namespace understudy::redis
