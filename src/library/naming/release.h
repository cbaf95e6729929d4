// library/naming/release.h: words that say how a file was made, not what it is called; ids in brackets. Used by the
// parsers.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace understudy::library::naming {

/// `1080p`, `BluRay`, `x264`, `HDR10`, `REMUX`, …; `word` without separators around it.
[[nodiscard]] bool is_release_word(std::string_view word) noexcept;
/// A label that may tell versions of one film apart: release words, resolutions, «Director's Cut», «Extended», …
[[nodiscard]] bool is_version_label(std::string_view label);
[[nodiscard]] bool begins_with_release_word(std::string_view text) noexcept;
/// «Director's Cut», «Extended Edition», …: a label that says which cut it is, without release words.
[[nodiscard]] bool is_edition(std::string_view label);
/// Takes `{edition-Director's Cut}` and `[Director's Cut]` out of `text`; the label for people, empty: none.
[[nodiscard]] std::string take_edition(std::string& text);
/// Where the first release word (at a word boundary, not at the very start) begins; npos: none.
[[nodiscard]] std::size_t find_release_words(std::string_view text) noexcept;

/// Takes `[tmdbid-603]`, `[imdbid=tt0133093]`, `{tvdb-…}`, `[tt0133093]` and the like out of `text`; keys `Tmdb`,
/// `Imdb`, `Tvdb`, `TvMaze`, `AniDb`, `AniList`.
[[nodiscard]] std::map<std::string, std::string> take_provider_ids(std::string& text);

/// A year in `(…)` or `[…]` (the first of `(2010-2015)`), or, in names without any, a bare one that release words or
/// the end follow.
struct YearAt {
    int year = 0;
    std::size_t begin = 0, end = 0;  ///< the brackets included
};
[[nodiscard]] std::optional<YearAt> find_year(std::string_view text);

/// Bracketed parts ([group], [1080p]) cut out; parentheses stay.
[[nodiscard]] std::string without_brackets(std::string_view text);

}  // namespace understudy::library::naming
