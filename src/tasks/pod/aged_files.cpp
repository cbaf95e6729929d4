#include "tasks/pod/aged_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

namespace understudy::tasks::pod {
namespace {

namespace fs = std::filesystem;

struct CloseFolder {
    void operator()(DIR* folder) const noexcept { ::closedir(folder); }
};
using Folder = std::unique_ptr<DIR, CloseFolder>;

/// Opens a folder below `parent` without following a link at its end.
Folder open_folder(int parent, const char* name) {
    const int descriptor = ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0) return nullptr;
    Folder folder(::fdopendir(descriptor));
    if (!folder) ::close(descriptor);
    return folder;
}

core::Nanos changed_at(const struct stat& file) {
    return std::chrono::seconds{file.st_mtim.tv_sec} + core::Nanos{file.st_mtim.tv_nsec};
}

/// (device, inode) of a path and of every folder above it.
std::vector<std::pair<dev_t, ino_t>> line_of(const fs::path& path) {
    std::vector<std::pair<dev_t, ino_t>> line;
    std::error_code error;
    auto at = fs::weakly_canonical(path, error);
    if (error) at = path.lexically_normal();
    for (;; at = at.parent_path()) {
        struct stat file {};
        if (::stat(at.c_str(), &file) == 0) line.emplace_back(file.st_dev, file.st_ino);
        if (!at.has_relative_path()) return line;
    }
}

bool within(const fs::path& inner, const fs::path& outer) {
    const auto [a, b] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
    return a == outer.end() || (std::next(a) == outer.end() && a->empty());  // an outer path may end in '/'
}

class Sweep {
public:
    Sweep(Run& run, const AgedFiles& what, core::Nanos older_than, dev_t device)
        : run_(run), what_(what), older_than_(older_than), device_(device) {}

    /// Returns whether the folder is empty now; stops early where the run is to stop.
    bool folder(DIR* folder, const std::string& shown, bool top) {
        std::vector<std::string> names;
        errno = 0;
        while (const dirent* entry = ::readdir(folder)) {
            const std::string_view name = entry->d_name;
            if (name != "." && name != "..") names.emplace_back(name);
        }
        if (errno != 0) {
            run_.warn(shown + " cannot be read to its end: " + std::strerror(errno));
            return false;
        }
        bool empty = true;
        for (std::size_t i = 0; i < names.size() && !run_.should_stop(); ++i) {
            empty = entry(::dirfd(folder), names[i], shown + "/" + names[i], top) && empty;
            if (top) run_.report(100.0 * static_cast<double>(i + 1) / static_cast<double>(names.size()));
        }
        return empty && !run_.should_stop();
    }

private:
    /// Returns whether it is gone.
    bool entry(int parent, const std::string& name, const std::string& shown, bool top) {
        struct stat file {};
        if (::fstatat(parent, name.c_str(), &file, AT_SYMLINK_NOFOLLOW) != 0) return errno == ENOENT;
        if (S_ISDIR(file.st_mode))
            return what_.below && file.st_dev == device_ && sub_folder(parent, name, shown, file);
        const bool aged = changed_at(file) < older_than_;
        const bool plain = S_ISREG(file.st_mode) || S_ISLNK(file.st_mode);  // a link goes, what it leads to stays
        if (!plain || !aged || (top && !what_.wanted(name))) {
            run_.count("kept");
            return false;
        }
        if (::unlinkat(parent, name.c_str(), 0) != 0 && errno != ENOENT) return cannot_remove(shown);
        run_.count("removed");
        if (S_ISREG(file.st_mode)) run_.count("bytes_freed", file.st_size);
        return true;
    }

    bool sub_folder(int parent, const std::string& name, const std::string& shown, const struct stat& before) {
        const auto inner = open_folder(parent, name.c_str());
        if (!inner) {
            run_.count("failed");
            run_.warn(shown + " cannot be opened: " + std::strerror(errno));
            return false;
        }
        if (!folder(inner.get(), shown, false)) return false;
        // Made a moment ago, for a file that is still to come: it stays. Emptying it just now is no such change.
        if (changed_at(before) >= older_than_) return false;
        if (::unlinkat(parent, name.c_str(), AT_REMOVEDIR) == 0) return true;
        return errno == ENOTEMPTY || errno == EEXIST ? false : cannot_remove(shown);
    }

    bool cannot_remove(const std::string& shown) {
        run_.count("failed");
        run_.warn(shown + " cannot be removed: " + std::strerror(errno));
        return false;
    }

    Run& run_;
    const AgedFiles& what_;
    core::Nanos older_than_;
    dev_t device_;
};

}  // namespace

bool overlap(const fs::path& a, const fs::path& b) {
    const auto plain_a = a.lexically_normal(), plain_b = b.lexically_normal();
    if (within(plain_a, plain_b) || within(plain_b, plain_a)) return true;
    const auto line_a = line_of(a), line_b = line_of(b);
    const auto holds = [](const auto& line, const auto& one) {
        return std::find(line.begin(), line.end(), one) != line.end();
    };
    struct stat file {};
    const bool a_there = ::stat(a.c_str(), &file) == 0, b_there = ::stat(b.c_str(), &file) == 0;
    return (a_there && !line_a.empty() && holds(line_b, line_a.front())) ||
           (b_there && !line_b.empty() && holds(line_a, line_b.front()));
}

core::Result<void> remove_aged_files(Run& run, const AgedFiles& what, const LibraryPaths& libraries,
                                     const core::Clock& clock) {
    const auto paths = libraries();
    if (!paths) return tl::unexpected(paths.error());
    for (const auto& path : *paths) {
        if (overlap(what.folder, path)) {
            return core::fail(core::Errc::conflict, what.setting + "=" + what.folder.string() +
                                                        " overlaps the library folder " + path +
                                                        ": nothing is removed there; set another folder");
        }
    }
    const auto top = open_folder(AT_FDCWD, what.folder.c_str());
    if (!top) {
        if (errno == ENOENT) return {};  // nothing was ever put there
        return core::fail(core::Errc::unavailable,
                          what.setting + "=" + what.folder.string() + " cannot be opened: " + std::strerror(errno));
    }
    struct stat file {};
    if (::fstat(::dirfd(top.get()), &file) != 0)
        return core::fail(core::Errc::unavailable, what.folder.string() + ": " + std::strerror(errno));
    Sweep sweep(run, what, clock.now().real - what.keep, file.st_dev);
    (void)sweep.folder(top.get(), what.folder.string(), true);
    if (run.should_stop()) return core::fail(core::Errc::cancelled, "stopped in " + what.folder.string());
    return {};
}

}  // namespace understudy::tasks::pod
