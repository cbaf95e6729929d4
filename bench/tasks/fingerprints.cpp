// bench_fingerprints BUILD_FOLDER [PAIRS]: fingerprints of the first 10 min of 6 episodes (AAC, stereo, in Matroska),
// with the search for silences, by a pool that starts its workers anew, against fpcalc, one process a file.
#include <filesystem>
#include <string>
#include <vector>

#include "core/log.h"
#include "media/fingerprint.h"
#include "media/worker_pool.h"
#include "tasks/compare.h"

namespace {

using namespace understudy;

constexpr int episodes = 6, seconds = 600;
constexpr double budget = 1.0, wall_budget = 0.6;  // wall: on two cores

std::vector<std::string> make_season(const std::string& build) {
    const auto folder = std::filesystem::path(build) / "bench-cache";
    std::filesystem::create_directories(folder);
    std::vector<std::string> files;
    for (int i = 1; i <= episodes; ++i) {
        files.push_back((folder / ("fingerprints-" + std::to_string(i) + ".mkv")).string());
        if (std::filesystem::exists(files.back())) continue;
        bench::run("ffmpeg -nostdin -v error -y -f lavfi -i \"aevalsrc='0.3*sin(2*PI*t*(220+" + std::to_string(i) +
                   "*floor(mod(t*1.7,11))*9))|0.3*sin(2*PI*t*(330+55*floor(mod(t*0.9," + std::to_string(i + 4) +
                   "))))':s=48000:d=660\" -f lavfi -i anoisesrc=a=0.05:d=660:r=48000 -filter_complex amix -ac 2 -c:a "
                   "aac -b:a 192k '" +
                   files.back() + ".half.mkv' && mv '" + files.back() + ".half.mkv' '" + files.back() + "'");
    }
    return files;
}

int run(const std::string& build, unsigned pairs) {
    if (std::system("fpcalc -version >/dev/null 2>&1") != 0)  // NOLINT(concurrency-mt-unsafe)
        throw std::runtime_error("the peer fpcalc is missing (package libchromaprint-tools)");
    const auto files = make_season(build);
    std::printf("| what | peer | ours | CPU, ratio of budget |\n|---|---|---|---|\n");
    const auto theirs = [&] {
        for (const auto& file : files)
            bench::run("fpcalc -raw -length " + std::to_string(seconds) + " '" + file + "' >/dev/null");
    };
    std::vector<media::AnalysisRequest> requests;
    for (const auto& path : files) {
        const media::FingerprintParameters parameters{
            .windows = {{std::chrono::seconds{0}, std::chrono::seconds{seconds}}}};
        requests.push_back({.path = path,
                            .job = media::Job::fingerprint,
                            .parameters = media::encode(parameters),
                            .limit = std::chrono::minutes{5}});
    }
    const auto ours = [&] {
        core::NullLog log;
        media::WorkerPoolSettings settings;
        settings.worker = std::filesystem::path(build) / "bin" / "understudy-media";
        media::WorkerPool pool(settings, log);
        pool.analyse(
            requests, [] { return false; },
            [&](std::size_t i, media::AnalysisResult answer) {
                if (!answer) throw std::runtime_error(requests[i].path + ": " + answer.error().context);
                const auto result = media::decode_fingerprint_result(answer->payload);
                if (!result || result->windows.at(0).words.size() < 4800) throw std::runtime_error("too few words");
            });
    };
    return bench::compare("fingerprints of 6 episodes, 10 min each", "fpcalc", budget, pairs, theirs, ours, wall_budget)
               ? 0
               : 1;
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc < 2) {
        std::fputs("usage: bench_fingerprints BUILD_FOLDER [PAIRS]\n", stderr);
        return 2;
    }
    return run(argv[1], argc > 2 ? static_cast<unsigned>(std::stoul(argv[2])) : 5);
} catch (const std::exception& error) {
    std::fprintf(stderr, "bench_fingerprints: %s\n", error.what());
    return 1;
}
