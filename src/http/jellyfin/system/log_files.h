// http/jellyfin/system/log_files.h: the log files of this pod, and those that clients have left there. Used by the
// handlers of logs.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/time.h"

namespace understudy::http {

/// `understudy-YYYY-MM-DD.log`, or `upload_….log` of a client: letters, digits, `.`, `-` and `_` alone.
[[nodiscard]] bool is_served_log(std::string_view name) noexcept;

struct LogFile {
    std::string name;
    std::int64_t size_bytes = 0;
    core::UtcTime modified_at{};
};
inline constexpr std::size_t most_log_files = 1'000;
/// The last so many bytes of a file are shown.
inline constexpr std::int64_t longest_log_shown = std::int64_t{8} * 1024 * 1024;

/// Plain files alone, the one written last first. A folder that is not there is empty. Blocks.
/// Errors: unavailable (cannot be read).
[[nodiscard]] core::Result<std::vector<LogFile>> list_log_files(const std::filesystem::path& folder);
/// The last `most` bytes of one of them, from the start of a line. Follows no link. Errors: not_found, unavailable.
[[nodiscard]] core::Result<std::string> read_log_file(const std::filesystem::path& folder, std::string_view name,
                                                      std::int64_t most = longest_log_shown);
/// Errors: conflict (there is one of that name), unavailable.
[[nodiscard]] core::Result<void> write_log_file(const std::filesystem::path& folder, std::string_view name,
                                                std::string_view bytes);

}  // namespace understudy::http
