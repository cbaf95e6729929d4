// tests/model/lease/lease_world.h: two pods with the real LeaseMachine, the network between them and one lease store,
// as a value that can be copied and compared. Time goes in whole ticks of a second. Used by lease_model_test.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/random.h"
#include "lease/lease_machine.h"

namespace understudy::lease::model {

inline constexpr int pods = 2;

/// What may happen, how often, and which rule is broken on purpose (for the controls).
struct Scope {
    LeaseSettings settings;
    int give_ups = 1'000;    ///< calls that time out
    int crashes = 0;         ///< of pods; they may restart, with a fresh memory
    int store_restarts = 0;  ///< empty, all connections broken
    int resignations = 0;
    int shut_downs = 0;
    bool late = false;  ///< a given-up call's messages may still arrive

    bool outage = true;  ///< from each state also let the store stay away for good

    bool trust_from_reply = false;    ///< control: trust counts from the answer
    bool late_answers_count = false;  ///< control: a late answer passes for that of the call in flight
    bool no_hold_down = false;        ///< control: nobody hears of the store's restart
    bool frozen_store = false;        ///< control: keys never expire

    /// T = 3 ticks, trusted for 2, renewals and polls a tick apart; no drift: the margin is one tick.
    [[nodiscard]] static Scope small();
};

/// Gives tokens that never repeat within a world, and the middle of every jitter.
class ModelRandom final : public core::Random {
public:
    void fill(std::span<std::uint8_t> bytes) override;
    std::uint64_t next_token = 1;
};

/// A state as bytes: times relative to now, tokens renamed in order of appearance, pods in either order. What decides
/// nothing about who asks and who is trusted (standing of a silent pod, counters, notes) is left out.
struct Key {
    std::uint64_t high = 0, low = 0;
    friend bool operator==(const Key&, const Key&) = default;
};

class World {
public:
    explicit World(const Scope& scope, ModelRandom& random);

    struct Step {
        enum class Kind : std::uint8_t {
            ask,
            refused,
            apply,
            answer,
            give_up,
            give_up_late,
            crash,
            restart,
            store_restart,
            resign,
            shut_down,
            tick
        };
        Kind kind = Kind::tick;
        std::uint8_t pod = 0, message = 0;
        bool notice = false;  ///< the release's notice reaches the other pod
    };
    /// Every step that may come next.
    [[nodiscard]] std::vector<Step> steps() const;
    void take(const Step& step);
    [[nodiscard]] static std::string describe(const Step& step);

    [[nodiscard]] Key key() const;
    [[nodiscard]] int trusted_leaders() const;
    [[nodiscard]] bool anybody_may_lead() const;  ///< a pod lives and is not shutting down
    /// Ticks until a pod leads when from now on nothing fails and everything happens at once; -1: not within `limit`.
    [[nodiscard]] int ticks_to_a_leader(int limit) const;
    /// Ticks until every living pod may start gated slots when from now on the store never answers; -1: not within
    /// `limit`.
    [[nodiscard]] int ticks_to_self_appointment(int limit) const;

private:
    struct Message {
        LeaseMachine::Call call;
        bool current = true;                          ///< its pod still waits for it
        bool dead = false;                            ///< its connection broke before it was applied
        std::optional<LeaseAnswer::Verdict> verdict;  ///< set once applied: now it is the answer
        core::LeaseToken holder;
    };
    struct Pod {
        std::optional<LeaseMachine> machine;
        bool connected = true;
        bool was_connected = true;  ///< has seen some instance of the store before
        std::vector<Message> network;
        [[nodiscard]] bool waits() const;
    };

    [[nodiscard]] core::Instant now() const;
    [[nodiscard]] bool is_due(const Pod& pod) const;
    [[nodiscard]] static bool waits_in_vain(const Pod& pod);
    bool ask(int pod);
    void apply(int pod, std::size_t message, bool notice);
    void deliver(int pod, std::size_t message);
    void give_up(int pod, bool keep_late);
    void refuse(int pod);
    void tick();
    void settle(Pod& pod);
    void tell_who_lives();

    Scope scope_;
    ModelRandom* random_;
    std::uint64_t next_token_ = 1;
    int time_ = 0;
    std::array<Pod, pods> pods_;
    core::LeaseToken key_;
    int ttl_left_ = 0;
    int uptime_;
};

}  // namespace understudy::lease::model
