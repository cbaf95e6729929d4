#include "lease/kept_scan_leader_lease.h"

#include <pthread.h>

#include <fmt/format.h>

#include "core/check.h"

namespace understudy::lease {

using core::Millis;
using core::Nanos;
using namespace std::chrono_literals;

KeptScanLeaderLease::KeptScanLeaderLease(Settings settings, std::unique_ptr<LeaseStore> store, core::Clock& clock,
                                         core::Random& random, core::Log& log)
    : settings_(std::move(settings)),
      store_(std::move(store)),
      clock_(clock),
      log_(log),
      machine_(settings_.lease, random, clock.now()),
      diary_(settings_.pod, settings_.summary_every) {
    CHECK(store_ != nullptr);
}

KeptScanLeaderLease::~KeptScanLeaderLease() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    store_->interrupt();
    if (keeper_.joinable()) keeper_.join();
    changed_.notify_all();
    if (teller_.joinable()) teller_.join();
}

void KeptScanLeaderLease::start() {
    CHECK(!keeper_.joinable());
    {
        const std::lock_guard lock(mutex_);
        ended_ = false;
    }
    keeper_ = std::thread([this] {
        ::pthread_setname_np(::pthread_self(), "lease");
        keep();
        {
            const std::lock_guard lock(mutex_);
            ended_ = true;
        }
        changed_.notify_all();
    });
    teller_ = std::thread([this] {
        ::pthread_setname_np(::pthread_self(), "lease-events");
        tell_events();
    });
}

// ---- the lease thread ----

void KeptScanLeaderLease::keep() {
    std::optional<bool> others_lived;  // as last seen while held off
    for (;;) {
        bool held_off = false;
        {
            const std::lock_guard lock(mutex_);
            if (stopping_) return;
            held_off = machine_.held_off(clock_.now());
        }
        const bool others = held_off && settings_.another_pod_lives();
        LeaseMachine::Action action;
        {
            const std::lock_guard lock(mutex_);
            const auto now = clock_.now();
            if (held_off) {
                machine_.set_another_pod_lives(others);
                // Nobody else is there: do not wait for the next look, which may be T/4 away.
                if (others_lived.value_or(false) && !others) machine_.on_notice(now);
                others_lived = others;
            } else {
                others_lived.reset();
            }
            action = machine_.next(now);
            digest(now);
        }
        write_log();
        switch (action.kind) {
            case LeaseMachine::Action::Kind::finished:
                return;
            case LeaseMachine::Action::Kind::ask:
                ask();
                break;
            case LeaseMachine::Action::Kind::wait:
                if (store_->wait(action.wait) == LeaseStore::Wake::notice) {
                    const std::lock_guard lock(mutex_);
                    machine_.on_notice(clock_.now());
                }
                break;
        }
    }
}

void KeptScanLeaderLease::ask() {
    const auto connected = store_->connect();
    LeaseMachine::Call call;
    {
        const std::lock_guard lock(mutex_);
        const auto now = clock_.now();
        if (!connected) {
            machine_.on_no_connection(now, connected.error());
        } else {
            if (*connected) machine_.on_connected(now, **connected);
            // Connecting took its time, and what the server said may have changed what is to be asked, if anything is.
            if (machine_.next(now).kind == LeaseMachine::Action::Kind::ask) call = machine_.send(clock_.now());
        }
        digest(now);
    }
    if (call.id != 0) {
        const auto reply = store_->ask(call.request);
        const std::lock_guard lock(mutex_);
        const auto now = clock_.now();
        if (const auto* answer = std::get_if<LeaseAnswer>(&reply)) {
            machine_.on_answer(call, now, *answer);
        } else {
            machine_.on_no_answer(call, now, std::get<LeaseNoAnswer>(reply));
        }
        digest(now);
    }
    changed_.notify_all();  // a release that somebody waits for may be done
    write_log();
}

// ---- events and log ----

void KeptScanLeaderLease::digest(core::Instant now) const {
    machine_.observe(now);
    const auto notes = machine_.take_notes();
    const auto before = events_.size();
    for (const auto& note : notes) {
        if (note.kind == LeaseNote::Kind::gained) events_.push_back(LeaseEvent::gained);
        if (note.kind == LeaseNote::Kind::lost) events_.push_back(LeaseEvent::lost);
    }
    diary_.take(now, machine_, notes);
    if (events_.size() != before || !diary_.empty()) changed_.notify_all();
}

