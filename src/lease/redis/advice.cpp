#include "lease/redis/advice.h"

namespace understudy::lease {
namespace {

NoAnswer reason_of(redis::ErrorClass kind) {
    switch (kind) {
        case redis::ErrorClass::unreachable:
            return NoAnswer::unreachable;
        case redis::ErrorClass::transient:
            return NoAnswer::transient;
        case redis::ErrorClass::redirect:
            return NoAnswer::redirect;
        case redis::ErrorClass::misconfigured:
            return NoAnswer::misconfigured;
    }
    return NoAnswer::misconfigured;
}

std::string advice(redis::Cause cause, const std::string& setting, const std::string& key) {
    using redis::Cause;
    switch (cause) {
        case Cause::network:
            return "the address is from " + setting;
        case Cause::load:
            return "the server named in " + setting + " is busy or ill; it says so itself";
        case Cause::name:
            return "check the host in " + setting;
        case Cause::certificate:
            return "check sslCaFile, sslHost and the server's certificate in " + setting;
        case Cause::not_tls:
            return "set ssl=false, or give the TLS port, in " + setting;
        case Cause::login:
            return "check user and password in " + setting;
        case Cause::right:
            return "grant it to the Redis user of " + setting;
        case Cause::key_type:
            return "the key is left untouched; choose another Jellyfin:ScanLeader:LeaseKey than '" + key +
                   "', or remove it";
        case Cause::command:
            return "the server of " + setting + " must know EVALSHA, EVAL and the commands of the lease";
        case Cause::protected_mode:
            return "the server wants a password: set one there and in " + setting;
        case Cause::database:
            return "check defaultDatabase in " + setting;
        case Cause::role:
            return "the primary must be named in " + setting;
        case Cause::cluster:
            return "Cluster not supported yet: name a Redis that is not part of one in " + setting;
        case Cause::protocol:
            return "is a Redis behind host and port in " + setting + "?";
        case Cause::other:
            return "see " + setting;
    }
    return "";
}

}  // namespace

LeaseNoAnswer explain(const redis::Failure& failure, std::string_view setting, std::string_view key) {
    LeaseNoAnswer out;
    out.reason = reason_of(failure.kind);
    out.ambiguous = failure.maybe_applied;
    out.detail = failure.detail;
    if (const auto words = advice(failure.cause, std::string(setting), std::string(key)); !words.empty()) {
        out.detail += ": " + words;
    }
    return out;
}

}  // namespace understudy::lease
