#include "library/kind_guess.h"

#include <deque>

#include "library/file_system.h"
#include "library/naming/entries.h"
#include "library/naming/episode_name.h"
#include "library/naming/text.h"

namespace understudy::library {

model::LibraryKind guess_kind_of(const std::vector<std::string>& paths) {
    std::size_t audio = 0, video = 0, episodes = 0;
    for (const auto& path : paths) {
        const auto name = naming::name_of(path);
        if (naming::is_audio(name)) ++audio;
        if (!naming::is_video(name) || naming::is_extra_file(naming::stem_of(name))) continue;
        ++video;
        const auto folder = naming::name_of(naming::parent_of(path));
        const bool in_season = !folder.empty() && naming::number_of(folder) < 0 && naming::parse_season_folder(folder);
        if (in_season || naming::parse_episode(naming::stem_of(name), {}).explicit_form) ++episodes;
    }
    // A film may bring its soundtrack, an album a video or two: the many decide.
    if (audio > video) return model::LibraryKind::music;
    return episodes * 2 > video ? model::LibraryKind::tvshows : model::LibraryKind::movies;
}

model::LibraryKind guess_kind(const std::string& folder, std::size_t at_most) {
    const PosixFileSystem files;
    std::vector<std::string> found;
    std::deque<std::pair<std::string, int>> waiting{{folder, 0}};
    constexpr int deepest = 8;
    while (!waiting.empty() && found.size() < at_most) {
        const auto [path, depth] = waiting.front();
        waiting.pop_front();
        FileStatus self;
        std::unique_ptr<OpenDirectory> directory;
        if (files.open_directory(path, self, directory) != 0) continue;
        std::string_view name;
        FileKind kind{};
        int error = 0;
        while (found.size() < at_most && directory->next(name, kind, error)) {
            if (naming::is_junk(name)) continue;
            const auto full = path + "/" + std::string(name);
            if (kind == FileKind::link || kind == FileKind::unknown) {
                FileStatus status;
                if (directory->status(std::string(name).c_str(), true, status) == 0) kind = status.kind;
            }
            if (kind == FileKind::directory && depth < deepest) waiting.emplace_back(full, depth + 1);
            if (kind == FileKind::file && (naming::is_audio(name) || naming::is_video(name))) {
                found.push_back(full.substr(folder.size()));
            }
        }
    }
    return guess_kind_of(found);
}

}  // namespace understudy::library
