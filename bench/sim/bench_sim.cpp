// bench_sim [SLOTS]: simulated clusters under faults until so many slots have started (default 100,000); prints
// duplicate starts, overlapping writes and lost slots, which must be 0, 0, 0.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "simulation.h"

int main(int argc, char** argv) {
    using namespace understudy::sim;
    const long long wanted = argc > 1 ? std::strtoll(argv[1], nullptr, 10) : 100'000;
    if (wanted <= 0) {
        std::fprintf(stderr, "usage: bench_sim [SLOTS]\n");
        return 2;
    }
    Tally sum;
    std::uint64_t seed = 1'000'000, bad = 0;  // other seeds than the test's
    const auto began = std::chrono::steady_clock::now();
    double hours = 0;
    int faults = 0;
    while (sum.slots_started < wanted) {
        auto options = Options::of_seed(++seed);
        options.busy_interval = 20s;  // many slots
        options.units_min = 1;
        options.units_more = 8;
        const auto outcome = Simulation(seed, options).run();
        hours += std::chrono::duration<double, std::ratio<3600>>(options.duration).count();
        faults += outcome.kills + outcome.stops + outcome.cuts + outcome.redis_faults + outcome.database_faults;
        sum.slots_started += outcome.tally.slots_started;
        sum.duplicate_starts += outcome.tally.duplicate_starts;
        sum.overlapping_writes += outcome.tally.overlapping_writes;
        sum.lost_slots += outcome.tally.lost_slots;
        sum.takeovers += outcome.tally.takeovers;
        sum.resumes += outcome.tally.resumes;
        sum.writes += outcome.tally.writes;
        if (!outcome.violations.empty()) {
            ++bad;
            std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), outcome.text().c_str());
        }
    }
    const auto took = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    std::printf("slots started      %lld\n", static_cast<long long>(sum.slots_started));
    std::printf("duplicate starts   %lld\n", static_cast<long long>(sum.duplicate_starts));
    std::printf("overlapping writes %lld\n", static_cast<long long>(sum.overlapping_writes));
    std::printf("lost slots         %lld\n", static_cast<long long>(sum.lost_slots));
    std::printf("(%.0f simulated hours in %.1f s; %d faults, %lld takeovers, %lld resumed runs, %lld writes)\n", hours,
                took, faults, static_cast<long long>(sum.takeovers), static_cast<long long>(sum.resumes),
                static_cast<long long>(sum.writes));
    return bad == 0 ? 0 : 1;
}
