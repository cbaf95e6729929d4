// tests/model/ledger/world.h: the real TransactionalRunLedger over copyable rows, a few pods as small step machines
// that do what a worker does, and faults. A World is one state; explorer.h walks through all of them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/memory_ledger_tables.h"
#include "tasks/transactional_run_ledger.h"

namespace understudy::testing::model {

/// What one exploration may do, and how often. Counts are budgets of one path.
struct Scope {
    int pods = 2;
    int units = 2;  ///< writes a run must make
    int slots = 1;  ///< daily slots, `slot_gap` ticks apart; the first is due at once
    int slot_gap = 2;
    int interval = 0;  ///< ticks: an interval trigger instead of daily ones; `slots` then bounds its starts
    int crash = 0;     ///< kill -9; a restart is free
    int stop = 0;      ///< SIGTERM: the run yields, the process ends
    int manual = 0;
    int cancel = 0;
    int lost_reply = 0;  ///< a call is applied, its reply lost: the caller looks its run up
    int outage = 0;      ///< the database is away for a while
    int edit = 0;
    int clone = 0;  ///< the last pod starts as a copy of another's memory, boot id and all
    bool same_name = false;
    bool strict = false;  ///< nobody is ever paused: time passes only when all live runs have beaten
    bool poison = false;  ///< in the continuation every run dies at its next unit
};

/// A rule left out: the exploration must then find a fault.
enum class Without {
    nothing,
    slot_once,       ///< claims do not move next_slot and slots may be inserted again
    write_count,     ///< the fence does not compare cursor_seq
    state_in_fence,  ///< the fence does not ask whether the run is still live
    recheck,         ///< takeover judges by what was seen, not by the beat as it is
    own_watch,       ///< a beat's age alone makes a run dead, also after an outage
    open_work,       ///< nobody goes on with yielded work
    stuck_count,     ///< takeovers forget how often the run died
    repoint,         ///< a takeover leaves the slot with the dead run
    adoption,        ///< after a lost reply the claim is forgotten
};

inline constexpr int dead_ticks = 3;  ///< DeadAfter; a tick is 15 s

enum class Phase : std::uint8_t { dead, idle, claim, take, adopt, run, confirm };

struct Pod {
    Phase phase = Phase::idle;
    std::uint8_t boot = 0;
    std::int64_t version = 0;  ///< claim: the row as looked at
    std::optional<core::UtcTime> next_slot;
    core::RunId run;  ///< adopt, run, confirm
    std::int64_t epoch = 0, write = 0, beat = 0;
    std::uint8_t cursor = 0;
    bool cancel = false;
    core::RunId seen;  ///< take: the run as looked at
    std::int64_t seen_epoch = 0, seen_beat = 0;
    bool observed = false;
    core::RunId watched;  ///< the live run's beat, and for how many ticks it has stood still
    std::int64_t watched_beat = 0;
    std::uint8_t watched_for = 0;
};

struct World {
    MemoryLedgerRows rows;
    std::int64_t now_ms = 0;
    std::array<Pod, 3> pods;
    std::uint8_t next_boot = 1;
    std::uint32_t next_run = 1;
    std::uint8_t starts = 0;
    bool database_up = true;
    bool edited = false;
    std::uint8_t crash = 0, stop = 0, manual = 0, cancel = 0, lost_reply = 0, outage = 0, edit = 0, clone = 0;
};

/// Performs steps on worlds with the real ledger. One thread.
class Machine {
public:
    Machine(Scope scope, Without without);
    ~Machine();

    [[nodiscard]] World first();
    [[nodiscard]] const Scope& scope() const noexcept { return scope_; }

    /// What may happen next in `world`, faults and all; `emit` gets each outcome with a label.
    template <class Emit>
    void successors(const World& world, Emit emit);

    /// One step of pod `p` (look, claim, takeover, adopt, write, end). Empty: it has nothing to do or must wait.
    std::string step(World& world, std::size_t p, MemoryFault fault = MemoryFault::none);
    bool beat(World& world, std::size_t p);
    void tick(World& world);
    void crash(World& world, std::size_t p);
    void restart(World& world, std::size_t p);

    /// The first invariant that a step has broken since it was asked last; empty: none.
    [[nodiscard]] std::string violation();
    /// Live runs whose pod was alive and at work when they were taken over, since last asked.
    [[nodiscard]] int healthy_runs_killed();
    /// Nothing is live, open, kept or due.
    [[nodiscard]] bool at_rest(const World& world) const;
    /// Everything that matters for the future, times relative and ids renamed. `budgets`: with what faults are left.
    [[nodiscard]] std::string key(const World& world, bool budgets) const;
    [[nodiscard]] const tasks::RunRow* newest(const World& world) const;
    [[nodiscard]] core::BootId boot_id(std::uint8_t boot) const;

private:
    class Tables;
    struct Before;

    template <class Call>
    auto with(World& world, MemoryFault fault, Call call);
    [[nodiscard]] tasks::PodRef ref(const World& world, std::size_t p) const;
    [[nodiscard]] bool can_tick(const World& world) const;
    std::string look(World& world, std::size_t p);
    std::string after_claim(World& world, std::size_t p, core::RunId run, const core::Result<tasks::Claim>& claim);
    std::string work(World& world, std::size_t p, MemoryFault fault);
    void take_run(World& world, std::size_t p, const tasks::RunRow& run);
    static void rest(Pod& pod);
    void manual(World& world, std::size_t p, MemoryFault fault);
    void yield(World& world, std::size_t p);
    void check(const Before& before, const World& world);
    void broke(std::string what);
    void forget_the_past(World& world) const;
    [[nodiscard]] std::vector<tasks::Trigger> triggers(bool edited) const;

