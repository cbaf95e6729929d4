#include "app/exec/stop_plan.h"

#include <algorithm>

namespace understudy::app {

using core::Instant;
using core::Nanos;

Nanos StopPlan::trust_left(Instant now) const {
    return std::max(Nanos{0}, proved_for_ - core::elapsed(proved_at_, now));
}

void StopPlan::trust(Instant now, Nanos left) {
    if (left <= trust_left(now)) return;
    proved_at_ = now;
    proved_for_ = left;
}

void StopPlan::stop(Instant) {
    asked_ = true;
}

Nanos StopPlan::kill_in(Instant now) const {
    const auto grace = std::max(Nanos{0}, kill_after_ - core::elapsed(*terminated_at_, now));
    return std::min(grace, trust_left(now));
}

StopPlan::Step StopPlan::next(Instant now) {
    if (!terminated_at_) {
        if (!asked_ && trust_left(now) > kill_after_) return Step::none;
        terminated_at_ = now;
        return Step::terminate;
    }
    if (killed_ || kill_in(now) > Nanos{0}) return Step::none;
    killed_ = true;
    return Step::kill;
}

Nanos StopPlan::wait(Instant now) const {
    if (killed_) return std::chrono::hours{1};
    if (terminated_at_) return kill_in(now);
    return asked_ ? Nanos{0} : std::max(Nanos{0}, trust_left(now) - kill_after_);
}

}  // namespace understudy::app
