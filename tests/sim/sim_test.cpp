#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "simulation.h"

namespace understudy::sim {
namespace {

std::uint64_t seeds_to_run() {
    const char* wanted = std::getenv("UNDERSTUDY_SIM_SEEDS");
    if (wanted != nullptr) return std::strtoull(wanted, nullptr, 10);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return 20;  // ten times slower
#else
    return 500;
#endif
}

/// `simulate --seed N` replays one.
class Seeds : public ::testing::TestWithParam<int> {};

// Ten tests, so that ctest can spread them over the cores and a failure names a few seeds.
TEST_P(Seeds, six_hours_of_bad_luck_break_no_invariant) {
    const auto all = seeds_to_run();
    Tally sum;
    for (auto seed = static_cast<std::uint64_t>(GetParam()); seed < all; seed += 10) {
        Simulation simulation(seed + 1, Options::of_seed(seed + 1));
        const auto outcome = simulation.run();
        EXPECT_TRUE(outcome.violations.empty()) << "replay: simulate --seed " << seed + 1 << "\n" << outcome.text();
        sum.slots_started += outcome.tally.slots_started;
        sum.takeovers += outcome.tally.takeovers;
        sum.resumes += outcome.tally.resumes;
        if (::testing::Test::HasFailure()) break;  // one is enough to work with
    }
    if (all >= 100) {  // a simulation in which nothing happens proves nothing
        EXPECT_GT(sum.slots_started, 1'000);
        EXPECT_GT(sum.takeovers, 50);
        EXPECT_GT(sum.resumes, 50);
    }
}
INSTANTIATE_TEST_SUITE_P(Simulation, Seeds, ::testing::Range(0, 10));

bool finds(int invariant, Broken broken) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        auto options = Options::of_seed(seed);
        options.duration = 2h;
        options.mean_between_faults = 1min;
        options.broken = broken;
        if (broken == Broken::slots) {  // short runs: a late claim comes when the slot's run has ended
            options.busy_interval = 15s;
            options.units_min = options.units_more = 1;
            options.unit = 20ms;
        }
        Simulation simulation(seed, options);
        for (const auto& violation : simulation.run().violations) {
            if (violation.invariant == invariant) return true;
        }
    }
    return false;
}

TEST(SimulationControl, without_the_fence_two_writers_are_seen) {
    EXPECT_TRUE(finds(2, Broken::fence));
}

TEST(SimulationControl, without_the_slot_check_double_starts_are_seen) {
    EXPECT_TRUE(finds(3, Broken::slots));
}

TEST(Simulation, a_seed_replays_the_same_run) {
    auto options = Options::of_seed(7);
    options.duration = 1h;
    const auto once = Simulation(7, options).run(), again = Simulation(7, options).run();
    EXPECT_EQ(once.events, again.events);
    EXPECT_EQ(once.text(), again.text());
}

}  // namespace
}  // namespace understudy::sim
