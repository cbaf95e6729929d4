// library/file_system.h: the few calls a walk makes, as a port, so that a test can take a disc away or let a folder
// fail. Implemented by PosixFileSystem and by the doubles of tests/support. Nothing here opens a media file; NFO and
// playlist files are read whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace understudy::library {

enum class FileKind : unsigned char { unknown, file, directory, link, other };

struct FileStatus {
    FileKind kind = FileKind::unknown;
    std::int64_t size_bytes = 0;
    std::int64_t mtime_ns = 0;
    std::uint64_t inode = 0;
    std::uint64_t device = 0;
};

/// An open directory, used by one thread. Error values are errno's; 0 is success.
class OpenDirectory {
public:
    virtual ~OpenDirectory() = default;
    /// The next entry but `.` and `..`. False at the end or at an error (then `error` says which). `name` holds until
    /// the next call.
    [[nodiscard]] virtual bool next(std::string_view& name, FileKind& kind, int& error) = 0;
    /// Of an entry; `follow`: of what a link leads to.
    [[nodiscard]] virtual int status(const char* name, bool follow, FileStatus& status) = 0;
};

/// Safe from any thread.
class FileSystem {
public:
    virtual ~FileSystem() = default;
    /// Opens a directory (through a link too) and says what it is itself.
    [[nodiscard]] virtual int open_directory(const std::string& path, FileStatus& self,
                                             std::unique_ptr<OpenDirectory>& directory) const = 0;
    /// Of what a link leads to.
    [[nodiscard]] virtual int status(const std::string& path, FileStatus& status) const = 0;
    /// At most `at_most` bytes from the start of a plain file; EINVAL for anything else. May hang where a share does:
    /// see PatientReader.
    [[nodiscard]] virtual int read_file(const std::string& path, std::size_t at_most, std::string& bytes) const = 0;
};

/// The machine's own, by openat and fstatat: an entry costs one system call at most.
class PosixFileSystem : public FileSystem {
public:
    [[nodiscard]] int open_directory(const std::string& path, FileStatus& self,
                                     std::unique_ptr<OpenDirectory>& directory) const override;
    [[nodiscard]] int status(const std::string& path, FileStatus& status) const override;
    [[nodiscard]] int read_file(const std::string& path, std::size_t at_most, std::string& bytes) const override;
};

/// «Permission denied», … for warnings.
[[nodiscard]] std::string error_text(int error);

}  // namespace understudy::library
