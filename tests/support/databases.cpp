#include "support/databases.h"

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "support/postgres_server.h"

namespace understudy::testing {
namespace {

namespace fs = std::filesystem;

class SqliteTestDatabase final : public TestDatabase {
public:
    SqliteTestDatabase() {
        auto name = (fs::temp_directory_path() / "understudy-sqlite-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder " + name);
        folder_ = name;
    }
    SqliteTestDatabase(const SqliteTestDatabase&) = delete;
    SqliteTestDatabase& operator=(const SqliteTestDatabase&) = delete;
    ~SqliteTestDatabase() override {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    [[nodiscard]] std::unique_ptr<store::sql::Database> open(std::size_t sessions) const override {
        return store::sql::open_sqlite(file(), sessions);
    }
    [[nodiscard]] std::string conninfo() const override { return {}; }
    [[nodiscard]] std::string file() const override { return folder_ + "/understudy.db"; }

private:
    std::string folder_;
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
