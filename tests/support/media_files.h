// tests/support/media_files.h: real media for tests, made by ffmpeg when first asked for and kept below the build
// folder. Used by the tests of media and library.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/temp_folder.h"

namespace understudy::test {

/// Path of the recipe `name` (`film.mkv`, `song.flac`, …), a file of that name. Throws std::runtime_error if ffmpeg
/// fails or there is no such recipe. Safe from several test programs at once. Do not change the file: copy it.
[[nodiscard]] std::filesystem::path media_file(std::string_view name);

/// All recipes: films and episodes, then music.
[[nodiscard]] std::vector<std::string> video_file_names();
[[nodiscard]] std::vector<std::string> audio_file_names();

/// Standard output of a program; throws std::runtime_error if it cannot be run or fails.
[[nodiscard]] std::string output_of(const std::vector<std::string>& command);

using testing::TempFolder;

[[nodiscard]] std::string read_bytes(const std::filesystem::path& file);

}  // namespace understudy::test
