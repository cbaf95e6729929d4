// app/exec/stop_plan.h: when a command that needs a lease must be told to stop and when it must be gone, as pure
// arithmetic. Used by the guard process of `understudy exec`.
#pragma once

#include <optional>

#include "core/time.h"

namespace understudy::app {

/// Owns no clock. SIGTERM is due `kill_after` before trust in the lease ends, so that the command is dead, by SIGKILL
/// where need be, while nobody else can hold the lease yet.
class StopPlan {
public:
    enum class Step { none, terminate, kill };

    explicit StopPlan(core::Millis kill_after) : kill_after_(kill_after) {}

    /// The lease is proved for `left` from `now` on. Never shortens what was proved before.
    void trust(core::Instant now, core::Nanos left);
    /// Stop now, whatever is proved: the lease is known to be lost, or nobody renews it any more.
    void stop(core::Instant now);
    /// Each of terminate and kill once, in this order; ask again until it is `none`.
    [[nodiscard]] Step next(core::Instant now);
    /// Until next() may say something else. Never negative.
    [[nodiscard]] core::Nanos wait(core::Instant now) const;
    [[nodiscard]] bool stopping() const noexcept { return terminated_at_.has_value(); }

private:
    [[nodiscard]] core::Nanos trust_left(core::Instant now) const;
    [[nodiscard]] core::Nanos kill_in(core::Instant now) const;

    core::Millis kill_after_;
    core::Instant proved_at_{};
    core::Nanos proved_for_{};
    bool asked_ = false;
    std::optional<core::Instant> terminated_at_;
    bool killed_ = false;
};

}  // namespace understudy::app
