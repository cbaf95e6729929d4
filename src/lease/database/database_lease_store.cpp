#include "lease/database/database_lease_store.h"

#include <pthread.h>

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace understudy::lease {
namespace {

using core::Millis;
using core::Nanos;
using core::Result;
using store::sql::Dialect;
using store::sql::Row;
using store::sql::Session;
using store::sql::Value;
using Verb = LeaseRequest::Verb;
using Verdict = LeaseAnswer::Verdict;
using namespace std::chrono_literals;

struct LeaseRow {
    std::string token, label;
    std::int64_t ttl_ms = 0, expires_at_ms = 0;
};

NoAnswer class_of(core::Errc code) {
    switch (code) {
        case core::Errc::unavailable:
        case core::Errc::timed_out:
        case core::Errc::cancelled:
            return NoAnswer::unreachable;
        case core::Errc::conflict:
        case core::Errc::fenced:
            return NoAnswer::transient;
        case core::Errc::not_found:
        case core::Errc::invalid:
        case core::Errc::corrupt:
        case core::Errc::unsupported:
            return NoAnswer::misconfigured;
    }
    return NoAnswer::unreachable;
}

/// Reads the row and locks it (on SQLite the write transaction itself is the lock).
Result<std::optional<LeaseRow>> read_locked(Session& session, const std::string& key) {
    std::optional<LeaseRow> found;
    const auto done =
        session.query("SELECT token, label, ttl_ms, expires_at_ms FROM leases WHERE name = ? {for_update}", {key},
                      [&](const Row& row) {
                          found = LeaseRow{row.text(0), row.text(1), row.integer(2), row.integer(3)};
                      });
    if (!done) return tl::unexpected(done.error());
    return found;
}

/// Asked for after the row is locked: a transaction that had to wait for the lock must not judge by the time it began.
Result<std::int64_t> read_now(Session& session) {
    std::int64_t now = 0;
    const auto done = session.query("SELECT {now_ms}", {}, [&](const Row& row) { now = row.integer(0); });
    if (!done) return tl::unexpected(done.error());
    return now;
}

/// One verb in an open transaction.
class Conversation {
public:
    Conversation(Session& session, const std::string& key, const std::string& pod, const LeaseRequest& request)
        : session_(session), key_(key), pod_(pod), request_(request), token_(request.token.str()) {}

    Result<LeaseAnswer> run() {
        auto row = read_locked(session_, key_);
        if (!row) return tl::unexpected(row.error());
        if (!*row && request_.verb == Verb::acquire) {
            const auto now = read_now(session_);
            if (!now) return tl::unexpected(now.error());
            const auto made = session_.execute(
                "INSERT INTO leases (name, token, label, ttl_ms, expires_at_ms) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (name) DO NOTHING",
                {key_, token_, pod_, ttl_ms(), *now + ttl_ms()});
            if (!made) return tl::unexpected(made.error());
            if (*made == 1) return granted(*now);
            row = read_locked(session_, key_);  // somebody was quicker
            if (!row) return tl::unexpected(row.error());
        }
        const auto now = read_now(session_);
        if (!now) return tl::unexpected(now.error());
        if (request_.verb == Verb::release) return release(*row, *now);
        const bool alive = *row && (*row)->expires_at_ms > *now;
        const bool ours = *row && (*row)->token == token_;
        if (alive && !ours) return held(**row, *now);
        if (request_.verb == Verb::renew && !alive) return answer(Verdict::lost, *now);
        const auto updated =
            session_.execute("UPDATE leases SET token = ?, label = ?, ttl_ms = ?, expires_at_ms = ? WHERE name = ?",
                             {token_, pod_, ttl_ms(), *now + ttl_ms(), key_});
        if (!updated) return tl::unexpected(updated.error());
        if (*updated == 1) return granted(*now);
        // Somebody let go between our INSERT and the second look: it is free, and the next try will have it.
        return core::fail(core::Errc::conflict, "the lease's row went away in the middle of an acquire");
    }

    [[nodiscard]] bool freed() const noexcept { return freed_; }

private:
    [[nodiscard]] std::int64_t ttl_ms() const { return request_.ttl.count(); }

    LeaseAnswer answer(Verdict verdict, std::int64_t now) const {
        LeaseAnswer answer;
        answer.verdict = verdict;
        answer.server_time = core::from_unix_ms(now);
        return answer;
    }

    LeaseAnswer granted(std::int64_t now) const {
        auto said = answer(Verdict::granted, now);
        said.holder = pod_;
        said.holder_token = request_.token;
        said.ttl_left = request_.ttl;
        return said;
    }

    Result<LeaseAnswer> held(const LeaseRow& row, std::int64_t now) const {
        auto said = answer(Verdict::held, now);
        said.holder = row.label;
        said.holder_token = core::LeaseToken::parse(row.token);
        auto left = row.expires_at_ms - now;
        if (left > row.ttl_ms) {  // the database's clock was set back
            const auto cut =
                session_.execute("UPDATE leases SET expires_at_ms = ? WHERE name = ?", {now + row.ttl_ms, key_});
            if (!cut) return tl::unexpected(cut.error());
            left = row.ttl_ms;
            said.repaired_missing_ttl = true;
        }
        said.ttl_left = Millis{left};
        return said;
    }

    Result<LeaseAnswer> release(const std::optional<LeaseRow>& row, std::int64_t now) {
        if (row && row->token == token_) {
            const auto gone = session_.execute("DELETE FROM leases WHERE name = ?", {key_});
            if (!gone) return tl::unexpected(gone.error());
            freed_ = true;
        }
        return answer(Verdict::released, now);
    }

    Session& session_;
    const std::string& key_;
    const std::string& pod_;
    const LeaseRequest& request_;
    std::string token_;
    bool freed_ = false;
};

}  // namespace

DatabaseLeaseStore::DatabaseLeaseStore(Settings settings, store::sql::Database& database, core::Clock& clock)
    : settings_(std::move(settings)), database_(database), clock_(clock), worker_([this] {
          ::pthread_setname_np(::pthread_self(), "lease-db");
          work();
      }) {}

DatabaseLeaseStore::~DatabaseLeaseStore() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    job_changed_.notify_all();
    worker_.join();
}

