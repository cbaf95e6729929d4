// app/media_folders.h: `serve --media [KIND=]DIR`: libraries made at start where there are none over that folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/log.h"
#include "core/random.h"
#include "core/result.h"
#include "model/library.h"
#include "store/libraries.h"

namespace understudy::app {

struct MediaFolder {
    std::optional<model::LibraryKind> kind;  ///< nullopt: guessed from what is in it
    std::string path;                        ///< absolute
};

/// Errors: invalid: an unknown kind, a folder that is not there.
[[nodiscard]] core::Result<MediaFolder> parse_media_folder(const std::string& text);
/// Adds what is missing; true where something was added. Errors: conflict where a folder lies in, over or is another
/// library's or the data folder (links followed), and what the store says.
[[nodiscard]] core::Result<bool> add_media_folders(const std::vector<MediaFolder>& folders,
                                                   const std::filesystem::path& data_dir,
                                                   store::LibraryStore& libraries, core::Random& random,
                                                   core::Log& log);

}  // namespace understudy::app
