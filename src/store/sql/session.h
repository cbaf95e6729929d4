// store/sql/session.h: the one door to SQL. A small Session over SQLite and PostgreSQL; the SQL adapters of
// store, lease, cluster and tasks use it. No type of sqlite3 or libpq shows here (docs/adr/0002).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/fence.h"
#include "core/result.h"
#include "core/time.h"

namespace understudy::store::sql {

enum class Dialect { sqlite, postgresql };

/// Bytes that need not be UTF-8 (paths); they travel as hex and are stored as BLOB / BYTEA.
struct Bytes {
    std::string value;
};
using Null = std::monostate;
using Value = std::variant<Null, std::int64_t, double, std::string, Bytes>;

/// One row of an answer. Reading a column as another type than it has, or one that is not there, is our bug (CHECK);
/// NULL reads as the empty value, unless asked with is_null.
class Row {
public:
    virtual ~Row() = default;
    [[nodiscard]] virtual bool is_null(std::size_t column) const = 0;
    [[nodiscard]] virtual std::int64_t integer(std::size_t column) const = 0;
    [[nodiscard]] virtual double real(std::size_t column) const = 0;
    [[nodiscard]] virtual std::string text(std::size_t column) const = 0;
    [[nodiscard]] virtual std::string bytes(std::size_t column) const = 0;
};

/// A connection in use by one thread. Not safe from several. SQL has `?` for parameters, in order; the text is the same
/// for both dialects, with these words replaced: {now_ms} the database's clock as milliseconds since 1970, {for_update}
/// / {for_no_key_update} / {for_key_share} (the row may change but not go) row locks (nothing on SQLite, whose write
/// transactions exclude each other), {bigserial} a
/// growing key (type and PRIMARY KEY: `sequence {bigserial}`), {bytes} the type of byte strings, {text_c} text that
/// sorts by code point on both, {without_rowid} (end of CREATE TABLE) a table kept in its key's order. `decode(…,
/// 'hex')` works on both. PostgreSQL infers the types of text and NULL parameters; where it cannot
/// (`? IS NULL`), write CAST(? AS TEXT).
/// After an error inside a transaction nothing more may be asked in it: return the error.
class Session {
public:
    virtual ~Session() = default;
    [[nodiscard]] virtual Dialect dialect() const noexcept = 0;
    /// Returns how many rows were touched. Errors: conflict (unique violation), unavailable, timed_out, corrupt (our
    /// SQL is refused: the context says how).
    [[nodiscard]] virtual core::Result<std::int64_t> execute(std::string_view sql,
                                                             const std::vector<Value>& values = {}) = 0;
    [[nodiscard]] virtual core::Result<void> query(std::string_view sql, const std::vector<Value>& values,
                                                   const std::function<void(const Row&)>& each) = 0;
    /// Runs `work` in one transaction: BEGIN IMMEDIATE on SQLite, READ COMMITTED on PostgreSQL. Commits where it
    /// returns a value, rolls back where it returns an error or throws. A serialization failure, deadlock or busy
    /// database is tried again a few times when nothing was sent to COMMIT; a lost reply to COMMIT is `unavailable`
    /// with an unknown outcome.
    [[nodiscard]] virtual core::Result<void> transaction(const std::function<core::Result<void>()>& work) = 0;
    /// As transaction, but a consistent read-only look (BEGIN on SQLite, REPEATABLE READ READ ONLY on PostgreSQL).
    [[nodiscard]] virtual core::Result<void> snapshot(const std::function<core::Result<void>()>& work) = 0;
    /// How long a statement may take from now on, until the session is back in the pool: `statement_limit` at first,
    /// `batch_limit` for bulk writes, more for maintenance. Then timed_out. (PostgreSQL; SQLite has nobody to wait for
    /// but its writer, see open_sqlite.)
    virtual void set_limit(core::Millis limit) { (void)limit; }
    /// For statements that take minutes (VACUUM): `stop` is asked on the calling thread, about once a second, while one
    /// is at work, until the session is back in the pool. True: the statement is given up, and is `cancelled`.
    virtual void set_stop(const std::function<bool()>& stop) { (void)stop; }
};

inline constexpr core::Millis statement_limit{10'000};
inline constexpr core::Millis batch_limit{60'000};

enum class Access { read, write };

/// A bounded pool of sessions (SQLite: one writer beside readers). Safe from any thread.
class Database {
public:
    virtual ~Database() = default;
    [[nodiscard]] virtual Dialect dialect() const noexcept = 0;
    /// Runs `work` with a session of its own; waits for a free one at most 10 s (then timed_out). A session on which a
    /// connection error was seen is closed, never used again. On SQLite `write` gets the one writer.
    /// Do not nest: a thread that holds a session must not ask for another.
    [[nodiscard]] virtual core::Result<void> with(Access access,
                                                  const std::function<core::Result<void>(Session&)>& work) = 0;
    /// Is it reachable? For readiness; answers within 2 s.
    [[nodiscard]] virtual core::Result<void> ping() = 0;
};

/// Passes the fence or fails with `fenced`: locks the run's row, compares epoch, state and cursor_seq, adds 1 to
/// cursor_seq and stores the cursor. Call it first in the writing transaction.
[[nodiscard]] core::Result<void> pass_fence(Session& session, const core::Fence& fence);

/// SQLite at `file` (made with its folders where it is missing). Throws std::runtime_error with a clear line.
[[nodiscard]] std::unique_ptr<Database> open_sqlite(const std::string& file, std::size_t readers = 4);
/// PostgreSQL; `conninfo` in libpq keyword form. Connects lazily: a server that is away is `unavailable`, not an
/// exception.
[[nodiscard]] std::unique_ptr<Database> open_postgresql(const std::string& conninfo, std::size_t connections = 8);

/// `PostgreSQL host=db port=5432 dbname=understudy`: what an operator may see of a conninfo, never a secret. Throws
/// where open_postgresql would.
[[nodiscard]] std::string postgresql_address(const std::string& conninfo);

/// LISTEN on a channel of PostgreSQL, on a connection of its own.
class Listener {
public:
    virtual ~Listener() = default;
    enum class Heard { notice, timeout, interrupted, reconnected, no_connection };
    /// Blocks at most `at_most`. `reconnected`: notices may have been missed, read the table again.
    [[nodiscard]] virtual Heard wait(core::Millis at_most) = 0;
    virtual void interrupt() noexcept = 0;  ///< from any thread
};
[[nodiscard]] std::unique_ptr<Listener> listen_postgresql(const std::string& conninfo, const std::string& channel);

/// Numbered SQL files, embedded in the binary, applied once each under a lock by whoever comes first.
struct Migration {
    int number = 0;
    std::string name;
    bool applied = false;
    std::optional<core::UtcTime> applied_at;
};
/// Errors: conflict where the database is newer than this binary (says both versions), unavailable, …
[[nodiscard]] core::Result<int> migrate(Database& database);
[[nodiscard]] core::Result<std::vector<Migration>> migrations(Database& database);
/// Copies a live SQLite database (online backup API) to `file`, through a temp name. Errors: conflict where `file`
/// exists, not_found where there is no database, invalid where `file` cannot be written there.
[[nodiscard]] core::Result<void> backup_sqlite(const std::string& database_file, const std::string& file);

}  // namespace understudy::store::sql
