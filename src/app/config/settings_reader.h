// app/config/settings_reader.h: typed values out of what was given. Used by settings.cpp.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "app/config/settings.h"
#include "core/time.h"

namespace understudy::app {

/// Checks each value by its row of the schema; notes faults and what is effective, with where it came from. What is at
/// fault reads as the fallback. One thread; both references outlive it.
class SettingsReader {
public:
    SettingsReader(GivenSettings& given, CheckedSettings& result) : given_(given), result_(result) {}

    [[nodiscard]] bool is_given(const std::string& key) const;
    /// The text given, else `fallback`; notes the effective value.
    std::string text(const std::string& key, const std::string& fallback);
    bool boolean(const std::string& key, bool fallback);
    /// A number within the schema's bounds.
    double number(const std::string& key, double fallback);
    core::Millis seconds(const std::string& key, core::Millis fallback);
    core::Millis milliseconds(const std::string& key, core::Millis fallback);
    template <class T>
    T integer(const std::string& key, T fallback) {
        return static_cast<T>(std::llround(number(key, static_cast<double>(fallback))));
    }
    /// In the schema's spelling; empty where nothing was given and there is no default.
    std::string choice(const std::string& key, const std::string& fallback);
    /// nullptr: none was given.
    [[nodiscard]] const std::vector<GivenValue>* list(const std::string& key) const;
    /// The file that the value came from; empty: none.
    [[nodiscard]] std::string file_of(const std::string& key) const;

    void fault(const std::string& key, const std::string& problem);
    /// Of one element of a list: its own value and source.
    void fault_in_list(const std::string& key, const GivenValue& element, const std::string& problem);
    void show(const std::string& key, std::string value, std::string source);

private:
    GivenSettings& given_;
    CheckedSettings& result_;
};

}  // namespace understudy::app
