#include "cluster/database/event_log.h"

#include <pthread.h>

#include <array>
#include <utility>
#include <vector>

namespace understudy::cluster {
namespace {

using store::sql::Access;
using store::sql::Dialect;
using store::sql::Row;
using store::sql::Session;
using Heard = store::sql::Listener::Heard;

constexpr std::int64_t append_lock = 0x756e6465'65766e74;  // "undeevnt" in ASCII
constexpr unsigned trim_every = 128;
constexpr std::int64_t page = 500;

core::Result<void> done(const core::Result<std::int64_t>& result) {
    if (!result) return tl::unexpected(result.error());
    return {};
}

}  // namespace

DatabaseEventLog::DatabaseEventLog(Settings settings, store::sql::Database& database, core::Log& log)
    : settings_(std::move(settings)), database_(database), log_(log) {
    if (!settings_.conninfo.empty()) {
        listener_ = store::sql::listen_postgresql(settings_.conninfo, settings_.channel);
    }
}

void DatabaseEventLog::start() {
    // Now and not by the thread: what is published after this must be heard.
    note_state(find_position());
    thread_ = std::jthread([this](const std::stop_token& stop) { read_loop(stop); });
    ::pthread_setname_np(thread_.native_handle(), "events");
}

DatabaseEventLog::~DatabaseEventLog() {
    thread_.request_stop();
    if (listener_) listener_->interrupt();
}

core::Result<void> DatabaseEventLog::publish(const std::string& kind, const std::string& payload) {
    const bool trim = published_++ % trim_every == 0;
    auto result = database_.with(Access::write, [&](Session& session) {
        const bool postgresql = session.dialect() == Dialect::postgresql;
        const auto ignore = [](const Row&) {};
        return session.transaction([&]() -> core::Result<void> {
            if (trim) {
                auto trimmed = session.execute("DELETE FROM events WHERE at_ms < {now_ms} - ?",
                                               {std::int64_t{settings_.keep.count()}});
                if (!trimmed) return done(trimmed);
            }
            if (postgresql) {
                auto locked = session.query("SELECT pg_advisory_xact_lock(?)", {append_lock}, ignore);
                if (!locked) return locked;
            }
            auto added = session.execute("INSERT INTO events (kind, payload, at_ms, pod) VALUES (?, ?, {now_ms}, ?)",
                                         {kind, payload, settings_.pod});
            if (!added || !postgresql) return done(added);
            return session.query("SELECT pg_notify(?, '')", {settings_.channel}, ignore);
        });
    });
    if (result && !listener_) {
        {
            const std::lock_guard lock(mutex_);
            news_ = true;
        }
        wake_.notify_one();
    }
    return result;
}

core::Result<void> DatabaseEventLog::find_position() {
    std::int64_t newest = 0;
    auto found = database_.with(Access::read, [&](Session& session) {
        return session.query("SELECT COALESCE(MAX(sequence), 0) FROM events", {},
                             [&](const Row& row) { newest = row.integer(0); });
    });
    if (!found) return found;
    // Not known yet: what is there is older than our start. Known, but the database has fewer: it was set back to an
    // older state, and its numbers count up from there again.
    if (position_ < 0 || newest < position_) position_ = newest;
    position_doubtful_ = false;
    return {};
}

core::Result<void> DatabaseEventLog::read_new(const std::stop_token& stop) {
    if (position_ < 0 || position_doubtful_) {
        if (auto found = find_position(); !found) return found;
    }
    for (;;) {
        std::vector<Event> events;
        auto read = database_.with(Access::read, [&](Session& session) {
            return session.query(
                "SELECT sequence, kind, payload, at_ms, pod FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?",
                {position_, page}, [&](const Row& row) {
                    events.push_back(
                        {row.integer(0), row.text(1), row.text(2), core::from_unix_ms(row.integer(3)), row.text(4)});
                });
        });
        if (!read) return read;
        for (const auto& event : events) {  // outside the session: a listener may ask the database something
            if (stop.stop_requested()) return {};
            listeners_.tell(event);
            position_ = event.sequence;
        }
        if (static_cast<std::int64_t>(events.size()) < page) return {};
    }
}

void DatabaseEventLog::note_state(const core::Result<void>& result) {
    if (result.has_value() != away_) return;
    away_ = !result;
    if (away_) {
        // A database that is away is said once for all who meet it (app/database_watch.h).
        const auto code = result.error().code;
        const bool gone = code == core::Errc::unavailable || code == core::Errc::timed_out;
        const std::array fields{core::LogField{"reason", result.error().context}};
        log_.write(gone ? core::LogLevel::debug : core::LogLevel::warning,
                   "events between pods cannot be read; they will be caught up on", fields);
    } else {
        reconnected_ = true;
        log_.debug("events between pods are read again");
    }
}

void DatabaseEventLog::wait(const std::stop_token& stop) {
    if (!listener_) {
        std::unique_lock lock(mutex_);
        wake_.wait_for(lock, stop, settings_.poll, [this] { return news_; });
        news_ = false;
        return;
    }
    const auto heard = listener_->wait(listening_ && !away_ ? settings_.look_again : settings_.poll);
    if (heard == Heard::reconnected) position_doubtful_ = reconnected_ = true;
    if (heard == Heard::interrupted) return;
    const bool listening = heard != Heard::no_connection;
    if (listening_ && !listening) log_.debug("events between pods: LISTEN was lost, looking each second");
    listening_ = listening;
}

void DatabaseEventLog::tell_caught_up() {
    Event event;
    event.kind = "log.caught_up";
    event.payload = "{}";
    event.pod = settings_.pod;
    listeners_.tell(event);
}

void DatabaseEventLog::read_loop(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        const auto read = read_new(stop);
        note_state(read);
        if (read && std::exchange(reconnected_, false)) tell_caught_up();
        if (!stop.stop_requested()) wait(stop);
    }
}

}  // namespace understudy::cluster
