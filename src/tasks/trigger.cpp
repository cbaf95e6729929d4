#include "tasks/trigger.h"

#include <array>
#include <boost/json.hpp>
#include <charconv>
#include <cmath>
#include <limits>

namespace understudy::tasks {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

constexpr std::int64_t ticks_per_ms = 10'000;  // 1 tick = 100 ns, the API's unit
constexpr core::Millis day = 24h;
constexpr core::Millis shortest_interval = 1s;
constexpr core::Millis longest_interval = std::chrono::days{3653};  // ten years with their leap days
constexpr std::size_t most_triggers = 100;
constexpr std::array<std::string_view, 7> day_names{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                    "Thursday", "Friday", "Saturday"};
constexpr std::string_view fields = "Type, TimeOfDayTicks, IntervalTicks, DayOfWeek, MaxRuntimeTicks";

auto refuse(std::string text) {
    return core::fail(core::Errc::invalid, std::move(text));
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_word(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (lower(a[i]) != lower(b[i])) return false;
    }
    return true;
}

std::string ticks_text(core::Millis time) {
    return std::to_string(time.count() * ticks_per_ms);
}

/// An integer as a JSON number or string; nullopt for anything else.
std::optional<std::int64_t> integer(const json::value& value) {
    if (value.is_int64()) return value.get_int64();
    if (value.is_double()) {
        const double number = value.get_double();
        if (std::abs(number) < 9e15 && number == std::floor(number)) return static_cast<std::int64_t>(number);
    }
    if (value.is_string()) {
        const std::string_view text = value.get_string();
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error == std::errc{} && end == text.data() + text.size() && !text.empty()) return number;
    }
    return std::nullopt;
}

std::string shown(const json::value& value) {
    auto text = json::serialize(value);
    if (text.size() > 80) text = text.substr(0, 77) + "...";
    return text;
}

/// The JSON object's fields, found by name in any case.
struct Parts {
    const json::value* type = nullptr;
    const json::value* time_of_day = nullptr;
    const json::value* interval = nullptr;
    const json::value* day_of_week = nullptr;
    const json::value* max_runtime = nullptr;
    const json::value* created_at = nullptr;
};

core::Result<Parts> parts_of(const json::object& object, const std::string& where, bool stored) {
    Parts parts;
    for (const auto& member : object) {
        const std::string_view name = member.key();
        const json::value** part = nullptr;
        if (same_word(name, "Type")) part = &parts.type;
        if (same_word(name, "TimeOfDayTicks")) part = &parts.time_of_day;
        if (same_word(name, "IntervalTicks")) part = &parts.interval;
        if (same_word(name, "DayOfWeek")) part = &parts.day_of_week;
        if (same_word(name, "MaxRuntimeTicks")) part = &parts.max_runtime;
        if (stored && name == "CreatedAtMs") part = &parts.created_at;
        if (part == nullptr) {
            const std::string_view hint =
                same_word(name, "MaxRuntimeMs") ? " (did you mean MaxRuntimeTicks, in units of 100 ns?)" : "";
            return refuse(where + ": unknown field '" + std::string(name) + "'" + std::string(hint) + "; known are " +
                          std::string(fields));
        }
        if (!member.value().is_null()) *part = &member.value();
    }
    return parts;
}

core::Result<core::Millis> ticks(const json::value* value, const std::string& where, std::string_view field) {
    if (value == nullptr) return refuse(where + ": " + std::string(field) + " is missing; give it in units of 100 ns");
    const auto count = integer(*value);
    if (!count) {
        return refuse(where + ": " + std::string(field) + " is " + shown(*value) +
                      "; it must be a whole number of 100 ns units");
    }
    if (*count % ticks_per_ms != 0) {
        return refuse(where + ": " + std::string(field) + " is " + std::to_string(*count) +
                      "; it must be a multiple of 10000 (1 ms)");
    }
    return core::Millis{*count / ticks_per_ms};
}

core::Result<std::chrono::weekday> weekday(const json::value* value, const std::string& where) {
    constexpr std::string_view allowed = "Sunday, Monday, Tuesday, Wednesday, Thursday, Friday or Saturday";
    if (value == nullptr)
        return refuse(where + ": DayOfWeek is missing; a WeeklyTrigger needs " + std::string(allowed));
    if (const auto number = integer(*value); number && *number >= 0 && *number <= 6)
        return std::chrono::weekday{static_cast<unsigned>(*number)};
    if (value->is_string()) {
        for (unsigned i = 0; i < day_names.size(); ++i) {
            if (same_word(day_names[i], value->get_string())) return std::chrono::weekday{i};
        }
    }
    return refuse(where + ": DayOfWeek is " + shown(*value) + "; allowed are " + std::string(allowed));
}

