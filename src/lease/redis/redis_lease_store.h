// lease/redis/redis_lease_store.h: the lease as a key with a ttl in Redis. Made by app, used by KeptScanLeaderLease on
// the lease thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/log.h"
#include "core/result.h"
#include "core/time.h"
#include "lease/lease_store.h"
#include "redis/connection_string.h"

namespace understudy::lease {

struct RedisLeaseConfig {
    redis::ConnectionSettings connection;
    /// If set, asked before each new connection instead of `connection`: a password that was changed in its file.
    std::function<core::Result<redis::ConnectionSettings>()> reread;
    std::string key = "jellyfin:scan-leader";  ///< Jellyfin:ScanLeader:LeaseKey
    std::string label;                         ///< Jellyfin:ScanLeader:PodName
    core::Millis call_timeout{2'000};  ///< o: for a connect with all its steps, and for each call; the connection
                                       ///< string's connectTimeout and syncTimeout can only shorten it
};

/// Two connections: one for the lease calls, one that listens. Idle, they send nothing: a call of the lease is one
/// EVALSHA. A new connection costs ROLE, INFO, a self-test of all rights (which changes nothing) and a SUBSCRIBE.
/// Threads as the port says. Logs rights that may be missing, once each, and when notices stop and come back.
class RedisLeaseStore final : public LeaseStore {
public:
    /// Connects to nothing yet. `log` outlives it.
    RedisLeaseStore(RedisLeaseConfig config, core::Log& log);
    ~RedisLeaseStore() override;

    [[nodiscard]] std::string_view provider() const noexcept override { return "redis"; }
    [[nodiscard]] tl::expected<std::optional<StoreRestart>, LeaseNoAnswer> connect() override;
    [[nodiscard]] LeaseReply ask(const LeaseRequest& request) override;
    [[nodiscard]] Wake wait(core::Nanos at_most) override;
    void interrupt() noexcept override;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace understudy::lease
