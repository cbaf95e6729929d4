// http/socket/subscription.h: when one subscriber of a socket is told something again. Facts and the time go in. Used
// by the hub.
#pragma once

#include <optional>

#include "core/time.h"
#include "http/socket/message.h"

namespace understudy::http {

/// The first message comes when `due` is over, whatever happens; then one at once for a change that matters (a start,
/// an end), and for small ones (progress) at most one each period.
class Subscription {
public:
    Subscription(Pace pace, core::Instant now) : pace_(pace), last_(now) {}

    void changed(bool at_once) noexcept {
        wanted_ = true;
        urgent_ = urgent_ || at_once;
    }
    void sent(core::Instant now) noexcept {
        last_ = now;
        first_ = wanted_ = urgent_ = false;
    }
    /// Until a message is due; 0: now; nullopt: nothing has changed.
    [[nodiscard]] std::optional<core::Nanos> due_in(core::Instant now) const noexcept {
        if (first_) return left(pace_.due, now);
        if (urgent_) return core::Nanos{0};
        if (wanted_) return left(pace_.period, now);
        return std::nullopt;
    }

private:
    [[nodiscard]] core::Nanos left(core::Millis after_last, core::Instant now) const noexcept {
        return std::max(core::Nanos{0}, core::Nanos{after_last} - core::elapsed(last_, now));
    }

    Pace pace_;
    core::Instant last_;  ///< of the subscription, then of the last message
    bool first_ = true, wanted_ = false, urgent_ = false;
};

}  // namespace understudy::http
