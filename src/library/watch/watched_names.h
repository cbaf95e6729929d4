// library/watch/watched_names.h: whose coming, going or being written can change what a library holds. Pure.
#pragma once

#include <string_view>

#include "model/library.h"

namespace understudy::library {

constexpr std::string_view ignore_file = ".ignore";

/// Media of the library's kind, and what belongs beside it: pictures, NFO, subtitles, EDL, playlists, `.ignore`. Not:
/// hidden and system names, downloads under way (`.part`, `.!qB`, `.tmp`) and anything else a scan leaves alone.
[[nodiscard]] bool can_matter(std::string_view file_name, model::LibraryKind kind) noexcept;

}  // namespace understudy::library
