#include "library/actor_folders.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "core/text.h"

namespace understudy::library {

namespace {

// A run over a million films must not keep them all in mind; those of one person stand together seldom.
constexpr std::size_t most_folders = 20'000;

bool is_picture(std::string_view ending) {
    constexpr std::array<std::string_view, 6> endings{"jpg", "jpeg", "png", "webp", "tbn", "gif"};
    return std::ranges::find(endings, core::to_lower_ascii(ending)) != endings.end();
}

}  // namespace

std::string actor_file_key(std::string_view name) {
    constexpr std::string_view replaced = " /\\:*?\"<>|";
    auto key = core::to_lower_ascii(name);
    for (auto& c : key) {
        if (replaced.find(c) != std::string_view::npos) c = '_';
    }
    return key;
}

core::Result<std::string> ActorFolders::find(const std::string& folder, std::string_view name) {
    auto known = known_.find(folder);
    if (known == known_.end()) {
        if (known_.size() >= most_folders) known_.clear();
        known = known_.emplace(folder, list(folder)).first;
    }
    if (!known->second) return tl::unexpected(known->second.error());
    const auto found = known->second->find(actor_file_key(name));
    return found == known->second->end() ? std::string{} : folder + "/.actors/" + found->second;
}

core::Result<ActorFolders::Pictures> ActorFolders::list(const std::string& folder) const {
    const auto failed = [&](int error) {
        return core::fail(core::Errc::unavailable, folder + "/.actors: " + error_text(error));
    };
    FileStatus self;
    std::unique_ptr<OpenDirectory> directory;
    Pictures pictures;
    if (const int error = files_->open_directory(folder + "/.actors", self, directory); error != 0) {
        if (error != ENOENT && error != ENOTDIR) return failed(error);
        // No such folder is an answer only where the folder around it is there: a disc may be away.
        if (const int around = files_->status(folder, self); around != 0) return failed(around);
        return pictures;
    }
    std::string_view name;
    FileKind kind = FileKind::unknown;
    int error = 0;
    while (directory->next(name, kind, error)) {
        const auto dot = name.rfind('.');
        if (kind == FileKind::directory || dot == std::string_view::npos || dot == 0) continue;
        if (!is_picture(name.substr(dot + 1))) continue;
        // Of several endings the first by name, whatever order the disc lists them in.
        const auto [at, added] = pictures.emplace(actor_file_key(name.substr(0, dot)), name);
        if (!added && name < at->second) at->second = std::string(name);
    }
    if (error != 0) return failed(error);
    return pictures;
}

}  // namespace understudy::library
