// library/naming/episode_name.h: season folders and episode files. Pure; used by the resolver.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "library/naming/movie_name.h"
#include "library/naming/season_name.h"

namespace understudy::library::naming {

struct EpisodeNumbers {
    std::optional<int> season;  ///< as the name itself says
    std::optional<int> episode;
    std::optional<int> episode_end;  ///< S01E01E02, S01E01-E02, S01E01-02
    std::string date;                ///< `2024-03-01`, where the name has a date instead of numbers
    bool explicit_form = false;      ///< S01E02 or 1x02: two such files are versions of one episode
    int part = 0;                    ///< `cd2`, `S01E02b`: a piece of one episode; 0: whole
    std::string version;             ///< `{edition-…}`, `[Director's Cut]`, for people; empty: not said
    std::string title;               ///< what follows the numbers, for people; may be empty
    std::string_view before;         ///< what precedes them (a part of the stem)
};

/// `series`: the show's name, taken off the front first, so that the numbers of «24» or «The 100» are not read as
/// episodes.
[[nodiscard]] EpisodeNumbers parse_episode(std::string_view stem, std::string_view series);

struct EpisodeFile {
    std::string series_folder;  ///< path bytes below the root; empty: the file lies right below the root
    std::string series_key;     ///< what makes it this show: series_folder without a season's tail, or its name
    Title series;
    int season = 1;
    EpisodeNumbers numbers;
    std::string name;  ///< for people, never empty
};

/// `parts`: the path below the root, the file's name last. `root_name`: the root's own name, for a root that is one
/// show.
[[nodiscard]] EpisodeFile parse_episode_path(const std::vector<std::string_view>& parts, std::string_view root_name);

}  // namespace understudy::library::naming
