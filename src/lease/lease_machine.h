// lease/lease_machine.h: the election itself (docs/adr/0004), pure: facts and the time go in, what to do next
// comes out. No I/O, no thread, no clock. Driven by KeptScanLeaderLease, by the simulator and by the model checker
// alike.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/random.h"
#include "core/time.h"
#include "lease/lease_settings.h"
#include "lease/lease_store.h"
#include "lease/scan_leader_lease.h"
#include "lease/store_watch.h"

namespace understudy::lease {

/// What changed, for events and the log. In the order in which it happened.
struct LeaseNote {
    enum class Kind {
        gained,           ///< exactly one for each term
        lost,             ///< exactly one for each term, after `gained`
        suspected_pause,  ///< real time ran ahead of boot time: this machine stood still; comes before its `lost`
        holder_changed,   ///< detail: label of the pod that holds now
        outage_began,     ///< detail: class and cause
        outage_class,     ///< another class than any before in this outage
        outage_ended,
        store_restarted,  ///< only the incumbent may acquire for a while
        store_clock_anomaly,
        ttl_repaired,  ///< a foreign key without a ttl was given one
        ttl_frozen,    ///< see LeaseMachine::ttl_frozen
        ttl_moves_again,
    };
    Kind kind;
    std::string detail;
};

/// Counted since the start of the process; for metrics.
struct LeaseCounters {
    std::uint64_t terms = 0;
    std::uint64_t calls = 0;                  ///< requests sent
    std::uint64_t grants = 0;                 ///< acquires and renewals granted in time
    std::uint64_t late_grants = 0;            ///< granted, but too old to be trusted
    std::array<std::uint64_t, 4> failures{};  ///< by NoAnswer, connects included
    std::uint64_t store_clock_anomalies = 0;
    std::uint64_t suspected_pauses = 0;
    std::uint64_t ttl_repairs = 0;

    [[nodiscard]] std::uint64_t failures_of(NoAnswer reason) const {
        return failures.at(static_cast<std::size_t>(reason));
    }
};

/// One thread at a time. Copyable; `random` must outlive all copies.
class LeaseMachine {
public:
    struct Action {
        enum class Kind {
            wait,      ///< nothing to do for `wait`, unless a notice or an answer comes
            ask,       ///< connect where there is no connection, then send()
            finished,  ///< shut down, and nothing left to let go of
        };
        Kind kind = Kind::wait;
        core::Nanos wait{};
    };
    /// A request on its way. Hand it back with the answer.
    struct Call {
        std::uint64_t id = 0;
        LeaseRequest request;
        core::Instant sent_at;
    };

    LeaseMachine(const LeaseSettings& settings, core::Random& random, core::Instant born);

    /// What to do now. While a call is in flight: wait (one call at a time).
    [[nodiscard]] Action next(core::Instant now);
    /// The call that next() asked for leaves now: trust will count from this moment. Only right after `ask`.
    [[nodiscard]] Call send(core::Instant now);

    /// A new connection stands, and what the server said about its age. May change what next() wants.
    void on_connected(core::Instant now, const StoreRestart& restart);
    /// No connection came about: nothing was sent.
    void on_no_connection(core::Instant now, const LeaseNoAnswer& failure);
    void on_answer(const Call& call, core::Instant now, const LeaseAnswer& answer);
    /// The call is given up. Its answer may still be handed in later: it can then only shorten trust.
    void on_no_answer(const Call& call, core::Instant now, const LeaseNoAnswer& failure);
    /// Some pod let go of the lease, or says that it has it.
    void on_notice(core::Instant now);
    /// Lets time do its work: a term whose trust ran out ends here, whoever looks first, and stays ended.
    void observe(core::Instant now);

    /// Ends this pod's term and asks for no new one for T while another pod lives. False: this pod leads nothing.
    bool resign(core::Instant now);
    void set_another_pod_lives(bool lives) noexcept { another_pod_lives_ = lives; }
    /// `why` not empty: another pod is fitter to lead. Until it is empty again this pod acquires only what has been
    /// free for T, so that nobody waits for a fitter pod that does not come. Ends no term: see resign().
    void stand_back(core::Instant now, std::string why);
    /// Ends the term, lets go of what may be ours in the store, asks for nothing more.
    void shut_down(core::Instant now);
    /// Is the release that resign() or shut_down() asked for still to be done? Afterwards: how it failed, if it did.
    [[nodiscard]] bool releasing() const noexcept { return stale_ && stale_->asked_for; }
    [[nodiscard]] const std::optional<LeaseNoAnswer>& release_failure() const noexcept { return release_failure_; }
    /// Is a resignation's hold-off running, so that set_another_pod_lives() matters?
    [[nodiscard]] bool held_off(core::Instant now) const noexcept;

    [[nodiscard]] Standing standing(core::Instant now) const noexcept;
    /// Trust left; zero where this pod is no leader. A caller that wants `lost` on time calls observe() then.
    [[nodiscard]] core::Nanos trust_left(core::Instant now) const noexcept;
    /// All but `provider` and, where this pod leads, the holder's label, which the machine does not know.
    [[nodiscard]] LeaseView view(core::Instant now) const;
    /// Token of the holder as last seen and since when: two pods with one label are told apart by it.
    struct Holder {
        std::string pod;
        std::optional<core::LeaseToken> token;
        core::Instant first_seen, seen;
        std::optional<core::Millis> ttl_left;
    };
    [[nodiscard]] const std::optional<Holder>& holder() const noexcept { return holder_; }
    [[nodiscard]] const std::optional<LeaseView::Outage>& outage() const noexcept { return outage_; }
    /// The holder's ttl has not moved for H: its clock stands still and a dead leader would never expire.
    [[nodiscard]] bool ttl_frozen() const noexcept { return ttl_frozen_; }
    [[nodiscard]] const LeaseCounters& counters() const noexcept { return counters_; }
    [[nodiscard]] const LeaseSettings& settings() const noexcept { return settings_; }
    /// Hands over what changed since the last call.
    [[nodiscard]] std::vector<LeaseNote> take_notes();

