// app/cli/leader_watch.h: who leads, from what several pods say of it, as a line a change. Used by `leader watch`.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/time.h"

namespace understudy::app {

/// What one server said of `/cluster/leader`, or that it did not.
struct LeaderLook {
    bool answered = false;
    std::string pod, standing;
    std::optional<std::string> holder;
    std::optional<core::UtcTime> since;  ///< when `pod` began to lead, or first saw `holder`
    std::int64_t term = 0;               ///< terms of `pod` itself
    std::optional<core::Millis> ttl_left;
    struct Outage {
        core::UtcTime since{};
        std::string reason, detail;
    };
    std::optional<Outage> outage;
};

struct LeaderChange {
    enum class Kind {
        leads,            ///< pod, term where it said so itself, since, gap
        nobody,           ///< pods answer, and none of them knows a leader
        each_for_itself,  ///< the lease store is silent: each pod starts its gated slots
        single,           ///< no election
        no_answer,        ///< no server answers
        outage,           ///< of the lease store; reason, detail, since
        outage_over,      ///< lasted
    };
    Kind kind = Kind::nobody;
    core::UtcTime at{};
    std::string pod;
    std::optional<std::int64_t> term;
    std::optional<core::UtcTime> since;
    std::optional<core::Millis> gap;  ///< of leads, where another one, or another term, led before
    std::string before;               ///< who that was
    std::string reason, detail;
    std::optional<core::Millis> lasted;
};

/// Owns no clock.
class LeaderWatch {
public:
    /// One round of looks, all of about `now`. In the order in which the changes are to be told.
    [[nodiscard]] std::vector<LeaderChange> saw(core::UtcTime now, const std::vector<LeaderLook>& looks);

private:
    struct State {
        LeaderChange::Kind kind = LeaderChange::Kind::no_answer;
        std::string pod;
        std::optional<std::int64_t> term;
        std::optional<core::UtcTime> since;
        bool by_itself = false;  ///< the pod itself said that it leads
    };
    [[nodiscard]] static State state_of(const std::vector<LeaderLook>& looks);
    void see_proof(core::UtcTime now, const State& state, const std::vector<LeaderLook>& looks);
    void see_outage(core::UtcTime now, const std::vector<LeaderLook>& looks, std::vector<LeaderChange>& changes);

    std::optional<State> state_;
    std::optional<State> leader_;             ///< the last one known
    std::optional<core::UtcTime> proved_at_;  ///< when it last did something that only a leader does
    core::Millis longest_ttl_{};              ///< seen: about the lease's whole duration
    std::optional<core::UtcTime> outage_since_;
};

/// `2026-12-01T00:20:10Z  pod-2 leads, term 3, since …; 3.2 s after pod-1`.
[[nodiscard]] std::string line_of(const LeaderChange& change);
/// One JSON object; absent where nothing is known.
[[nodiscard]] std::string json_of(const LeaderChange& change);

}  // namespace understudy::app
