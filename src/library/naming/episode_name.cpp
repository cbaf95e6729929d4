#include "library/naming/episode_name.h"

#include <algorithm>
#include <array>

#include "library/naming/release.h"
#include "library/naming/text.h"

namespace understudy::library::naming {
namespace {

constexpr std::array season_words =
    std::to_array<std::string_view>({"season", "saison", "staffel", "series", "temporada", "stagione", "sæson",
                                     "säsong", "sesong", "kausi", "sezon", "seizoen", "évad", "сезон"});

bool word_starts(std::string_view text, std::size_t at) noexcept {
    return at == 0 || !is_word(text[at - 1]);
}

// The digits at `at`; empty where there are none.
std::string_view digits_at(std::string_view text, std::size_t at) noexcept {
    std::size_t end = at;
    while (end < text.size() && is_digit(text[end])) ++end;
    return at < text.size() ? text.substr(at, end - at) : std::string_view{};
}

std::size_t skip(std::string_view text, std::size_t at, std::string_view any_of) noexcept {
    while (at < text.size() && any_of.find(text[at]) != std::string_view::npos) ++at;
    return at;
}

std::optional<int> number_near_word(std::string_view text, std::string_view word) noexcept {
    for (std::size_t at = text.size(); at-- > 0;) {
        if (!starts_with_ignoring_case(text.substr(at), word) || !word_starts(text, at)) continue;
        const auto after = digits_at(text, skip(text, at + word.size(), " ._-"));
        if (!after.empty() && after.size() <= 4) return number_of(after);
        if (at + word.size() < text.size() && is_word(text[at + word.size()])) continue;
        auto before = text.substr(0, at);  // «1. Staffel», «2nd Season»
        while (!before.empty() && (before.back() == ' ' || before.back() == '.' || before.back() == '_')) {
            before.remove_suffix(1);
        }
        for (const std::string_view ordinal : {"st", "nd", "rd", "th"}) {
            if (before.size() > 2 && ends_with_ignoring_case(before, ordinal) && is_digit(before[before.size() - 3])) {
                before.remove_suffix(2);
                break;
            }
        }
        std::size_t start = before.size();
        while (start > 0 && is_digit(before[start - 1])) --start;
        // Only where the number opens the name: «The 100 Season» has none.
        if (start == 0 && !before.empty() && before.size() <= 3) return number_of(before);
    }
    return std::nullopt;
}

// `S03` as a word of its own, not followed by an episode. Where it begins, and its number.
struct SeasonToken {
    std::size_t begin = 0;
    int season = 0;
};
std::optional<SeasonToken> find_season_token(std::string_view text) noexcept {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (lower(text[at]) != 's' || !word_starts(text, at)) continue;
        const auto digits = digits_at(text, at + 1);
        if (digits.empty() || digits.size() > 4) continue;
        const auto end = at + 1 + digits.size();
        if (end == text.size() || !is_word(text[end])) return SeasonToken{at, number_of(digits)};
    }
    return std::nullopt;
}

// What may follow the first number of an episode: E02, -E02, xE02, -02. Moves `at` behind it; the last number, or none.
std::optional<int> episode_end(std::string_view text, std::size_t& at, int first, std::size_t first_digits) {
    std::optional<int> last;
    for (;;) {
        std::size_t next = skip(text, at, " ");
        if (next < text.size() && text[next] == '-') next = skip(text, next + 1, " ");
        const bool dashed = next > at;
        std::size_t number_at = next;
        bool marked = false;
        if (number_at < text.size() && (lower(text[number_at]) == 'e' || lower(text[number_at]) == 'x')) {
            ++number_at;
            if (number_at < text.size() && lower(text[number_at - 1]) == 'x' && lower(text[number_at]) == 'e')
                ++number_at;
            if (number_at + 1 < text.size() && lower(text[number_at]) == 'p' && is_digit(text[number_at + 1]))
                ++number_at;
            marked = true;
        }
        if (!marked && (!dashed || text[at] != '-' || next != at + 1)) return last;
        const auto digits = digits_at(text, number_at);
        const int number = number_of(digits);
        const auto end = number_at + digits.size();
        if (digits.empty() || digits.size() > 4 || number <= last.value_or(first) || number - first > 50) return last;
        if (end < text.size() && (is_letter(text[end]) && lower(text[end]) != 'e' && lower(text[end]) != 'x'))
            return last;
        // A bare «-23» is a range only where nothing like «-45» goes on and the widths fit: titles hold numbers too.
        if (!marked && (digits.size() > std::max<std::size_t>(first_digits, 2) ||
                        (end + 1 < text.size() && text[end] == '-' && is_digit(text[end + 1])))) {
            return last;
        }
        last = number;
        at = end;
    }
}

struct Found {
    std::optional<int> season;
    int episode = 0;
    std::optional<int> end;
    std::size_t begin_at = 0, end_at = 0;
};

std::optional<Found> find_sxxeyy(std::string_view text) {  // S01E02, S02xE09, S01.E02, s1 e2
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (lower(text[at]) != 's' || !word_starts(text, at)) continue;
        const auto season = digits_at(text, at + 1);
        if (season.empty() || season.size() > 4) continue;
        auto e = skip(text, at + 1 + season.size(), " ._-");
        if (e < text.size() && lower(text[e]) == 'x' && e + 1 < text.size() && lower(text[e + 1]) == 'e') ++e;
        if (e >= text.size() || lower(text[e]) != 'e') continue;
        auto number_at = e + 1;
        if (number_at < text.size() && lower(text[number_at]) == 'p') ++number_at;
        const auto episode = digits_at(text, number_at);
        if (episode.empty() || episode.size() > 4) continue;
        Found found{number_of(season), number_of(episode), std::nullopt, at, number_at + episode.size()};
        found.end = episode_end(text, found.end_at, found.episode, episode.size());
        return found;
    }
    return std::nullopt;
}

