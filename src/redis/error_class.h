// redis/error_class.h: what a refusal of Redis means, by class. Used by Connection and
// lease/redis.
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"

namespace understudy::redis {

enum class ErrorClass {
    unreachable,    ///< refused, timed out, name not found, closed, not Redis
    transient,      ///< the server says "not now"
    redirect,       ///< the server is part of a Cluster
    misconfigured,  ///< will not heal by itself
};

/// What is to blame, so that the user of the connection can name its own setting.
enum class Cause {
    network,         ///< nothing anybody wrote down wrong, as far as we can see
    name,            ///< host name not found
    certificate,     ///< the server's certificate, ours, or the authorities' file
    not_tls,         ///< ssl=true, but the port does not speak TLS
    login,           ///< user or password wrong, or one is needed
    right,           ///< the ACL lacks a command, key or channel
    key_type,        ///< the key holds something else
    command,         ///< the server does not know a command
    protected_mode,  ///< no password and not loopback
    database,        ///< defaultDatabase out of range
    role,            ///< a replica, or not a data server at all
    load,            ///< loading, out of memory, too many clients, busy
    cluster,         ///< keys live on several servers
    protocol,        ///< bytes that are not Redis' protocol
    other,
};

struct ErrorReading {
    ErrorClass kind = ErrorClass::misconfigured;
    Cause cause = Cause::other;
    bool drop = false;  ///< the connection is of no more use: resolve the name and log in again
};

/// `text` is an error reply without the '-', from the server or from inside a script. Unknown ones are misconfigured: a
/// word too loud is better than a fault that nobody sees.
[[nodiscard]] ErrorReading read_error(std::string_view text);
/// `text` fit for a log: one line, cut at 200 bytes, and without the arguments that "unknown command" repeats (one may
/// be a password).
[[nodiscard]] std::string printable_error(std::string_view text);

/// No usable reply.
struct Failure {
    ErrorClass kind = ErrorClass::unreachable;
    Cause cause = Cause::network;
    bool maybe_applied = false;  ///< the command was (or may have been) sent
    std::string detail;          ///< for people; never a secret
};

template <class T>
using Outcome = tl::expected<T, Failure>;

}  // namespace understudy::redis
