// lease/store_watch.h: two eyes on the store's clock, for alarms and metrics only; no decision of the election hangs on
// them. Used by LeaseMachine.
#pragma once

#include <optional>

#include "core/ids.h"
#include "core/time.h"

namespace understudy::lease {

/// Does the store's clock go on as ours does? A step (an operator, a failover to a machine with another time) makes
/// keys expire early or late.
class StoreClockWatch {
public:
    /// `server` was read by the store at some moment between `sent` and `received`. True: it stepped by more than
    /// `margin` since the answer before, beyond what the calls' duration, the drift of both clocks and a step of ours
    /// can explain.
    [[nodiscard]] bool stepped(core::Instant sent, core::Instant received, core::UtcTime server, core::Nanos margin,
                               double drift);

private:
    struct Sample {
        core::Instant sent, received;
        core::UtcTime server;
    };
    std::optional<Sample> last_;
};

/// A foreign holder's ttl that never changes: the store's clock stands still, its keys never expire, and a dead leader
/// would hold the lease for ever.
class FrozenTtlWatch {
public:
    void see(core::Instant now, const core::LeaseToken& holder, core::Millis ttl_left);
    void forget() noexcept { first_.reset(); }
    [[nodiscard]] bool frozen(core::Nanos for_at_least) const noexcept;

private:
    struct Sight {
        core::LeaseToken holder;
        core::Millis ttl_left{};
        core::Instant first, last;
        int times = 1;
    };
    std::optional<Sight> first_;
};

}  // namespace understudy::lease
