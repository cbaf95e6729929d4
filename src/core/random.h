// core/random.h: chance as a port, so that a seed replays a test.
#pragma once

#include <cstdint>
#include <random>
#include <span>

namespace understudy::core {

class Random {
public:
    virtual ~Random() = default;
    /// Fills `bytes` with random bytes. Never fails (the system source CHECKs).
    virtual void fill(std::span<std::uint8_t> bytes) = 0;
    /// Uniform in [0, 1).
    [[nodiscard]] double uniform();
};

/// The kernel's source (getrandom). Safe from any thread.
class SystemRandom final : public Random {
public:
    void fill(std::span<std::uint8_t> bytes) override;
};

/// A seeded sequence for tests and simulations. One thread at a time.
class SeededRandom final : public Random {
public:
    explicit SeededRandom(std::uint64_t seed) : engine_(seed) {}
    void fill(std::span<std::uint8_t> bytes) override;

private:
    std::mt19937_64 engine_;
};

}  // namespace understudy::core
