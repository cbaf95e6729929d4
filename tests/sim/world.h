// tests/sim/world.h: virtual time, chance from one seed, and the threads of all processes taking turns. What happens is
// a function of the seed alone.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "core/random.h"
#include "core/time.h"
#include "fiber.h"

namespace understudy::sim {

using core::Nanos;
using namespace std::chrono_literals;

/// Goes through a killed process's stacks and destroys what lies there. Is no std::exception, so nobody handles it.
struct Killed {};

class Process;

/// A thread of a process: plain blocking code on a fiber.
class Thread {
public:
    Thread(Stacks& stacks, Process& owner, std::function<void()> body)
        : fiber(stacks, std::move(body)), process(&owner) {}
    Fiber fiber;
    Process* process;         ///< not to be touched once killed
    std::uint64_t waits = 0;  ///< odd during a wait, which it numbers: a wake-up meant for an earlier one is stale
    bool killed = false;
};

/// A process: it can be stopped (SIGSTOP: its threads stand still, its clocks go on) and killed at any moment.
class Process {
public:
    virtual ~Process() = default;
    Nanos stopped_until{};
    bool dead = false;
    std::vector<std::shared_ptr<Thread>> threads;
};

class World {
public:
    explicit World(std::uint64_t seed) : engine_(seed) {}

    [[nodiscard]] Nanos now() const noexcept { return now_; }
    void at(Nanos when, std::function<void()> act);
    void after(Nanos wait, std::function<void()> act) { at(now_ + wait, std::move(act)); }
    std::shared_ptr<Thread> spawn(Process& process, std::function<void()> body);
    /// From outside its threads: everything on their stacks is destroyed now.
    void kill(Process& process);
    void run_until(Nanos end);

    // From within a thread.
    void sleep(Nanos time);
    void await_wake();  ///< somebody has promised to wake this thread
    [[nodiscard]] std::shared_ptr<Thread> current() const { return current_; }
    /// Ends the wait number `wait` of a thread, where it is still in it.
    void wake(const std::shared_ptr<Thread>& thread, std::uint64_t wait);
    void wake(const std::shared_ptr<Thread>& thread) { wake(thread, thread->waits); }
    [[nodiscard]] std::uint64_t next_wait() const { return current_->waits + 1; }

    // Chance.
    [[nodiscard]] double uniform() { return std::generate_canonical<double, 53>(engine_); }
    [[nodiscard]] bool chance(double probability) { return uniform() < probability; }
    [[nodiscard]] Nanos between(Nanos low, Nanos high) {
        return low + Nanos{static_cast<Nanos::rep>(uniform() * static_cast<double>((high - low).count()))};
    }
    [[nodiscard]] std::size_t below(std::size_t end) {
        return static_cast<std::size_t>(uniform() * static_cast<double>(end));
    }
    [[nodiscard]] std::uint64_t bits() { return engine_(); }
    [[nodiscard]] std::uint64_t events() const noexcept { return sequence_; }

private:
    struct Event {
        Nanos at{};
        std::uint64_t sequence = 0;
        std::function<void()> act;  ///< or a thread to go on with
        std::shared_ptr<Thread> thread;
        std::uint64_t wait = 0;
    };
    struct Later {
        bool operator()(const Event& a, const Event& b) const noexcept {
            return a.at != b.at ? a.at > b.at : a.sequence > b.sequence;
        }
    };
    void push(Event event);
    void resume(const std::shared_ptr<Thread>& thread);

    Stacks stacks_;  // outlives the events, which hold threads
    std::mt19937_64 engine_;
    Nanos now_{};
    std::uint64_t sequence_ = 0;
    std::vector<Event> events_;
    std::shared_ptr<Thread> current_;
};

/// A machine's clocks: their own rate and offset, and steps of real time.
class SimClock final : public core::Clock {
public:
    SimClock(World& world, double rate) : world_(world), rate_(rate), born_(world.now()) {}
    [[nodiscard]] core::Instant now() const noexcept override {
        const auto boot =
            1h + Nanos{static_cast<Nanos::rep>(static_cast<double>((world_.now() - born_).count()) * rate_)};
        return {boot, epoch + born_ + boot + step};
    }
    bool wait_for(std::unique_lock<std::mutex>& lock, std::condition_variable& wake, Nanos at_most,
                  const std::function<bool()>& done) override;

    static constexpr Nanos epoch = std::chrono::hours{24 * 365 * 56};  ///< some day in 2025
    Nanos step{};

private:
    World& world_;
    double rate_;
    Nanos born_;
};

}  // namespace understudy::sim
