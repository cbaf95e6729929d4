// understudy config …: what is in force and where it comes from.
#include <CLI/CLI.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <ostream>

#include "app/cli/command.h"
#include "app/config/load.h"

namespace understudy::app {
namespace {

int show(Command& command, bool only_check) {
    const auto checked = load_settings(command.options());
    if (command.options().json) {
        boost::json::array settings, faults;
        for (const auto& setting : checked.effective) {
            settings.push_back(
                boost::json::object{{"key", setting.key}, {"value", setting.value}, {"source", setting.source}});
        }
        for (const auto& fault : checked.faults) {
            faults.push_back(boost::json::object{
                {"key", fault.key}, {"value", fault.value}, {"source", fault.source}, {"problem", fault.problem}});
        }
        command.print_json(boost::json::object{{"settings", std::move(settings)}, {"faults", std::move(faults)}});
    } else {
        if (!only_check) {
            std::vector<std::vector<std::string>> rows;
            for (const auto& setting : checked.effective) rows.push_back({setting.key, setting.value, setting.source});
            command.print_table({"SETTING", "VALUE", "SOURCE"}, rows);
        }
        for (const auto& warning : checked.settings.warnings) command.err() << "warning: " << warning << '\n';
        for (const auto& fault : checked.faults) command.err() << fault.line() << '\n';
        if (only_check && checked.faults.empty()) command.out() << "configuration is valid\n";
    }
    return checked.faults.empty() ? 0 : static_cast<int>(Exit::usage);
}

}  // namespace

void add_config_commands(CLI::App& root, Action& chosen) {
    auto* config = root.add_subcommand("config", "the settings in force");
    config->require_subcommand(1);
    config->add_subcommand("show", "every setting with its value and source, secrets masked")->callback([&chosen] {
        chosen = [](Command& command) { return show(command, false); };
    });
    config->add_subcommand("check", "only say what is wrong; exit code 2 where something is")->callback([&chosen] {
        chosen = [](Command& command) { return show(command, true); };
    });
    config->footer("Example: understudy --config /etc/understudy.json config check");
}

}  // namespace understudy::app
