// tests/support/fake_lease_store.h: a lease store in memory with the faults of a real one: refuses, hangs, loses a
// request before or after it was applied, restarts empty, steps or stops its clock.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/time.h"
#include "lease/lease_store.h"

namespace understudy::testing {

class FakeLeaseStore;

/// The server that several FakeLeaseStores (one for each pod) talk to. Safe from any thread.
class FakeLeaseServer {
public:
    explicit FakeLeaseServer(core::Clock& clock) : clock_(clock), started_(clock.now().boot - std::chrono::hours{24}) {}

    /// What lease/redis/lease_script.h says of acquire, renew and release, in one step.
    [[nodiscard]] lease::LeaseAnswer apply(const lease::LeaseRequest& request, const std::string& label);

    void wipe() {
        const std::lock_guard lock(mutex_);
        key_.reset();
    }
    /// Every connection breaks, the key is forgotten.
    void restart_empty() {
        const std::lock_guard lock(mutex_);
        key_.reset();
        started_ = clock_.now().boot;
        ++run_id_;
    }
    void put(const std::string& label, const core::LeaseToken& token, std::optional<core::Millis> ttl) {
        const std::lock_guard lock(mutex_);
        key_ = Key{token, label, ttl ? std::optional(clock_.now().boot + *ttl) : std::nullopt};
    }
    void step_clock(core::Millis by) {
        const std::lock_guard lock(mutex_);
        offset_ += by;
    }
    [[nodiscard]] std::optional<std::string> holder() {
        const std::lock_guard lock(mutex_);
        expire();
        return key_ ? std::optional(key_->label) : std::nullopt;
    }
    [[nodiscard]] std::optional<core::LeaseToken> token() {
        const std::lock_guard lock(mutex_);
        expire();
        return key_ ? std::optional(key_->token) : std::nullopt;
    }

private:
    friend class FakeLeaseStore;
    struct Key {
        core::LeaseToken token;
        std::string label;
        std::optional<core::Nanos> expires;  ///< boot time; none: never
    };
    void expire() {
        if (key_ && key_->expires && *key_->expires <= clock_.now().boot) key_.reset();
    }

    core::Clock& clock_;
    std::mutex mutex_;
    std::optional<Key> key_;
    core::Nanos started_;
    core::Millis offset_{};
    int run_id_ = 1;
    std::set<FakeLeaseStore*> listeners_;
};

/// One pod's connection. The test sets its faults from outside.
class FakeLeaseStore final : public lease::LeaseStore {
public:
    enum class Fault {
        none,
        refuse,        ///< no connection
        lose_request,  ///< connected, but the request never arrives; nobody can know
        lose_reply,    ///< applied, and the answer is lost
        hang,          ///< applied at once, answered after let_go()
    };

    FakeLeaseStore(FakeLeaseServer& server, core::Clock& clock, std::string label)
        : server_(server), clock_(clock), label_(std::move(label)) {
        const std::lock_guard lock(server_.mutex_);
        server_.listeners_.insert(this);
    }
    ~FakeLeaseStore() override {
        const std::lock_guard lock(server_.mutex_);
        server_.listeners_.erase(this);
    }

    [[nodiscard]] std::string_view provider() const noexcept override { return "fake"; }

    [[nodiscard]] tl::expected<std::optional<lease::StoreRestart>, lease::LeaseNoAnswer> connect() override {
        const std::lock_guard lock(mutex_);
        const std::lock_guard server(server_.mutex_);
        if (fault_ == Fault::refuse) {
            connected_to_ = 0;
            count_try();
            return tl::unexpected(lease::LeaseNoAnswer{reason_, false, "connection refused"});
        }
        if (connected_to_ == server_.run_id_) return std::nullopt;
        lease::StoreRestart restart;
        restart.uptime = std::chrono::duration_cast<core::Millis>(clock_.now().boot - server_.started_);
        restart.identity_changed = seen_run_id_ != 0 && seen_run_id_ != server_.run_id_;
        seen_run_id_ = connected_to_ = server_.run_id_;
        return restart;
    }

    [[nodiscard]] lease::LeaseReply ask(const lease::LeaseRequest& request) override {
        std::unique_lock lock(mutex_);
        asked_.push_back(request);
        const auto fault = fault_;
        if (fault == Fault::refuse || fault == Fault::lose_request || connected_to_ != server_run_id()) {
            return broken(fault == Fault::lose_request ? "request lost" : "connection broken");
        }
        lock.unlock();
        auto answer = server_.apply(request, label_);
        lock.lock();
        if (fault == Fault::lose_reply) return broken("answer lost");
        if (fault == Fault::hang) {
            hanging_ = true;
            changed_.notify_all();
            changed_.wait(lock, [&] { return let_go_; });
            hanging_ = let_go_ = false;
        }
        count_try();
        return answer;
    }

