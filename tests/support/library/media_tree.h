// tests/support/library/media_tree.h: a folder of small files that look like media by their names, gone with the test.
#pragma once

#include <cstdint>
#include <string>

#include "support/temp_folder.h"

namespace understudy::testing {

class MediaTree {
public:
    [[nodiscard]] const std::string& root() const noexcept { return root_; }
    [[nodiscard]] std::string path(const std::string& below) const { return root_ + "/" + below; }

    /// Makes the file and its folders. Each file differs from all others in content and size unless `content` is given.
    void file(const std::string& below, const std::string& content = {});
    void append(const std::string& below, const std::string& more);
    void folder(const std::string& below);
    void link(const std::string& below, const std::string& target);
    void rename(const std::string& from, const std::string& to);
    void remove(const std::string& below);  ///< with all below
    /// Nanoseconds since 1970.
    void set_mtime(const std::string& below, std::int64_t mtime_ns);
    /// A copy with the same mtime and another inode.
    void copy(const std::string& from, const std::string& to);

private:
    const TempFolder folder_{"understudy-tree"};
    const std::string root_ = folder_.path().string();
    int made_ = 0;
};

}  // namespace understudy::testing
