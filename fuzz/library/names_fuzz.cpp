// fuzz/library/names_fuzz.cpp: any bytes as paths and directory listings through every name parser.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "library/naming/entries.h"
#include "library/naming/episode_name.h"
#include "library/naming/external_streams.h"
#include "library/naming/extras.h"
#include "library/naming/images.h"
#include "library/naming/movie_name.h"
#include "library/naming/parts.h"
#include "library/naming/text.h"
#include "library/naming/track_name.h"

namespace {

using namespace understudy::library::naming;

void require(bool holds) {
    if (!holds) std::abort();
}
void require_text(const std::string& text) {
    require(display_text(text) == text);
}

void try_path(std::string_view path) {
    const auto parts = parts_below("", path);
    if (parts.empty()) return;
    const auto name = parts.back();
    const auto stem = stem_of(name);
    (void)classify(name, understudy::model::LibraryKind::movies);
    (void)disc_owner(path);

    const auto folder = parts.size() > 1 ? parts[parts.size() - 2] : std::string_view{};
    for (const bool only : {false, true}) {
        const auto film = parse_movie(folder, stem, only);
        require_text(film.title.name);
        require_text(film.version);
        require(!film.title.name.empty());
        require(film.part >= 0 && film.part < 100);
        require(film.group.empty() ? !folder.empty() : film.group.size() <= stem.size());
        const auto label = part_label(film.version, film.part);
        require(film.part == 0 || (part_of_label(label) == film.part && version_of_label(label) == film.version));
    }
    const auto episode = parse_episode_path(parts, "root");
    require_text(episode.series.name);
    require_text(episode.name);
    require(!episode.name.empty() && !episode.series_key.empty());
    const auto& numbers = episode.numbers;
    require(episode.season >= 0 && episode.season <= 9999);
    require(!numbers.episode_end || (numbers.episode && *numbers.episode_end > *numbers.episode));
    require(numbers.before.empty() || (numbers.before.data() >= stem.data() &&
                                       numbers.before.data() + numbers.before.size() <= stem.data() + stem.size()));
    const auto track = parse_track_path(parts);
    require_text(track.title);
    require_text(track.album);
    require_text(track.artist);
    if (const auto extra = parse_extra_path(parts)) {
        require_text(extra->title);
        require(!extra->title.empty() && extra->owner_depth < parts.size());
    }
    require(key_bytes(key_text(path)) == path);
    (void)loose_prefix(stem, folder);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    std::vector<std::string_view> lines;
    for (std::size_t at = 0; at < text.size() && lines.size() < 20;) {
        const auto end = std::min(text.find('\n', at), text.size());
        const auto line = text.substr(at, std::min(end - at, std::size_t{1000}));
        at = end + 1;
        if (line.find('\0') != std::string_view::npos || line.empty()) continue;
        lines.push_back(line);
        try_path(line);
    }
    if (lines.empty()) return 0;
    std::vector<std::string_view> names;
    for (const auto line : lines) names.push_back(name_of(line));
    const auto stem = stem_of(names.front());
    for (const auto kind : {understudy::model::ItemKind::movie, understudy::model::ItemKind::season}) {
        ImageOwner owner{kind, stem, true, {}};
        if (kind == understudy::model::ItemKind::season) owner.season = 1;
        require(find_images(owner, names).size() <= names.size());
    }
    for (const auto& image : find_actor_images(names)) require_text(image.actor);
    for (const auto& stream : external_streams(stem, names, names, true)) {
        require_text(stream.title);
        require(stream.language.empty() || stream.language.size() == 3);
    }
    return 0;
}
