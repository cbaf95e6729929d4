#include "app/config/settings_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "app/config/schema.h"
#include "core/text.h"

namespace understudy::app {
namespace {

using core::Millis;

std::optional<double> parse_number(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

std::optional<bool> parse_boolean(std::string_view text) {
    if (core::equals_ignoring_case(text, "true") || text == "1") return true;
    if (core::equals_ignoring_case(text, "false") || text == "0") return false;
    return std::nullopt;
}

}  // namespace

bool SettingsReader::is_given(const std::string& key) const {
    const auto found = given_.values.find(key);
    return found != given_.values.end() && !found->second.text.empty();
}

std::string SettingsReader::text(const std::string& key, const std::string& fallback) {
    const auto known = find_setting(key);
    const bool given = is_given(key);
    const auto& value = given ? given_.values[key].text : fallback;
    const bool secret = known && known->spec->secret;
    result_.effective.push_back(
        {key, secret && !value.empty() ? "***" : value, given ? given_.values[key].source : "default"});
    return value;
}

bool SettingsReader::boolean(const std::string& key, bool fallback) {
    const auto value = text(key, fallback ? "true" : "false");
    if (const auto parsed = parse_boolean(value)) return *parsed;
    fault(key, "must be true or false");
    return fallback;
}

double SettingsReader::number(const std::string& key, double fallback) {
    std::array<char, 32> shown{};
    const auto printed = std::to_chars(shown.data(), shown.data() + shown.size(), fallback);
    const auto value = text(key, std::string(shown.data(), printed.ptr));
    const auto spec = find_setting(key)->spec;
    const auto parsed = parse_number(core::trim(value));
    const bool whole = spec->type == SettingType::integer || spec->type == SettingType::days;
    if (!parsed || (whole && *parsed != std::floor(*parsed)) ||
        (spec->maximum > 0 && (*parsed < spec->minimum || *parsed > spec->maximum))) {
        fault(key, "must be " + std::string(spec->allowed) + (whole ? ", a whole number" : ""));
        return fallback;
    }
    return *parsed;
}

Millis SettingsReader::seconds(const std::string& key, Millis fallback) {
    return Millis{std::llround(number(key, static_cast<double>(fallback.count()) / 1000.0) * 1000.0)};
}

Millis SettingsReader::milliseconds(const std::string& key, Millis fallback) {
    return Millis{std::llround(number(key, static_cast<double>(fallback.count())))};
}

std::string SettingsReader::choice(const std::string& key, const std::string& fallback) {
    auto value = text(key, fallback);
    if (value.empty()) return value;
    const auto choices = core::split_trimmed(find_setting(key)->spec->choices, '|');
    for (const auto& choice : choices) {
        if (core::equals_ignoring_case(choice, value)) {
            result_.effective.back().value = choice;
            return choice;
        }
    }
    const auto near = core::nearest(value, choices);
    fault(key, "must be one of " + std::string(find_setting(key)->spec->allowed) +
                   (near ? "; did you mean " + *near + "?" : ""));
    return fallback;
}

void SettingsReader::fault(const std::string& key, const std::string& problem) {
    const auto known = find_setting(key);
    const auto found = given_.values.find(key);
    const bool given = found != given_.values.end();
    result_.faults.push_back({key, given && known && !known->spec->secret ? found->second.text : "",
                              given ? found->second.source : "default", problem});
}

void SettingsReader::fault_in_list(const std::string& key, const GivenValue& element, const std::string& problem) {
    result_.faults.push_back({key, element.text, element.source, problem});
}

std::string SettingsReader::file_of(const std::string& key) const {
    const auto found = given_.values.find(key);
    return found == given_.values.end() ? std::string() : found->second.file;
}

const std::vector<GivenValue>* SettingsReader::list(const std::string& key) const {
    const auto found = given_.lists.find(key);
    return found == given_.lists.end() ? nullptr : &found->second;
}

void SettingsReader::show(const std::string& key, std::string value, std::string source) {
    result_.effective.push_back({key, std::move(value), std::move(source)});
}

}  // namespace understudy::app
