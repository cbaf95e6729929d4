// bench/corpus/corpus.h: a large library of small real files, the same each time. Used by the benchmarks of probe and
// scan.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

namespace understudy::bench {

/// 10 % films with NFO, 30 % episodes, 60 % tagged music; no two files have the same bytes.
struct Corpus {
    std::filesystem::path films, series, music;  ///< the three roots
    std::vector<std::filesystem::path> videos;   ///< films, then episodes
    std::vector<std::filesystem::path> tracks;
};

/// Makes `files` media files below `root` with ffmpeg and TagLib, or finds them there from last time. Throws
/// std::runtime_error when ffmpeg is missing or the disc is full. 20,000 files take about a minute and 1.5 GB.
[[nodiscard]] Corpus make_corpus(const std::filesystem::path& root, std::size_t files);

/// `UNDERSTUDY_BENCH_CACHE`, else `bench-cache` in the build folder.
[[nodiscard]] std::filesystem::path corpus_folder(const std::filesystem::path& build_folder, std::size_t files);

}  // namespace understudy::bench
