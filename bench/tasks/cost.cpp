#include "tasks/cost.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "core/log.h"
#include "media/worker_pool.h"

namespace understudy::bench {

namespace {

double cpu_seconds() {
    double total = 0;
    for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage usage{};
        getrusage(who, &usage);
        for (const auto& part : {usage.ru_utime, usage.ru_stime})
            total += static_cast<double>(part.tv_sec) + static_cast<double>(part.tv_usec) / 1e6;
    }
    return total;
}

double middle(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

}  // namespace

Cost measure(const std::function<void()>& work) {
    const auto wall = std::chrono::steady_clock::now();
    const double cpu = cpu_seconds();
    work();
    const auto took = std::chrono::steady_clock::now() - wall;
    return {.wall_s = std::chrono::duration<double>(took).count(), .cpu_s = cpu_seconds() - cpu};
}

Cost median(std::vector<Cost> costs) {
    std::vector<double> wall, cpu;
    for (const auto& cost : costs) wall.push_back(cost.wall_s), cpu.push_back(cost.cpu_s);
    return {.wall_s = middle(wall), .cpu_s = middle(cpu)};
}

Cost median_of(std::size_t times, const std::function<void()>& work) {
    std::vector<Cost> costs;
    for (std::size_t i = 0; i < times; ++i) costs.push_back(measure(work));
    return median(std::move(costs));
}

void shell(const std::string& command) {
    if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
}

std::filesystem::path cached(const std::filesystem::path& build, const std::string& name, const std::string& command) {
    const auto folder = build / "bench-cache" / "tasks";
    const auto file = folder / name;
    if (std::filesystem::exists(file)) return file;
    const auto half = folder / "half";
    std::filesystem::remove_all(half);
    std::filesystem::create_directories(half);
    shell("cd '" + half.string() + "' && " + command);
    std::filesystem::rename(half / name, file);
    std::filesystem::remove_all(half);
    return file;
}

std::vector<std::string> payloads(const std::filesystem::path& build,
                                  const std::vector<media::AnalysisRequest>& requests) {
    core::NullLog log;
    media::WorkerPoolSettings settings;
    settings.worker = build / "bin" / "understudy-media";
    media::WorkerPool pool(settings, log);
    std::vector<std::string> answers(requests.size());
    pool.analyse(
        requests, [] { return false; },
        [&](std::size_t i, media::AnalysisResult answer) {
            if (!answer) throw std::runtime_error(requests[i].path + ": " + answer.error().context);
            answers[i] = std::move(answer->payload);
        });
    return answers;
}

bool within(const char* what, double ratio, double budget) {
    std::printf("%s: %.3f of it, may be %.3f%s\n", what, ratio, budget, ratio > budget ? ": NO" : ": ok");
    return ratio <= budget;
}

}  // namespace understudy::bench
