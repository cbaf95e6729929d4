#include "support/library/media_tree.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace understudy::testing {
namespace fs = std::filesystem;

void MediaTree::file(const std::string& below, const std::string& content) {
    const auto full = path(below);
    fs::create_directories(fs::path(full).parent_path());
    const int number = ++made_;
    std::ofstream out(full, std::ios::binary);
    out << (content.empty() ? "media " + std::to_string(number) + std::string(static_cast<std::size_t>(number), '.')
                            : content);
    ASSERT_TRUE(out.good()) << full;
    out.close();
    // Long ago and each its own: nothing hangs on how fast the test runs.
    set_mtime(below, 1'600'000'000'000'000'000 + number * 1'000'000'000LL);
}

void MediaTree::append(const std::string& below, const std::string& more) {
    std::ofstream out(path(below), std::ios::binary | std::ios::app);
    out << more;
    ASSERT_TRUE(out.good()) << below;
}

void MediaTree::folder(const std::string& below) {
    fs::create_directories(path(below));
}

void MediaTree::link(const std::string& below, const std::string& target) {
    fs::create_directories(fs::path(path(below)).parent_path());
    ASSERT_EQ(::symlink(target.c_str(), path(below).c_str()), 0) << below;
}

void MediaTree::rename(const std::string& from, const std::string& to) {
    fs::create_directories(fs::path(path(to)).parent_path());
    ASSERT_EQ(::rename(path(from).c_str(), path(to).c_str()), 0) << from << " -> " << to;
}

void MediaTree::remove(const std::string& below) {
    fs::remove_all(path(below));
}

void MediaTree::set_mtime(const std::string& below, std::int64_t mtime_ns) {
    const timespec at{mtime_ns / 1'000'000'000, mtime_ns % 1'000'000'000};
    const timespec times[2] = {at, at};
    ASSERT_EQ(::utimensat(AT_FDCWD, path(below).c_str(), times, 0), 0) << below;
}

void MediaTree::copy(const std::string& from, const std::string& to) {
    fs::create_directories(fs::path(path(to)).parent_path());
    struct stat before {};
    ASSERT_EQ(::stat(path(from).c_str(), &before), 0);
    fs::copy_file(path(from), path(to));
    set_mtime(to, std::int64_t{before.st_mtim.tv_sec} * 1'000'000'000 + before.st_mtim.tv_nsec);
}

}  // namespace understudy::testing
