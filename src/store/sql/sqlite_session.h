// store/sql/sqlite_session.h: one connection to a SQLite file, on the library's own C interface. Made by open_sqlite.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "store/sql/transactional_session.h"

struct sqlite3;
struct sqlite3_stmt;

namespace understudy::store::sql {

struct CloseSqlite {
    void operator()(sqlite3* connection) const noexcept;
};
struct FinalizeStatement {
    void operator()(sqlite3_stmt* statement) const noexcept;
};
using SqlitePtr = std::unique_ptr<sqlite3, CloseSqlite>;
using SqliteStatementPtr = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

/// `writer`: may write; else the connection refuses to. Errors: unavailable with the file's name.
[[nodiscard]] core::Result<SqlitePtr> open_sqlite_connection(const std::string& file, bool writer);

class SqliteSession final : public TransactionalSession {
public:
    SqliteSession(SqlitePtr connection, bool writer);
    ~SqliteSession() override;
    [[nodiscard]] Dialect dialect() const noexcept override { return Dialect::sqlite; }
    [[nodiscard]] core::Result<std::int64_t> execute(std::string_view sql, const std::vector<Value>& values) override;
    [[nodiscard]] core::Result<void> query(std::string_view sql, const std::vector<Value>& values,
                                           const std::function<void(const Row&)>& each) override;
    [[nodiscard]] bool usable() const noexcept override { return usable_; }
    [[nodiscard]] bool stale() const noexcept { return false; }
    void set_stop(const std::function<bool()>& stop) override;
    void reset() override { set_stop({}); }

protected:
    [[nodiscard]] core::Result<void> begin(Mode mode) override;
    [[nodiscard]] core::Result<void> commit() override;
    void roll_back() noexcept override;

private:
    struct Prepared {
        SqliteStatementPtr statement;
        bool busy = false;
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
    };
    class Use;

    [[nodiscard]] core::Result<SqliteStatementPtr> prepare(std::string_view sql);
    [[nodiscard]] core::Result<void> step_all(std::string_view sql, const std::vector<Value>& values,
                                              const std::function<void(const Row&)>& each);
    [[nodiscard]] core::Result<void> simple(const char* sql);
    [[nodiscard]] core::Error error_of(int code, std::string_view sql);
    [[nodiscard]] bool asked_to_stop();

    std::function<bool()> stop_;  // before the connection, whose progress handler asks it
    std::chrono::steady_clock::time_point stop_asked_at_{};
    bool stopped_ = false;
    SqlitePtr connection_;
    std::unordered_map<std::string, Prepared, Hash, std::equal_to<>> statements_;
    bool writer_;
    bool usable_ = true;
};

}  // namespace understudy::store::sql