    /// Everything that decides what happens next, with times relative to `now` and cut off where they stop to matter:
    /// two machines of equal essence behave alike. For the model checker.
    struct Essence {
        core::LeaseToken token, call_token, stale_token;
        core::Nanos trust_left{}, incumbent_left{}, ambiguous_left{}, call_age{}, stale_left{}, hold_down_left{},
            hold_off_left{}, stand_back_left{}, due_in{}, silent_for{}, heard_ago{};
        int call_verb = -1, failures = 0, stale_tries = 0;
        bool in_term = false, heard_held = false, silent = false, stale_asked_for = false, another_lives = true,
             shut_down = false;
        friend bool operator==(const Essence&, const Essence&) = default;
    };
    [[nodiscard]] Essence essence(core::Instant now) const;

private:
    /// A token that is no longer ours to lead with, though the store may still hold it: let go of before the next
    /// acquire, so that nobody has to wait out its ttl.
    struct Stale {
        core::LeaseToken token;
        core::Instant since;
        bool asked_for = false;  ///< by resign() or shut_down(): somebody waits for it
        int tries = 0;
    };

    [[nodiscard]] static core::UtcTime utc(core::Instant at) {
        return core::UtcTime{std::chrono::duration_cast<core::Millis>(at.real)};
    }
    [[nodiscard]] bool fresh(core::Instant sent_at, core::Instant now) const noexcept;
    [[nodiscard]] bool is_current(const Call& call) const noexcept { return call_ && call_->id == call.id; }
    [[nodiscard]] bool may_acquire(core::Instant now) const noexcept;
    [[nodiscard]] core::Nanos hold_down_left(core::Instant now) const noexcept;
    [[nodiscard]] core::Nanos wait_for_acquire(core::Instant now) const noexcept;
    [[nodiscard]] core::Nanos stand_back_left(core::Instant now) const noexcept;
    void gain(const Call& call, core::Instant now);
    void end_term(core::Instant now, std::string why);
    void hear_acquire(const Call& call, core::Instant now, const LeaseAnswer& answer);
    void hear_renew(const Call& call, core::Instant now, const LeaseAnswer& answer);
    void hear_look(core::Instant now, const LeaseAnswer& answer);
    void hear_late(const Call& call, core::Instant now, const LeaseAnswer& answer);
    void hear_release(const Call& call, core::Instant now);
    void follow(core::Instant now, const LeaseAnswer& answer);
    void see_holder(core::Instant now, const LeaseAnswer& answer);
    void watch_store(const Call& call, core::Instant now, const LeaseAnswer& answer);
    void usable(core::Instant now);
    [[nodiscard]] core::Nanos silence_reach() const noexcept;
    void fail(core::Instant now, const LeaseNoAnswer& failure);
    void fail_release(core::Instant now, const LeaseNoAnswer& failure);
    void schedule_poll(core::Instant now, std::optional<core::Millis> ttl_left = std::nullopt);
    void set_ttl_frozen(bool frozen);
    void note(LeaseNote::Kind kind, std::string detail = {});

    LeaseSettings settings_;
    core::Random* random_;

    // The term. `token_` without a term: an acquire whose outcome is not known, so the next try uses it again.
    std::optional<core::LeaseToken> token_;
    bool in_term_ = false;
    core::Instant granted_from_{};  ///< when the latest grant of this term was sent
    core::Instant term_began_{};
    std::optional<core::Instant> ambiguous_since_;  ///< when the last such acquire was given up
    std::optional<core::Instant> incumbent_from_;   ///< the last grant of a term that ended because its key was gone
    std::optional<Stale> stale_;

    std::optional<Call> call_;
    std::uint64_t last_call_id_ = 0;
    core::Nanos due_{};  ///< boot time of the next call

    // What this pod knows of the others and of the store.
    bool heard_held_ = false;                    ///< the last usable answer named another holder
    core::Instant last_usable_;                  ///< when the last usable answer came, or birth
    std::optional<core::Instant> silent_from_;   ///< set by the first failure after a usable answer
    int failures_ = 0;                           ///< in a row
    std::optional<core::Instant> restarted_at_;  ///< the store's latest restart this pod knows of
    std::optional<core::Instant> resigned_at_;
    std::string stands_back_;                  ///< why; empty: it does not
    std::optional<core::Instant> free_since_;  ///< while standing back: nobody has been seen to hold since
    bool another_pod_lives_ = true;
    bool shut_down_ = false;
    std::optional<LeaseNoAnswer> release_failure_;

    // For people; decides nothing.
    std::optional<Holder> holder_;
    std::optional<LeaseView::Outage> outage_;
    unsigned outage_classes_ = 0;  ///< bit for each NoAnswer noted in this outage
    StoreClockWatch clock_watch_;
    FrozenTtlWatch ttl_watch_;
    bool ttl_frozen_ = false;
    LeaseCounters counters_;
    std::vector<LeaseNote> notes_;
};

}  // namespace understudy::lease
