#include "app/config/load.h"

namespace understudy::app {
namespace {

std::vector<std::pair<std::string, std::string>> command_line_of(const CommonOptions& options) {
    auto settings = options.settings;
    if (!options.data_dir.empty()) settings.emplace_back("Jellyfin:DataDir", options.data_dir);
    return settings;
}

void fail_where_wrong(const std::vector<ConfigFault>& faults) {
    if (faults.empty()) return;
    auto message = std::to_string(faults.size()) + (faults.size() == 1 ? " setting is wrong:" : " settings are wrong:");
    for (const auto& fault : faults) message += "\n  " + fault.line();
    throw CommandFailure{Exit::usage, message};
}

}  // namespace

CheckedSettings load_settings(const CommonOptions& options) {
    ConfigInput input;
    input.file = options.config_file;
    input.environment = process_environment();
    input.command_line = command_line_of(options);
    auto given = read_sources(input);
    const auto ignored = given.ignored;
    auto checked = check_settings(std::move(given), MachineFacts::read(input.environment));
    checked.ignored_names = ignored;
    return checked;
}

Settings load_settings_or_fail(const CommonOptions& options) {
    auto checked = load_settings(options);
    fail_where_wrong(checked.faults);
    return std::move(checked.settings);
}

void require_known_settings(const CommonOptions& options) {
    ConfigInput input;
    input.command_line = command_line_of(options);
    fail_where_wrong(read_sources(input).faults);
}

}  // namespace understudy::app
