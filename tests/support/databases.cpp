#include "support/databases.h"

#include <stdexcept>

#include "support/postgres_server.h"
#include "support/temp_folder.h"

namespace understudy::testing {
namespace {

class SqliteTestDatabase final : public TestDatabase {
public:
    [[nodiscard]] std::unique_ptr<store::sql::Database> open(std::size_t sessions) const override {
        return store::sql::open_sqlite(file(), sessions);
    }
    [[nodiscard]] std::string conninfo() const override { return {}; }
    [[nodiscard]] std::string file() const override { return (folder_ / "understudy.db").string(); }

private:
    TempFolder folder_{"understudy-sqlite"};
};

class PostgresTestDatabase final : public TestDatabase {
public:
    PostgresTestDatabase() : conninfo_(PostgresServer::shared().make_database()) {}
    [[nodiscard]] std::unique_ptr<store::sql::Database> open(std::size_t sessions) const override {
        return store::sql::open_postgresql(conninfo_, sessions);
    }
    [[nodiscard]] std::string conninfo() const override { return conninfo_; }
    [[nodiscard]] std::string file() const override { return {}; }

private:
    std::string conninfo_;
};

}  // namespace

std::unique_ptr<TestDatabase> make_test_database(DatabaseKind kind) {
    if (kind == DatabaseKind::sqlite) return std::make_unique<SqliteTestDatabase>();
    return std::make_unique<PostgresTestDatabase>();
}

}  // namespace understudy::testing
