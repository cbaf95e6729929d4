// http/jellyfin/libraries/library_rules.h: which folders a new library may have. Looks at this pod's file system; used
// by the library handlers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/result.h"
#include "model/library.h"

namespace understudy::http {

/// Absolute, an existing directory on this pod, in or over no other library's folder, no other of these and not the
/// data folder (links followed). Returns them without trailing slash. Errors: invalid (starts with `paths:` and names
/// the path), conflict (which library has it).
[[nodiscard]] core::Result<std::vector<std::string>> check_paths(const std::vector<std::string>& paths,
                                                                 const std::vector<model::Library>& libraries,
                                                                 const std::filesystem::path& data_dir);
/// A known and served kind. Errors: invalid, naming collectionType, the value and what is served.
[[nodiscard]] core::Result<model::LibraryKind> check_kind(const std::string& collection_type);

}  // namespace understudy::http
