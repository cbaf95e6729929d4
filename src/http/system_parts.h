// http/system_parts.h: what the handlers of /System and its neighbours may ask of this pod and of the cluster beyond
// items and users. Part of Services; filled by app.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace understudy::store {
class Configurations;
class DisplayPreferences;
}  // namespace understudy::store
namespace understudy::tasks {
class ActivityHistory;
class ActivityLog;
}  // namespace understudy::tasks

namespace understudy::http {

/// How this pod is to end: for good, or to begin anew in its own place.
enum class Ending { shutdown, restart };

/// A setting in force, as `understudy config show` has it.
struct SettingInForce {
    std::string name;
    std::optional<std::string> value;  ///< nullopt: a secret that is set
    std::string source;                ///< `default` where nothing was given
    std::string default_text;          ///< as an operator would write it; `(…)` where it hangs on other settings
    std::string help;
    bool secret = false;
};

/// Null or empty: not kept here; what needs it answers 501.
struct SystemParts {
    tasks::ActivityLog* activity = nullptr;  ///< null: nothing is noted
    tasks::ActivityHistory* history = nullptr;
    store::Configurations* configurations = nullptr;
    store::DisplayPreferences* display = nullptr;
    std::function<void(Ending)> end = {};  ///< begins to stop this pod; returns at once; a second call does nothing
    std::filesystem::path cache_dir = {}, log_dir = {}, web_dir = {};  ///< of this pod
    int log_keep_days = 3, activity_keep_days = 30;                    ///< as this pod's settings say
    bool legacy_authorization = true;
    std::uint16_t port = 8096;  ///< that it listens on
    std::vector<SettingInForce> settings = {};
};

}  // namespace understudy::http
