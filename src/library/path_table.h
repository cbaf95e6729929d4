// library/path_table.h: a million paths in little memory: folders once, names one after the other. Used by the diff.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "library/naming/text.h"

namespace understudy::library {

/// A path of one table; cheap to copy.
struct PathRef {
    const char* name = nullptr;
    std::uint32_t folder = 0;
    std::uint16_t length = 0;
};

/// Paths should come sorted: a folder is remembered while paths of it follow each other.
class PathTable {
public:
    [[nodiscard]] PathRef add(std::string_view path) {
        const auto folder = naming::parent_of(path);
        const auto name = naming::name_of(path);
        if (folders_.empty() || folders_.back() != folder) folders_.emplace_back(folder);
        return {keep(name), static_cast<std::uint32_t>(folders_.size() - 1), static_cast<std::uint16_t>(name.size())};
    }
    [[nodiscard]] std::string_view folder(const PathRef& ref) const { return folders_[ref.folder]; }
    /// Runs of paths in one folder; a folder may have several.
    [[nodiscard]] const std::vector<std::string>& folders() const noexcept { return folders_; }
    [[nodiscard]] static std::string_view name(const PathRef& ref) { return {ref.name, ref.length}; }
    /// Into `path`, whose memory is used again.
    void get(const PathRef& ref, std::string& path) const {
        path = folders_[ref.folder];
        if (path.empty() || path.back() != '/') path += '/';
        path.append(ref.name, ref.length);
    }
    [[nodiscard]] std::string path(const PathRef& ref) const {
        std::string path;
        get(ref, path);
        return path;
    }

private:
    static constexpr std::size_t chunk_bytes = std::size_t{256} * 1024;

    [[nodiscard]] const char* keep(std::string_view name) {
        if (chunks_.empty() || used_ + name.size() > chunk_bytes) {
            chunks_.push_back(std::make_unique<char[]>(chunk_bytes));
            used_ = 0;
        }
        char* at = chunks_.back().get() + used_;
        std::memcpy(at, name.data(), name.size());
        used_ += name.size();
        return at;
    }

    std::vector<std::string> folders_;
    std::vector<std::unique_ptr<char[]>> chunks_;
    std::size_t used_ = 0;
};

}  // namespace understudy::library
