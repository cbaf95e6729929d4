// bench/core/tracks.h: a large library of tiny real tracks. Used by the memory figure.
#pragma once

#include <cstddef>
#include <filesystem>

namespace understudy::bench {

/// `count` copies of three half-second tracks (mp3, flac, m4a), 12 an album, 4 albums an artist, each with its own name
/// and its own title, artist and album tags; found again from last time. Throws std::runtime_error where ffmpeg or room
/// is missing.
void make_tracks(const std::filesystem::path& root, std::size_t count);

}  // namespace understudy::bench
