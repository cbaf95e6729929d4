// lease/kept_scan_leader_lease.h: a lease that keeps itself alive: a LeaseStore (Redis or database), the LeaseMachine,
// and the lease thread that carries messages between them. Made by app; the Redis lease and the database lease are this
// class over their store.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "core/log.h"
#include "core/random.h"
#include "core/time.h"
#include "lease/lease_diary.h"
#include "lease/lease_machine.h"
#include "lease/lease_settings.h"
#include "lease/lease_store.h"
#include "lease/scan_leader_lease.h"

namespace understudy::lease {

class KeptScanLeaderLease final : public ScanLeaderLease {
public:
    struct Settings {
        LeaseSettings lease;  ///< validated by the caller
        std::string pod;      ///< this pod's label
        /// Asked on the lease thread, only while a resignation holds this pod off: answer from memory, at once.
        std::function<bool()> another_pod_lives = [] { return true; };
        core::Millis summary_every{300'000};  ///< of an outage, in the log
    };

    /// Does nothing before start(). What it is given by reference must outlive it.
    KeptScanLeaderLease(Settings settings, std::unique_ptr<LeaseStore> store, core::Clock& clock, core::Random& random,
                        core::Log& log);
    /// Stops the threads, within two call timeouts; events that are due are told first. Releases nothing: that is
    /// release()'s, or the ttl's.
    ~KeptScanLeaderLease() override;
    KeptScanLeaderLease(const KeptScanLeaderLease&) = delete;
    KeptScanLeaderLease& operator=(const KeptScanLeaderLease&) = delete;

    /// Starts the election. Once; after on_event().
    void start();

    [[nodiscard]] Standing standing() const noexcept override;
    [[nodiscard]] LeaseView view() const override;
    [[nodiscard]] core::Result<void> release(core::Millis grace) override;
    /// Errors also: conflict where this pod does not hold the lease.
    [[nodiscard]] core::Result<void> resign(core::Millis grace) override;
    void on_event(std::function<void(LeaseEvent)> listener) override;

    /// What `another_pod_lives` says has changed: a pod that holds itself off after a resignation asks it now.
    void reconsider() noexcept { store_->interrupt(); }

    /// As LeaseMachine::stand_back; a term goes on until resign().
    void stand_back(std::string why);

    /// As LeaseMachine::trust_left, judged now.
    [[nodiscard]] core::Nanos trust_left() const;

    /// For metrics.
    [[nodiscard]] LeaseCounters counters() const;

private:
    void keep();         ///< the lease thread
    void tell_events();  ///< the event thread
    void ask();
    /// Lets the machine look at the time, and takes its notes to the events and the diary. With mutex_ held.
    void digest(core::Instant now) const;
    /// Without mutex_.
    void write_log() const;
    [[nodiscard]] core::Result<void> await_release(std::unique_lock<std::mutex>& lock, core::Millis grace);

    const Settings settings_;
    const std::unique_ptr<LeaseStore> store_;
    core::Clock& clock_;
    core::Log& log_;

    // Held only to read or feed what is below, never across a call to the store, a listener or the log.
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    mutable LeaseMachine machine_;  // mutable: looking at the time may end a term
    mutable LeaseDiary diary_;
    mutable std::deque<LeaseEvent> events_;
    std::function<void(LeaseEvent)> listener_;
    bool stopping_ = false;  ///< asked to
    bool ended_ = true;      ///< the lease thread does not run

    std::thread keeper_, teller_;
};

}  // namespace understudy::lease
