// bench/corpus/templates.h: the few files that ffmpeg makes and of which the corpus is copies. Used by corpus.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace understudy::bench {

/// Stands in each template's title and is overwritten in each copy by a text of the same length.
inline constexpr std::string_view title_mark = "UNDERSTUDY-TITLE-00000000";

/// The bytes of a template: `film.mkv`, `film.mp4`, `episode.mkv`, `episode.mp4`, `episode.avi`, `episode.ts`,
/// `track.mp3`, `track.flac`, `track.m4a`, `track.ogg`, `track.opus`. Throws std::runtime_error.
[[nodiscard]] std::string template_bytes(const std::filesystem::path& work_folder, std::string_view name);

}  // namespace understudy::bench
