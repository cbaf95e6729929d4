#include "lease/lease_machine.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/check.h"

namespace understudy::lease {
namespace {

using core::elapsed;
using core::Instant;
using core::Millis;
using core::Nanos;
using namespace std::chrono_literals;

constexpr Nanos first_backoff = 200ms;      // doubled by each further failure, up to T/4
constexpr int release_tries = 2;            // the second on a fresh connection; then the ttl frees the key
constexpr Nanos look_after_resign = 250ms;  // the next leader is known within 100 ms

Nanos scaled(Nanos value, double factor) {
    return Nanos{static_cast<Nanos::rep>(static_cast<double>(value.count()) * factor)};
}

/// How far real time ran ahead of boot time: a machine that stood still, or a clock that was set.
Nanos ran_ahead(Instant from, Instant to) noexcept {
    return (to.real - from.real) - (to.boot - from.boot);
}

}  // namespace

LeaseMachine::LeaseMachine(const LeaseSettings& settings, core::Random& random, Instant born)
    : settings_(settings), random_(&random), due_(born.boot), last_usable_(born) {}

// ---- what to do next ----

LeaseMachine::Action LeaseMachine::next(Instant now) {
    observe(now);
    if (call_) return {Action::Kind::wait, settings_.call_timeout};
    if (shut_down_ && !stale_) return {Action::Kind::finished, {}};
    if (now.boot >= due_) return {Action::Kind::ask, {}};
    auto wait = due_ - now.boot;
    if (in_term_) wait = std::min(wait, std::max<Nanos>(trust_left(now), 1ms));
    if (silent_from_) {  // wake when the pod appoints itself, so that the log says so in time
        const Nanos left = settings_.outage_hold_down - elapsed(*silent_from_, now);
        if (left > 0ns) wait = std::min(wait, left);
    }
    return {Action::Kind::wait, wait};
}

LeaseMachine::Call LeaseMachine::send(Instant now) {
    CHECK(!call_);
    using Verb = LeaseRequest::Verb;
    LeaseRequest request{Verb::renew, {}, settings_.ttl};
    if (stale_) {
        request.verb = Verb::release;
        request.token = stale_->token;
    } else if (in_term_) {
        request.token = *token_;
    } else if (may_acquire(now)) {
        if (!token_) token_ = core::LeaseToken::make(*random_);
        request.verb = Verb::acquire;
        request.token = *token_;
    }  // else a look: renewing with the token that nobody has tells who holds, and changes nothing
    call_ = Call{++last_call_id_, request, now};
    ++counters_.calls;
    return *call_;
}

bool LeaseMachine::may_acquire(Instant now) const noexcept {
    return wait_for_acquire(now) == 0ns;
}

Nanos LeaseMachine::hold_down_left(Instant now) const noexcept {
    if (!restarted_at_) return 0ns;
    return std::max<Nanos>(0ns, settings_.ttl - elapsed(*restarted_at_, now));
}

bool LeaseMachine::held_off(Instant now) const noexcept {
    return resigned_at_ && elapsed(*resigned_at_, now) < settings_.ttl;
}

Nanos LeaseMachine::wait_for_acquire(Instant now) const noexcept {
    Nanos wait{};
    // The store forgot: a leader that it no longer knows may still trust its grant. Only that leader may acquire at
    // once.
    const bool incumbent = incumbent_from_ && fresh(*incumbent_from_, now);
    if (!incumbent) wait = hold_down_left(now);
    if (held_off(now) && another_pod_lives_) wait = std::max(wait, settings_.ttl - elapsed(*resigned_at_, now));
    return std::max(wait, stand_back_left(now));
}

Nanos LeaseMachine::stand_back_left(Instant now) const noexcept {
    if (stands_back_.empty()) return 0ns;
    return free_since_ ? std::max<Nanos>(0ns, settings_.ttl - elapsed(*free_since_, now)) : Nanos{settings_.ttl};
}

void LeaseMachine::stand_back(Instant now, std::string why) {
    const bool ends = why.empty() && !stands_back_.empty();
    if (stands_back_.empty()) free_since_.reset();
    stands_back_ = std::move(why);
    if (ends) on_notice(now);
}

void LeaseMachine::schedule_poll(Instant now, std::optional<Millis> ttl_left) {
    auto wait = scaled(settings_.ttl / 4, 0.8 + 0.4 * random_->uniform());
    if (const auto left = wait_for_acquire(now); left > 0ns) {
        wait = std::min(wait, left);
    } else if (ttl_left) {
        // A holder that has stopped renewing: be there soon after its key runs out.
        const auto grace = scaled(settings_.ttl / 20, 1.0 + random_->uniform());
        wait = std::min(wait, std::max<Nanos>(*ttl_left, 0ns) + grace);
    }
    due_ = now.boot + wait;
}

// ---- time ----

bool LeaseMachine::fresh(Instant sent_at, Instant now) const noexcept {
    return elapsed(sent_at, now) < settings_.trust_window() && ran_ahead(sent_at, now) <= settings_.safety_margin;
}

Nanos LeaseMachine::trust_left(Instant now) const noexcept {
    if (!in_term_ || !fresh(granted_from_, now)) return 0ns;
    return settings_.trust_window() - elapsed(granted_from_, now);
}

void LeaseMachine::observe(Instant now) {
    if (in_term_ && !fresh(granted_from_, now)) {
        const auto token = *token_;
        const auto ahead = ran_ahead(granted_from_, now);
        std::string why = "no renewal was granted in time";
        if (ahead > settings_.safety_margin) {
            ++counters_.suspected_pauses;
            why = fmt::format("real time ran {} ms ahead of this machine's own: it stood still, or its clock was set",
                              std::chrono::duration_cast<Millis>(ahead).count());
            note(LeaseNote::Kind::suspected_pause, why);
        }
        end_term(now, std::move(why));
        stale_ = Stale{.token = token, .since = now};
    }
    const bool asking = call_ && token_ && call_->request.token == *token_;
    if (token_ && !in_term_ && !asking && ambiguous_since_ && elapsed(*ambiguous_since_, now) >= settings_.ttl) {
        token_.reset();
        ambiguous_since_.reset();
    }
    if (stale_ && !stale_->asked_for && !call_ && elapsed(stale_->since, now) >= settings_.ttl) stale_.reset();
}

Standing LeaseMachine::standing(Instant now) const noexcept {
    if (trust_left(now) > 0ns) return Standing::leader;
    if (silent_from_ && elapsed(*silent_from_, now) >= settings_.outage_hold_down) return Standing::self_appointed;
    if (held_off(now) && another_pod_lives_) return Standing::follower;
    // Older than T and no failure since: this process stood still, and what it heard is no news any more.
    if (heard_held_ && (silent_from_ || elapsed(last_usable_, now) < settings_.ttl)) return Standing::follower;
    return Standing::unknown;
}

// ---- terms ----

void LeaseMachine::gain(const Call& call, Instant now) {
    in_term_ = true;
    granted_from_ = call.sent_at;
    term_began_ = now;
    ambiguous_since_.reset();
    incumbent_from_.reset();
    resigned_at_.reset();
    free_since_.reset();
    heard_held_ = false;
    holder_.reset();
    ttl_watch_.forget();
    set_ttl_frozen(false);
    ++counters_.terms;
    note(LeaseNote::Kind::gained);
}

void LeaseMachine::end_term(Instant, std::string why) {
    in_term_ = false;
    token_.reset();
    ambiguous_since_.reset();
    incumbent_from_.reset();
    heard_held_ = false;
    holder_.reset();
    note(LeaseNote::Kind::lost, std::move(why));
}

bool LeaseMachine::resign(Instant now) {
    observe(now);
    if (!in_term_) return false;
    const auto token = *token_;
    end_term(now, stands_back_.empty() ? "resigned" : "resigned: " + stands_back_);
    stale_ = Stale{.token = token, .since = now, .asked_for = true};
    release_failure_.reset();
    resigned_at_ = now;
    due_ = now.boot;
    return true;
}

void LeaseMachine::shut_down(Instant now) {
    observe(now);
    if (shut_down_) return;
    shut_down_ = true;
    release_failure_.reset();
    const auto token = token_;  // a term's, or one whose acquire may have been applied or is still on its way
    if (in_term_) end_term(now, "shutting down");
    token_.reset();
    ambiguous_since_.reset();
    if (token) stale_ = Stale{.token = *token, .since = now};
    if (stale_) stale_->asked_for = true;
    due_ = now.boot;
}

// ---- the store and its answers ----

void LeaseMachine::on_connected(Instant now, const StoreRestart& restart) {
    observe(now);
    const bool young = restart.uptime < settings_.ttl;
    if (!young && !restart.identity_changed) return;
    // Another server with a long uptime (a failover): nobody can tell when it took over, so count from now.
    const Instant at = young ? core::after(now, -Nanos{restart.uptime}) : now;
    if (restarted_at_ && restarted_at_->boot >= at.boot) return;
    restarted_at_ = at;
    note(LeaseNote::Kind::store_restarted,
         fmt::format(
             "the lease store {} {} ms ago and may have forgotten who leads; for {} ms only the leader it forgot "
             "may acquire",
             young ? "started" : "changed identity", young ? restart.uptime.count() : 0,
             std::chrono::duration_cast<Millis>(hold_down_left(now)).count()));
}

void LeaseMachine::on_no_connection(Instant now, const LeaseNoAnswer& failure) {
    observe(now);
    fail(now, failure);
    if (releasing()) fail_release(now, failure);
}

void LeaseMachine::on_notice(Instant now) {
    observe(now);
    if (!in_term_ && !call_ && failures_ == 0) due_ = std::min(due_, now.boot);
}

void LeaseMachine::on_answer(const Call& call, Instant now, const LeaseAnswer& answer) {
    observe(now);
    if (!is_current(call)) {
        hear_late(call, now, answer);
        return;
    }
    call_.reset();
    watch_store(call, now, answer);
    switch (call.request.verb) {
        case LeaseRequest::Verb::acquire:
            hear_acquire(call, now, answer);
            break;
        case LeaseRequest::Verb::renew:
            if (call.request.token.empty()) {
                hear_look(now, answer);
            } else {
                hear_renew(call, now, answer);
            }
            break;
        case LeaseRequest::Verb::release:
            hear_release(call, now);
            break;
    }
}

void LeaseMachine::hear_acquire(const Call& call, Instant now, const LeaseAnswer& answer) {
    const bool ours = token_ && *token_ == call.request.token;
    if (answer.verdict == LeaseAnswer::Verdict::granted) {
        if (!ours) {  // shut down while it was on its way; the release that follows lets go of it
            usable(now);
            due_ = now.boot;
        } else if (fresh(call.sent_at, now)) {
            usable(now);
            gain(call, now);
            ++counters_.grants;
            due_ = call.sent_at.boot + settings_.renew_every;
        } else {
            ++counters_.late_grants;
            ambiguous_since_ = now;  // the key is ours, the grant too old to trust: ask again with the same token
            fail(now, {NoAnswer::unreachable, true, "the answer came too late to be trusted"});
        }
        return;
    }
    if (answer.verdict != LeaseAnswer::Verdict::held) {
        if (ours) ambiguous_since_ = now;
        fail(now,
             {NoAnswer::transient, true, "the lease store answered an acquire with a word that makes no sense there"});
        return;
    }
    if (ours) {
        token_.reset();
        ambiguous_since_.reset();
    }
    if (stale_ && stale_->token == call.request.token) stale_.reset();
    follow(now, answer);
}

void LeaseMachine::hear_renew(const Call& call, Instant now, const LeaseAnswer& answer) {
    const bool ours = in_term_ && *token_ == call.request.token;
    switch (answer.verdict) {
        case LeaseAnswer::Verdict::granted:
            if (!ours) {
                // The term ended while this was on its way, and the key now lives for another T with a token that leads
                // nobody.
                usable(now);
                const bool asked_for = stale_ && stale_->asked_for;
                stale_ = Stale{.token = call.request.token, .since = now, .asked_for = asked_for};
                due_ = now.boot;
            } else if (fresh(call.sent_at, now)) {
                usable(now);
                granted_from_ = call.sent_at;
                ++counters_.grants;
                due_ = call.sent_at.boot + settings_.renew_every;
            } else {
                ++counters_.late_grants;
                fail(now, {NoAnswer::unreachable, true, "the answer came too late to be trusted"});
            }
            return;
        case LeaseAnswer::Verdict::held:
            if (ours) end_term(now, fmt::format("{} holds the lease", answer.holder.value_or("another pod")));
            if (!ours && stale_ && stale_->token == call.request.token) stale_.reset();
            follow(now, answer);
            return;
        case LeaseAnswer::Verdict::lost:
        case LeaseAnswer::Verdict::released: {
            const auto trusted_from = granted_from_;
            if (ours) {
                end_term(now, "the store no longer knows of it");
                incumbent_from_ = trusted_from;
            }
            if (!ours && stale_ && stale_->token == call.request.token) stale_.reset();
            usable(now);
            heard_held_ = false;
            due_ = now.boot;
            return;
        }
    }
}

void LeaseMachine::hear_look(Instant now, const LeaseAnswer& answer) {
    if (answer.verdict == LeaseAnswer::Verdict::held) {
        follow(now, answer);
        return;
    }
    // Nobody holds, and we may not acquire yet. That is no usable answer: a pod that has appointed itself goes on.
    failures_ = 0;
    heard_held_ = false;
    holder_.reset();
    if (!free_since_) free_since_ = now;
    schedule_poll(now);
}

void LeaseMachine::hear_release(const Call& call, Instant now) {
    failures_ = 0;
    const bool asked_for = releasing();
    if (stale_ && stale_->token == call.request.token) stale_.reset();
    due_ = now.boot;
    if (asked_for && held_off(now)) due_ += look_after_resign;
}

void LeaseMachine::hear_late(const Call& call, Instant now, const LeaseAnswer& answer) {
    // Only bad news counts, and only about this term: a late `held` of an earlier acquire says nothing about the grant
    // that the next one got.
    if (call.request.verb != LeaseRequest::Verb::renew || !in_term_ || *token_ != call.request.token) return;
    if (answer.verdict == LeaseAnswer::Verdict::granted) return;
    const auto trusted_from = granted_from_;
    const bool gone = answer.verdict == LeaseAnswer::Verdict::lost;
    end_term(now, gone ? "the store no longer knows of it" : "another pod holds the lease");
    if (gone) incumbent_from_ = trusted_from;
    if (!call_) due_ = now.boot;
}

void LeaseMachine::on_no_answer(const Call& call, Instant now, const LeaseNoAnswer& failure) {
    observe(now);
    if (!is_current(call)) return;
    call_.reset();
    const bool ours = token_ && *token_ == call.request.token;
    if (call.request.verb == LeaseRequest::Verb::acquire && ours) {
        if (failure.ambiguous) {
            ambiguous_since_ = now;
        } else if (!ambiguous_since_) {
            token_.reset();
        }
    }
    if (stale_ && stale_->token == call.request.token && failure.ambiguous) stale_->since = now;
    fail(now, failure);
    if (call.request.verb == LeaseRequest::Verb::release) fail_release(now, failure);
}

void LeaseMachine::follow(Instant now, const LeaseAnswer& answer) {
    usable(now);
    heard_held_ = true;
    free_since_.reset();
    incumbent_from_.reset();
    see_holder(now, answer);
    schedule_poll(now, answer.ttl_left);
}

void LeaseMachine::usable(Instant now) {
    last_usable_ = now;
    silent_from_.reset();
    failures_ = 0;
    if (outage_) {
        outage_.reset();
        outage_classes_ = 0;
        note(LeaseNote::Kind::outage_ended);
    }
}

Nanos LeaseMachine::silence_reach() const noexcept {
    return scaled(settings_.ttl, 0.3) + 2 * settings_.call_timeout;
}

void LeaseMachine::fail(Instant now, const LeaseNoAnswer& failure) {
    const auto index = static_cast<std::size_t>(failure.reason);
    ++counters_.failures.at(index);
    failures_ = std::min(failures_ + 1, 30);
    if (!silent_from_) {
        // Silence counts from the last answer, but reaches back no further than one poll and one try: a pod that was
        // paused for an hour has not been refused an answer for an hour.
        const Nanos reach = silence_reach();
        silent_from_ = elapsed(last_usable_, now) > reach ? core::after(now, -reach) : last_usable_;
    }
    const unsigned bit = 1U << index;
    auto said = fmt::format("{}: {}", to_string(failure.reason), failure.detail);
    if (!outage_) {
        outage_ = LeaseView::Outage{utc(now), failure.reason, failure.detail};
        outage_classes_ = bit;
        note(LeaseNote::Kind::outage_began, std::move(said));
    } else {
        outage_->reason = failure.reason;
        outage_->detail = failure.detail;
        if ((outage_classes_ & bit) == 0) {
            outage_classes_ |= bit;
            note(LeaseNote::Kind::outage_class, std::move(said));
        }
    }
    auto wait = first_backoff;
    for (int i = 1; i < failures_ && wait < settings_.ttl / 4; ++i) wait *= 2;
    wait = std::min<Nanos>(wait, settings_.ttl / 4);
    due_ = now.boot + scaled(wait, 0.5 + 0.5 * random_->uniform());
}

void LeaseMachine::fail_release(Instant, const LeaseNoAnswer& failure) {
    if (!stale_ || ++stale_->tries < release_tries || !stale_->asked_for) return;
    release_failure_ = failure;
    stale_->asked_for = false;
    if (shut_down_) stale_.reset();
}

// ---- for people ----

void LeaseMachine::see_holder(Instant now, const LeaseAnswer& answer) {
    const auto pod = answer.holder.value_or("");
    if (!holder_ || holder_->token != answer.holder_token || holder_->pod != pod) {
        holder_ = Holder{.pod = pod, .token = answer.holder_token, .first_seen = now, .seen = now};
        note(LeaseNote::Kind::holder_changed, pod);
    }
    holder_->seen = now;
    holder_->ttl_left = answer.ttl_left;
    if (answer.holder_token && answer.ttl_left) {
        ttl_watch_.see(now, *answer.holder_token, *answer.ttl_left);
    } else {
        ttl_watch_.forget();
    }
    set_ttl_frozen(ttl_watch_.frozen(settings_.outage_hold_down));
}

void LeaseMachine::watch_store(const Call& call, Instant now, const LeaseAnswer& answer) {
    if (answer.server_time &&
        clock_watch_.stepped(call.sent_at, now, *answer.server_time, settings_.safety_margin, settings_.clock_drift)) {
        ++counters_.store_clock_anomalies;
        note(LeaseNote::Kind::store_clock_anomaly);
    }
    if (answer.repaired_missing_ttl) {
        ++counters_.ttl_repairs;
        note(LeaseNote::Kind::ttl_repaired);
    }
}

void LeaseMachine::set_ttl_frozen(bool frozen) {
    if (frozen == ttl_frozen_) return;
    ttl_frozen_ = frozen;
    note(frozen ? LeaseNote::Kind::ttl_frozen : LeaseNote::Kind::ttl_moves_again);
}

void LeaseMachine::note(LeaseNote::Kind kind, std::string detail) {
    notes_.push_back({kind, std::move(detail)});
}

std::vector<LeaseNote> LeaseMachine::take_notes() {
    return std::exchange(notes_, {});
}

}  // namespace understudy::lease
