// bench/tasks/cost.h: what the parts of bench_tasks share: files to work on, what something cost, and the table.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "media/analyst.h"

namespace understudy::bench {

struct Cost {
    double wall_s = 0, cpu_s = 0;
};

/// Of this process and of the children that it has reaped.
[[nodiscard]] Cost measure(const std::function<void()>& work);
/// The median of each, of `times` runs.
[[nodiscard]] Cost median_of(std::size_t times, const std::function<void()>& work);
[[nodiscard]] Cost median(std::vector<Cost> costs);

/// By /bin/sh. Throws std::runtime_error if it fails.
void shell(const std::string& command);

/// A file below BUILD/bench-cache/tasks, made when it is first asked for by `command`, a shell command that is run in
/// that folder and writes a file of that name.
[[nodiscard]] std::filesystem::path cached(const std::filesystem::path& build, const std::string& name,
                                           const std::string& command);

/// All answers of a pool that starts its workers anew and is gone at the end. Throws if a file fails.
[[nodiscard]] std::vector<std::string> payloads(const std::filesystem::path& build,
                                                const std::vector<media::AnalysisRequest>& requests);

/// Prints the ratio and says whether it is within its budget.
[[nodiscard]] bool within(const char* what, double ratio, double budget);

/// Each prints its table and returns whether all is within budget.
[[nodiscard]] bool keyframes_bench(const std::filesystem::path& build);
[[nodiscard]] bool loudness_bench(const std::filesystem::path& build);

}  // namespace understudy::bench
