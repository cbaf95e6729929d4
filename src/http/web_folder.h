// http/web_folder.h: a folder with a web client, read as it is: Jellyfin's own, or any other that was built into files.
// Used by the dashboard's routes where `Jellyfin:WebDir` names one.
#pragma once

#include <filesystem>

#include "core/result.h"
#include "http/message.h"

namespace understudy::http {

/// Safe from any thread.
class WebFolder {
public:
    /// Errors: invalid where it is no folder that can be read or has no index.html; names the setting.
    [[nodiscard]] static core::Result<WebFolder> open(const std::filesystem::path& folder);

    /// 200, 304 or 404 for `path` below the folder, `/` between its segments, decoded; empty: index.html. Links are
    /// followed as long as they end inside the folder: nothing outside of it is ever sent. Blocks.
    [[nodiscard]] Response answer(const Request& request, std::string_view path) const;

private:
    explicit WebFolder(std::filesystem::path root) : root_(std::move(root)) {}
    std::filesystem::path root_;  ///< without links
};

}  // namespace understudy::http
