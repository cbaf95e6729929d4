// lease/scan_leader_lease.h: lets the pods that share a key agree on one scan leader. Used by tasks and http/admin.
// Leadership is efficiency: wrong now and then is harmless. Correctness is the RunLedger's (tasks/run_ledger.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/time.h"

namespace understudy::lease {

/// `unknown`: no usable answer yet. `self_appointed`: none for so long that waiting would stall the scans.
enum class Standing { leader, follower, self_appointed, unknown };
[[nodiscard]] std::string_view to_string(Standing standing) noexcept;

/// May a pod of this standing start gated slots from its timers? (leader, self_appointed)
[[nodiscard]] constexpr bool may_start_gated(Standing standing) noexcept {
    return standing == Standing::leader || standing == Standing::self_appointed;
}

/// Why there was no usable answer, which is not "no": docs/operations.md, "What faults look like".
enum class NoAnswer { unreachable, transient, redirect, misconfigured };
[[nodiscard]] std::string_view to_string(NoAnswer reason) noexcept;

/// The lease as this pod last saw it: for people and dashboards, never for a decision.
struct LeaseView {
    Standing standing = Standing::unknown;
    std::string provider;  ///< "redis", "database", "none"
    struct Holder {
        std::string pod;        ///< label, may repeat
        core::UtcTime since{};  ///< first seen by this pod
    };
    std::optional<Holder> holder;
    std::int64_t term = 0;                 ///< terms this pod has gained since it started
    std::optional<core::Millis> ttl_left;  ///< as of now, by the last answer
    struct Outage {
        core::UtcTime since{};
        NoAnswer reason{};
        std::string detail;  ///< names cause and setting; never a secret
    };
    std::optional<Outage> outage;
    std::optional<std::string>
        alarm;  ///< the store answers, but its clock stands still: a dead leader would never expire
    /// After a resignation, while another pod lives: until then this pod does not acquire.
    std::optional<core::UtcTime> abstains_until;
    /// Why this pod leaves the lead to a fitter one, and acquires only what nobody has taken for T; empty: it does not.
    std::string stands_back;
    /// Nobody holds the lease, and its store has lately restarted: before then only the leader that it may have
    /// forgotten acquires.
    std::optional<core::UtcTime> waits_until;
    bool single = false;  ///< election off: the API shows standing "single"
};

enum class LeaseEvent { gained, lost };

/// Safe to call from any thread; keeps itself alive in the background.
class ScanLeaderLease {
public:
    virtual ~ScanLeaderLease() = default;
    /// Judged at the moment of the call against the clock, so a pod that was paused learns it here. Never blocks or
    /// fails.
    [[nodiscard]] virtual Standing standing() const noexcept = 0;
    [[nodiscard]] virtual LeaseView view() const = 0;
    /// Lets go now, once the caller has drained its runs, so that the next pod need not wait out the ttl; the lease
    /// then asks for nothing more (shutdown). Blocks at most `grace`. Errors: unavailable, timed_out (the ttl then
    /// frees it).
    [[nodiscard]] virtual core::Result<void> release(core::Millis grace) = 0;
    /// As release, but goes on as a follower that does not acquire for T while another pod lives.
    [[nodiscard]] virtual core::Result<void> resign(core::Millis grace) = 0;
    /// `listener` is called once for each `gained` and `lost`, after the standing has changed, on a thread of its own
    /// (never the renewing one). At most one listener; set it before the first event matters.
    virtual void on_event(std::function<void(LeaseEvent)> listener) = 0;
};

}  // namespace understudy::lease
