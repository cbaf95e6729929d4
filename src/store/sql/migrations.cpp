#include "store/sql/migrations.h"

#include <algorithm>
#include <map>
#include <optional>

#include "store/sql/dialect.h"
#include "store/sql/name_rows.h"
#include "store/sql/search_keys.h"

namespace understudy::store::sql {
namespace {

// "understudy migrate" in ASCII, cut to 63 bits: any number will do that nobody else takes.
constexpr std::int64_t advisory_key = 0x756e6465'6d696772;
// Building an index over a large table takes its time; pods that wait for the lock wait as long.
constexpr core::Millis migration_limit{std::chrono::minutes{15}};

struct AppliedMigration {
    std::string name, checksum;
    core::UtcTime at;
};
using AppliedMigrations = std::map<int, AppliedMigration>;

// FNV-1a: tells an edited file from the one applied; no defence against malice.
std::string checksum_of(std::string_view sql) {
    std::uint64_t hash = 14695981039346656037ULL;
    for (const char c : sql) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (int shift = 60; shift >= 0; shift -= 4) text += digits[(hash >> shift) & 15U];
    return text;
}

std::string number_text(int number) {
    auto text = std::to_string(number);
    return text.size() < 4 ? std::string(4 - text.size(), '0') + text : text;
}

core::Result<bool> table_exists(Session& session) {
    bool exists = false;
    const char* const sql = session.dialect() == Dialect::sqlite
                                ? "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_migrations'"
                                : "SELECT 1 FROM pg_catalog.pg_class WHERE oid = to_regclass('schema_migrations')";
    auto looked = session.query(sql, {}, [&](const Row&) { exists = true; });
    if (!looked) return tl::unexpected(looked.error());
    return exists;
}

core::Result<AppliedMigrations> read_applied(Session& session) {
    AppliedMigrations applied;
    auto read = session.query(
        "SELECT number, name, checksum, applied_at_ms FROM schema_migrations ORDER BY number", {}, [&](const Row& row) {
            applied[static_cast<int>(row.integer(0))] = {row.text(1), row.text(2), core::from_unix_ms(row.integer(3))};
        });
    if (!read) return tl::unexpected(read.error());
    return applied;
}

core::Result<void> check_known(const AppliedMigrations& applied, std::span<const EmbeddedMigration> list) {
    const int newest = list.empty() ? 0 : list.back().number;
    if (!applied.empty() && applied.rbegin()->first > newest) {
        return core::fail(core::Errc::conflict, "the database is at migration " + number_text(applied.rbegin()->first) +
                                                    " (" + applied.rbegin()->second.name +
                                                    "), this binary knows only up to " + number_text(newest) +
                                                    ": start a newer version of understudy");
    }
    for (const auto& migration : list) {
        const auto found = applied.find(migration.number);
        if (found == applied.end() || found->second.checksum == checksum_of(migration.sql)) continue;
        return core::fail(core::Errc::conflict,
                          "migration " + number_text(migration.number) + " (" + std::string(migration.name) +
                              ") was applied to this database in another form than this binary has");
    }
    return {};
}

core::Result<void> apply(Session& session, const EmbeddedMigration& migration) {
    if (migration.name == "search") {
        if (auto folded = fold_item_keys(session); !folded) return folded;
    }
    for (const auto& statement : split_statements(migration.sql)) {
        if (auto done = session.execute(statement); !done) {
            return core::fail(done.error().code, "migration " + number_text(migration.number) + " (" +
                                                     std::string(migration.name) + "): " + done.error().context);
        }
    }
    if (migration.name == "names") {  // without case as only our code knows it
        if (auto filled = fill_names(session); !filled) return filled;
    }
    if (migration.name == "search") {
        if (auto filled = fill_search_keys(session); !filled) return filled;
    }
    auto noted = session.execute(
        "INSERT INTO schema_migrations (number, name, checksum, applied_at_ms) "
        "VALUES (?, ?, ?, {now_ms})",
        {std::int64_t{migration.number}, std::string(migration.name), checksum_of(migration.sql)});
    if (!noted) return tl::unexpected(noted.error());
    return {};
}

// All that is missing, in one transaction under the lock: another pod sees either none of it or all.
core::Result<int> apply_missing(Session& session, std::span<const EmbeddedMigration> list) {
    int count = 0;
    session.set_limit(migration_limit);
    auto done = session.transaction([&]() -> core::Result<void> {
        count = 0;
        if (session.dialect() == Dialect::postgresql) {  // on SQLite, BEGIN IMMEDIATE has locked already
            auto locked = session.query("SELECT pg_advisory_xact_lock(?)", {advisory_key}, [](const Row&) {});
            if (!locked) return locked;
        }
        auto made = session.execute(
            "CREATE TABLE IF NOT EXISTS schema_migrations (number BIGINT PRIMARY KEY, "
            "name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at_ms BIGINT NOT NULL)");
        if (!made) return tl::unexpected(made.error());
        const auto applied = read_applied(session);
        if (!applied) return tl::unexpected(applied.error());
        if (auto known = check_known(*applied, list); !known) return known;
        for (const auto& migration : list) {
            if (applied->contains(migration.number)) continue;
            if (auto one = apply(session, migration); !one) return one;
            ++count;
        }
        return {};
    });
    if (!done) return tl::unexpected(done.error());
    return count;
}

}  // namespace

core::Result<int> migrate(Database& database, std::span<const EmbeddedMigration> list) {
    int count = 0;
    auto done = database.with(Access::write, [&](Session& session) -> core::Result<void> {
        auto applied = apply_missing(session, list);
        if (!applied) return tl::unexpected(applied.error());
        count = *applied;
        return {};
    });
    if (!done) return tl::unexpected(done.error());
    return count;
}

core::Result<std::vector<Migration>> migrations(Database& database, std::span<const EmbeddedMigration> list) {
    AppliedMigrations applied;
    auto done = database.with(Access::read, [&](Session& session) -> core::Result<void> {
        const auto exists = table_exists(session);
        if (!exists) return tl::unexpected(exists.error());
        if (!*exists) return {};
        auto read = read_applied(session);
        if (!read) return tl::unexpected(read.error());
        applied = std::move(*read);
        return {};
    });
    if (!done) return tl::unexpected(done.error());
    std::map<int, Migration> all;
    for (const auto& migration : list)
        all[migration.number] = {migration.number, std::string(migration.name), false, {}};
    for (const auto& [number, row] : applied) all[number] = {number, row.name, true, row.at};
    std::vector<Migration> rows;
    for (auto& [number, migration] : all) rows.push_back(std::move(migration));
    return rows;
}

core::Result<int> migrate(Database& database) {
    return migrate(database, embedded_migrations());
}
core::Result<std::vector<Migration>> migrations(Database& database) {
    return migrations(database, embedded_migrations());
}

}  // namespace understudy::store::sql
