// tests/support/library/faulty_file_system.h: the machine's file system with faults: folders and entries that cannot be
// read, discs that are other devices, folders that hang. (Tests run as root, whom chmod does not stop.)
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "library/file_system.h"

namespace understudy::testing {

class FaultyFileSystem final : public library::PosixFileSystem {
public:
    [[nodiscard]] int open_directory(const std::string& path, library::FileStatus& self,
                                     std::unique_ptr<library::OpenDirectory>& directory) const override;
    [[nodiscard]] int status(const std::string& path, library::FileStatus& status) const override;

    [[nodiscard]] int read_file(const std::string& path, std::size_t at_most, std::string& bytes) const override;

    void fail_open(const std::string& folder, int error);  ///< errno; 0: no more
    void fail_read(const std::string& folder, int error);  ///< in the middle of the listing, after its first entry
    void fail_status(const std::string& path, int error);
    void fail_file(const std::string& path, int error);  ///< cannot be read, though it can be listed
    /// All that lies at or below is on this device (a mount).
    void set_device(const std::string& folder, std::uint64_t device);
    void clear_device(const std::string& folder);
    void hang(const std::string& path);  ///< a folder that is opened, a file that is read
    /// Files are held until so many are being read at once; from then on, and after release(), none is.
    void meet(std::size_t readers);
    [[nodiscard]] std::size_t most_read_at_once() const;
    void release();
    [[nodiscard]] std::set<std::string> folders_opened() const;
    [[nodiscard]] std::multiset<std::string> files_read() const;
    void forget();
    [[nodiscard]] std::size_t stats() const;

private:
    friend class FaultyDirectory;
    [[nodiscard]] int fault(const std::map<std::string, int>& of, const std::string& path) const;
    void put_device(const std::string& path, library::FileStatus& status) const;

    mutable std::mutex mutex_;
    mutable std::condition_variable released_;
    std::map<std::string, int> open_, read_, status_, file_;
    std::map<std::string, std::uint64_t> devices_;
    std::set<std::string> hanging_;
    mutable std::set<std::string> opened_;
    mutable std::multiset<std::string> files_read_;
    mutable std::size_t stats_ = 0, reading_ = 0, most_reading_ = 0, meeting_ = 0;
};

}  // namespace understudy::testing