std::optional<Found> find_nxnn(std::string_view text) {  // 1x02; not 1920x1080
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!is_digit(text[at]) || !word_starts(text, at)) continue;
        const auto season = digits_at(text, at);
        const auto x = at + season.size();
        if (season.size() > 2 || x >= text.size() || lower(text[x]) != 'x') continue;
        const auto episode = digits_at(text, x + 1);
        if (episode.size() < 2 || episode.size() > 3) continue;
        Found found{number_of(season), number_of(episode), std::nullopt, at, x + 1 + episode.size()};
        if (found.end_at < text.size() && is_letter(text[found.end_at]) && lower(text[found.end_at]) != 'x') continue;
        // 1x02-1x03: the second season number is passed over.
        std::size_t repeat = found.end_at;
        if (repeat < text.size() && text[repeat] == '-') {
            const auto again = digits_at(text, repeat + 1);
            const auto second = repeat + 1 + again.size();
            if (again == season && second < text.size() && lower(text[second]) == 'x') {
                const auto end = digits_at(text, second + 1);
                if (number_of(end) > found.episode && end.size() <= 3) {
                    found.end = number_of(end);
                    found.end_at = second + 1 + end.size();
                    return found;
                }
            }
        }
        found.end = episode_end(text, found.end_at, found.episode, episode.size());
        return found;
    }
    return std::nullopt;
}

std::optional<Found> find_episode_word(std::string_view text) {  // «Episode 2», «Ep02», «E02»
    for (const std::string_view word : {"episode", "folge", "ep", "e"}) {
        for (std::size_t at = 0; at < text.size(); ++at) {
            if (!word_starts(text, at) || !starts_with_ignoring_case(text.substr(at), word)) continue;
            const auto number_at = skip(text, at + word.size(), word == "e" ? "" : " ._-");
            const auto digits = digits_at(text, number_at);
            if (digits.empty() || digits.size() > 4 || (word == "e" && digits.size() < 2)) continue;
            const auto end = number_at + digits.size();
            if (end < text.size() && is_letter(text[end])) continue;
            Found found{std::nullopt, number_of(digits), std::nullopt, at, end};
            for (const auto season_word : season_words) {
                if (const auto season = number_near_word(text.substr(0, at), season_word)) found.season = season;
            }
            return found;
        }
    }
    return std::nullopt;
}

struct DateAt {
    std::string date;
    std::size_t begin_at = 0, end_at = 0;
};
std::optional<DateAt> find_date(std::string_view text) {
    const auto is_separator = [](char c) { return c == '-' || c == '.' || c == '_' || c == ' '; };
    for (std::size_t at = 0; at + 10 <= text.size(); ++at) {
        if (!word_starts(text, at) || (at + 10 < text.size() && is_word(text[at + 10]))) continue;
        const auto piece = text.substr(at, 10);
        int year = -1, month = -1, day = -1;
        if (is_separator(piece[4]) && piece[7] == piece[4]) {
            year = number_of(piece.substr(0, 4)), month = number_of(piece.substr(5, 2)),
            day = number_of(piece.substr(8, 2));
        } else if (is_separator(piece[2]) && piece[5] == piece[2]) {
            day = number_of(piece.substr(0, 2)), month = number_of(piece.substr(3, 2)),
            year = number_of(piece.substr(6, 4));
        }
        if (year < 1900 || year > 2099 || month < 1 || month > 12 || day < 1 || day > 31) continue;
        const auto two = [](int n) { return (n < 10 ? "0" : "") + std::to_string(n); };
        return DateAt{std::to_string(year) + "-" + two(month) + "-" + two(day), at, at + 10};
    }
    return std::nullopt;
}

