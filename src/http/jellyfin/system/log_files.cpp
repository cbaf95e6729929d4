#include "http/jellyfin/system/log_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "http/text.h"
#include "media/unique_fd.h"

namespace understudy::http {
namespace {

constexpr std::string_view of_clients = "upload_";

core::Error failed(std::string_view name, int error) {
    const bool gone = error == ENOENT || error == ELOOP || error == ENOTDIR;
    return {gone              ? core::Errc::not_found
            : error == EEXIST ? core::Errc::conflict
                              : core::Errc::unavailable,
            "The log file " + printable(name) + ": " + std::generic_category().message(error) + "."};
}

}  // namespace

bool is_served_log(std::string_view name) noexcept {
    constexpr std::size_t longest = 200;
    if (name.size() > longest || !name.ends_with(".log")) return false;
    if (!name.starts_with("understudy-") && !name.starts_with(of_clients)) return false;
    return std::ranges::all_of(name, [](char c) {
        return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
    });
}

core::Result<std::vector<LogFile>> list_log_files(const std::filesystem::path& folder) {
    std::vector<LogFile> files;
    std::error_code error;
    std::filesystem::directory_iterator entries(folder, error);
    if (error == std::errc::no_such_file_or_directory) return files;
    for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error)) {
        const auto name = entries->path().filename().string();
        if (!is_served_log(name)) continue;
        struct ::stat status {};
        if (::lstat(entries->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
        const auto modified = std::int64_t{status.st_mtim.tv_sec} * 1'000 + status.st_mtim.tv_nsec / 1'000'000;
        files.push_back({name, status.st_size, core::from_unix_ms(modified)});
    }
    if (error) return tl::unexpected(failed(folder.string(), error.value()));
    std::ranges::sort(files, [](const LogFile& a, const LogFile& b) {
        return a.modified_at != b.modified_at ? a.modified_at > b.modified_at : a.name > b.name;
    });
    if (files.size() > most_log_files) files.resize(most_log_files);
    return files;
}

core::Result<std::string> read_log_file(const std::filesystem::path& folder, std::string_view name, std::int64_t most) {
    if (!is_served_log(name)) return tl::unexpected(failed(name, ENOENT));
    const media::UniqueFd file(::open((folder / name).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
    if (!file) return tl::unexpected(failed(name, errno));
    struct ::stat status {};
    if (::fstat(file.get(), &status) != 0) return tl::unexpected(failed(name, errno));
    if (!S_ISREG(status.st_mode)) return tl::unexpected(failed(name, ENOENT));
    const auto kept = std::min<std::int64_t>(status.st_size, most);
    // One byte more: the end of the line before says that the first one is whole.
    const auto from = std::max<std::int64_t>(status.st_size - kept - 1, 0);
    const auto size = status.st_size - from;
    std::string bytes(static_cast<std::size_t>(size), '\0');
    std::size_t at = 0;
    while (at < bytes.size()) {
        const auto got = ::pread(file.get(), bytes.data() + at, bytes.size() - at, from + static_cast<off_t>(at));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return tl::unexpected(failed(name, errno));
        if (got == 0) break;
        at += static_cast<std::size_t>(got);
    }
    bytes.resize(at);
    if (kept < status.st_size) {
        const auto line = bytes.find('\n');
        bytes.erase(0, line == std::string::npos ? 1 : line + 1);  // a line without an end: what fits
    }
    return bytes;
}

core::Result<void> write_log_file(const std::filesystem::path& folder, std::string_view name, std::string_view bytes) {
    constexpr ::mode_t mode = 0640;
    const media::UniqueFd file(
        ::open((folder / name).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode));
    if (!file) return tl::unexpected(failed(name, errno));
    while (!bytes.empty()) {
        const auto put = ::write(file.get(), bytes.data(), bytes.size());
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) {  // a full disc, as a rule: what is there already would only take more of it
            const int error = errno;
            ::unlink((folder / name).c_str());
            return tl::unexpected(failed(name, error));
        }
        bytes.remove_prefix(static_cast<std::size_t>(put));
    }
    return {};
}

}  // namespace understudy::http
