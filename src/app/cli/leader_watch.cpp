#include "app/cli/leader_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "app/cli/command.h"

namespace understudy::app {
namespace {

using core::Millis;
using core::UtcTime;
using Kind = LeaderChange::Kind;

std::string_view word(Kind kind) {
    switch (kind) {
        case Kind::leads:
            return "leads";
        case Kind::nobody:
            return "nobody";
        case Kind::each_for_itself:
            return "eachForItself";
        case Kind::single:
            return "single";
        case Kind::no_answer:
            return "noAnswer";
        case Kind::outage:
            return "outage";
        case Kind::outage_over:
            return "outageOver";
    }
    return "";
}

}  // namespace

LeaderWatch::State LeaderWatch::state_of(const std::vector<LeaderLook>& looks) {
    State state;
    const LeaderLook* told = nullptr;  // whoever has the freshest news of a holder
    bool self_appointed = false;
    for (const auto& look : looks) {
        if (!look.answered) continue;
        if (state.kind == Kind::no_answer) state.kind = Kind::nobody;
        if (look.standing == "single") state = {Kind::single, look.pod, std::nullopt, std::nullopt, true};
        self_appointed = self_appointed || look.standing == "self_appointed";
        if (look.standing == "leader") {
            // Two only where one has not yet seen that it was replaced: the later term is the one that counts.
            if (state.kind == Kind::leads && state.since >= look.since) continue;
            state = {Kind::leads, look.pod, look.term, look.since, true};
        }
        const bool follows = look.standing == "follower" && look.holder && !look.outage;
        if (follows && (told == nullptr || look.ttl_left > told->ttl_left)) told = &look;
    }
    if (state.kind != Kind::nobody) return state;
    if (told != nullptr) return {Kind::leads, *told->holder, std::nullopt, told->since, false};
    if (self_appointed) state.kind = Kind::each_for_itself;
    return state;
}

void LeaderWatch::see_proof(UtcTime now, const State& state, const std::vector<LeaderLook>& looks) {
    if (state.by_itself) {
        proved_at_ = now;
        return;
    }
    // Of others we know when they renewed last: the lease's whole duration before it runs out.
    for (const auto& look : looks) {
        if (!look.answered || look.holder != state.pod || !look.ttl_left) continue;
        const auto renewed_at = now - (longest_ttl_ - std::min(*look.ttl_left, longest_ttl_));
        if (!proved_at_ || renewed_at > *proved_at_) proved_at_ = renewed_at;
    }
}

void LeaderWatch::see_outage(UtcTime now, const std::vector<LeaderLook>& looks, std::vector<LeaderChange>& changes) {
    const auto found = std::ranges::find_if(looks, [](const auto& look) { return look.outage.has_value(); });
    const bool any = std::ranges::any_of(looks, [](const auto& look) { return look.answered; });
    if (found != looks.end() && !outage_since_) {
        LeaderChange change;
        change.kind = Kind::outage;
        change.at = now;
        change.since = found->outage->since;
        change.reason = found->outage->reason;
        change.detail = found->outage->detail;
        outage_since_ = change.since;
        changes.push_back(std::move(change));
    } else if (found == looks.end() && any && outage_since_) {
        LeaderChange change;
        change.kind = Kind::outage_over;
        change.at = now;
        change.lasted = std::max(Millis{0}, now - *outage_since_);
        outage_since_.reset();
        changes.push_back(std::move(change));
    }
}

std::vector<LeaderChange> LeaderWatch::saw(UtcTime now, const std::vector<LeaderLook>& looks) {
    std::vector<LeaderChange> changes;
    for (const auto& look : looks) {
        if (look.answered && look.ttl_left) longest_ttl_ = std::max(longest_ttl_, *look.ttl_left);
    }
    see_outage(now, looks, changes);
    auto state = state_of(looks);
    // A term known before is not forgotten because the leader itself does not answer for a moment.
    const bool same_pod = state_ && state_->kind == state.kind && state_->pod == state.pod;
    if (same_pod && !state.by_itself) {
        state.term = state_->term;
        state.since = state_->since;
    }
    const bool new_term = same_pod && state.term && state_->term && *state.term != *state_->term;
    if (!same_pod || new_term) {
        LeaderChange change;
        change.kind = state.kind;
        change.at = now;
        change.pod = state.pod;
        change.term = state.term;
        change.since = state.since;
        const bool other =
            leader_ && (leader_->pod != state.pod || (leader_->term && state.term && *leader_->term != *state.term));
        if (state.kind == Kind::leads && other && proved_at_) {
            const auto from = state.by_itself && state.since ? *state.since : now;
            change.gap = std::max(Millis{0}, from - *proved_at_);
            change.before = leader_->pod;
        }
        changes.push_back(std::move(change));
        if (state.kind == Kind::leads && (!leader_ || other)) proved_at_.reset();
    }
    if (state.kind == Kind::leads) {
        leader_ = state;
        see_proof(now, state, looks);
    }
    state_ = std::move(state);
    return changes;
}

std::string line_of(const LeaderChange& change) {
    auto text = core::to_iso8601(change.at) + "  ";
    const auto since = change.since ? ", since " + core::to_iso8601(*change.since) : std::string{};
    switch (change.kind) {
        case Kind::leads:
            text += printable(change.pod) + " leads";
            if (change.term) text += ", its term " + std::to_string(*change.term);
            text += since;
            if (change.gap)
                text += "; " + duration_text(*change.gap) + " after " + printable(change.before) + " was last known to";
            return text;
        case Kind::nobody:
            return text + "nobody is known to lead";
        case Kind::each_for_itself:
            return text +
                   "each pod starts the gated tasks itself: the lease store is silent; each slot still runs once";
        case Kind::single:
            return text + printable(change.pod) + " starts all tasks: there is no election";
        case Kind::no_answer:
            return text + "no server answers; asking on";
        case Kind::outage:
            return text + "the lease store gives no usable answer" + since + " (" + change.reason +
                   "): " + printable(change.detail);
        case Kind::outage_over:
            return text + "the lease store answers again, after " + duration_text(change.lasted.value_or(Millis{0}));
    }
    return text;
}

std::string json_of(const LeaderChange& change) {
    boost::json::object object{{"at", core::to_iso8601(change.at)}, {"event", word(change.kind)}};
    if (!change.pod.empty()) object["pod"] = change.pod;
    if (change.term) object["term"] = *change.term;
    if (change.since) object["since"] = core::to_iso8601(*change.since);
    if (change.gap) object["gapMs"] = change.gap->count();
    if (!change.before.empty()) object["before"] = change.before;
    if (!change.reason.empty()) object["class"] = change.reason;
    if (!change.detail.empty()) object["detail"] = change.detail;
    if (change.lasted) object["lastedMs"] = change.lasted->count();
    return boost::json::serialize(object);
}

}  // namespace understudy::app
