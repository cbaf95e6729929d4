// store/sql/session_pool.h: a bounded set of sessions, opened when first needed. Used by both databases.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/check.h"
#include "core/result.h"

namespace understudy::store::sql {

/// Which threads hold a session of a database. Taking a second one can deadlock a bounded pool, so that is our bug.
class Holders {
public:
    void add() {
        const std::lock_guard lock(mutex_);
        const auto self = std::this_thread::get_id();
        CHECK(std::find(threads_.begin(), threads_.end(), self) == threads_.end());  // with() inside with()
        threads_.push_back(self);
    }
    void remove() noexcept {
        const std::lock_guard lock(mutex_);
        std::erase(threads_, std::this_thread::get_id());
    }

private:
    std::mutex mutex_;
    std::vector<std::thread::id> threads_;
};

/// Safe from any thread. `Connection` has usable(), stale() and reset().
template <class Connection>
class SessionPool {
public:
    using Deadline = std::chrono::steady_clock::time_point;
    using Open = std::function<core::Result<std::unique_ptr<Connection>>(Deadline)>;

    SessionPool(std::size_t most, std::string name, Open open)
        : most_(std::max<std::size_t>(most, 1)), name_(std::move(name)), open_(std::move(open)) {}

    /// A session for the calling thread alone; who came first is served first, so that a long job of many small
    /// transactions starves nobody. Errors: timed_out where none came free, or what opening one failed with.
    [[nodiscard]] core::Result<std::unique_ptr<Connection>> take(Deadline deadline) {
        std::unique_lock lock(mutex_);
        const auto ticket = ++last_ticket_;
        waiting_.push_back(ticket);
        const auto my_turn = [&] { return waiting_.front() == ticket && (!idle_.empty() || count_ < most_); };
        const bool served = free_.wait_until(lock, deadline, my_turn);
        std::erase(waiting_, ticket);
        free_.notify_all();  // the next one's turn
        if (!served) {
            return core::fail(core::Errc::timed_out,
                              "all " + std::to_string(most_) + " " + name_ + " were busy for too long");
        }
        while (!idle_.empty()) {
            auto session = std::move(idle_.back());  // the last one used has the warmest caches
            idle_.pop_back();
            lock.unlock();
            if (!session->stale()) return session;
            session.reset();
            lock.lock();
            --count_;
        }
        ++count_;
        lock.unlock();
        auto session = open_(deadline);
        if (!session) forget_one();
        return session;
    }

    void give_back(std::unique_ptr<Connection> session) noexcept {
        if (session->usable()) session->reset();
        const bool keep = session->usable();
        if (!keep) session.reset();  // closed outside the lock
        if (!keep) return forget_one();
        {
            const std::lock_guard lock(mutex_);
            idle_.push_back(std::move(session));
        }
        free_.notify_all();
    }

    [[nodiscard]] bool all_busy() {
        const std::lock_guard lock(mutex_);
        return idle_.empty() && count_ == most_;
    }

private:
    void forget_one() noexcept {
        {
            const std::lock_guard lock(mutex_);
            --count_;
        }
        free_.notify_all();
    }

    const std::size_t most_;
    const std::string name_;
    const Open open_;
    std::mutex mutex_;
    std::condition_variable free_;
    std::vector<std::unique_ptr<Connection>> idle_;
    std::size_t count_ = 0;               // idle and taken
    std::vector<std::uint64_t> waiting_;  // tickets, the oldest first
    std::uint64_t last_ticket_ = 0;
};

/// Runs `work` with a session of `pool`, which gets it back whatever happens.
template <class Connection, class Work>
core::Result<void> with_session(SessionPool<Connection>& pool, Holders& holders,
                                std::chrono::steady_clock::time_point deadline, const Work& work) {
    holders.add();
    struct Done {
        Holders& holders;
        ~Done() { holders.remove(); }
    } done{holders};
    auto session = pool.take(deadline);
    if (!session) return tl::unexpected(session.error());
    struct GiveBack {
        SessionPool<Connection>& pool;
        std::unique_ptr<Connection>& session;
        ~GiveBack() { pool.give_back(std::move(session)); }
    } give_back{pool, *session};
    return work(**session);
}

}  // namespace understudy::store::sql
