// store/sql/migrations.h: the numbered SQL files in the binary. Used by migrate() and its tests.
#pragma once

#include <span>
#include <string_view>

#include "store/sql/session.h"

namespace understudy::store::sql {

struct EmbeddedMigration {
    int number;
    std::string_view name;  ///< `ledger` of 0001_ledger.sql
    std::string_view sql;
};

/// Generated from src/store/migrations at build time, by number.
[[nodiscard]] std::span<const EmbeddedMigration> embedded_migrations() noexcept;

/// migrate() with another list: for tests of the runner.
[[nodiscard]] core::Result<int> migrate(Database& database, std::span<const EmbeddedMigration> list);
[[nodiscard]] core::Result<std::vector<Migration>> migrations(Database& database,
                                                              std::span<const EmbeddedMigration> list);

}  // namespace understudy::store::sql