LeaseReply DatabaseLeaseStore::ask(const LeaseRequest& request) {
    std::unique_lock lock(mutex_);
    const auto asked_at = clock_.now();
    if (!clock_.wait_for(lock, job_changed_, settings_.call_timeout, [&] { return !job_; })) {
        return LeaseNoAnswer{NoAnswer::unreachable, false, blamed("the database has not come back to the call before")};
    }
    job_ = request;
    const auto id = ++job_id_;
    job_changed_.notify_all();
    const auto left = settings_.call_timeout - core::elapsed(asked_at, clock_.now());
    if (!clock_.wait_for(lock, job_changed_, left, [&] { return reply_ && reply_id_ == id; })) {
        return LeaseNoAnswer{
            NoAnswer::unreachable, true,
            blamed(fmt::format("no answer from the database within {} ms", settings_.call_timeout.count()))};
    }
    return *std::exchange(reply_, std::nullopt);
}

std::string DatabaseLeaseStore::blamed(std::string cause) const {
    return settings_.database.empty() ? cause : std::move(cause) + ": " + settings_.database;
}

void DatabaseLeaseStore::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        job_changed_.wait(lock, [&] { return stopping_ || job_; });
        if (!job_) return;  // a release that was asked for just before the end is still done
        const auto request = *job_;
        const auto id = job_id_;
        lock.unlock();
        bool freed = false;
        auto reply = call(request, freed);
        lock.lock();
        reply_ = std::move(reply);
        reply_id_ = id;
        if (!freed) job_.reset();
        job_changed_.notify_all();
        if (!freed) continue;
        lock.unlock();
        settings_.on_released();  // may block: the answer is out already
        lock.lock();
        job_.reset();
        job_changed_.notify_all();
    }
}

LeaseReply DatabaseLeaseStore::call(const LeaseRequest& request, bool& freed) {
    LeaseAnswer answer;
    bool committing = false;
    const auto done = database_.with(store::sql::Access::write, [&](Session& session) {
        return session.transaction([&]() -> Result<void> {
            committing = false;
            if (session.dialect() == Dialect::postgresql) {
                const auto set = session.execute(fmt::format("SET LOCAL statement_timeout = {}",
                                                             std::max<Millis::rep>(settings_.call_timeout.count(), 1)));
                if (!set) return tl::unexpected(set.error());
            }
            Conversation conversation(session, settings_.key, settings_.pod, request);
            auto said = conversation.run();
            if (!said) return tl::unexpected(said.error());
            answer = std::move(*said);
            freed = conversation.freed();
            committing = true;
            return {};
        });
    });
    if (done) return answer;
    freed = false;
    // Before the commit was sent nothing can have been applied.
    return LeaseNoAnswer{class_of(done.error().code), committing, blamed(done.error().context)};
}

LeaseStore::Wake DatabaseLeaseStore::wait(Nanos at_most) {
    std::unique_lock lock(wait_mutex_);
    clock_.wait_for(lock, wake_, at_most, [&] { return interrupted_ || notified_; });
    if (std::exchange(interrupted_, false)) return Wake::interrupted;
    if (std::exchange(notified_, false)) return Wake::notice;
    return Wake::timeout;
}

void DatabaseLeaseStore::interrupt() noexcept {
    {
        const std::lock_guard lock(wait_mutex_);
        interrupted_ = true;
    }
    wake_.notify_all();
}

void DatabaseLeaseStore::notify() noexcept {
    {
        const std::lock_guard lock(wait_mutex_);
        notified_ = true;
    }
    wake_.notify_all();
}

}  // namespace understudy::lease
