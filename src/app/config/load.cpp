#include "app/config/load.h"

namespace understudy::app {

CheckedSettings load_settings(const CommonOptions& options) {
    ConfigInput input;
    input.file = options.config_file;
    input.environment = process_environment();
    input.command_line = options.settings;
    if (!options.data_dir.empty()) input.command_line.emplace_back("Jellyfin:DataDir", options.data_dir);
    auto given = read_sources(input);
    const auto ignored = given.ignored;
    auto checked = check_settings(std::move(given), MachineFacts::read(input.environment));
    checked.ignored_names = ignored;
    return checked;
}

Settings load_settings_or_fail(const CommonOptions& options) {
    auto checked = load_settings(options);
    if (checked.faults.empty()) return std::move(checked.settings);
    std::string message = std::to_string(checked.faults.size()) +
                          (checked.faults.size() == 1 ? " setting is wrong:" : " settings are wrong:");
    for (const auto& fault : checked.faults) message += "\n  " + fault.line();
    throw CommandFailure{Exit::usage, message};
}

}  // namespace understudy::app
