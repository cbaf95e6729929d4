// tests/support/databases.h: a fresh database of either kind for a contract suite: its suites run on both alike.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>

#include "store/sql/session.h"

namespace understudy::testing {

enum class DatabaseKind { sqlite, postgresql };
inline std::ostream& operator<<(std::ostream& out, DatabaseKind kind) {
    return out << (kind == DatabaseKind::sqlite ? "sqlite" : "postgresql");
}

/// An empty database that goes away with the object. On PostgreSQL one of the program's shared server.
class TestDatabase {
public:
    virtual ~TestDatabase() = default;
    [[nodiscard]] virtual std::unique_ptr<store::sql::Database> open(std::size_t sessions = 8) const = 0;
    /// For LISTEN; empty on SQLite.
    [[nodiscard]] virtual std::string conninfo() const = 0;
    /// SQLite's file; empty on PostgreSQL.
    [[nodiscard]] virtual std::string file() const = 0;
};
[[nodiscard]] std::unique_ptr<TestDatabase> make_test_database(DatabaseKind kind);

/// INSTANTIATE_TEST_SUITE_P(databases, MyContract, both_databases(), database_name);
inline auto both_databases() {
    return ::testing::Values(DatabaseKind::sqlite, DatabaseKind::postgresql);
}
inline std::string database_name(const ::testing::TestParamInfo<DatabaseKind>& info) {
    return info.param == DatabaseKind::sqlite ? "sqlite" : "postgresql";
}

}  // namespace understudy::testing