void KeptScanLeaderLease::write_log() const {
    std::vector<LeaseDiary::Line> lines;
    {
        const std::lock_guard lock(mutex_);
        lines = diary_.take_lines();
    }
    for (const auto& line : lines) {
        std::vector<core::LogField> fields;
        fields.reserve(line.fields.size());
        for (const auto& [name, value] : line.fields) fields.push_back({name, value});
        log_.write(line.level, line.message, fields);
    }
}

void KeptScanLeaderLease::tell_events() {
    std::unique_lock lock(mutex_);
    for (;;) {
        digest(clock_.now());
        if (!events_.empty()) {
            const auto event = events_.front();
            events_.pop_front();
            const auto listener = listener_;
            lock.unlock();
            if (listener) listener(event);
            lock.lock();
            continue;
        }
        if (!diary_.empty()) {
            lock.unlock();
            write_log();
            lock.lock();
            continue;
        }
        if (stopping_ && ended_) return;
        // Trust runs out by the clock also while the lease thread hangs in a call: `lost` must not wait for that.
        const auto left = machine_.trust_left(clock_.now());
        clock_.wait_for(lock, changed_, left > 0ns ? left : Nanos{24h}, [&] {
            return !events_.empty() || !diary_.empty() || (stopping_ && ended_) ||
                   (left == 0ns && machine_.trust_left(clock_.now()) > 0ns);
        });
    }
}

// ---- asked from outside ----

Standing KeptScanLeaderLease::standing() const noexcept {
    const std::lock_guard lock(mutex_);
    const auto now = clock_.now();
    digest(now);
    return machine_.standing(now);
}

LeaseView KeptScanLeaderLease::view() const {
    const std::lock_guard lock(mutex_);
    const auto now = clock_.now();
    digest(now);
    auto view = machine_.view(now);
    view.provider = store_->provider();
    if (view.standing == Standing::leader && view.holder) view.holder->pod = settings_.pod;
    if (machine_.ttl_frozen()) {
        view.alarm =
            "the leader's ttl does not move: the lease store's clock stands still, and a dead leader would never "
            "expire";
    }
    return view;
}

Nanos KeptScanLeaderLease::trust_left() const {
    const std::lock_guard lock(mutex_);
    const auto now = clock_.now();
    digest(now);
    return machine_.trust_left(now);
}

LeaseCounters KeptScanLeaderLease::counters() const {
    const std::lock_guard lock(mutex_);
    return machine_.counters();
}

void KeptScanLeaderLease::on_event(std::function<void(LeaseEvent)> listener) {
    const std::lock_guard lock(mutex_);
    listener_ = std::move(listener);
}

core::Result<void> KeptScanLeaderLease::release(Millis grace) {
    std::unique_lock lock(mutex_);
    const auto now = clock_.now();
    machine_.shut_down(now);
    digest(now);
    return await_release(lock, grace);
}

core::Result<void> KeptScanLeaderLease::resign(Millis grace) {
    std::unique_lock lock(mutex_);
    const auto now = clock_.now();
    if (!machine_.resign(now)) {
        return core::fail(
            core::Errc::conflict,
            fmt::format("pod {} does not hold the lease, so it has nothing to resign from", settings_.pod));
    }
    digest(now);
    return await_release(lock, grace);
}

void KeptScanLeaderLease::stand_back(std::string why) {
    const bool ends = why.empty();
    {
        const std::lock_guard lock(mutex_);
        machine_.stand_back(clock_.now(), std::move(why));
    }
    if (ends) store_->interrupt();
}

core::Result<void> KeptScanLeaderLease::await_release(std::unique_lock<std::mutex>& lock, Millis grace) {
    lock.unlock();
    store_->interrupt();
    lock.lock();
    const auto done = [&] { return !machine_.releasing() || ended_; };
    if (!clock_.wait_for(lock, changed_, grace, done)) {
        return core::fail(
            core::Errc::timed_out,
            fmt::format("release of the lease: no answer within {} ms; it runs out by itself in at most {} ms",
                        grace.count(), settings_.lease.ttl.count()));
    }
    if (const auto& failure = machine_.release_failure()) {
        return core::fail(core::Errc::unavailable,
                          fmt::format("release of the lease: {} ({}); it runs out by itself in at most {} ms",
                                      failure->detail, to_string(failure->reason), settings_.lease.ttl.count()));
    }
    return {};
}

}  // namespace understudy::lease
