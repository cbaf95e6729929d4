#include "app/cli/command_tree.h"

#include <CLI/CLI.hpp>

#include "app/version.h"

namespace understudy::app {
namespace {

constexpr const char* footer = R"(Examples:
  understudy serve --data-dir ./data --media movies=/media/films
  understudy tasks run RefreshLibrary --wait
  understudy leader status --url http://127.0.0.1:8097
  understudy items --types Episode --json
  understudy exec --lease nightly --no-wait -- /usr/local/bin/backup

Any setting of docs/configuration.md can be given as --set KEY=VALUE or --KEY=VALUE
(--Jellyfin:ScanLeader:Enabled=true), as environment KEY with __ for : or in --config FILE.
The command line goes before the environment, that before the file; one setting twice in one of them is refused.

Exit codes: 0 done, 1 failed, 2 wrong words or settings, 3 no server there,
4 not found, 5 key missing or wrong, 6 refused in this state; exec has its own.)";

/// A command's own help shows its own options alone.
void name_common_options(CLI::App& command) {
    for (auto* sub : command.get_subcommands([](CLI::App*) { return true; })) {
        name_common_options(*sub);
        if (!sub->get_subcommands([](CLI::App*) { return true; }).empty()) continue;
        const auto own = sub->get_footer();
        sub->footer(own + (own.empty() ? "" : "\n") + std::string(common_options_line));
    }
}

void add_common_options(CLI::App& root, CommonOptions& common, std::vector<std::string>& sets) {
    root.set_version_flag("--version", std::string(version_text()));
    root.add_option("--url", common.urls,
                    "the server to talk to (default: http://127.0.0.1:8096); repeated, or with commas between: pods "
                    "of one cluster, of which the first that answers is asked")
        ->envname("UNDERSTUDY_URL")
        ->allow_extra_args(false);
    root.add_option("--key", common.key, "admin key (default: UNDERSTUDY_KEY, else <data dir>/admin.key)");
    root.add_option_function<std::string>(
        "--data-dir",
        [&common](const std::string& folder) {
            if (folder.empty())
                throw CLI::ValidationError("--data-dir", "is empty; name a folder, or leave it out for the default");
            common.data_dir = folder;
        },
        "= Jellyfin:DataDir (default: /var/lib/understudy for root, else below $XDG_DATA_HOME)");
    root.add_option("--config", common.config_file, "settings file (JSON)");
    root.add_option("--set", sets, "a setting, KEY=VALUE; may be repeated, but not for one setting")
        ->allow_extra_args(false);
    root.add_flag("--json", common.json, "print JSON instead of text");
}

}  // namespace

void add_command_tree(CLI::App& root, CommonOptions& common, std::vector<std::string>& sets, Action& chosen) {
    root.require_subcommand(1);
    root.fallthrough();  // common options may stand behind the command too
    add_common_options(root, common, sets);
    add_serve_command(root, chosen);
    add_tasks_commands(root, chosen);
    add_leader_commands(root, chosen);
    add_library_commands(root, chosen);
    add_items_command(root, chosen);
    add_users_commands(root, chosen);
    add_exec_command(root, chosen);
    add_config_commands(root, chosen);
    add_db_commands(root, chosen);
    add_words_commands(root, chosen);
    root.footer(footer);  // last: commands that were added before it do not take it over
    name_common_options(root);
}

}  // namespace understudy::app
