// tests/sim/sim_redis.h: one key of a Redis, with a clock of its own and every way to misbehave.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lease/lease_store.h"
#include "world.h"

namespace understudy::sim {

class SimRedis {
public:
    explicit SimRedis(World& world) : world_(world) {}

    [[nodiscard]] bool down() const { return world_.now() < down_until; }
    [[nodiscard]] bool stuck() const { return world_.now() < stuck_until; }
    [[nodiscard]] Nanos clock() const {
        return SimClock::epoch + Nanos{static_cast<Nanos::rep>(static_cast<double>(world_.now().count()) * rate)} +
               step;
    }
    /// One script call, in one moment.
    lease::LeaseAnswer run(const lease::LeaseRequest& request, const std::string& label);
    void restart(bool empty) {
        started_at = world_.now();
        ++run_id;
        if (empty) key_.reset();
    }
    void flush() { key_.reset(); }
    void persist() {
        if (key_) key_->expires_at.reset();
    }
    [[nodiscard]] lease::StoreRestart age(std::optional<int> last_seen) const {
        return {std::chrono::duration_cast<core::Millis>(world_.now() - started_at), last_seen && *last_seen != run_id};
    }

    Nanos down_until{}, stuck_until{}, started_at{-1h}, step{};
    double rate = 1.0;
    int run_id = 1;
    /// Called when the lease is let go of.
    std::function<void()> on_release = [] {};

private:
    struct Key {
        core::LeaseToken token;
        std::string label;
        std::optional<Nanos> expires_at;
    };
    World& world_;
    std::optional<Key> key_;
};

}  // namespace understudy::sim
