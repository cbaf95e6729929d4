#include "store/sql/sqlite_session.h"

#include <sqlite3.h>

#include <utility>

#include "core/check.h"
#include "store/sql/dialect.h"
#include "store/sql/rows_table.h"

namespace understudy::store::sql {
namespace {

// Statements kept prepared. Our adapters have some hundred texts in all; a caller that makes ever new ones only loses
// the gain, not memory.
constexpr std::size_t most_statements = 256;
constexpr std::chrono::milliseconds ask_stop_every{500};

class SqliteRow final : public Row {
public:
    explicit SqliteRow(sqlite3_stmt* statement) : statement_(statement), columns_(sqlite3_column_count(statement)) {}

    [[nodiscard]] bool is_null(std::size_t column) const override { return type(column) == SQLITE_NULL; }
    [[nodiscard]] std::int64_t integer(std::size_t column) const override {
        const int found = type(column);
        CHECK(found == SQLITE_INTEGER || found == SQLITE_NULL);
        return sqlite3_column_int64(statement_, static_cast<int>(column));
    }
    [[nodiscard]] double real(std::size_t column) const override {
        const int found = type(column);
        CHECK(found == SQLITE_FLOAT || found == SQLITE_INTEGER || found == SQLITE_NULL);
        return sqlite3_column_double(statement_, static_cast<int>(column));
    }
    [[nodiscard]] std::string text(std::size_t column) const override {
        const int found = type(column);
        CHECK(found == SQLITE_TEXT || found == SQLITE_NULL);
        return raw(column);
    }
    [[nodiscard]] std::string bytes(std::size_t column) const override {
        const int found = type(column);
        CHECK(found == SQLITE_BLOB || found == SQLITE_NULL);
        return raw(column);
    }

private:
    [[nodiscard]] int type(std::size_t column) const {
        CHECK(column < static_cast<std::size_t>(columns_));
        return sqlite3_column_type(statement_, static_cast<int>(column));
    }
    // For text and blobs alike the library gives its own bytes.
    [[nodiscard]] std::string raw(std::size_t column) const {
        const auto* data = static_cast<const char*>(sqlite3_column_blob(statement_, static_cast<int>(column)));
        const int size = sqlite3_column_bytes(statement_, static_cast<int>(column));
        return data == nullptr ? std::string{} : std::string(data, static_cast<std::size_t>(size));
    }