    [[nodiscard]] Wake wait(core::Nanos at_most) override {
        std::unique_lock lock(mutex_);
        wait_until_ = clock_.now().boot + at_most;
        changed_.notify_all();
        clock_.wait_for(lock, changed_, at_most, [&] { return interrupted_ || noticed_; });
        wait_until_.reset();
        if (std::exchange(interrupted_, false)) return Wake::interrupted;
        if (std::exchange(noticed_, false)) return Wake::notice;
        return Wake::timeout;
    }
    void interrupt() noexcept override {
        const std::lock_guard lock(mutex_);
        interrupted_ = true;
        changed_.notify_all();
    }
    void notice() {
        const std::lock_guard lock(mutex_);
        noticed_ = true;
        changed_.notify_all();
    }

    void set_fault(Fault fault, lease::NoAnswer reason = lease::NoAnswer::unreachable) {
        const std::lock_guard lock(mutex_);
        fault_ = fault;
        reason_ = reason;
        if (fault == Fault::refuse) connected_to_ = 0;
    }
    void let_go() {
        const std::lock_guard lock(mutex_);
        let_go_ = true;
        changed_.notify_all();
    }
    /// Blocks until a call hangs.
    void await_hang() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return hanging_; });
    }
    /// Blocks until the lease thread has nothing to do before the time is advanced further.
    void await_idle() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock,
                      [&] { return wait_until_ && *wait_until_ > clock_.now().boot && !interrupted_ && !noticed_; });
    }
    /// Blocks until this many calls or refused connects have ended since the start.
    void await_tries(std::size_t count) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return tries_ >= count; });
    }
    [[nodiscard]] std::size_t tries() {
        const std::lock_guard lock(mutex_);
        return tries_;
    }
    [[nodiscard]] std::deque<lease::LeaseRequest> asked() {
        const std::lock_guard lock(mutex_);
        return asked_;
    }

private:
    int server_run_id() {
        const std::lock_guard server(server_.mutex_);
        return server_.run_id_;
    }
    void count_try() {
        ++tries_;
        changed_.notify_all();
    }
    lease::LeaseReply broken(const char* why) {
        connected_to_ = 0;
        count_try();
        return lease::LeaseNoAnswer{reason_, true, why};
    }

    FakeLeaseServer& server_;
    core::Clock& clock_;
    const std::string label_;
    std::mutex mutex_;
    std::condition_variable changed_;
    Fault fault_ = Fault::none;
    lease::NoAnswer reason_ = lease::NoAnswer::unreachable;
    int connected_to_ = 0, seen_run_id_ = 0;
    bool interrupted_ = false, noticed_ = false, hanging_ = false, let_go_ = false;
    std::optional<core::Nanos> wait_until_;
    std::size_t tries_ = 0;
    std::deque<lease::LeaseRequest> asked_;
};

inline lease::LeaseAnswer FakeLeaseServer::apply(const lease::LeaseRequest& request, const std::string& label) {
    using Verb = lease::LeaseRequest::Verb;
    using Verdict = lease::LeaseAnswer::Verdict;
    std::set<FakeLeaseStore*> told;
    lease::LeaseAnswer answer;
    {
        const std::lock_guard lock(mutex_);
        expire();
        const auto now = clock_.now();
        const bool ours = key_ && key_->token == request.token;
        answer.server_time = core::UtcTime{std::chrono::duration_cast<core::Millis>(now.boot) + offset_};
        if (request.verb == Verb::release) {
            answer.verdict = Verdict::released;
            if (ours) {
                key_.reset();
                told = listeners_;
            }
        } else if (ours || (!key_ && request.verb == Verb::acquire)) {
            answer.verdict = Verdict::granted;
            key_ = Key{request.token, label, now.boot + request.ttl};
        } else if (!key_) {
            answer.verdict = Verdict::lost;
        } else {
            answer.verdict = Verdict::held;
            if (!key_->expires && request.verb == Verb::acquire) {
                key_->expires = now.boot + request.ttl;
                answer.repaired_missing_ttl = true;
            }
        }
        if (key_) {
            answer.holder = key_->label;
            answer.holder_token = key_->token;
            if (key_->expires) answer.ttl_left = std::chrono::duration_cast<core::Millis>(*key_->expires - now.boot);
        }
    }
    for (auto* listener : told) listener->notice();
    return answer;
}

}  // namespace understudy::testing
