// simulate [--seed N] [--seeds FROM TO]: replays simulations by hand; prints what each came to.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "simulation.h"

int main(int argc, char** argv) {
    using namespace understudy::sim;
    std::uint64_t from = 1, to = 1;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
            from = to = std::strtoull(argv[++i], nullptr, 10);
        } else if (std::strcmp(argv[i], "--seeds") == 0 && i + 2 < argc) {
            from = std::strtoull(argv[++i], nullptr, 10);
            to = std::strtoull(argv[++i], nullptr, 10);
        } else {
            std::fprintf(stderr, "usage: simulate [--seed N] [--seeds FROM TO]\n");
            return 2;
        }
    }
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // a run that is cut short has still said what it found
    int bad = 0;
    for (auto seed = from; seed <= to; ++seed) {
        Simulation simulation(seed, Options::of_seed(seed));
        const auto outcome = simulation.run();
        if (!outcome.violations.empty() || from == to)
            std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), outcome.text().c_str());
        bad += outcome.violations.empty() ? 0 : 1;
    }
    std::printf("%d of %llu seeds with violations\n", bad, static_cast<unsigned long long>(to - from + 1));
    return bad == 0 ? 0 : 1;
}
