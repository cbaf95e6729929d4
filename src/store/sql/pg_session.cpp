#include "store/sql/pg_session.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "store/sql/dialect.h"
#include "store/sql/pg_row.h"

namespace understudy::store::sql {
namespace {

constexpr std::size_t most_statements = 256;
// A pod waits for a lock of another less long than the server lets a frozen one keep it (10 s idle in a transaction),
// and for a batch no longer than for a single statement.
constexpr core::Millis lock_limit{8'000};
// The server gives up first, so that its answer comes and the connection lives on.
constexpr core::Millis server_is_earlier{500};

// Whose plan is worth keeping; DDL and the like are not.
bool worth_preparing(std::string_view sql) {
    std::size_t at = 0;
    while (at < sql.size() && std::isspace(static_cast<unsigned char>(sql[at])) != 0) ++at;
    std::string word;
    for (; at < sql.size() && std::isalpha(static_cast<unsigned char>(sql[at])) != 0; ++at) {
        word += static_cast<char>(std::toupper(static_cast<unsigned char>(sql[at])));
    }
    return word == "SELECT" || word == "INSERT" || word == "UPDATE" || word == "DELETE" || word == "WITH";
}

}  // namespace

core::Result<std::unique_ptr<PgSession>> PgSession::open(const PgSettings& settings, Deadline deadline) {
    auto connection = PgConnection::open(settings, deadline);
    if (!connection) return tl::unexpected(connection.error());
    std::unique_ptr<PgSession> session{new PgSession(std::move(*connection))};
    // Measured: without these a pod that is stopped inside a transaction blocks its successor for ever. The tcp_ ones
    // are the server's side of the connection: it learns that we are gone. All may be set by any user.
    // plan_cache_mode: a plan made for any LIMIT and any array reads whole tables for a page of ten (16 ms instead of
    // 2); planning anew costs 0.1 ms. jit: a range of a key of two columns is estimated far too large, and compiling a
    // step that deletes 500 rows took 300 ms of its 305.
    auto set = session->connection_->simple(
        "SET idle_in_transaction_session_timeout = '10s'; SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = "
        "5;"
        "SET tcp_keepalives_count = 3; SET tcp_user_timeout = 10000; SET client_connection_check_interval = '5s';"
        "SET timezone = 'UTC'; SET standard_conforming_strings = on; SET plan_cache_mode = force_custom_plan;"
        "SET jit = off",
        deadline);
    if (!set && !session->usable()) return tl::unexpected(set.error());
    if (!set) {  // one they do not know (before version 14, client_connection_check_interval)
        set = session->connection_->simple(
            "SET idle_in_transaction_session_timeout = '10s'; SET tcp_keepalives_idle = 10;"
            "SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; SET timezone = 'UTC';"
            "SET plan_cache_mode = force_custom_plan; SET jit = off",
            deadline);
        if (!set) return tl::unexpected(set.error());
    }
    return session;
}

void PgSession::reset() {
    limit_ = statement_limit;
    connection_->set_stop({});
}

core::Error PgSession::error_of(core::Error error, std::string_view sql) {
    const auto& state = connection_->sqlstate();
    // 0A000 and 26000: a plan that a migration or a pooler made void; it is prepared afresh on the next try.
    const bool plan_void = !prepared_.empty() && (state == "0A000" || state == "26000");
    if (plan_void) prepared_.clear();
    error.context += " (in: " + describe_statement(sql) + ")";
    return note_failure(std::move(error), state == "40001" || state == "40P01" || plan_void);
}

core::Result<void> PgSession::tell_limit() {
    if (told_limit_ == limit_) return {};
    const auto lock = limit_ > batch_limit ? limit_ : std::min(limit_, lock_limit);
    const auto text = "SET statement_timeout = " + std::to_string((limit_ - server_is_earlier).count()) +
                      "; SET lock_timeout = " + std::to_string(lock.count());
    auto done = connection_->simple(text.c_str(), deadline());
    if (!done) return tl::unexpected(done.error());
    told_limit_ = limit_;
    return {};
}

core::Result<PgResultPtr> PgSession::simple(const std::string& sql) {
    if (auto told = tell_limit(); !told) return tl::unexpected(error_of(told.error(), sql));
    auto result = connection_->simple(sql.c_str(), deadline());
    if (!result) return tl::unexpected(error_of(result.error(), sql));
    return result;
}

core::Result<PgResultPtr> PgSession::ask_prepared(const std::string& key, const std::string& text,
                                                  const PgParameters& parameters) {
    auto found = prepared_.find(key);
    if (found == prepared_.end()) {
        if (prepared_.size() >= most_statements) {
            prepared_.clear();
            if (auto done = connection_->simple("DEALLOCATE ALL", deadline()); !done) return done;
        }
        const auto name = "s" + std::to_string(next_name_++);
        if (auto done = connection_->prepare(name, text, parameters, deadline()); !done) return done;
        found = prepared_.emplace(key, name).first;
    }
    return connection_->run_prepared(found->second, parameters, deadline());
}

core::Result<PgResultPtr> PgSession::ask(std::string_view sql, const std::vector<Value>& values) {
    if (auto fine = check_not_failed(); !fine) return tl::unexpected(fine.error());
    const PgParameters parameters(values);
    if (!parameters.fine()) {
        return tl::unexpected(note_failure(
            {core::Errc::corrupt, "a text value holds a NUL byte (in: " + describe_statement(sql) + ")"}, false));
    }
    if (auto told = tell_limit(); !told) return tl::unexpected(error_of(told.error(), sql));
    if (!worth_preparing(sql)) {
        auto result = connection_->run(translate(sql, Dialect::postgresql), parameters, deadline());
        if (!result) return tl::unexpected(error_of(result.error(), sql));
        return result;
    }
    auto key = parameters.signature();
    key += ' ';
    key += sql;
    // Translating is skipped where the statement is known.
    const auto text = prepared_.contains(key) ? std::string{} : translate(sql, Dialect::postgresql);
    auto result = ask_prepared(key, text, parameters);
    if (!result) {
        auto error = error_of(result.error(), sql);
        const bool plan_void = connection_->sqlstate() == "0A000" || connection_->sqlstate() == "26000";
        if (!plan_void || in_transaction() || !text.empty()) return tl::unexpected(std::move(error));
        result = ask_prepared(key, translate(sql, Dialect::postgresql), parameters);
        if (!result) return tl::unexpected(error_of(result.error(), sql));
    }
    return result;
}

core::Result<std::int64_t> PgSession::execute(std::string_view sql, const std::vector<Value>& values) {
    auto result = ask(sql, values);
    if (!result) return tl::unexpected(result.error());
    // A SELECT "touches" nothing, as on SQLite.
    if (PQresultStatus(result->get()) == PGRES_TUPLES_OK &&
        std::string_view(PQcmdStatus(result->get())).starts_with("SELECT")) {
        return 0;
    }
    const char* touched = PQcmdTuples(result->get());
    return *touched == '\0' ? 0 : std::strtoll(touched, nullptr, 10);
}

core::Result<void> PgSession::query(std::string_view sql, const std::vector<Value>& values,
                                    const std::function<void(const Row&)>& each) {
    auto result = ask(sql, values);
    if (!result) return tl::unexpected(result.error());
    if (const auto column = unreadable_column(result->get()); !column.empty()) {
        return tl::unexpected(note_failure({core::Errc::corrupt, "column " + column +
                                                                     " has a type that wants a CAST to BIGINT, TEXT or "
                                                                     "BYTEA (in: " +
                                                                     describe_statement(sql) + ")"},
                                           false));
    }
    PgRow row(result->get());
    const int rows = PQntuples(result->get());
    for (int i = 0; i < rows; ++i) {
        row.move_to(i);
        each(row);
    }
    return {};
}

core::Result<void> PgSession::begin(Mode mode) {
    const bool write = mode == Mode::write;
    auto begun = simple(write ? "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
                              : "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    if (!begun) return tl::unexpected(begun.error());
    return {};
}

core::Result<void> PgSession::commit() {
    auto done = simple("COMMIT");
    if (!done) return tl::unexpected(done.error());
    // The server answers COMMIT of a failed transaction with ROLLBACK and no error.
    if (std::string_view(PQcmdStatus(done->get())) != "COMMIT") {
        return core::fail(core::Errc::corrupt, "PostgreSQL rolled the transaction back at COMMIT");
    }
    return {};
}

void PgSession::roll_back() noexcept {
    told_limit_.reset();  // a SET inside the transaction goes back with it
    if (!usable()) return;
    const auto soon = std::chrono::steady_clock::now() + std::chrono::seconds{5};
    (void)connection_->simple("ROLLBACK", soon);
}

}  // namespace understudy::store::sql
