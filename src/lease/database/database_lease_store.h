// lease/database/database_lease_store.h: the lease as a row of table `leases`, by the database's clock: for clusters
// without Redis. Made by app, driven by KeptScanLeaderLease.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/time.h"
#include "lease/lease_store.h"
#include "store/sql/session.h"

namespace understudy::lease {

/// The call timeout: a database call cannot be cut off from outside, so it runs on a thread of the store's own
/// ("lease-db") and ask() waits for it at most `call_timeout`. A call that takes longer is given up: its late answer is
/// thrown away, and until it has come back (the session's watchdog sees to that) further calls fail after the same
/// time. On PostgreSQL the same limit is set as statement_timeout, so that a given-up call does not go on waiting for
/// the row.
///
/// Give it a Database of its own where that is cheap (PostgreSQL: one connection): a pool that runs keep busy must not
/// starve the lease.
class DatabaseLeaseStore final : public LeaseStore {
public:
    struct Settings {
        std::string key;              ///< row name, `Jellyfin:ScanLeader:LeaseKey`
        std::string pod;              ///< label stored beside the token
        core::Millis call_timeout{};  ///< o
        /// Tells the other pods that the lease is free (event `lease.released`). Called on "lease-db" after the commit.
        std::function<void()> on_released = [] {};
        std::string database;  ///< for messages: where it is and which setting says so; empty: not said
    };

    DatabaseLeaseStore(Settings settings, store::sql::Database& database, core::Clock& clock);
    /// Waits for a call that has not come back, as long as the session's watchdog lets it.
    ~DatabaseLeaseStore() override;

    [[nodiscard]] std::string_view provider() const noexcept override { return "database"; }
    /// The pool connects by itself, and a database does not forget: always nothing to tell.
    [[nodiscard]] tl::expected<std::optional<StoreRestart>, LeaseNoAnswer> connect() override { return std::nullopt; }
    [[nodiscard]] LeaseReply ask(const LeaseRequest& request) override;
    [[nodiscard]] Wake wait(core::Nanos at_most) override;
    void interrupt() noexcept override;
    /// Another pod let go (heard through the event log): ends a wait. From any thread.
    void notify() noexcept;

private:
    void work();
    [[nodiscard]] std::string blamed(std::string cause) const;
    [[nodiscard]] LeaseReply call(const LeaseRequest& request, bool& freed);

    const Settings settings_;
    store::sql::Database& database_;
    core::Clock& clock_;

    std::mutex mutex_;
    std::condition_variable job_changed_;
    std::optional<LeaseRequest> job_;  ///< waits for, or is with, the thread
    std::optional<LeaseReply> reply_;
    std::uint64_t job_id_ = 0, reply_id_ = 0;
    bool stopping_ = false;

    std::mutex wait_mutex_;
    std::condition_variable wake_;
    bool interrupted_ = false, notified_ = false;

    std::thread worker_;
};

}  // namespace understudy::lease
