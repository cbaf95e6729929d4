// understudy db …: the database of this machine's settings, without a server.
#include <CLI/CLI.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <memory>
#include <ostream>

#include "app/cli/command.h"
#include "app/config/load.h"
#include "store/sql/session.h"

namespace understudy::app {
namespace {

using store::sql::Database;

/// A database that is not there is never made by looking at it.
void require_sqlite_folder(const Settings& settings) {
    std::error_code error;
    const std::filesystem::path file = settings.database.connection;
    const auto folder = file.parent_path().empty() ? std::filesystem::path(".") : file.parent_path();
    if (!std::filesystem::is_directory(folder, error)) {
        throw CommandFailure{Exit::not_found, "there is no data folder " + folder.string() +
                                                  "; --data-dir (Jellyfin:DataDir) names another"};
    }
}

void require_sqlite_file(const Settings& settings) {
    require_sqlite_folder(settings);
    std::error_code error;
    const std::filesystem::path file = settings.database.connection;
    if (!std::filesystem::exists(file, error)) {
        throw CommandFailure{Exit::not_found, "there is no database " + file.string() +
                                                  "; `understudy serve` makes it, --data-dir names another folder"};
    }
}

std::unique_ptr<Database> open_database(const Settings& settings) {
    if (settings.database.postgresql) return store::sql::open_postgresql(settings.database.connection, 2);
    require_sqlite_file(settings);
    return store::sql::open_sqlite(settings.database.connection, 1);
}

[[noreturn]] void fail_with(const core::Error& error) {
    throw CommandFailure{
        error.code == core::Errc::unavailable || error.code == core::Errc::timed_out ? Exit::unreachable : Exit::failed,
        error.context};
}

int status(Command& command) {
    const auto settings = load_settings_or_fail(command.options());
    const auto database = open_database(settings);
    const auto known = store::sql::migrations(*database);
    if (!known) fail_with(known.error());
    if (command.options().json) {
        boost::json::array all;
        for (const auto& one : *known) {
            boost::json::object entry{{"number", one.number}, {"name", one.name}, {"applied", one.applied}};
            if (one.applied_at) entry["appliedAt"] = core::to_iso8601(*one.applied_at);
            all.push_back(std::move(entry));
        }
        command.print_json(all);
        return 0;
    }
    std::vector<std::vector<std::string>> rows;
    for (const auto& one : *known) {
        rows.push_back({std::to_string(one.number), one.name,
                        one.applied ? (one.applied_at ? core::to_iso8601(*one.applied_at) : "yes") : "not yet"});
    }
    command.print_table({"NUMBER", "MIGRATION", "APPLIED"}, rows);
    return 0;
}

int migrate(Command& command) {
    const auto settings = load_settings_or_fail(command.options());
    // The file is made in a folder that is there; a folder that is not is a mistyped one.
    if (!settings.database.postgresql) require_sqlite_folder(settings);
    const auto database = settings.database.postgresql ? store::sql::open_postgresql(settings.database.connection, 2)
                                                       : store::sql::open_sqlite(settings.database.connection, 1);
    const auto applied = store::sql::migrate(*database);
    if (!applied) fail_with(applied.error());
    if (!command.options().json)
        command.out() << (*applied == 0 ? "nothing to do" : std::to_string(*applied) + " migration(s) applied") << '\n';
    else
        command.print_json(boost::json::object{{"applied", *applied}});
    return 0;
}

int backup(Command& command, const std::string& file) {
    const auto settings = load_settings_or_fail(command.options());
    if (settings.database.postgresql) {
        throw CommandFailure{Exit::refused, "db backup copies SQLite databases; use pg_dump for PostgreSQL"};
    }
    require_sqlite_file(settings);
    if (const auto done = store::sql::backup_sqlite(settings.database.connection, file); !done) {
        if (done.error().code == core::Errc::conflict) throw CommandFailure{Exit::refused, done.error().context};
        // What goes wrong from here on is the copy's own affair: a full disc, a folder that may not be written.
        throw CommandFailure{Exit::failed, done.error().context};
    }
    if (command.options().json)
        command.print_json(boost::json::object{{"file", file}});
    else
        command.out() << "copied to " << file << '\n';
    return 0;
}

}  // namespace

void add_db_commands(CLI::App& root, Action& chosen) {
    auto* db = root.add_subcommand("db", "the database named by the settings");
    db->require_subcommand(1);
    db->footer(
        "Example: understudy db backup /backup/understudy.db --data-dir /var/lib/understudy\n"
        "Exit codes: 0 done, 1 failed, 2 settings are wrong, 3 the database is away, 4 there is none, 6 refused.");
    db->add_subcommand("status", "which migrations are applied")->callback([&chosen] { chosen = status; });
    db->add_subcommand("migrate", "apply what is missing; `serve` does so by itself")->callback([&chosen] {
        chosen = migrate;
    });
    auto file = std::make_shared<std::string>();
    auto* copy = db->add_subcommand("backup", "copy a SQLite database, also while a server uses it");
    copy->add_option("FILE", *file, "where to; must not exist, its folder must")->required();
    copy->footer("Exit codes: 1 FILE cannot be written, 4 no data folder or no database there, 6 FILE exists already.");
    copy->callback([&chosen, file] { chosen = [file](Command& command) { return backup(command, *file); }; });
}

}  // namespace understudy::app
