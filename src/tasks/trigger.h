// tasks/trigger.h: when a task is due. Values and their validation; the arithmetic is in tasks/schedule.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/result.h"
#include "core/time.h"

namespace understudy::tasks {

struct DailyTrigger {
    core::Millis time_of_day{};  ///< local wall time, 0 .. 24 h exclusive
    friend bool operator==(const DailyTrigger&, const DailyTrigger&) = default;
};
struct WeeklyTrigger {
    std::chrono::weekday day{};
    core::Millis time_of_day{};
    friend bool operator==(const WeeklyTrigger&, const WeeklyTrigger&) = default;
};
struct IntervalTrigger {
    core::Millis every{};  ///< from 1 s up, no upper cap but 10 years
    friend bool operator==(const IntervalTrigger&, const IntervalTrigger&) = default;
};
struct StartupTrigger {
    friend bool operator==(const StartupTrigger&, const StartupTrigger&) = default;
};

struct Trigger {
    std::variant<DailyTrigger, WeeklyTrigger, IntervalTrigger, StartupTrigger> when;
    std::optional<core::Millis> max_runtime;  ///< reached => the run is cancelled, progress kept
    core::UtcTime created_at{};  ///< set by the ledger when stored; intervals of a task never run count from it

    friend bool operator==(const Trigger&, const Trigger&) = default;
};

/// Errors: invalid, naming the field in the API's spelling (`IntervalTicks`, `DayOfWeek`, …), the value and the way
/// out.
[[nodiscard]] core::Result<void> validate(const Trigger& trigger);

/// JSON in the API's own form (`{"Type":"DailyTrigger","TimeOfDayTicks":…}`): the form triggers have in the database
/// too. An unknown field or type is an error that names it. Numbers may be strings; keys in any case.
[[nodiscard]] core::Result<std::vector<Trigger>> triggers_from_json(std::string_view json);
[[nodiscard]] std::string triggers_to_json(const std::vector<Trigger>& triggers);
/// The same with `CreatedAtMs` beside: what a database keeps. Errors: corrupt.
[[nodiscard]] std::string triggers_to_stored_json(const std::vector<Trigger>& triggers);
[[nodiscard]] core::Result<std::vector<Trigger>> triggers_from_stored_json(std::string_view json);

}  // namespace understudy::tasks
