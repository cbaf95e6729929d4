// library/scan_groups.h: which files of a library are resolved together, and in which order. Private to the scan.
#pragma once

#include <string>
#include <string_view>

#include "model/library.h"

namespace understudy::library {

/// The folder that a file's own folder is a part of: an album with its discs, a film or an episode with its BDMV or
/// VIDEO_TS structure.
[[nodiscard]] std::string_view group_folder(std::string_view folder, model::LibraryKind kind);
/// What a film is called below its library (resolve.h): `group` is what the names of its versions have in common, empty
/// where the folder is the film's own.
[[nodiscard]] std::string film_key(std::string_view folder, std::string_view group);
/// As if both ended in '/': a folder comes right before all that lies below it.
[[nodiscard]] bool is_before_folder(std::string_view a, std::string_view b) noexcept;

}  // namespace understudy::library