core::Result<Trigger> trigger_of(const json::value& value, const std::string& where, bool stored) {
    if (!value.is_object())
        return refuse(where + ": is " + shown(value) + "; it must be an object with " + std::string(fields));
    const auto parts = parts_of(value.get_object(), where, stored);
    if (!parts) return tl::unexpected(parts.error());
    constexpr std::string_view types = "DailyTrigger, WeeklyTrigger, IntervalTrigger or StartupTrigger";
    if (parts->type == nullptr) return refuse(where + ": Type is missing; allowed are " + std::string(types));
    const std::string_view type = parts->type->is_string() ? std::string_view(parts->type->get_string()) : "";

    Trigger trigger;
    if (same_word(type, "DailyTrigger")) {
        const auto time = ticks(parts->time_of_day, where, "TimeOfDayTicks");
        if (!time) return tl::unexpected(time.error());
        trigger.when = DailyTrigger{*time};
    } else if (same_word(type, "WeeklyTrigger")) {
        const auto week_day = weekday(parts->day_of_week, where);
        if (!week_day) return tl::unexpected(week_day.error());
        const auto time = ticks(parts->time_of_day, where, "TimeOfDayTicks");
        if (!time) return tl::unexpected(time.error());
        trigger.when = WeeklyTrigger{*week_day, *time};
    } else if (same_word(type, "IntervalTrigger")) {
        const auto interval = ticks(parts->interval, where, "IntervalTicks");
        if (!interval) return tl::unexpected(interval.error());
        trigger.when = IntervalTrigger{*interval};
    } else if (same_word(type, "StartupTrigger")) {
        trigger.when = StartupTrigger{};
    } else {
        return refuse(where + ": Type is " + shown(*parts->type) + "; allowed are " + std::string(types));
    }
    if (parts->max_runtime != nullptr) {
        const auto limit = ticks(parts->max_runtime, where, "MaxRuntimeTicks");
        if (!limit) return tl::unexpected(limit.error());
        trigger.max_runtime = *limit;
    }
    if (parts->created_at != nullptr) {
        const auto at = integer(*parts->created_at);
        if (!at) return refuse(where + ": CreatedAtMs is " + shown(*parts->created_at) + "; it must be a whole number");
        trigger.created_at = core::from_unix_ms(*at);
    }
    if (const auto valid = validate(trigger); !valid) return refuse(where + ": " + valid.error().context);
    return trigger;
}

core::Result<std::vector<Trigger>> parse(std::string_view text, bool stored) {
    json::error_code error;
    const auto value = json::parse(json::string_view(text.data(), text.size()), error);
    if (error) return refuse("triggers: the body is not JSON (" + error.message() + ")");
    if (!value.is_array()) return refuse("triggers: the body is " + shown(value) + "; it must be an array of triggers");
    const auto& list = value.get_array();
    if (list.size() > most_triggers)
        return refuse("triggers: there are " + std::to_string(list.size()) + "; at most " +
                      std::to_string(most_triggers) + " are allowed");
    std::vector<Trigger> triggers;
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto trigger = trigger_of(list[i], "trigger " + std::to_string(i + 1), stored);
        if (!trigger) return tl::unexpected(trigger.error());
        triggers.push_back(std::move(*trigger));
    }
    return triggers;
}

std::string print(const std::vector<Trigger>& triggers, bool stored) {
    json::array list;
    for (const auto& trigger : triggers) {
        json::object object;
        if (const auto* daily = std::get_if<DailyTrigger>(&trigger.when)) {
            object["Type"] = "DailyTrigger";
            object["TimeOfDayTicks"] = daily->time_of_day.count() * ticks_per_ms;
        } else if (const auto* weekly = std::get_if<WeeklyTrigger>(&trigger.when)) {
            object["Type"] = "WeeklyTrigger";
            object["TimeOfDayTicks"] = weekly->time_of_day.count() * ticks_per_ms;
            object["DayOfWeek"] = json::string_view(day_names[weekly->day.c_encoding()]);
        } else if (const auto* interval = std::get_if<IntervalTrigger>(&trigger.when)) {
            object["Type"] = "IntervalTrigger";
            object["IntervalTicks"] = interval->every.count() * ticks_per_ms;
        } else {
            object["Type"] = "StartupTrigger";
        }
        if (trigger.max_runtime) object["MaxRuntimeTicks"] = trigger.max_runtime->count() * ticks_per_ms;
        if (stored) object["CreatedAtMs"] = core::to_unix_ms(trigger.created_at);
        list.push_back(std::move(object));
    }
    return json::serialize(list);
}

core::Result<void> check_time_of_day(core::Millis time) {
    if (time >= 0ms && time < day) return {};
    return refuse("TimeOfDayTicks is " + ticks_text(time) + "; it must lie from 0 to below 864000000000 (24 h)");
}

}  // namespace

core::Result<void> validate(const Trigger& trigger) {
    if (trigger.max_runtime && *trigger.max_runtime <= 0ms) {
        return refuse("MaxRuntimeTicks is " + ticks_text(*trigger.max_runtime) +
                      "; it must be above 0, or left out for no limit");
    }
    if (const auto* daily = std::get_if<DailyTrigger>(&trigger.when)) return check_time_of_day(daily->time_of_day);
    if (const auto* weekly = std::get_if<WeeklyTrigger>(&trigger.when)) {
        if (!weekly->day.ok()) return refuse("DayOfWeek is no day; allowed are Sunday to Saturday");
        return check_time_of_day(weekly->time_of_day);
    }
    if (const auto* interval = std::get_if<IntervalTrigger>(&trigger.when)) {
        if (interval->every < shortest_interval || interval->every > longest_interval) {
            return refuse("IntervalTicks is " + ticks_text(interval->every) + "; it must lie from " +
                          ticks_text(shortest_interval) + " (1 s) to " + ticks_text(longest_interval) + " (10 years)");
        }
    }
    return {};
}

core::Result<std::vector<Trigger>> triggers_from_json(std::string_view text) {
    return parse(text, false);
}

std::string triggers_to_json(const std::vector<Trigger>& triggers) {
    return print(triggers, false);
}

std::string triggers_to_stored_json(const std::vector<Trigger>& triggers) {
    return print(triggers, true);
}

core::Result<std::vector<Trigger>> triggers_from_stored_json(std::string_view text) {
    auto triggers = parse(text, true);
    if (!triggers) return core::fail(core::Errc::corrupt, "stored " + triggers.error().context);
    return triggers;
}

}  // namespace understudy::tasks
