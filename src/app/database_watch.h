// app/database_watch.h: is the database there? One place that notices, whoever met the failure, and one line in the log
// when it goes and when it is back. Made and stopped by Parts.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/health.h"
#include "core/log.h"
#include "core/time.h"
#include "store/sql/session.h"

namespace understudy::app {

/// The database as all parts of the server use it: the failure of a call is told at once to whoever watches.
class WatchedDatabase final : public store::sql::Database {
public:
    explicit WatchedDatabase(std::unique_ptr<store::sql::Database> inner) : inner_(std::move(inner)) {}
    [[nodiscard]] store::sql::Dialect dialect() const noexcept override { return inner_->dialect(); }
    [[nodiscard]] core::Result<void> with(store::sql::Access access,
                                          const std::function<core::Result<void>(store::sql::Session&)>& work) override;
    [[nodiscard]] core::Result<void> ping() override { return inner_->ping(); }

    /// `suspicion` is called with each unavailable or timed_out, on the caller's thread: it must not block. Empty:
    /// none.
    void on_failure(std::function<void(const core::Error&)> suspicion);

private:
    std::unique_ptr<store::sql::Database> inner_;
    std::mutex mutex_;
    std::function<void(const core::Error&)> suspicion_;
};

/// What the log hears of the database: pure but for the log. One thread at a time.
class OutageTeller {
public:
    /// `where`: the database as an operator knows it, no secret.
    OutageTeller(std::string where, core::Log& log) : where_(std::move(where)), log_(log) {}
    /// A sign of life that came or did not.
    void on_ping(core::Instant now, const core::Result<void>& answer);
    /// A call failed, and yet the database gave a sign of life just now.
    void on_lone_failure(core::Instant now, const core::Error& error);
    [[nodiscard]] bool away() const noexcept { return away_since_.has_value(); }

private:
    std::string where_;
    core::Log& log_;
    std::optional<core::Instant> away_since_, said_slow_, said_failing_, failing_since_;
    int failures_ = 0;  ///< unavailable, since failing_since_
};

/// Asks the database for a sign of life every two seconds, and at once when a call has failed; keeps Health true.
class DatabaseWatch {
public:
    DatabaseWatch(WatchedDatabase& database, OutageTeller& teller, Health& health, core::Clock& clock);
    ~DatabaseWatch();
    DatabaseWatch(const DatabaseWatch&) = delete;
    DatabaseWatch& operator=(const DatabaseWatch&) = delete;

private:
    void run();

    WatchedDatabase& database_;
    OutageTeller& teller_;
    Health& health_;
    core::Clock& clock_;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool stopping_ = false;
    std::optional<core::Error> suspicion_;
    std::thread thread_;
};

}  // namespace understudy::app
