// tasks/ledger_rules.h: the decisions of the run ledger as pure functions, so that each is a table in a test. Used by
// TransactionalRunLedger inside its transactions, and for what people see (waiting rows).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/time.h"
#include "tasks/ledger_tables.h"
#include "tasks/run_ledger.h"
#include "tasks/schedule.h"
#include "tasks/zones/zone.h"

namespace understudy::tasks {

/// What slots hang on besides the rows.
struct SlotFacts {
    core::UtcTime now{};  ///< the database's clock
    core::UtcTime cluster_started{};
    bool busy = false;  ///< a run of the scope is live or open: an interval counts from its end, later
    bool misfire_skip = false;
    core::Millis misfire_grace{};  ///< how late a slot may be and still not count as missed
};

/// The next daily or weekly slot after `after` (and after its trigger was made). May lie in the past: due at once.
[[nodiscard]] std::optional<NextSlot> next_wall_slot(std::span<const Trigger> triggers, const SlotFacts& facts,
                                                     std::optional<core::UtcTime> after, const Zone& zone);
/// The next interval slot; none while the scope is busy.
[[nodiscard]] std::optional<NextSlot> next_interval_slot(std::span<const Trigger> triggers, const SlotFacts& facts,
                                                         std::optional<core::UtcTime> last_end, const Zone& zone);
/// Which slot a claim takes now: the stored one or, where later daily or weekly ones were missed too, the latest of
/// them (they run once). None: nothing is due, or what is due counts as missed and the rule is `skip`.
[[nodiscard]] std::optional<NextSlot> due_slot(const TaskRecord& task, const ScopeRecord& scope, const SlotFacts& facts,
                                               const Zone& zone);

/// A start-up slot is dropped where the task has started since the pod's boot or in the last 10 minutes.
[[nodiscard]] bool startup_is_dropped(const ScopeRecord& scope, core::UtcTime booted_at, core::UtcTime now) noexcept;

/// Is the live run `old` (with its beat as of this transaction) dead for the pod that saw it as `seen`? Its boot's own
/// runs never are.
[[nodiscard]] bool is_dead(const RunRow& old, const BeatRecord& beat, const RunRow& seen, core::BootId judge,
                           bool observed_dead, core::UtcTime now, const LedgerSettings& settings) noexcept;

/// What becomes of a run that is dead or open.
enum class Takeover { go_on, cancel, give_up };
[[nodiscard]] Takeover takeover_of(const RunRow& old) noexcept;
/// The successor's stuck_takeovers: deaths in a row at one cursor. A yield neither counts nor forgets.
[[nodiscard]] int stuck_after(const RunRow& old) noexcept;
inline constexpr int most_stuck_takeovers = 3;
/// Why a run was given up; names the item it was at.
[[nodiscard]] std::string stuck_error(const RunRow& old);

/// A task of the two groups with what it does and wants.
struct GroupMember {
    TaskRecord task;
    ScopeRecord scope;
    std::optional<RunRow> newest;
};
/// Since when it waits to run: the earliest of its open work, kept request and due slot. None: it is live or wants
/// nothing.
[[nodiscard]] std::optional<core::UtcTime> wish_of(const GroupMember& member, core::UtcTime now, bool timers_paused);
/// Who keeps a task of `group` that has been due since `due` from starting: a live run of the other group, else a
/// member of it that has been due for longer (ties: the key that sorts first goes first). Empty: nobody.
[[nodiscard]] std::string blocked_by(Group group, const std::string& task, core::UtcTime due,
                                     std::span<const GroupMember> members, core::UtcTime now, bool timers_paused,
                                     core::Millis patience);

/// Due slots and kept requests without a run, as rows for people (`members`: all scopes).
[[nodiscard]] std::vector<RunRow> waiting_rows(std::span<const GroupMember> members, core::UtcTime now,
                                               bool timers_paused, core::Millis patience);

}  // namespace understudy::tasks
