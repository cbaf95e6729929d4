// store/sql/pg_session.h: one session with PostgreSQL. Made by open_postgresql.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "store/sql/pg_connection.h"
#include "store/sql/transactional_session.h"

namespace understudy::store::sql {

class PgSession final : public TransactionalSession {
public:
    /// Connects and sets the limits that every session of ours has. Errors: as PgConnection::open.
    [[nodiscard]] static core::Result<std::unique_ptr<PgSession>> open(const PgSettings& settings, Deadline deadline);

    [[nodiscard]] Dialect dialect() const noexcept override { return Dialect::postgresql; }
    [[nodiscard]] core::Result<std::int64_t> execute(std::string_view sql, const std::vector<Value>& values) override;
    [[nodiscard]] core::Result<void> query(std::string_view sql, const std::vector<Value>& values,
                                           const std::function<void(const Row&)>& each) override;
    void set_limit(core::Millis limit) override { limit_ = limit; }
    void set_stop(const std::function<bool()>& stop) override { connection_->set_stop(stop); }
    [[nodiscard]] bool usable() const noexcept override { return !connection_->broken(); }
    /// Has the server hung up while the session lay in the pool? One poll, under a microsecond.
    [[nodiscard]] bool stale() { return connection_->hung_up(); }
    void reset() override;

protected:
    [[nodiscard]] core::Result<void> begin(Mode mode) override;
    [[nodiscard]] core::Result<void> commit() override;
    void roll_back() noexcept override;

private:
    explicit PgSession(std::unique_ptr<PgConnection> connection) : connection_(std::move(connection)) {}
    [[nodiscard]] core::Result<PgResultPtr> ask(std::string_view sql, const std::vector<Value>& values);
    [[nodiscard]] core::Result<PgResultPtr> ask_prepared(const std::string& key, const std::string& text,
                                                         const PgParameters& parameters);
    [[nodiscard]] core::Result<PgResultPtr> simple(const std::string& sql);
    [[nodiscard]] core::Result<void> tell_limit();
    [[nodiscard]] Deadline deadline() const { return std::chrono::steady_clock::now() + limit_; }
    [[nodiscard]] core::Error error_of(core::Error error, std::string_view sql);

    std::unique_ptr<PgConnection> connection_;
    std::unordered_map<std::string, std::string> prepared_;  // types and our SQL -> the statement's name on the server
    std::size_t next_name_ = 0;
    core::Millis limit_ = statement_limit;
    std::optional<core::Millis> told_limit_;  // what the server knows of it
};

}  // namespace understudy::store::sql
