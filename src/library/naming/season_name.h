// library/naming/season_name.h: seasons as folders and names call them, in the languages people use. Pure; used by the
// episode parser and the resolver.
#pragma once

#include <optional>
#include <string_view>

namespace understudy::library::naming {

struct SeasonAt {
    std::size_t begin = 0, end = 0;
    int season = 0;
};
/// `S03` as a word of its own, not followed by an episode.
[[nodiscard]] std::optional<SeasonAt> find_season_token(std::string_view text) noexcept;
/// `Season 2`, `Staffel 1`, `2nd Season`, `1. Staffel` (opening the name), `Season Two`; the last one.
[[nodiscard]] std::optional<SeasonAt> find_season_words(std::string_view text) noexcept;
/// `Season 01`, `Staffel 2`, `The 100 Season 01`, `S03`, `Specials` (0), plain `1`, `第2季`. nullopt: no season's
/// folder.
[[nodiscard]] std::optional<int> parse_season_folder(std::string_view name);

}  // namespace understudy::library::naming
