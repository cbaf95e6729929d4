#include "lease/lease_diary.h"

#include <numeric>

#include <fmt/format.h>

namespace understudy::lease {
namespace {

using core::elapsed;
using core::Instant;
using core::LogLevel;

std::uint64_t all_failures(const LeaseMachine& machine) {
    const auto& by_class = machine.counters().failures;
    return std::accumulate(by_class.begin(), by_class.end(), std::uint64_t{0});
}

bool is_our_fault(NoAnswer reason) {
    return reason == NoAnswer::misconfigured || reason == NoAnswer::redirect;
}

std::string whole_seconds(core::Nanos span) {
    return fmt::format("{}", std::chrono::duration_cast<std::chrono::seconds>(span).count());
}

}  // namespace

void LeaseDiary::take(Instant now, const LeaseMachine& machine, std::span<const LeaseNote> notes) {
    for (const auto& note : notes) say_note(now, machine, note);
    say_outage(now, machine);
    say_standing(now, machine);
    remember_holder(machine);
    look_for_twin(machine);
}

void LeaseDiary::remember_holder(const LeaseMachine& machine) {
    if (said_standing_ == Standing::leader)
        before_.reset();
    else if (machine.holder())
        before_ = machine.holder();
}

void LeaseDiary::say(LogLevel level, std::string message, Fields fields) {
    lines_.push_back({level, std::move(message), std::move(fields)});
}

bool LeaseDiary::may_repeat(std::optional<Instant>& said_at, Instant now) const {
    if (said_at && elapsed(*said_at, now) < summary_every_) return false;
    said_at = now;
    return true;
}

void LeaseDiary::say_note(Instant now, const LeaseMachine& machine, const LeaseNote& note) {
    switch (note.kind) {
        case LeaseNote::Kind::gained:
            break;  // said with the standing
        case LeaseNote::Kind::lost:
            lost_why_ = note.detail;
            break;
        case LeaseNote::Kind::suspected_pause:
            say(LogLevel::warning, "suspected_pause: this pod's lead is over", {{"why", note.detail}});
            break;
        case LeaseNote::Kind::holder_changed:
            new_holder_ = note.detail;
            break;
        case LeaseNote::Kind::outage_began:
            outage_began_ = now;
            failures_before_outage_ = all_failures(machine) - 1;
            break;
        case LeaseNote::Kind::outage_class:
            // Only an outage that was told of can change before the reader's eyes.
            if (said_outage_) {
                const bool ours = machine.outage() && is_our_fault(machine.outage()->reason);
                say(ours ? LogLevel::error : LogLevel::warning, "the lease store now fails in another way",
                    {{"cause", note.detail}});
            }
            break;
        case LeaseNote::Kind::outage_ended:
            if (said_outage_) {
                say(LogLevel::info, "the lease store answers again",
                    {{"after_seconds", whole_seconds(elapsed(outage_began_, now))}});
            }
            said_outage_.reset();
            break;
        case LeaseNote::Kind::store_restarted:
            say(LogLevel::warning, note.detail);
            break;
        case LeaseNote::Kind::store_clock_anomaly:
            if (may_repeat(said_anomaly_, now)) {
                say(LogLevel::warning,
                    "store_clock_anomaly: the lease store's clock was stepped; keys may expire early or late",
                    {{"times", fmt::format("{}", machine.counters().store_clock_anomalies)}});
            }
            break;
        case LeaseNote::Kind::ttl_repaired:
            if (may_repeat(said_repair_, now)) {
                say(LogLevel::warning,
                    "REPAIRED: another pod's lease had no ttl and would never have expired; it was given one");
            }
            break;
        case LeaseNote::Kind::ttl_frozen:
            say(LogLevel::error,
                "the leader's ttl does not move: the lease store's clock stands still, and a dead leader would never "
                "expire");
            break;
        case LeaseNote::Kind::ttl_moves_again:
            say(LogLevel::info, "the leader's ttl moves again");
            break;
    }
}

void LeaseDiary::say_outage(Instant now, const LeaseMachine& machine) {
    const auto& outage = machine.outage();
    if (!outage) return;
    const auto failures = all_failures(machine);
    const Fields cause{{"class", std::string(to_string(outage->reason))}, {"cause", outage->detail}};
    if (said_outage_) {
        if (failures == failures_said_ || elapsed(*said_outage_, now) < summary_every_) return;
        auto fields = cause;
        fields.emplace_back("for_seconds", whole_seconds(elapsed(outage_began_, now)));
        fields.emplace_back("tries", fmt::format("{}", failures - failures_before_outage_));
        say(LogLevel::warning, "still no usable answer from the lease store", std::move(fields));
    } else if (is_our_fault(outage->reason)) {
        // Waiting does not mend this: say it at once, and loudly.
        if (!may_repeat(last_outage_at_, now)) return;
        say(LogLevel::error, "the lease store refuses this pod: it is configured wrongly", cause);
    } else {
        // One lost call is no change of state, and a store that comes and goes is told of once in five minutes.
        if (failures - failures_before_outage_ < 2 || !may_repeat(last_outage_at_, now)) return;
        say(LogLevel::warning, "no usable answer from the lease store", cause);
    }
    said_outage_ = now;
    failures_said_ = failures;
}

void LeaseDiary::say_standing(Instant now, const LeaseMachine& machine) {
    const auto standing = machine.standing(now);
    const auto holder = std::exchange(new_holder_, {});
    const auto why = std::exchange(lost_why_, {});
    if (standing == said_standing_) {
        if (standing == Standing::follower && !holder.empty()) {
            say(LogLevel::info, "another pod leads the scheduled tasks now", {{"leader", holder}});
        } else if (standing == Standing::leader && !why.empty()) {
            say(LogLevel::info, "this pod lost the lead and has it again", {{"why", why}});
        }
        return;
    }
    const auto before = std::exchange(said_standing_, standing);
    Fields fields;
    if (!why.empty()) fields.emplace_back("why", why);
    switch (standing) {
        case Standing::leader:
            fields.emplace_back("term", fmt::format("{}", machine.counters().terms));
            if (before_) {
                // From its last renewal, as its ttl told at the last answer that named it: it may have died just after.
                const core::Nanos ttl = machine.settings().ttl;
                // Less than nothing where it was given a longer one.
                const core::Nanos unrenewed = before_->ttl_left
                                                  ? std::max(core::Nanos{0}, ttl - core::Nanos(*before_->ttl_left))
                                                  : core::Nanos{0};
                const auto gap = std::chrono::ceil<std::chrono::seconds>(elapsed(before_->seen, now) + unrenewed);
                fields.emplace_back("before", before_->pod);
                fields.emplace_back("gap_up_to_seconds", fmt::format("{}", gap.count()));
            }
            say(LogLevel::info, "this pod leads the scheduled tasks", std::move(fields));
            return;
        case Standing::follower:
            if (machine.holder()) fields.emplace_back("leader", machine.holder()->pod);
            say(LogLevel::info,
                before == Standing::leader ? "this pod no longer leads and follows" : "this pod follows",
                std::move(fields));
            return;
        case Standing::self_appointed:
            if (machine.outage()) {
                fields.emplace_back("class", std::string(to_string(machine.outage()->reason)));
                fields.emplace_back("cause", machine.outage()->detail);
            }
            say(LogLevel::warning,
                "no answer from the lease store for so long that this pod appoints itself: scans must not stall, and "
                "each "
                "slot still starts once",
                std::move(fields));
            return;
        case Standing::unknown:
            say(before == Standing::leader ? LogLevel::warning : LogLevel::info,
                before == Standing::leader ? "this pod no longer leads" : "this pod does not know who leads",
                std::move(fields));
            return;
    }
}

void LeaseDiary::look_for_twin(const LeaseMachine& machine) {
    const auto& holder = machine.holder();
    if (!holder || holder->pod != pod_ || !holder->token || said_twin_ == holder->token) return;
    // A predecessor of ours that died leaves its key for at most one ttl; a holder that goes on longer is alive.
    if (elapsed(holder->first_seen, holder->seen) <= machine.settings().ttl) return;
    said_twin_ = holder->token;
    say(LogLevel::warning,
        "another living process uses this pod's name; give each pod its own Jellyfin:ScanLeader:PodName",
        {{"name", pod_}});
}

}  // namespace understudy::lease
