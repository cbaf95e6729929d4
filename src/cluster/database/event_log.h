// cluster/database/event_log.h: events as rows of the shared database, announced by NOTIFY in the same transaction.
// Made by app for PostgreSQL.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "cluster/events.h"
#include "cluster/listeners.h"
#include "core/log.h"
#include "store/sql/session.h"

namespace understudy::cluster {

/// Order: a sequence gives its numbers out before their transactions commit, so a reader could see 8 before 7 and never
/// look back. Appending therefore takes one lock for the whole of its (tiny) transaction: numbers become visible in
/// order, and a reader that has seen 8 has seen all below. PostgreSQL makes a commit visible before it lets go of the
/// lock.
class DatabaseEventLog final : public EventLog {
public:
    struct Settings {
        std::string pod;       ///< label in the rows
        std::string conninfo;  ///< for LISTEN; empty: poll each second (SQLite)
        std::string channel = "understudy_events";
        core::Millis poll{1'000};         ///< where LISTEN fails
        core::Millis look_again{10'000};  ///< where LISTEN works: for peace of mind
        core::Millis keep{3'600'000};     ///< older rows go
    };
    /// `database` and `log` must outlive this object.
    DatabaseEventLog(Settings settings, store::sql::Database& database, core::Log& log);
    ~DatabaseEventLog() override;
    /// Once, when the database is migrated: from here on events are heard. A database that is away only delays that.
    void start();
    [[nodiscard]] core::Result<void> publish(const std::string& kind, const std::string& payload) override;
    int listen(std::function<void(const Event&)> listener) override { return listeners_.add(std::move(listener)); }
    void drop(int token) override { listeners_.drop(token); }

private:
    void read_loop(const std::stop_token& stop);
    void wait(const std::stop_token& stop);
    [[nodiscard]] core::Result<void> find_position();
    [[nodiscard]] core::Result<void> read_new(const std::stop_token& stop);
    void note_state(const core::Result<void>& result);
    void tell_caught_up();

    const Settings settings_;
    store::sql::Database& database_;
    core::Log& log_;
    std::unique_ptr<store::sql::Listener> listener_;  // null: poll
    Listeners listeners_;
    std::atomic<unsigned> published_{0};
    std::mutex mutex_;
    std::condition_variable_any wake_;
    bool news_ = false;  // an own event waits to be read, under mutex_
    // The thread's own:
    std::int64_t position_ = -1;  // the last sequence told; -1: not known yet
    bool listening_ = false;
    bool position_doubtful_ = false;
    bool away_ = false;
    bool reconnected_ = false;  // events may have been missed until they are read on
    std::jthread thread_;       // last: the others must live while it ends
};

}  // namespace understudy::cluster
