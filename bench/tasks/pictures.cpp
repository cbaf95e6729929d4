// bench_pictures BUILD_FOLDER [PAIRS [FILM]]: 12 chapter pictures of one film of 10 min (1080p, 24 a second, libx264 as
// it comes: preset medium, crf 23, a keyframe at a cut or after 250 pictures) by one pass of make_pictures, against one
// ffmpeg process a picture. Makes its film once, below BUILD_FOLDER/bench-cache: three minutes of CPU.
#include <filesystem>
#include <string>

#include "media/ffmpeg/input.h"
#include "media/ffmpeg/pictures.h"
#include "tasks/compare.h"

namespace {

using namespace understudy;

constexpr int pictures = 12, minutes = 10;
constexpr double exact_budget = 0.35, keyframe_budget = 0.05;

std::string make_film(const std::string& build) {
    const auto folder = std::filesystem::path(build) / "bench-cache";
    std::filesystem::create_directories(folder);
    const auto film = (folder / "pictures-medium.mkv").string();
    if (std::filesystem::exists(film)) return film;
    const auto minute = (folder / "pictures-minute.mkv").string();
    // Noise as film has it: without any, all that moves is predicted and pictures cost next to nothing.
    bench::run(
        "ffmpeg -nostdin -v error -y -f lavfi -i 'testsrc2=s=1920x1080:r=24:d=60,noise=alls=6:allf=t' -c:v libx264 "
        "-pix_fmt yuv420p '" +
        minute + "'");
    bench::run("ffmpeg -nostdin -v error -y -stream_loop " + std::to_string(minutes - 1) + " -i '" + minute +
               "' -c copy '" + film + ".half.mkv' && mv '" + film + ".half.mkv' '" + film + "'");
    return film;
}

/// What 5 exact pictures within the first 4 s of a film take: for films of unusual size.
int peak_memory(const std::string& film) {
    rusage before{}, after{};
    getrusage(RUSAGE_SELF, &before);
    media::PicturesParameters parameters;
    for (int i = 0; i < 5; ++i) parameters.times.push_back(std::chrono::milliseconds{800 * i});
    bench::OpenFile file(film);
    const auto result = media::make_pictures(file.bytes(), parameters);
    getrusage(RUSAGE_SELF, &after);
    std::printf("%s: %s, %ld MiB more than before\n", film.c_str(), result ? "done" : result.error().context.c_str(),
                (after.ru_maxrss - before.ru_maxrss) / 1024);
    return result ? 0 : 1;
}

int run(const std::string& build, unsigned pairs, const std::string& other_film) {
    media::prepare_libav();
    const std::string film = other_film.empty() ? make_film(build) : other_film;
    media::PicturesParameters parameters;
    if (!other_film.empty()) return peak_memory(film);
    for (int i = 0; i < pictures; ++i)  // as chapters lie: anywhere between keyframes
        parameters.times.push_back(
            std::chrono::milliseconds{minutes * 60'000 / pictures * i + (i == 0 ? 15'000 : 1'730 * (i % 5) + 400)});
    bool good = true;
    std::printf("| what | peer | ours | CPU, ratio of budget |\n|---|---|---|---|\n");
    for (const auto choice : {media::PictureChoice::exact, media::PictureChoice::keyframe}) {
        parameters.choice = choice;
        const bool exact = choice == media::PictureChoice::exact;
        const auto theirs = [&] {
            for (const auto time : parameters.times)
                bench::run("ffmpeg -nostdin -v error -y -ss " +
                           std::to_string(static_cast<double>(time.count()) / 1e6) + " -i '" + film +
                           "' -frames:v 1 -vf scale=400:-2 -q:v 3 -f mjpeg -update 1 /dev/null");
        };
        const auto ours = [&] {
            bench::OpenFile file(film);
            const auto result = media::make_pictures(file.bytes(), parameters);
            if (!result) throw std::runtime_error(result.error().context);
            for (const auto& picture : result->pictures)
                if (picture.bytes.empty()) throw std::runtime_error(picture.reason);
        };
        good = bench::compare(exact ? "12 chapter pictures, exact" : "12 chapter pictures, at the keyframe",
                              "12 ffmpeg processes", exact ? exact_budget : keyframe_budget, pairs, theirs, ours) &&
               good;
    }
    return good ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc < 2) {
        std::fputs("usage: bench_pictures BUILD_FOLDER [PAIRS [FILM]]\n", stderr);
        return 2;
    }
    return run(argv[1], argc > 2 ? static_cast<unsigned>(std::stoul(argv[2])) : 5, argc > 3 ? argv[3] : "");
} catch (const std::exception& error) {
    std::fprintf(stderr, "bench_pictures: %s\n", error.what());
    return 1;
}
