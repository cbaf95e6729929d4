// store/sql/pg_connection.h: a connection to PostgreSQL in which every wait has a deadline. Used by the session and the
// listener.
#pragma once

#include <libpq-fe.h>

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"
#include "core/time.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

struct FinishPg {
    void operator()(PGconn* connection) const noexcept { PQfinish(connection); }
};
struct ClearPgResult {
    void operator()(PGresult* result) const noexcept { PQclear(result); }
};
using PgPtr = std::unique_ptr<PGconn, FinishPg>;
using PgResultPtr = std::unique_ptr<PGresult, ClearPgResult>;
using Deadline = std::chrono::steady_clock::time_point;

/// What to connect with: one list of keywords for each host named, tried in order.
class PgSettings {
public:
    /// Keywords or a postgresql:// URL; adds keepalives and what else every session of ours has, unless said otherwise.
    /// Throws std::runtime_error that never quotes a value.
    explicit PgSettings(const std::string& conninfo);
    using Keywords = std::vector<std::pair<std::string, std::string>>;
    [[nodiscard]] const std::vector<Keywords>& hosts() const noexcept { return hosts_; }

private:
    std::vector<Keywords> hosts_;
};

/// Values in the form that libpq wants. Keeps pointers into `values`.
class PgParameters {
public:
    explicit PgParameters(const std::vector<Value>& values);
    [[nodiscard]] bool fine() const noexcept { return fine_; }  ///< false: a text holds a NUL byte
    [[nodiscard]] int count() const noexcept { return static_cast<int>(values_.size()); }
    [[nodiscard]] const Oid* types() const noexcept { return types_.data(); }
    [[nodiscard]] const char* const* values() const noexcept { return values_.data(); }
    [[nodiscard]] const int* lengths() const noexcept { return lengths_.data(); }
    [[nodiscard]] const int* formats() const noexcept { return formats_.data(); }
    /// One letter a parameter: a statement is prepared for the types of its parameters.
    [[nodiscard]] std::string signature() const;

private:
    std::vector<Oid> types_;
    std::vector<const char*> values_;
    std::vector<int> lengths_, formats_;
    std::vector<std::array<char, 8>> numbers_;
    bool fine_ = true;
};

/// One thread at a time. A connection on which something was lost is broken for good.
class PgConnection {
public:
    /// Tries each host for 3 s at most and all within `deadline`; ends early where `interrupt` (a descriptor, -1: none)
    /// becomes readable. Only the resolver's own time-outs are out of our hands. Errors: unavailable, timed_out,
    /// cancelled.
    [[nodiscard]] static core::Result<std::unique_ptr<PgConnection>> open(const PgSettings& settings, Deadline deadline,
                                                                          int interrupt = -1);
    ~PgConnection();
    PgConnection(const PgConnection&) = delete;
    PgConnection& operator=(const PgConnection&) = delete;

    /// One or several statements without parameters; the last answer.
    [[nodiscard]] core::Result<PgResultPtr> simple(const char* sql, Deadline deadline);
    [[nodiscard]] core::Result<PgResultPtr> run(const std::string& sql, const PgParameters& parameters,
                                                Deadline deadline);
    [[nodiscard]] core::Result<PgResultPtr> prepare(const std::string& name, const std::string& sql,
                                                    const PgParameters& parameters, Deadline deadline);
    [[nodiscard]] core::Result<PgResultPtr> run_prepared(const std::string& name, const PgParameters& parameters,
                                                         Deadline deadline);

    [[nodiscard]] bool broken() const noexcept { return broken_; }
    /// Has the server hung up while we did not look? Costs one poll of the socket.
    [[nodiscard]] bool hung_up() noexcept;
    /// SQLSTATE of the last failed answer, empty where none came.
    [[nodiscard]] const std::string& sqlstate() const noexcept { return sqlstate_; }

    /// Asked about once a second while an answer is waited for; true: the server is asked to give the statement up,
    /// which is then cancelled. Empty: none.
    void set_stop(std::function<bool()> stop) { stop_ = std::move(stop); }

    enum class Waited { notice, timeout, interrupted, lost };
    /// Waits for a NOTIFY; drops all that have come.
    [[nodiscard]] Waited wait_notice(Deadline deadline, int interrupt);

private:
    explicit PgConnection(PgPtr connection) : connection_(std::move(connection)) {}
    [[nodiscard]] static core::Result<PgPtr> connect(const PgSettings::Keywords& keywords, Deadline deadline,
                                                     int interrupt);
    [[nodiscard]] core::Result<PgResultPtr> collect(int sent, Deadline deadline);
    [[nodiscard]] tl::unexpected<core::Error> lost(core::Errc code, std::string text);
    [[nodiscard]] core::Result<PgResultPtr> judge(PgResultPtr result);
    [[nodiscard]] bool answer_comes(Deadline deadline);
    void cancel_statement();

    PgPtr connection_;
    std::string sqlstate_;
    bool broken_ = false;
    std::function<bool()> stop_;
    bool stopped_ = false;  // the statement at work
};

}  // namespace understudy::store::sql
