// bench/tasks/compare.h: peer and product in turn, and the table line that compares them. Used by the benches of this
// folder that are programs of their own.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "media/byte_source.h"
#include "media/unique_fd.h"

namespace understudy::bench {

struct Cost {
    double wall_s = 0, cpu_s = 0;
};

inline double cpu_seconds() {
    double total = 0;
    for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage usage{};
        getrusage(who, &usage);
        for (const auto& part : {usage.ru_utime, usage.ru_stime})
            total += static_cast<double>(part.tv_sec) + static_cast<double>(part.tv_usec) / 1e6;
    }
    return total;
}

inline Cost measure(const std::function<void()>& work) {
    const auto wall = std::chrono::steady_clock::now();
    const double cpu = cpu_seconds();
    work();
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count(), cpu_seconds() - cpu};
}

inline double middle(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

struct Costs {
    std::vector<double> wall_s, cpu_s;
    void add(const Cost& cost) {
        wall_s.push_back(cost.wall_s);
        cpu_s.push_back(cost.cpu_s);
    }
};

/// Peer and product in turn, `pairs` times; prints a line of the table; false: over budget. Wall time counts where it
/// has a budget.
inline bool compare(const char* what, const char* peer, double cpu_budget, unsigned pairs,
                    const std::function<void()>& theirs, const std::function<void()>& ours, double wall_budget = 0) {
    ours();  // page cache, once
    Costs a, b;
    for (unsigned i = 0; i < pairs; ++i) {
        a.add(measure(theirs));
        b.add(measure(ours));
    }
    const double ratio = middle(b.cpu_s) / middle(a.cpu_s), wall_ratio = middle(b.wall_s) / middle(a.wall_s);
    std::printf("| %s | %s: %.3f s CPU, %.3f s | %.3f s CPU, %.3f s | %.3f of %.2f: %s |\n", what, peer,
                middle(a.cpu_s), middle(a.wall_s), middle(b.cpu_s), middle(b.wall_s), ratio, cpu_budget,
                ratio > cpu_budget ? "NO" : "ok");
    if (wall_budget > 0)
        std::printf("| the same, wall time | | | %.3f of %.2f: %s |\n", wall_ratio, wall_budget,
                    wall_ratio > wall_budget ? "NO" : "ok");
    return ratio <= cpu_budget && (wall_budget <= 0 || wall_ratio <= wall_budget);
}

inline void run(const std::string& command) {
    if (std::system(command.c_str()) != 0)
        throw std::runtime_error("failed: " + command);  // NOLINT(concurrency-mt-unsafe)
}

/// A file as the worker's jobs see it.
class OpenFile {
public:
    explicit OpenFile(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
        struct stat status {};
        if (fd_.get() < 0 || fstat(fd_.get(), &status) != 0) throw std::runtime_error("cannot open " + path);
        bytes_.open(fd_.get(), status.st_size);
    }
    [[nodiscard]] media::ByteSource& bytes() { return bytes_; }

private:
    media::UniqueFd fd_;
    media::ByteSource bytes_;
};

}  // namespace understudy::bench