// «1920x1080» says nothing about the words after it, unlike «1080p», behind which only more of its kind comes.
void erase_resolutions(std::string& text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!is_digit(text[at]) || !word_starts(text, at)) continue;
        const auto width = digits_at(text, at);
        const auto x = at + width.size();
        if (width.size() < 3 || width.size() > 4 || x >= text.size() || lower(text[x]) != 'x') continue;
        const auto height = digits_at(text, x + 1);
        if (height.size() >= 3 && height.size() <= 4) text.erase(at, width.size() + 1 + height.size());
    }
}

// A lone number in what is left when groups, years, resolutions and clock times are gone: «Title - 03», «05 - Title».
std::optional<Found> find_bare(std::string_view text) {
    std::optional<Found> dashed, last;
    for (std::size_t at = 0; at < text.size();) {
        if (!is_digit(text[at]) || !word_starts(text, at)) {
            ++at;
            continue;
        }
        const auto digits = digits_at(text, at);
        auto end = at + digits.size();
        const auto begin = at;
        at = end;
        if (end + 1 < text.size() && lower(text[end]) == 'v' && is_digit(text[end + 1])) end = end + 2;  // 03v2
        const char next = end < text.size() ? text[end] : ' ';
        const char previous = begin > 0 ? text[begin - 1] : ' ';
        const bool joined =
            (end + 1 < text.size() && (next == '-' || next == ':' || next == '.') && is_digit(text[end + 1])) ||
            (begin > 1 && (previous == '-' || previous == ':' || previous == '.') && is_digit(text[begin - 2]));
        const int number = number_of(digits);
        const bool year = digits.size() == 4 && number >= 1900 && number <= 2099;
        if (is_word(next) || joined || digits.size() > 4 || year || previous == '(' || previous == '#') continue;
        const Found found{std::nullopt, number, std::nullopt, begin, end};
        if (strip_separators(text.substr(0, begin)).empty()) return found;  // opens the name
        if (begin >= 3 && text.substr(begin - 3, 3) == " - ") dashed = dashed ? dashed : found;
        last = found;
    }
    return dashed ? dashed : last;
}

std::string title_after(std::string_view text) {
    auto rest = strip_separators(text);
    if (const auto release = find_release_words(std::string(" ") + std::string(rest));
        release != std::string_view::npos) {
        rest = rest.substr(0, release - 1);
        while (!rest.empty() && (rest.back() == '[' || rest.back() == '(' || rest.back() == ' ')) rest.remove_suffix(1);
    }
    std::string clean = spaced(without_brackets(rest));
    return display_text(clean);
}

}  // namespace

std::optional<int> parse_season_folder(std::string_view name) {
    const auto folded = fold(name);
    if (folded == "specials" || folded == "special" || folded == "season specials" || folded == "extras specials")
        return 0;
    if (is_digit(name.empty() ? ' ' : name[0]) && name.size() <= 4 && number_of(name) >= 0) return number_of(name);
    for (const auto word : season_words) {
        if (const auto season = number_near_word(name, word)) return season;
    }
    if (const auto token = find_season_token(name)) return token->season;
    return std::nullopt;
}

