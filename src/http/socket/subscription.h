// http/socket/subscription.h: when one subscriber of a socket is told something again. Facts and the time go in. Used
// by the hub.
#pragma once

#include <algorithm>
#include <optional>

#include "core/time.h"
#include "http/socket/message.h"

namespace understudy::http {

/// Once it is started the first message comes when `due` is over, whatever happens; then one at once for a change that
/// matters (a start, an end), and for small ones (progress) at most one each period. Never two within `closest`,
/// however often something changes or the client starts anew: each costs a query.
class Subscription {
public:
    static constexpr core::Millis closest{250};

    void start(Pace pace, core::Instant now) noexcept {
        pace_ = pace;
        started_ = now;
        active_ = first_ = true;
        wanted_ = urgent_ = false;
    }
    void stop() noexcept { active_ = false; }
    [[nodiscard]] bool active() const noexcept { return active_; }

    void changed(bool at_once) noexcept {
        wanted_ = true;
        urgent_ = urgent_ || at_once;
    }
    void sent(core::Instant now) noexcept {
        sent_ = now;
        first_ = wanted_ = urgent_ = false;
    }
    /// Until a message is due; 0: now; nullopt: nothing has changed, or nobody wants to know.
    [[nodiscard]] std::optional<core::Nanos> due_in(core::Instant now) const noexcept {
        if (!active_ || (!first_ && !wanted_)) return std::nullopt;
        if (!sent_) return left(pace_.due, started_, now);
        const auto soonest = left(closest, *sent_, now);
        if (first_) return std::max(soonest, left(pace_.due, started_, now));
        return urgent_ ? soonest : std::max(soonest, left(pace_.period, *sent_, now));
    }

private:
    [[nodiscard]] static core::Nanos left(core::Millis after, core::Instant since, core::Instant now) noexcept {
        return std::max(core::Nanos{0}, core::Nanos{after} - core::elapsed(since, now));
    }

    Pace pace_;
    core::Instant started_{};
    std::optional<core::Instant> sent_;
    bool active_ = false, first_ = true, wanted_ = false, urgent_ = false;
};

}  // namespace understudy::http
