// Keyframes of 60 minutes of video against ffprobe over the packets, as Jellyfin calls it. A worker's start is measured
// apart: a task pays it once, not once a file.
#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <string>

#include "media/keyframes.h"
#include "tasks/cost.h"

namespace understudy::bench {

namespace {

constexpr std::size_t runs = 7, files_a_run = 8;

void ask_ffprobe(const std::filesystem::path& file) {
    shell(
        "ffprobe -v error -skip_frame nokey -show_entries format=duration -show_entries packet=pts_time,flags "
        "-select_streams v -of csv '" +
        file.string() + "' > /dev/null");
}

}  // namespace

bool keyframes_bench(const std::filesystem::path& build) {
    const auto minute =
        cached(build, "minute.mkv",
               "ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=854x480:rate=25:duration=60 -f lavfi "
               "-i sine=440:duration=60 -c:v libx264 -preset veryfast -g 120 -c:a aac minute.mkv");
    const auto tiny =
        cached(build, "tiny.mkv",
               "ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=64x64:rate=25:duration=0.2 -c:v libx264 "
               "tiny.mkv");
    const auto start = median_of(
        runs, [&] { static_cast<void>(payloads(build, {{.path = tiny.string(), .job = media::Job::keyframes}})); });
    std::printf("\nkeyframes of 60 minutes, a worker's start (%.3f s of CPU) not counted\n", start.cpu_s);
    std::printf("| what | wall s | CPU s |\n|---|---|---|\n");
    struct Row {
        const char* extension;
        double budget, ratio = 0;
    };
    Row rows[] = {{"mkv", 0.02}, {"mp4", 0.08}};
    for (auto& row : rows) {
        const std::string name = std::string("hour.") + row.extension;
        const auto file = cached(
            build, name, "ffmpeg -nostdin -v error -stream_loop 59 -i '" + minute.string() + "' -c copy " + name);
        const std::vector<media::AnalysisRequest> requests(files_a_run,
                                                           {.path = file.string(), .job = media::Job::keyframes});
        std::size_t found = 0;
        const auto ours = [&] {
            const auto keyframes = media::decode_keyframes(payloads(build, requests).front());
            found = keyframes ? keyframes->times.size() : 0;
        };
        ask_ffprobe(file), ours();  // for the page cache
        std::vector<Cost> a, b;
        for (std::size_t i = 0; i < runs; ++i) {
            a.push_back(measure([&] { ask_ffprobe(file); }));
            b.push_back(measure(ours));
        }
        if (found < 700) throw std::runtime_error(name + ": too few keyframes");
        const auto theirs = median(a), mine = median(b);
        // Eight heavy files start both workers.
        const double each = (mine.cpu_s - 2 * start.cpu_s) / static_cast<double>(files_a_run);
        std::printf("| ffprobe, %s | %.3f | %.3f |\n", row.extension, theirs.wall_s, theirs.cpu_s);
        std::printf("| index of %zu keyframes, %s | %.3f | %.4f |\n", found, row.extension,
                    mine.wall_s / static_cast<double>(files_a_run), each);
        row.ratio = each / theirs.cpu_s;
    }
    bool good = true;
    for (const auto& row : rows) good &= within(row.extension, row.ratio, row.budget);
    return good;
}

}  // namespace understudy::bench
