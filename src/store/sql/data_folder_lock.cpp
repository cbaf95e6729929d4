#include "store/sql/data_folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace understudy::store::sql {

DataFolderLock::DataFolderLock(const std::string& folder, const std::string& who) {
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (problem) throw std::runtime_error("data folder " + folder + " cannot be made: " + problem.message());
    const auto file = (std::filesystem::path(folder) / "understudy.lock").string();
    fd_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd_ < 0)
        throw std::runtime_error("data folder " + folder + " cannot be used: " + file + ": " + std::strerror(errno));
    if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
        const int why = errno;
        std::array<char, 300> text{};
        const auto size = ::pread(fd_, text.data(), text.size(), 0);
        ::close(fd_);
        if (why != EWOULDBLOCK) {
            throw std::runtime_error("data folder " + folder + " cannot be locked: " + std::strerror(why) +
                                     "; use a local disc, or PostgreSQL");
        }
        std::string holder(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
        if (const auto end = holder.find('\n'); end != std::string::npos) holder.resize(end);
        throw std::runtime_error(
            "data folder " + folder + " is in use by " + (holder.empty() ? "another process" : holder) +
            ": SQLite serves one process. Several pods need Jellyfin:Database:Provider=PostgreSQL; a "
            "second server here needs its own --data-dir");
    }
    const auto line = "pid " + std::to_string(::getpid()) + (who.empty() ? "" : ", pod " + who) + "\n";
    // For people only: a full disk must not stop the start.
    if (::ftruncate(fd_, 0) == 0) (void)!::pwrite(fd_, line.data(), line.size(), 0);
}

DataFolderLock::~DataFolderLock() {
    ::close(fd_);
}

}  // namespace understudy::store::sql
