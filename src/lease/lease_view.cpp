// What a LeaseMachine shows of itself: to people (view) and to the model checker (essence).
#include <algorithm>

#include "lease/lease_machine.h"

namespace understudy::lease {

using core::elapsed;
using core::Millis;
using core::Nanos;
using namespace std::chrono_literals;

LeaseView LeaseMachine::view(core::Instant now) const {
    LeaseView view;
    view.standing = standing(now);
    view.term = static_cast<std::int64_t>(counters_.terms);
    // The store may answer and still not say who leads: then its last fault is history.
    const bool answers = failures_ == 0;
    if (!answers) view.outage = outage_;
    const auto forgotten = hold_down_left(now);
    const bool incumbent = incumbent_from_ && fresh(*incumbent_from_, now);
    if (answers && !heard_held_ && !incumbent && !shut_down_ && view.standing != Standing::leader && forgotten > 0ns)
        view.waits_until = utc(core::after(now, forgotten));
    if (held_off(now) && another_pod_lives_ && !shut_down_)
        view.abstains_until = utc(core::after(now, settings_.ttl - elapsed(*resigned_at_, now)));
    view.stands_back = stands_back_;
    if (view.standing == Standing::leader) {
        view.holder = LeaseView::Holder{{}, utc(term_began_)};
        view.ttl_left =
            std::max(Millis{0}, settings_.ttl - std::chrono::duration_cast<Millis>(elapsed(granted_from_, now)));
    } else if (holder_) {
        view.holder = LeaseView::Holder{holder_->pod, utc(holder_->first_seen)};
        if (holder_->ttl_left) {
            const auto since = std::chrono::duration_cast<Millis>(elapsed(holder_->seen, now));
            view.ttl_left = std::max(Millis{0}, *holder_->ttl_left - since);
        }
    }
    return view;
}

LeaseMachine::Essence LeaseMachine::essence(core::Instant now) const {
    const auto left = [&](Nanos span, core::Instant from) { return std::max<Nanos>(0ns, span - elapsed(from, now)); };
    Essence e;
    if (token_) e.token = *token_;
    e.in_term = in_term_;
    e.trust_left = trust_left(now);
    if (incumbent_from_ && fresh(*incumbent_from_, now))
        e.incumbent_left = left(settings_.trust_window(), *incumbent_from_);
    if (ambiguous_since_) e.ambiguous_left = left(settings_.ttl, *ambiguous_since_) + 1ns;  // 0: none
    if (call_) {
        e.call_verb = static_cast<int>(call_->request.verb);
        e.call_token = call_->request.token;
        e.call_age = std::min<Nanos>(elapsed(call_->sent_at, now), settings_.trust_window());
    }
    if (stale_) {
        e.stale_token = stale_->token;
        e.stale_left = stale_->asked_for ? 0ns : left(settings_.ttl, stale_->since);
        e.stale_asked_for = stale_->asked_for;
        e.stale_tries = stale_->asked_for ? stale_->tries : 0;
    }
    e.hold_down_left = hold_down_left(now);
    if (resigned_at_) e.hold_off_left = left(settings_.ttl, *resigned_at_);
    e.stand_back_left = stand_back_left(now);
    e.due_in = std::max<Nanos>(0ns, due_ - now.boot);
    e.silent = silent_from_.has_value();
    if (silent_from_) e.silent_for = std::min<Nanos>(elapsed(*silent_from_, now), settings_.outage_hold_down);
    e.heard_held = heard_held_;
    // Where a failure comes first, how far back its silence reaches; else whether the last answer is still news.
    if (!silent_from_)
        e.heard_ago = std::min(elapsed(last_usable_, now), std::max<Nanos>(settings_.ttl, silence_reach()));
    e.failures = failures_;
    e.another_lives = another_pod_lives_;
    e.shut_down = shut_down_;
    return e;
}

}  // namespace understudy::lease
