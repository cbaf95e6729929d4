#include "app/database_watch.h"

#include <pthread.h>

#include <utility>

namespace understudy::app {
namespace {

constexpr core::Millis look_every{2'000};     // a readiness probe asks every few seconds
constexpr core::Millis look_while_away{500};  // one refused connect
constexpr core::Nanos told_again_after = std::chrono::minutes{5};
// A connection that was lost fails a call or a few; a disc that is full fails them on and on.
constexpr core::Nanos counted_within = std::chrono::minutes{2};
constexpr int too_many_failures = 5;

}  // namespace

core::Result<void> WatchedDatabase::with(store::sql::Access access,
                                         const std::function<core::Result<void>(store::sql::Session&)>& work) {
    auto result = inner_->with(access, work);
    if (!result && (result.error().code == core::Errc::unavailable || result.error().code == core::Errc::timed_out)) {
        const std::lock_guard lock(mutex_);
        if (suspicion_) suspicion_(result.error());
    }
    return result;
}

void WatchedDatabase::on_failure(std::function<void(const core::Error&)> suspicion) {
    const std::lock_guard lock(mutex_);
    suspicion_ = std::move(suspicion);
}

void OutageTeller::on_ping(core::Instant now, const core::Result<void>& answer) {
    if (!answer && !away_since_) {
        away_since_ = now;
        log_.error("the database does not answer: timers wait, runs stop at their next unit",
                   {{"database", where_},
                    {"setting", "Jellyfin:Database:ConnectionString"},
                    {"error", answer.error().context}});
    } else if (answer && away_since_) {
        const auto away = std::chrono::duration_cast<std::chrono::seconds>(core::elapsed(*away_since_, now));
        away_since_.reset();
        log_.info("the database answers again: work goes on",
                  {{"database", where_}, {"after_seconds", std::to_string(away.count())}});
    }
}

void OutageTeller::on_lone_failure(core::Instant now, const core::Error& error) {
    const auto warn_once = [&](std::optional<core::Instant>& said, std::string_view what) {
        if (said && core::elapsed(*said, now) < told_again_after) return false;
        said = now;
        log_.warning(what, {{"database", where_}, {"error", error.context}});
        return true;
    };
    if (error.code == core::Errc::timed_out) {
        if (warn_once(said_slow_, "the database answers, but a call was given up: it took too long")) return;
    } else {
        if (!failing_since_ || core::elapsed(*failing_since_, now) > counted_within) {
            failing_since_ = now;
            failures_ = 0;
        }
        if (++failures_ >= too_many_failures &&
            warn_once(said_failing_, "the database answers, but calls fail again and again: is its disc full?"))
            return;
    }
    log_.debug("a call to the database failed; the database answers", {{"error", error.context}});
}

DatabaseWatch::DatabaseWatch(WatchedDatabase& database, OutageTeller& teller, Health& health, core::Clock& clock)
    : database_(database), teller_(teller), health_(health), clock_(clock), thread_([this] { run(); }) {
    ::pthread_setname_np(thread_.native_handle(), "database-watch");
    database_.on_failure([this](const core::Error& error) {
        {
            const std::lock_guard lock(mutex_);
            suspicion_ = error;
        }
        wake_.notify_all();
    });
}

DatabaseWatch::~DatabaseWatch() {
    database_.on_failure({});
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_all();
    thread_.join();
}

void DatabaseWatch::run() {
    std::optional<core::Error> suspicion;
    while (true) {
        const auto answer = database_.ping();
        teller_.on_ping(clock_.now(), answer);
        if (answer && suspicion) teller_.on_lone_failure(clock_.now(), *suspicion);
        health_.set_database(answer.has_value(), true, answer ? std::string{} : answer.error().context);
        std::unique_lock lock(mutex_);
        const bool away = teller_.away();
        // While it is away every call fails, and says nothing new.
        (void)clock_.wait_for(lock, wake_, away ? look_while_away : look_every,
                              [&] { return stopping_ || (suspicion_ && !away); });
        if (stopping_) return;
        suspicion = std::exchange(suspicion_, std::nullopt);
        if (away) suspicion.reset();
    }
}

}  // namespace understudy::app
