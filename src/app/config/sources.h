// app/config/sources.h: where settings come from: a JSON file, the environment in .NET's style, the command line. Later
// wins.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace understudy::app {

/// What is wrong, one line for people.
struct ConfigFault {
    std::string key;
    std::string value;    ///< empty for secrets
    std::string source;   ///< `environment Jellyfin__ScanLeader__Enabled`, `file /etc/…`, `command line`
    std::string problem;  ///< what is allowed, and the nearest known key where that helps
    [[nodiscard]] std::string line() const;
};

struct GivenValue {
    std::string text;
    std::string source;
    std::string file = {};  ///< the secret was read from it; empty: it was given itself
};

/// All that was said, by canonical key; lists under one key, in order.
struct GivenSettings {
    std::map<std::string, GivenValue> values;
    std::map<std::string, std::vector<GivenValue>> lists;
    std::vector<ConfigFault> faults;
    std::vector<std::string> ignored;  ///< environment names that look like ours and are not, for a debug line
};

struct ConfigInput {
    std::optional<std::string> file;                                ///< `--config`
    std::map<std::string, std::string> environment;                 ///< name -> value, as given
    std::vector<std::pair<std::string, std::string>> command_line;  ///< key -> value, in order
};

/// Reads all three; never throws, never stops at the first fault.
[[nodiscard]] GivenSettings read_sources(const ConfigInput& input);
/// The text of a secret's file, blanks and line ends around it dropped. Errors: what is wrong with the file, which it
/// does not name.
[[nodiscard]] core::Result<std::string> read_secret_file(const std::string& name);
/// This process's environment.
[[nodiscard]] std::map<std::string, std::string> process_environment();

}  // namespace understudy::app