    sqlite3_stmt* statement_;
    int columns_;
};

// Binds without a copy: the values live longer than the statement's use of them.
int bind(sqlite3_stmt* statement, int index, const Value& value) {
    struct Visitor {
        sqlite3_stmt* statement;
        int index;
        int operator()(Null) const { return sqlite3_bind_null(statement, index); }
        int operator()(std::int64_t number) const { return sqlite3_bind_int64(statement, index, number); }
        int operator()(double number) const { return sqlite3_bind_double(statement, index, number); }
        int operator()(const std::string& text) const {
            return sqlite3_bind_text64(statement, index, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
        }
        int operator()(const Bytes& bytes) const {
            // A null pointer would bind NULL, also for no bytes.
            if (bytes.value.empty()) return sqlite3_bind_zeroblob(statement, index, 0);
            return sqlite3_bind_blob64(statement, index, bytes.value.data(), bytes.value.size(), SQLITE_STATIC);
        }
    };
    return std::visit(Visitor{statement, index}, value);
}

// decode('6162', 'hex') as PostgreSQL has it: SQLite 3.40 has no unhex yet.
void decode_hex(sqlite3_context* context, int count, sqlite3_value** arguments) {
    if (count != 2 || sqlite3_value_type(arguments[0]) == SQLITE_NULL) return sqlite3_result_null(context);
    const auto* text = sqlite3_value_text(arguments[0]);
    const auto size = static_cast<std::size_t>(sqlite3_value_bytes(arguments[0]));
    const auto digit = [](unsigned char c) -> int {
        if (c >= '0' && c <= '9') return c - '0';
        if (c >= 'a' && c <= 'f') return c - 'a' + 10;
        if (c >= 'A' && c <= 'F') return c - 'A' + 10;
        return -1;
    };
    std::string bytes;
    bytes.reserve(size / 2);
    for (std::size_t at = 0; at + 1 < size; at += 2) {
        const int high = digit(text[at]), low = digit(text[at + 1]);
        if (high < 0 || low < 0) return sqlite3_result_error(context, "decode: not hexadecimal", -1);
        bytes += static_cast<char>(static_cast<unsigned char>((high << 4) | low));
    }
    if (size % 2 != 0) return sqlite3_result_error(context, "decode: an odd number of digits", -1);
    if (bytes.empty()) return sqlite3_result_zeroblob(context, 0);
    sqlite3_result_blob64(context, bytes.data(), bytes.size(), SQLITE_TRANSIENT);
}

}  // namespace

void CloseSqlite::operator()(sqlite3* connection) const noexcept {
    sqlite3_close_v2(connection);
}
void FinalizeStatement::operator()(sqlite3_stmt* statement) const noexcept {
    sqlite3_finalize(statement);
}

core::Result<SqlitePtr> open_sqlite_connection(const std::string& file, bool writer) {
    sqlite3* raw = nullptr;
    // NOMUTEX: a session belongs to one thread at a time, the pool sees to that.
    const int code =
        sqlite3_open_v2(file.c_str(), &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
    SqlitePtr connection{raw};
    const auto failed = [&](std::string_view what) {
        const char* reason = raw != nullptr ? sqlite3_errmsg(raw) : "no memory";
        return core::fail(core::Errc::unavailable, "SQLite file " + file + ": " + std::string(what) + ": " + reason);
    };
    if (code != SQLITE_OK) return failed("cannot be opened");
    sqlite3_extended_result_codes(raw, 1);
    // Other connections write only for milliseconds; a backup or the sqlite3 shell may hold the file for longer.
    sqlite3_busy_timeout(raw, 5000);
    if (sqlite3_create_function_v2(raw, "decode", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nullptr, decode_hex, nullptr,
                                   nullptr, nullptr) != SQLITE_OK) {
        return failed("cannot add a function");
    }
    if (register_rows_table(raw) != SQLITE_OK) return failed("cannot add a table function");
    // synchronous=FULL: with WAL, NORMAL may lose the last commits when the power fails. A claim that is lost would let
    // its slot start twice after the reboot, so commits are worth their fsync; there are few (a batch of 500 items is
    // one). temp_store: the sorter of a large list needs no file. journal_size_limit: after a large batch the WAL
    // shrinks again.
    const char* set_up = writer
                             ? "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;"
                               "PRAGMA temp_store=MEMORY; PRAGMA cache_size=-8000; PRAGMA journal_size_limit=67108864;"
                             : "PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY; PRAGMA query_only=ON;";
    if (sqlite3_exec(raw, set_up, nullptr, nullptr, nullptr) != SQLITE_OK) return failed("cannot be set up");
    return connection;
}

// A statement for one use: a cached one, or its own where the cached one is being stepped through further up.
class SqliteSession::Use {
public:
    Use(Prepared* cached, SqliteStatementPtr own) : cached_(cached), own_(std::move(own)) {
        if (cached_ != nullptr) cached_->busy = true;
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    ~Use() {
        if (cached_ == nullptr) return;
        sqlite3_reset(cached_->statement.get());
        sqlite3_clear_bindings(cached_->statement.get());
        cached_->busy = false;
    }
    [[nodiscard]] sqlite3_stmt* get() const { return cached_ != nullptr ? cached_->statement.get() : own_.get(); }

private:
    Prepared* cached_;
    SqliteStatementPtr own_;
};

SqliteSession::SqliteSession(SqlitePtr connection, bool writer) : connection_(std::move(connection)), writer_(writer) {}

SqliteSession::~SqliteSession() = default;

core::Error SqliteSession::error_of(int code, std::string_view sql) {
    const std::string text = std::string(sqlite3_errmsg(connection_.get())) + " (in: " + describe_statement(sql) + ")";
    switch (code & 0xff) {
        case SQLITE_CONSTRAINT: {
            const bool taken = code == SQLITE_CONSTRAINT_UNIQUE || code == SQLITE_CONSTRAINT_PRIMARYKEY ||
                               code == SQLITE_CONSTRAINT_ROWID || code == SQLITE_CONSTRAINT_FOREIGNKEY;
            return note_failure({taken ? core::Errc::conflict : core::Errc::corrupt, text}, false);
        }
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return note_failure({core::Errc::timed_out, "SQLite is busy: " + text}, true);
        case SQLITE_INTERRUPT:
            return note_failure({stopped_ ? core::Errc::cancelled : core::Errc::timed_out, text}, false);
        case SQLITE_READONLY:
            // A reader's session that was asked to write is our bug; a file that turned read-only is the disc's.
            if (code != SQLITE_READONLY) usable_ = false;
            return note_failure({usable_ ? core::Errc::corrupt : core::Errc::unavailable, text}, false);
        case SQLITE_ERROR:
        case SQLITE_MISUSE:
        case SQLITE_RANGE:
        case SQLITE_MISMATCH:
        case SQLITE_TOOBIG:
            return note_failure({core::Errc::corrupt, text}, false);
        default:
            // Disk full, I/O errors, a damaged file: open it afresh for the next caller.
            usable_ = false;
            return note_failure({core::Errc::unavailable, text}, false);
    }
}

void SqliteSession::set_stop(const std::function<bool()>& stop) {
    stop_ = stop;
    stopped_ = false;
    if (!stop_) return sqlite3_progress_handler(connection_.get(), 0, nullptr, nullptr);
    stop_asked_at_ = std::chrono::steady_clock::now();
    // So many steps of SQLite's machine are some milliseconds.
    constexpr int steps = 100'000;
    sqlite3_progress_handler(
        connection_.get(), steps, [](void* self) { return static_cast<SqliteSession*>(self)->asked_to_stop() ? 1 : 0; },
        this);
}

bool SqliteSession::asked_to_stop() {
    const auto now = std::chrono::steady_clock::now();
    if (now - stop_asked_at_ < ask_stop_every) return false;
    stop_asked_at_ = now;
    stopped_ = stop_();
    return stopped_;
}

core::Result<SqliteStatementPtr> SqliteSession::prepare(std::string_view sql) {
    const auto text = translate(sql, Dialect::sqlite);
    sqlite3_stmt* raw = nullptr;
    const char* rest = nullptr;
    const int code = sqlite3_prepare_v3(connection_.get(), text.data(), static_cast<int>(text.size()),
                                        SQLITE_PREPARE_PERSISTENT, &raw, &rest);
    SqliteStatementPtr statement{raw};
    if (code != SQLITE_OK) return tl::unexpected(error_of(code, sql));
    if (raw == nullptr || !split_statements(std::string_view(rest)).empty()) {
        return tl::unexpected(
            note_failure({core::Errc::corrupt, "not one statement: " + describe_statement(sql)}, false));
    }
    return statement;
}

core::Result<void> SqliteSession::step_all(std::string_view sql, const std::vector<Value>& values,
                                           const std::function<void(const Row&)>& each) {
    if (auto fine = check_not_failed(); !fine) return fine;
    Prepared* cached = nullptr;
    SqliteStatementPtr own;
    if (const auto found = statements_.find(sql); found != statements_.end() && !found->second.busy) {
        cached = &found->second;
    } else {
        auto prepared = prepare(sql);
        if (!prepared) return tl::unexpected(prepared.error());
        if (found == statements_.end() && statements_.size() < most_statements) {
            cached = &statements_.emplace(sql, Prepared{std::move(*prepared)}).first->second;
        } else {
            own = std::move(*prepared);
        }
    }
    const Use use(cached, std::move(own));
    sqlite3_stmt* const statement = use.get();
    if (sqlite3_bind_parameter_count(statement) != static_cast<int>(values.size())) {
        return tl::unexpected(
            note_failure({core::Errc::corrupt, std::to_string(values.size()) + " values for " +
                                                   std::to_string(sqlite3_bind_parameter_count(statement)) +
                                                   " parameters in: " + describe_statement(sql)},
                         false));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        const int code = bind(statement, static_cast<int>(i) + 1, values[i]);
        if (code != SQLITE_OK) return tl::unexpected(error_of(code, sql));
    }
    const SqliteRow row(statement);
    for (;;) {
        const int code = sqlite3_step(statement);
        if (code == SQLITE_DONE) return {};
        if (code != SQLITE_ROW) return tl::unexpected(error_of(code, sql));
        if (each) each(row);
    }
}

core::Result<std::int64_t> SqliteSession::execute(std::string_view sql, const std::vector<Value>& values) {
    const auto before = sqlite3_total_changes64(connection_.get());
    if (auto done = step_all(sql, values, {}); !done) return tl::unexpected(done.error());
    // sqlite3_changes64 keeps the count of an earlier statement where this one changes nothing by its nature (DDL).
    const bool touched = sqlite3_total_changes64(connection_.get()) != before;
    return touched ? sqlite3_changes64(connection_.get()) : 0;
}

core::Result<void> SqliteSession::query(std::string_view sql, const std::vector<Value>& values,
                                        const std::function<void(const Row&)>& each) {
    return step_all(sql, values, each);
}

core::Result<void> SqliteSession::simple(const char* sql) {
    const int code = sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) return tl::unexpected(error_of(code, sql));
    return {};
}

core::Result<void> SqliteSession::begin(Mode mode) {
    if (mode == Mode::snapshot) return simple("BEGIN");
    if (!writer_) return core::fail(core::Errc::corrupt, "a writing transaction needs Access::write");
    return simple("BEGIN IMMEDIATE");
}

core::Result<void> SqliteSession::commit() {
    return simple("COMMIT");
}

void SqliteSession::roll_back() noexcept {
    if (sqlite3_get_autocommit(connection_.get()) != 0) return;  // the library rolled back itself
    if (sqlite3_exec(connection_.get(), "ROLLBACK", nullptr, nullptr, nullptr) != SQLITE_OK) usable_ = false;
}

}  // namespace understudy::store::sql