EpisodeNumbers parse_episode(std::string_view stem, std::string_view series) {
    EpisodeNumbers result;
    const auto take = [&](const Found& found, bool explicit_form, std::string_view text) {
        result.season = found.season;
        result.episode = found.episode;
        result.episode_end = found.end;
        result.explicit_form = explicit_form;
        result.title = title_after(text.substr(found.end_at));
        result.before = stem.substr(0, std::min(found.begin_at, stem.size()));
    };
    if (const auto found = find_sxxeyy(stem)) {
        take(*found, true, stem);
        return result;
    }
    if (const auto found = find_nxnn(stem)) {
        take(*found, true, stem);
        return result;
    }
    if (const auto found = find_date(stem)) {
        result.date = found->date;
        result.title = title_after(stem.substr(found->end_at));
        result.before = stem.substr(0, found->begin_at);
        return result;
    }
    if (const auto found = find_episode_word(stem)) {
        take(*found, false, stem);
        return result;
    }

    std::string rest = without_brackets(stem);
    if (const auto year = find_year(rest); year && rest[year->begin] == '(') {
        rest.erase(year->begin, year->end - year->begin);
    }
    erase_resolutions(rest);
    if (const auto release = find_release_words(rest); release != std::string::npos) {
        if (!strip_separators(std::string_view(rest).substr(0, release)).empty()) rest.resize(release);
    }
    // The show's own name first: compare letter by letter, so that separators do not matter.
    auto text = std::string_view(rest);
    if (const auto name = fold(series); !name.empty()) {
        const auto start = std::min(text.find_first_not_of(" ._-"), text.size());
        for (std::size_t end = start + 1; end <= text.size(); ++end) {
            if ((end == text.size() || !is_word(text[end])) && fold(text.substr(start, end - start)) == name) {
                if (strip_separators(text.substr(end)).empty()) break;  // «24/24.mkv»: the number is all there is
                text = text.substr(end);
                break;
            }
        }
    }
    if (const auto found = find_bare(text)) {
        result.episode = found->episode;
        result.title = title_after(text.substr(found->end_at));
        const auto before = strip_separators(text.substr(0, found->begin_at));
        const auto at = before.empty() ? std::string_view::npos : stem.find(before);
        result.before = at == std::string_view::npos ? std::string_view{} : stem.substr(at, before.size());
    }
    return result;
}

EpisodeFile parse_episode_path(const std::vector<std::string_view>& parts, std::string_view root_name) {
    EpisodeFile file;
    const auto stem = stem_of(parts.back());
    const auto folders = parts.size() - 1;

    std::optional<std::size_t> season_at;
    std::optional<int> season;
    for (std::size_t i = folders; i-- > 0;) {
        // The first folder is the show («24», «Show.S01.1080p»), unless it says plainly that it is a season.
        const bool plain = i > 0 || number_of(parts[i]) < 0;
        if (i == 0 && find_season_token(parts[0]) && find_season_token(parts[0])->begin > 0) break;
        if (const auto found = plain ? parse_season_folder(parts[i]) : std::nullopt) {
            if (i == 0 && !parse_title(parts[i]).name.empty()) {
                const auto folded = fold(parts[i]);
                const bool bare = folded == "specials" || is_digit(folded.back());
                const auto words = std::ranges::count(folded, ' ');
                if (!bare || words > 1) break;  // «The 100 Season 01» alone names show and season
            }
            season_at = i;
            season = found;
            break;
        }
    }

    std::string_view series_name;
    if (folders == 0) {
        series_name = {};
    } else if (season_at && *season_at == 0) {
        series_name = root_name;
        file.series_folder = ".";
    } else {
        const auto last = season_at ? *season_at - 1 : 0;
        for (std::size_t i = 0; i <= last; ++i) {
            if (i > 0) file.series_folder += '/';
            file.series_folder += parts[i];
        }
        series_name = parts[last];
    }

    std::string name(series_name);
    file.series_key = file.series_folder;
    if (!name.empty() && !season_at) {  // «Show.S01.1080p/…», «The 100 Season 01/…»: one folder for show and season
        std::size_t cut = std::string::npos;
        if (const auto token = find_season_token(name); token && token->begin > 0) {
            cut = token->begin;
            season = token->season;
        } else if (const auto number = parse_season_folder(name); number && number_of(name) < 0) {
            for (const auto word : season_words) {
                for (std::size_t at = 1; at < name.size(); ++at) {
                    if (word_starts(name, at) && starts_with_ignoring_case(std::string_view(name).substr(at), word))
                        cut = at;
                }
            }
            if (cut != std::string::npos) season = number;
        }
        if (cut != std::string::npos && !strip_separators(std::string_view(name).substr(0, cut)).empty()) {
            name = std::string(strip_separators(std::string_view(name).substr(0, cut)));
            file.series_key = file.series_folder.substr(0, file.series_folder.size() - series_name.size()) + name;
        } else {
            season = std::nullopt;
        }
    }
    if (!name.empty()) file.series = parse_title(name);

    file.numbers = parse_episode(stem, file.series.name);
    if (name.empty()) {  // right below the root: the show is what precedes the numbers
        auto before = without_brackets(file.numbers.before);
        if (strip_separators(before).empty()) before = std::string(root_name);
        file.series = parse_title(before);
        file.series_key = ":" + fold(file.series.name);
    }
    file.season = file.numbers.season.value_or(season.value_or(1));
    file.name = file.numbers.title;
    if (file.name.empty()) {
        file.name = file.numbers.episode         ? "Episode " + std::to_string(*file.numbers.episode)
                    : !file.numbers.date.empty() ? file.numbers.date
                                                 : parse_title(stem).name;
    }
    return file;
}

}  // namespace understudy::library::naming
