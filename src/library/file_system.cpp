#include "library/file_system.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace understudy::library {
namespace {

void translate(const struct stat& from, FileStatus& to) noexcept {
    to.kind = S_ISREG(from.st_mode)   ? FileKind::file
              : S_ISDIR(from.st_mode) ? FileKind::directory
              : S_ISLNK(from.st_mode) ? FileKind::link
                                      : FileKind::other;
    to.size_bytes = from.st_size;
    to.mtime_ns = std::int64_t{from.st_mtim.tv_sec} * 1'000'000'000 + from.st_mtim.tv_nsec;
    to.inode = from.st_ino;
    to.device = from.st_dev;
}

struct CloseDirectory {
    void operator()(DIR* directory) const noexcept { ::closedir(directory); }
};

class PosixDirectory final : public OpenDirectory {
public:
    explicit PosixDirectory(DIR* directory) : directory_(directory) {}

    bool next(std::string_view& name, FileKind& kind, int& error) override {
        for (;;) {
            errno = 0;
            const dirent* entry = ::readdir(directory_.get());
            if (entry == nullptr) {
                error = errno;
                return false;
            }
            name = entry->d_name;
            if (name == "." || name == "..") continue;
            switch (entry->d_type) {
                case DT_REG:
                    kind = FileKind::file;
                    break;
                case DT_DIR:
                    kind = FileKind::directory;
                    break;
                case DT_LNK:
                    kind = FileKind::link;
                    break;
                case DT_UNKNOWN:
                    kind = FileKind::unknown;
                    break;
                default:
                    kind = FileKind::other;
                    break;
            }
            return true;
        }
    }

    int status(const char* name, bool follow, FileStatus& status) override {
        struct stat found {};
        if (::fstatat(::dirfd(directory_.get()), name, &found, follow ? 0 : AT_SYMLINK_NOFOLLOW) != 0) return errno;
        translate(found, status);
        return 0;
    }

private:
    std::unique_ptr<DIR, CloseDirectory> directory_;
};

}  // namespace

int PosixFileSystem::open_directory(const std::string& path, FileStatus& self,
                                    std::unique_ptr<OpenDirectory>& directory) const {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return errno;
    struct stat found {};
    if (::fstat(descriptor, &found) != 0) {
        const int error = errno;
        ::close(descriptor);
        return error;
    }
    translate(found, self);
    DIR* opened = ::fdopendir(descriptor);
    if (opened == nullptr) {
        const int error = errno;
        ::close(descriptor);
        return error;
    }
    directory = std::make_unique<PosixDirectory>(opened);
    return 0;
}

int PosixFileSystem::status(const std::string& path, FileStatus& status) const {
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0) return errno;
    translate(found, status);
    return 0;
}

int PosixFileSystem::read_file(const std::string& path, std::size_t at_most, std::string& bytes) const {
    // Without waiting for a writer, should it be a pipe by now.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) return errno;
    int error = 0;
    struct stat found {};
    if (::fstat(descriptor, &found) != 0) {
        error = errno;
    } else if (!S_ISREG(found.st_mode)) {
        error = EINVAL;
    }
    constexpr std::size_t piece = std::size_t{64} * 1024;
    bytes.clear();
    while (error == 0 && bytes.size() < at_most) {
        const auto before = bytes.size();
        bytes.resize(before + std::min(piece, at_most - before));
        const auto got = ::read(descriptor, bytes.data() + before, bytes.size() - before);
        bytes.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        if (got < 0 && errno != EINTR) error = errno;
        if (got == 0) break;
    }
    ::close(descriptor);
    return error;
}

std::string error_text(int error) {
    return std::generic_category().message(error);
}

}  // namespace understudy::library
