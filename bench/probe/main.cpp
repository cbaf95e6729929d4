// bench_probe BUILD_FOLDER [FILES [PAIRS]]: what a first scan pays for probing. Runs in turn (A B A B …) over one
// corpus in the page cache: A, avformat_open_input + avformat_find_stream_info on each file in one bare thread; B, a
// WorkerPool that starts its workers anew. Prints the medians and their ratio; ends with 1 if the ratio of wall times
// is over budget.
extern "C" {
#include <libavformat/avformat.h>
}

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "core/log.h"
#include "corpus/corpus.h"
#include "media/worker_pool.h"

namespace {

using namespace understudy;

/// A whole scan may take as long as A; walking, describing and storing need the rest.
constexpr double budget = 0.6;

struct Cost {
    double wall_s = 0, cpu_s = 0;
    std::size_t failed = 0;
};

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

Cost measure(const std::function<std::size_t()>& work) {
    const auto wall = std::chrono::steady_clock::now();
    const double cpu = cpu_seconds();
    Cost cost;
    cost.failed = work();
    cost.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count();
    cost.cpu_s = cpu_seconds() - cpu;
    return cost;
}

std::size_t bare_loop(const std::vector<media::ProbeRequest>& files) {
    std::size_t failed = 0;
    for (const auto& file : files) {
        AVFormatContext* context = nullptr;
        if (avformat_open_input(&context, file.path.c_str(), nullptr, nullptr) < 0 ||
            avformat_find_stream_info(context, nullptr) < 0)
            ++failed;
        avformat_close_input(&context);
    }
    return failed;
}

std::size_t pooled(const std::string& worker, const std::vector<media::ProbeRequest>& files, std::size_t batch) {
    core::NullLog log;
    media::WorkerPoolSettings settings;
    settings.worker = worker;
    settings.batch = batch;
    media::WorkerPool pool(settings, log);
    std::size_t failed = 0;
    pool.probe(
        files, [] { return false; },
        [&](std::size_t, const media::ProbeResult& result) { failed += result ? 0u : 1u; });
    return failed;  // the pool's end reaps the workers: their time counts
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

int run(const std::string& build, std::size_t count, std::size_t pairs) {
    const auto corpus = bench::make_corpus(bench::corpus_folder(build, count), count);
    std::vector<media::ProbeRequest> files;
    for (const auto& path : corpus.videos) files.push_back({.path = path, .kind = media::ProbeKind::video});
    for (const auto& path : corpus.tracks) files.push_back({.path = path, .kind = media::ProbeKind::audio});
    const std::string worker = build + "/bin/understudy-media";
    av_log_set_level(AV_LOG_QUIET);

    // Once over all for the page cache.
    static_cast<void>(pooled(worker, files, 16));
    std::vector<double> a_wall, a_cpu, b_wall, b_cpu;
    std::size_t a_failed = 0, b_failed = 0;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        const Cost a = measure([&] { return bare_loop(files); });
        const Cost b = measure([&] { return pooled(worker, files, 16); });
        a_wall.push_back(a.wall_s), a_cpu.push_back(a.cpu_s), b_wall.push_back(b.wall_s), b_cpu.push_back(b.cpu_s);
        a_failed = a.failed, b_failed = b.failed;
        std::printf("pair %zu: bare thread %.2f s, pool %.2f s\n", pair + 1, a.wall_s, b.wall_s);
    }
    const Cost single = measure([&] { return pooled(worker, files, 1); });
    const double ratio = median(b_wall) / median(a_wall);
    std::printf("\n%zu files, %u cores, libavformat %u.%u\n", files.size(), std::thread::hardware_concurrency(),
                avformat_version() >> 16, (avformat_version() >> 8) & 255);
    std::printf("| what | wall s | CPU s | failed |\n|---|---|---|---|\n");
    std::printf("| open + stream info, one bare thread | %.2f | %.2f | %zu |\n", median(a_wall), median(a_cpu),
                a_failed);
    std::printf("| worker pool, 16 files a message | %.2f | %.2f | %zu |\n", median(b_wall), median(b_cpu), b_failed);
    std::printf("| worker pool, 1 file a message (once) | %.2f | %.2f | %zu |\n", single.wall_s, single.cpu_s,
                single.failed);
    std::printf("| ratio of medians | %.2f | %.2f | |\n", ratio, median(b_cpu) / median(a_cpu));
    if (b_failed != 0 || ratio > budget) {
        std::printf("over budget: the ratio of wall times may be %.2f, and no file may fail\n", budget);
        return 1;
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc < 2) {
        std::fputs("usage: bench_probe BUILD_FOLDER [FILES [PAIRS]]\n", stderr);
        return 2;
    }
    return run(argv[1], argc > 2 ? std::stoul(argv[2]) : 20'000, argc > 3 ? std::max(1ul, std::stoul(argv[3])) : 5);
} catch (const std::exception& error) {
    std::fprintf(stderr, "bench_probe: %s\n", error.what());
    return 1;
}
