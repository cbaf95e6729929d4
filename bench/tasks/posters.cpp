// bench_posters BUILD_FOLDER [PAIRS]: 100 posters of 1000 x 1500 pixels to 300 wide by two workers, their start and end
// included, against one ffmpeg process each; and what a picture that is kept costs against the poster's file as it is.
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "core/log.h"
#include "core/random.h"
#include "core/time.h"
#include "http/pictures/picture_cache.h"
#include "http/pictures/picture_files.h"
#include "media/image_scaler.h"
#include "media/worker_pool.h"
#include "tasks/compare.h"

namespace {

using namespace understudy;

constexpr std::size_t posters = 100;
constexpr double cpu_budget = 0.35, wall_budget = 0.35, kept_budget = 2.0;
constexpr int reads = 2'000;

std::string make_poster(const std::string& build) {
    const auto folder = std::filesystem::path(build) / "bench-cache";
    std::filesystem::create_directories(folder);
    const auto poster = (folder / "poster.jpg").string();
    if (std::filesystem::exists(poster)) return poster;
    // As a photograph: soft shapes and grain.
    bench::run("ffmpeg -nostdin -v error -y -f lavfi -i 'mandelbrot=s=1000x1500,noise=alls=8' -frames:v 1 -q:v 3 '" +
               poster + "'");
    return poster;
}

void scale_all(const std::string& worker, const std::string& poster, core::Log& log, media::ScaledFormat format) {
    media::WorkerPoolSettings settings;
    settings.worker = worker;
    settings.workers = 2;
    media::WorkerPool pool(std::move(settings), log);
    media::PooledScaler scaler(pool);
    std::vector<std::jthread> callers;
    for (std::size_t half = 0; half < 2; ++half)
        callers.emplace_back([&] {
            for (std::size_t i = 0; i < posters / 2; ++i) {
                const auto file = http::read_picture(poster, "");
                const auto made = file ? scaler.scale(file->bytes, {.max_width = 300, .format = format})
                                       : core::Result<media::CoverResult>(tl::unexpected(file.error()));
                if (!made || made->width != 300) std::abort();
            }
        });
}

bool kept_costs_little(const std::string& build, const std::string& poster, unsigned pairs, core::Log& log) {
    core::SystemClock clock;
    core::SystemRandom random;
    const auto folder = std::filesystem::path(build) / "bench-cache/images";
    http::PictureCache cache({folder}, random, clock, log);
    cache.put("bench", std::string(20'000, 'x'));
    http::PictureFiles files;
    const core::LibraryId library;
    const auto as_it_is = [&] {
        for (int i = 0; i < reads; ++i)
            if (!files.read(library, poster, "")) throw std::runtime_error("the poster is gone");
    };
    const auto kept = [&] {
        for (int i = 0; i < reads; ++i)
            if (!files.read(library, poster, "*") || !cache.get("bench")) throw std::runtime_error("it is not kept");
    };
    return bench::compare("2,000 kept pictures", "the files as they are", kept_budget, pairs, as_it_is, kept,
                          kept_budget);
}

int run(const std::string& build, unsigned pairs) {
    core::NullLog log;
    const auto poster = make_poster(build);
    bool good = true;
    std::printf("| what | peer | ours | CPU, ratio of budget |\n|---|---|---|---|\n");
    for (const auto& [format, name, codec] :
         {std::tuple{media::ScaledFormat::jpeg, "100 posters to 300 px, JPEG", "-q:v 3 -f mjpeg"},
          std::tuple{media::ScaledFormat::webp, "100 posters to 300 px, WebP", "-c:v libwebp -quality 90 -f webp"}}) {
        const auto theirs = [&, options = codec] {
            for (std::size_t i = 0; i < posters; ++i)
                bench::run("ffmpeg -nostdin -v error -y -i '" + poster + "' -vf scale=300:-1 -frames:v 1 " + options +
                           " /dev/null");
        };
        const auto ours = [&, wanted = format] { scale_all(build + "/bin/understudy-media", poster, log, wanted); };
        good = bench::compare(name, "100 ffmpeg processes", cpu_budget, pairs, theirs, ours, wall_budget) && good;
    }
    return kept_costs_little(build, poster, pairs, log) && good ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc < 2) {
        std::fputs("usage: bench_posters BUILD_FOLDER [PAIRS]\n", stderr);
        return 2;
    }
    return run(std::filesystem::absolute(argv[1]).string(), argc > 2 ? static_cast<unsigned>(std::stoul(argv[2])) : 3);
} catch (const std::exception& error) {
    std::fprintf(stderr, "bench_posters: %s\n", error.what());
    return 1;
}
