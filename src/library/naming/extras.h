// library/naming/extras.h: trailers, deleted scenes, samples and theme music: which they are and whose. Pure; used by
// the walk (through entries.h) and by whoever files extras under their film or show.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::library::naming {

enum class ExtraKind : unsigned char {
    trailer,
    behind_the_scenes,
    deleted_scene,
    featurette,
    interview,
    scene,
    short_film,
    clip,
    sample,
    theme_song,   ///< `theme-music/`, or a sound file called `theme`
    theme_video,  ///< `backdrops/`
    other,
};
[[nodiscard]] std::string_view to_string(ExtraKind kind) noexcept;  ///< `behind_the_scenes`, …

/// `extras`, `trailers`, `behind the scenes`, …: a folder inside a film's or a show's folder.
[[nodiscard]] std::optional<ExtraKind> extra_of_folder(std::string_view name) noexcept;

struct ExtraStem {
    ExtraKind kind = ExtraKind::other;
    std::string_view owner;  ///< what precedes the ending: the stem of the film it belongs to; empty: the folder's film
};
/// `A (2001)-trailer`, `A-trailer2`, `A_sample`, `sample-a`, or a file called just `trailer`, `sample` or `theme`.
[[nodiscard]] std::optional<ExtraStem> extra_of_stem(std::string_view stem) noexcept;

struct Extra {
    ExtraKind kind = ExtraKind::other;
    std::size_t owner_depth = 0;  ///< how many leading parts are the folder of its film, season or show
    std::string owner_stem;       ///< bytes; not empty: the file beside it whose stem this is, or begins with it
    std::string title;            ///< for people, never empty
};
/// `parts`: the path below the root, the file's name last. nullopt: no extra. A root's top level holds no extras
/// folders: there «Shorts» is a person's own sorting.
[[nodiscard]] std::optional<Extra> parse_extra_path(const std::vector<std::string_view>& parts);

}  // namespace understudy::library::naming
