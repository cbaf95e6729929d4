// lease/lease_store.h: where a lease is kept, as the election needs it. Implemented by redis/ and database/, used by
// KeptScanLeaderLease on its own thread only (but interrupt). Mechanism only: it reports what it heard, decides
// nothing.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "core/ids.h"
#include "core/result.h"
#include "core/time.h"
#include "lease/scan_leader_lease.h"

namespace understudy::lease {

struct LeaseRequest {
    enum class Verb { acquire, renew, release };
    Verb verb = Verb::acquire;
    core::LeaseToken token;
    core::Millis ttl{};
};

/// A clear word from the store. `ttl_left` and `server_time` come with every answer.
struct LeaseAnswer {
    enum class Verdict {
        granted,   ///< acquire or renew: the key holds our token with the full ttl
        held,      ///< another token is there (acquire and renew)
        lost,      ///< renew: the key is gone
        released,  ///< release: it was ours and is gone, or was not ours any more
    };
    Verdict verdict = Verdict::held;
    std::optional<std::string> holder;  ///< label in the key, where one is there
    std::optional<core::LeaseToken> holder_token;
    std::optional<core::Millis> ttl_left;  ///< remaining ttl of the key after the call
    std::optional<core::UtcTime> server_time;
    bool repaired_missing_ttl = false;  ///< a foreign key without a ttl was given T
};

/// No usable answer. `ambiguous`: the request may have been applied.
struct LeaseNoAnswer {
    NoAnswer reason = NoAnswer::unreachable;
    bool ambiguous = false;
    std::string detail;  ///< cause and, where one is to blame, the setting; never a secret
};

/// What a new connection found, before the first acquire on it: a store younger than T may have forgotten a leader.
struct StoreRestart {
    core::Millis uptime{};
    bool identity_changed = false;  ///< another run_id than this pod last saw
};

using LeaseReply = std::variant<LeaseAnswer, LeaseNoAnswer>;

class LeaseStore {
public:
    enum class Wake { notice, timeout, interrupted };

    virtual ~LeaseStore() = default;
    [[nodiscard]] virtual std::string_view provider() const noexcept = 0;
    /// Connects where there is no connection (and then subscribes before it returns), at most `o`; nothing to do
    /// otherwise. On a new connection tells what the server said about its age; nullopt where the connection is an old
    /// one or the store cannot lose its memory (database).
    [[nodiscard]] virtual tl::expected<std::optional<StoreRestart>, LeaseNoAnswer> connect() = 0;
    /// One call, at most `o`. A connection that timed out or broke is closed, never used again.
    [[nodiscard]] virtual LeaseReply ask(const LeaseRequest& request) = 0;
    /// Sleeps until a pod let go of the lease, `at_most` has passed, or interrupt().
    [[nodiscard]] virtual Wake wait(core::Nanos at_most) = 0;
    /// From any thread: ends a wait now, or the next one at once.
    virtual void interrupt() noexcept = 0;
};

}  // namespace understudy::lease
