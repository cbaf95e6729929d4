// library/actor_folders.h: the pictures of people that Kodi and others keep beside films and series:
// `<folder>/.actors/First_Last.jpg`. Used by RefreshPeople.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/result.h"
#include "library/file_system.h"

namespace understudy::library {

/// What a person's picture is called, without its ending, in lower case: blanks and what no file system takes are `_`.
[[nodiscard]] std::string actor_file_key(std::string_view name);

/// Folders as they were when first asked for: make one a run.
class ActorFolders {
public:
    explicit ActorFolders(std::shared_ptr<const FileSystem> files) : files_(std::move(files)) {}

    /// The path of the picture of `name` in `<folder>/.actors`; empty: there is none. Errors: unavailable (it cannot be
    /// listed now, or `folder` itself is not there).
    [[nodiscard]] core::Result<std::string> find(const std::string& folder, std::string_view name);

private:
    using Pictures = std::map<std::string, std::string>;  // actor_file_key -> file name
    [[nodiscard]] core::Result<Pictures> list(const std::string& folder) const;

    std::shared_ptr<const FileSystem> files_;
    std::map<std::string, core::Result<Pictures>> known_;
};

}  // namespace understudy::library