    Scope scope_;
    Without without_;
    MemoryLedgerRows rows_;  // those of the world at work
    std::int64_t now_ms_ = 0;
    MemoryFault fault_ = MemoryFault::none;
    std::unique_ptr<Tables> tables_;
    std::unique_ptr<tasks::TransactionalRunLedger> ledger_;
    std::string violation_;
    int killed_ = 0;
};

template <class Emit>
void Machine::successors(const World& world, Emit emit) {
    const auto try_out = [&](const std::string& label, auto&& change) {
        World next = world;
        const std::string said = change(next);
        if (!said.empty()) emit(std::move(next), label + said);
    };
    const auto count = static_cast<std::size_t>(scope_.pods);
    for (std::size_t p = 0; p < count; ++p) {
        const auto& pod = world.pods[p];
        const std::string name = "P" + std::to_string(p) + ' ';
        if (pod.phase == Phase::dead) {
            // The clone's place starts empty and is filled by cloning alone.
            if (scope_.clone == 0 || p + 1 != count) {
                try_out(name, [&](World& next) {
                    restart(next, p);
                    return std::string("restarts");
                });
            }
            continue;
        }
        if (world.database_up) {
            try_out(name, [&](World& next) { return step(next, p); });
            if (world.lost_reply > 0 && pod.phase != Phase::idle && pod.phase != Phase::adopt &&
                pod.phase != Phase::confirm) {
                try_out(name, [&](World& next) {
                    --next.lost_reply;
                    return step(next, p, MemoryFault::reply_lost) + " (reply lost)";
                });
            }
            try_out(name, [&](World& next) { return std::string(beat(next, p) ? "beats" : ""); });
            if (world.manual > 0 && pod.phase == Phase::idle) {
                for (const auto fault : {MemoryFault::none, MemoryFault::reply_lost}) {
                    if (fault != MemoryFault::none && world.lost_reply == 0) continue;
                    try_out(name, [&](World& next) {
                        --next.manual;
                        if (fault != MemoryFault::none) --next.lost_reply;
                        manual(next, p, fault);
                        return std::string(fault == MemoryFault::none ? "is asked to run"
                                                                      : "is asked to run (reply lost)");
                    });
                }
            }
            if (world.stop > 0 && (pod.phase == Phase::idle || pod.phase == Phase::run)) {
                try_out(name, [&](World& next) {
                    --next.stop;
                    yield(next, p);
                    return std::string("is stopped");
                });
            }
        }
        if (world.crash > 0) {
            try_out(name, [&](World& next) {
                --next.crash;
                crash(next, p);
                return std::string("crashes");
            });
        }
        if (world.clone > 0 && p + 1 != count && world.pods[count - 1].phase == Phase::dead) {
            try_out(name, [&](World& next) {
                --next.clone;
                next.pods[count - 1] = next.pods[p];
                return std::string("is cloned");
            });
        }
    }
    if (world.cancel > 0 && world.database_up) {
        try_out("", [&](World& next) {
            --next.cancel;
            with(next, MemoryFault::none, [&] { return ledger_->cancel({"RefreshLibrary", "cluster"}, "asked"); });
            return std::string("somebody cancels");
        });
    }
    if (world.edit > 0 && world.database_up) {
        try_out("", [&](World& next) {
            --next.edit;
            next.edited = !next.edited;
            with(next, MemoryFault::none,
                 [&] { return ledger_->set_triggers("RefreshLibrary", triggers(next.edited)); });
            return std::string("somebody edits the triggers");
        });
    }
    if (world.outage > 0 && world.database_up) {
        try_out("", [&](World& next) {
            --next.outage;
            next.database_up = false;
            return std::string("the database goes away");
        });
    }
    if (!world.database_up) {
        try_out("", [&](World& next) {
            next.database_up = true;
            return std::string("the database is back");
        });
    }
    if (can_tick(world)) {
        try_out("", [&](World& next) {
            tick(next);
            return std::string("15 s pass");
        });
    }
}

struct Machine::Before {
    std::int64_t epoch = 0;
    std::optional<tasks::RunRow> newest;
    std::optional<MemoryLedgerRows::Beat> beat;
    std::map<core::UtcTime, core::RunId> slots;
};

template <class Call>
auto Machine::with(World& world, MemoryFault fault, Call call) {
    Before before;
    const tasks::TaskScope task{"RefreshLibrary", "cluster"};
    if (const auto scope = world.rows.scopes.find(task); scope != world.rows.scopes.end())
        before.epoch = scope->second.epoch;
    if (const auto* run = newest(world)) {
        before.newest = *run;
        if (const auto beat = world.rows.beats.find(run->id); beat != world.rows.beats.end())
            before.beat = beat->second;
    }
    if (const auto slots = world.rows.slots.find(task); slots != world.rows.slots.end()) before.slots = slots->second;
    std::swap(rows_, world.rows);
    now_ms_ = world.now_ms;
    fault_ = fault;
    auto answer = call();
    fault_ = MemoryFault::none;
    std::swap(rows_, world.rows);
    check(before, world);
    return answer;
}

}  // namespace understudy::testing::model
