#include "http/jellyfin/libraries/folder_browser.h"

#include <mntent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <set>
#include <span>
#include <system_error>
#include <utility>

#include "core/text.h"
#include "library/file_system.h"
#include "library/scan_scope.h"

namespace understudy::http {
namespace {

constexpr std::string_view kernel_trees[] = {"/proc", "/sys", "/dev"};

bool is_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto length = core::utf8_length(text, at);
        if (length == 0) return false;
        at += length;
    }
    return true;
}

bool within_any(std::string_view path, std::span<const std::string_view> roots) {
    return std::ranges::any_of(roots, [&](std::string_view root) { return library::is_within(path, root); });
}

}  // namespace

bool leads_to_the_kernel(const std::string& path) {
    std::error_code error;
    const auto real = std::filesystem::weakly_canonical(path, error);
    return within_any(error ? path : real.string(), kernel_trees);
}

FolderListing list_folder(const std::string& path) {
    FolderListing listing;
    if (leads_to_the_kernel(path)) {
        listing.closed = true;
        return listing;
    }
    const library::PosixFileSystem files;
    library::FileStatus self;
    std::unique_ptr<library::OpenDirectory> folder;
    listing.error = files.open_directory(path, self, folder);
    if (listing.error != 0) return listing;
    std::string_view name;
    auto kind = library::FileKind::unknown;
    while (folder->next(name, kind, listing.error)) {
        std::string own(name);
        if (!is_utf8(own) || listing.entries.size() >= most_folder_entries) {
            ++listing.left_out;  // JSON could not say it so that it is found again
            continue;
        }
        if (kind == library::FileKind::unknown || kind == library::FileKind::link) {
            library::FileStatus status;
            if (folder->status(own.c_str(), true, status) == 0) kind = status.kind;
        }
        listing.entries.push_back({std::move(own), kind == library::FileKind::directory});
    }
    std::ranges::sort(listing.entries, {}, &FolderEntry::name);
    return listing;
}

PathVerdict check_path(const std::string& path, PathKind kind, bool writable) {
    if (leads_to_the_kernel(path)) return PathVerdict::forbidden;
    struct ::stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        if (errno == EACCES || errno == EPERM) return PathVerdict::forbidden;
        return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? PathVerdict::not_there : PathVerdict::failed;
    }
    const bool directory = S_ISDIR(status.st_mode);
    if ((kind == PathKind::directory && !directory) || (kind == PathKind::file && directory))
        return PathVerdict::not_there;
    const int wanted = R_OK | (directory ? X_OK : 0) | (writable ? W_OK : 0);
    if (::access(path.c_str(), wanted) == 0) return PathVerdict::fine;
    return errno == EACCES || errno == EPERM || errno == EROFS ? PathVerdict::forbidden : PathVerdict::failed;
}

std::vector<std::string> mount_points() {
    // What is mounted there are the machine's own workings, never somebody's films.
    constexpr std::array<std::string_view, 18> own{
        "proc",    "sysfs", "devtmpfs", "devpts",   "tmpfs",     "cgroup",  "cgroup2",    "mqueue", "debugfs",
        "tracefs", "bpf",   "pstore",   "configfs", "hugetlbfs", "fusectl", "securityfs", "autofs", "binfmt_misc"};
    constexpr std::string_view places[] = {"/proc", "/sys", "/dev", "/run", "/etc"};
    constexpr std::size_t most = 256;
    std::set<std::string> found{"/"};
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> table(::setmntent("/proc/self/mounts", "re"), ::endmntent);
    if (!table) return {found.begin(), found.end()};
    ::mntent entry{};
    std::array<char, 8192> text{};
    while (found.size() < most && ::getmntent_r(table.get(), &entry, text.data(), static_cast<int>(text.size()))) {
        const std::string path(entry.mnt_dir);
        if (std::ranges::find(own, std::string_view(entry.mnt_type)) != own.end()) continue;
        if (within_any(path, places) || !is_utf8(path)) continue;
        found.insert(path);
    }
    return {found.begin(), found.end()};
}

std::string without_trailing_slash(std::string_view path) {
    while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
    return std::string(path);
}

}  // namespace understudy::http
