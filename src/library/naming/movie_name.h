// library/naming/movie_name.h: what a film's folder and file are called. Pure; used by the resolver.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace understudy::library::naming {

struct Title {
    std::string name;  ///< for people: valid UTF-8, never empty for a non-empty input
    std::optional<int> year;
    std::map<std::string, std::string> provider_ids;
};

/// `Title (Year) [tmdbid-603]`, `Title.1999.1080p.BluRay.x264-GRP`, plain `Title`: of films and of shows' folders.
[[nodiscard]] Title parse_title(std::string_view name);

/// Which film of its folder a file belongs to.
struct MovieFile {
    std::string group;    ///< empty: the folder's own film; else the part of the stem all versions share (bytes)
    std::string version;  ///< ` - 1080p`, `[Director's Cut]`: the label for people; empty for a file without one
    int part = 0;         ///< `cd1`, `part 2`: which piece of the film (of that version); 0: the whole
    Title title;
};

/// `folder`: the name of the folder, empty for files right below a root. `only_video`: no other film file beside it.
/// Versions are grouped by the folder's name + " - ", by a bracket, or by a known label after the same name; never by a
/// common beginning alone (American_Pie__x, American_Pie_2__x). Parts: `cd1`, `disc a` always; «Part 2» only behind the
/// folder's name or a year, or as one word (`part2`), because «Kill Bill Part 2 (2004)» is a title.
[[nodiscard]] MovieFile parse_movie(std::string_view folder, std::string_view stem, bool only_video);

}  // namespace understudy::library::naming
