#include "lease/store_watch.h"

#include <algorithm>

namespace understudy::lease {

using core::Nanos;

bool StoreClockWatch::stepped(core::Instant sent, core::Instant received, core::UtcTime server, Nanos margin,
                              double drift) {
    const auto before = last_;
    last_ = Sample{sent, received, server};
    if (!before) return false;
    const Nanos moved = server - before->server;
    // The true distance between the two readings lies between these, whichever of our clocks is the right one.
    const Nanos least = std::min(sent.boot - before->received.boot, sent.real - before->received.real);
    const Nanos most = std::max(received.boot - before->sent.boot, received.real - before->sent.real);
    const Nanos slack = margin + Nanos{static_cast<Nanos::rep>(drift * static_cast<double>(most.count()))};
    return moved > most + slack || moved < least - slack;
}

void FrozenTtlWatch::see(core::Instant now, const core::LeaseToken& holder, core::Millis ttl_left) {
    if (!first_ || first_->holder != holder || first_->ttl_left != ttl_left) {
        first_ = Sight{.holder = holder, .ttl_left = ttl_left, .first = now, .last = now};
        return;
    }
    first_->last = now;
    ++first_->times;
}

bool FrozenTtlWatch::frozen(Nanos for_at_least) const noexcept {
    // Three looks: two equal ones can be chance where the holder renews in step with our polls.
    return first_ && first_->times >= 3 && core::elapsed(first_->first, first_->last) >= for_at_least;
}

}  // namespace understudy::lease
