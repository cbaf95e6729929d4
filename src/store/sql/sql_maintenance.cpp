#include "store/sql/sql_maintenance.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "store/sql/statement.h"

namespace understudy::store::sql {
namespace {

constexpr std::int64_t mebibyte = std::int64_t{1024} * 1024;

std::string in_mib(std::int64_t bytes) {
    return std::to_string(bytes / mebibyte) + " MiB";
}

std::int64_t free_on_disc(const std::string& folder) {
    std::error_code problem;
    const auto space = std::filesystem::space(folder, problem);
    return problem ? -1 : static_cast<std::int64_t>(space.available);
}

// Where SQLite puts the copy that VACUUM makes: its documented order (sqlite.org/tempfiles.html, «Temporary File
// Storage Locations»).
std::string sqlite_temp_folder() {
    std::vector<std::string> folders;
    for (const char* name : {"SQLITE_TMPDIR", "TMPDIR"}) {
        if (const char* folder = std::getenv(name)) folders.emplace_back(folder);
    }
    folders.insert(folders.end(), {"/var/tmp", "/usr/tmp", "/tmp"});
    for (const auto& folder : folders) {
        std::error_code problem;
        if (std::filesystem::is_directory(folder, problem) && ::access(folder.c_str(), W_OK | X_OK) == 0) return folder;
    }
    return ".";
}

core::Result<std::int64_t> number(Session& session, const char* sql) {
    std::int64_t value = 0;
    auto read = session.query(sql, {}, [&](const Row& row) { value = row.integer(0); });
    if (!read) return tl::unexpected(read.error());
    return value;
}

struct SqliteFile {
    std::string path;
    std::int64_t page_bytes = 0, pages = 0, free_pages = 0;
    [[nodiscard]] std::int64_t size_bytes() const { return page_bytes * pages; }
    [[nodiscard]] std::int64_t free_bytes() const { return page_bytes * free_pages; }
    [[nodiscard]] std::int64_t used_bytes() const { return size_bytes() - free_bytes(); }
};

core::Result<SqliteFile> look_at_file(Session& session) {
    SqliteFile file;
    auto named = session.query("PRAGMA database_list", {}, [&](const Row& row) {
        if (row.text(1) == "main") file.path = row.text(2);
    });
    if (!named) return tl::unexpected(named.error());
    const std::pair<const char*, std::int64_t*> facts[] = {{"PRAGMA page_size", &file.page_bytes},
                                                           {"PRAGMA page_count", &file.pages},
                                                           {"PRAGMA freelist_count", &file.free_pages}};
    for (const auto& [sql, into] : facts) {
        const auto value = number(session, sql);
        if (!value) return tl::unexpected(value.error());
        *into = *value;
    }
    return file;
}

UpkeepStep sqlite_vacuum(const SqliteFile& file, const MaintenanceSettings& settings) {
    UpkeepStep step{Upkeep::vacuum, {}, file.size_bytes(), {}, true};
    const auto share = file.pages == 0 ? 0.0 : static_cast<double>(file.free_pages) / static_cast<double>(file.pages);
    const auto free = in_mib(file.free_bytes()) + " of " + in_mib(file.size_bytes()) + " are free";
    if (share < settings.vacuum_share || file.free_bytes() < settings.vacuum_bytes) {
        step.skip = free + ", too little to pay";
        step.wanted = false;
        return step;
    }
    if (file.used_bytes() > settings.vacuum_most_bytes) {
        step.skip = free + ", but writing " + in_mib(file.used_bytes()) +
                    " anew would keep writers waiting for too long; stop the server and run VACUUM with sqlite3";
        return step;
    }
    // The copy in the temporary folder, and as much again in the write-ahead log beside the file; with room to spare
    // for those who write meanwhile.
    const auto folder = std::filesystem::path(file.path).parent_path().string();
    const auto temp = sqlite_temp_folder();
    for (const auto& [where, need] : {std::pair{folder, 2 * file.used_bytes()}, {temp, 2 * file.used_bytes()}}) {
        const auto there = settings.free_space(where);
        if (there < 0 || there >= need) continue;
        step.skip =
            free + ", but " + where + " has only " + in_mib(there) + " for the " + in_mib(need) + " that it takes";
        return step;
    }
    return step;
}

core::Result<std::vector<UpkeepStep>> sqlite_plan(Session& session, const MaintenanceSettings& settings) {
    const auto file = look_at_file(session);
    if (!file) return tl::unexpected(file.error());
    return std::vector<UpkeepStep>{
        {Upkeep::statistics, {}, 1, {}, true}, sqlite_vacuum(*file, settings), {Upkeep::checkpoint, {}, 1, {}, true}};
}

core::Result<void> checkpoint(Session& session) {
    // PASSIVE copies what it can and waits for nobody; TRUNCATE then has little left to keep others waiting for. Where
    // a reader holds on to the log, it is the next one's.
    for (const char* sql : {"PRAGMA wal_checkpoint(PASSIVE)", "PRAGMA wal_checkpoint(TRUNCATE)"}) {
        if (auto done = session.query(sql, {}, [](const Row&) {}); !done) return done;
    }
    return {};
}

core::Result<UpkeepResult> sqlite_vacuum_now(Session& session) {
    const auto before = look_at_file(session);
    if (!before) return tl::unexpected(before.error());
    // The session keeps temporary tables in memory; VACUUM's is the whole database.
    const auto temp_store = [&](const char* sql) { return session.query(sql, {}, [](const Row&) {}); };
    if (auto set = temp_store("PRAGMA temp_store=FILE"); !set) return tl::unexpected(set.error());
    const auto done = session.execute("VACUUM");
    const auto back = temp_store("PRAGMA temp_store=MEMORY");
    if (!done) return tl::unexpected(done.error());
    if (!back) return tl::unexpected(back.error());
    if (auto written = checkpoint(session); !written) return tl::unexpected(written.error());
    const auto after = look_at_file(session);
    if (!after) return tl::unexpected(after.error());
    return UpkeepResult{{}, std::max(std::int64_t{0}, before->size_bytes() - after->size_bytes())};
}

core::Result<UpkeepResult> sqlite_step(Session& session, const UpkeepStep& step) {
    core::Result<void> done;
    switch (step.kind) {
        case Upkeep::vacuum:
            return sqlite_vacuum_now(session);
        case Upkeep::checkpoint:
            done = checkpoint(session);
            break;
        case Upkeep::statistics:
            // The limit keeps ANALYZE to milliseconds however large a table is (sqlite.org/lang_analyze.html).
            for (const char* sql : {"PRAGMA analysis_limit=400", "PRAGMA optimize"}) {
                if (done) done = session.query(sql, {}, [](const Row&) {});
            }
            break;
    }
    if (!done) return tl::unexpected(done.error());
    return UpkeepResult{};
}

core::Result<std::vector<UpkeepStep>> pg_plan(Session& session, const MaintenanceSettings& settings) {
    std::vector<UpkeepStep> plan;
    auto read = session.query(
        "SELECT quote_ident(CAST(schemaname AS TEXT)) || '.' || quote_ident(CAST(relname AS TEXT)), n_live_tup, "
        "n_dead_tup, n_mod_since_analyze, CAST(pg_table_size(relid) AS BIGINT), CASE WHEN COALESCE(last_analyze, "
        "last_autoanalyze) IS NULL THEN CAST(1 AS BIGINT) ELSE 0 END FROM pg_stat_user_tables WHERE schemaname = "
        "current_schema() ORDER BY 1",
        {}, [&](const Row& row) {
            const auto live = static_cast<double>(row.integer(1));
            const auto dead = row.integer(2), changed = row.integer(3);
            const bool needs_vacuum =
                dead >= settings.dead_rows && static_cast<double>(dead) >= settings.dead_share * live;
            const bool needs_analyze =
                (changed >= settings.changed_rows && static_cast<double>(changed) >= settings.changed_share * live) ||
                (row.integer(5) == 1 && changed > 0);
            // VACUUM of a table analyses it too.
            if (needs_vacuum || needs_analyze) {
                plan.push_back(
                    {needs_vacuum ? Upkeep::vacuum : Upkeep::statistics, row.text(0), row.integer(4), {}, true});
            }
        });
    if (!read) return tl::unexpected(read.error());
    return plan;
}

// How often the table was vacuumed and analysed by hand: PostgreSQL says that it skipped a locked one in a notice only.
core::Result<std::int64_t> times_done(Session& session, const UpkeepStep& step) {
    std::int64_t times = 0;
    auto read = session.query(
        "SELECT CASE WHEN ? = 1 THEN vacuum_count ELSE analyze_count END FROM pg_stat_user_tables WHERE relid = "
        "CAST(CAST(? AS TEXT) AS regclass)",
        {std::int64_t{step.kind == Upkeep::vacuum ? 1 : 0}, step.table},
        [&](const Row& row) { times = row.integer(0); });
    if (!read) return tl::unexpected(read.error());
    return times;
}

core::Result<UpkeepResult> pg_step(Session& session, const UpkeepStep& step, core::Millis limit) {
    session.set_limit(limit);
    const auto before = times_done(session, step);
    if (!before) return tl::unexpected(before.error());
    // With a limit this long a session would also wait that long for a lock. Nobody is to wait for us either: no FULL,
    // and the empty end of the table is kept, since to cut it off takes the one lock that readers wait for.
    if (auto set = session.execute("SET lock_timeout = '2s'"); !set) return tl::unexpected(set.error());
    const auto done =
        session.execute(step.kind == Upkeep::vacuum ? "VACUUM (ANALYZE, SKIP_LOCKED, TRUNCATE FALSE) " + step.table
                                                    : "ANALYZE (SKIP_LOCKED) " + step.table);
    if (!done && done.error().code == core::Errc::timed_out) return UpkeepResult{done.error().context, 0};
    if (!done) return tl::unexpected(done.error());
    const auto after = times_done(session, step);
    if (!after) return tl::unexpected(after.error());
    if (*after == *before) return UpkeepResult{"the table is locked (autovacuum, or a change of its columns)", 0};
    return UpkeepResult{};
}

}  // namespace

SqlMaintenance::SqlMaintenance(Database& database, MaintenanceSettings settings)
    : database_(database), settings_(std::move(settings)) {
    if (!settings_.free_space) settings_.free_space = free_on_disc;
}

core::Result<void> SqlMaintenance::pass(const core::Fence& fence) {
    return write_under(database_, fence, [](Session&) { return core::Result<void>{}; });
}

core::Result<std::vector<UpkeepStep>> SqlMaintenance::plan() {
    core::Result<std::vector<UpkeepStep>> plan;
    auto got = database_.with(Access::read, [&](Session& session) -> core::Result<void> {
        plan = session.dialect() == Dialect::sqlite ? sqlite_plan(session, settings_) : pg_plan(session, settings_);
        if (!plan) return tl::unexpected(plan.error());
        return {};
    });
    if (!got) return tl::unexpected(got.error());
    return plan;
}

core::Result<UpkeepResult> SqlMaintenance::carry_out(const UpkeepStep& step, const std::function<bool()>& stop) {
    core::Result<UpkeepResult> result;
    auto got = database_.with(Access::write, [&](Session& session) -> core::Result<void> {
        session.set_stop(stop);
        result = session.dialect() == Dialect::sqlite ? sqlite_step(session, step)
                                                      : pg_step(session, step, settings_.table_limit);
        if (!result) return tl::unexpected(result.error());
        return {};
    });
    if (!got) return tl::unexpected(got.error());
    return result;
}

}  // namespace understudy::store::sql
