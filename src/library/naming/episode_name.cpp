#include "library/naming/episode_name.h"

#include <algorithm>
#include <array>

#include "library/naming/dates.h"
#include "library/naming/parts.h"
#include "library/naming/release.h"
#include "library/naming/season_name.h"
#include "library/naming/text.h"

namespace understudy::library::naming {
namespace {

// What may stand before an episode's number, longest first; letters above ASCII are compared as bytes.
constexpr std::array episode_words = std::to_array<std::string_view>(
    {"episodes", "episode", "aflevering", "episodio", "episódio", "épisode", "Épisode", "capítulo", "capitulo",
     "odcinek", "avsnitt", "jakso", "folge", "серия", "Серия", "эпизод", "bölüm", "ep", "e"});

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

// What may follow the first number of an episode: E02, -E02, xE02, +E02, -S01E02, -02. Moves `at` behind it; the last
// number, or none.
std::optional<int> episode_end(std::string_view text, std::size_t& at, int first, std::size_t first_digits,
                               std::optional<int> season = std::nullopt) {
    std::optional<int> last;
    for (;;) {
        std::size_t next = skip(text, at, " ._");
        const bool joiner = next < text.size() && (text[next] == '-' || text[next] == '+' || text[next] == '&');
        if (joiner) next = skip(text, next + 1, " ");
        std::size_t number_at = next;
        if (season && number_at < text.size() && lower(text[number_at]) == 's') {  // -S01E02
            const auto again = digits_at(text, number_at + 1);
            const auto e = number_at + 1 + again.size();
            if (number_of(again) == *season && e < text.size() && lower(text[e]) == 'e') number_at = e;
        }
        bool marked = false;
        if (number_at < text.size() && (lower(text[number_at]) == 'e' || lower(text[number_at]) == 'x')) {
            const bool x = lower(text[number_at]) == 'x';
            ++number_at;
            if (x && number_at < text.size() && lower(text[number_at]) == 'e') {
                ++number_at;
            } else if (x && next != at && !joiner) {
                return last;  // « x264»
            }
            if (number_at + 1 < text.size() && lower(text[number_at]) == 'p' && is_digit(text[number_at + 1]))
                ++number_at;
            marked = true;
        }
        if (!marked && (at >= text.size() || text[at] != '-' || next != at + 1)) return last;
        const auto digits = digits_at(text, number_at);
        const int number = number_of(digits);
        const auto end = number_at + digits.size();
        if (digits.empty() || digits.size() > 4 || number <= last.value_or(first) || number - first > 50) return last;
        const bool revised = end + 1 < text.size() && lower(text[end]) == 'v' && is_digit(text[end + 1]);
        if (end < text.size() && is_letter(text[end]) && lower(text[end]) != 'e' && lower(text[end]) != 'x' && !revised)
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
        const bool x = e + 1 < text.size() && lower(text[e]) == 'x';
        if (x && lower(text[e + 1]) == 'e') {
            ++e;
        } else if (e >= text.size() || (lower(text[e]) != 'e' && !(x && e == at + 1 + season.size()))) {
            continue;  // S01x02 too, but not «S01 x264»
        }
        auto number_at = e + 1;
        if (number_at < text.size() && lower(text[number_at]) == 'p') ++number_at;
        const auto episode = digits_at(text, number_at);
        if (episode.empty() || episode.size() > 4) continue;
        Found found{number_of(season), number_of(episode), std::nullopt, at, number_at + episode.size()};
        found.end = episode_end(text, found.end_at, found.episode, episode.size(), found.season);
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
    for (const auto word : episode_words) {
        for (std::size_t at = 0; at < text.size(); ++at) {
            if (!word_starts(text, at) || !starts_with_ignoring_case(text.substr(at), word)) continue;
            const auto number_at = skip(text, at + word.size(), word == "e" ? "" : " ._-#");
            const auto digits = digits_at(text, number_at);
            if (digits.empty() || digits.size() > 4 || (word == "e" && digits.size() < 2)) continue;
            Found found{std::nullopt, number_of(digits), std::nullopt, at, number_at + digits.size()};
            if (found.end_at < text.size() && is_letter(text[found.end_at]) && lower(text[found.end_at]) != 'e' &&
                lower(text[found.end_at]) != 'v')
                continue;
            found.end = episode_end(text, found.end_at, found.episode, digits.size());
            if (const auto season = find_season_words(text.substr(0, at))) {
                found.season = season->season;
                found.begin_at = season->begin;
            }
            return found;
        }
    }
    return std::nullopt;
}

// 第03話, 第3话, 第3集, 第3回, 3화.
std::optional<Found> find_han_episode(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!is_digit(text[at]) || (at > 0 && is_digit(text[at - 1]))) continue;
        const auto digits = digits_at(text, at);
        const auto end = at + digits.size();
        const auto unit = skip(text, end, " ");
        const std::string_view ordinal = "第";
        const bool numbered = text.substr(0, at).ends_with(ordinal);
        const auto begin = numbered ? at - ordinal.size() : at;
        const bool counted =
            std::ranges::any_of(std::to_array<std::string_view>({"話", "话", "集", "回"}),
                                [&](std::string_view word) { return text.substr(unit).starts_with(word); });
        if (digits.size() > 4 || !((numbered && counted) || text.substr(unit).starts_with("화"))) continue;
        return Found{std::nullopt, number_of(digits), std::nullopt, begin, unit + 3};
    }
    return std::nullopt;
}

// «SP01», «OVA 2», «OAD1»: specials, whatever folder they lie in.
std::optional<Found> find_special(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!word_starts(text, at)) continue;
        for (const std::string_view word : {"SP", "OVA", "OAD"}) {
            if (!starts_with_ignoring_case(text.substr(at), word)) continue;
            const auto number_at = word == "SP" ? at + word.size() : skip(text, at + word.size(), " _-");
            const auto digits = digits_at(text, number_at);
            const auto end = number_at + digits.size();
            if (digits.empty() || digits.size() > 2 ||
                (end < text.size() && is_letter(text[end]) && lower(text[end]) != 'v'))
                continue;
            return Found{0, number_of(digits), std::nullopt, at, end};
        }
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

// « of 12», «/12» behind a number: how many there are.
std::size_t skip_count(std::string_view text, std::size_t at) noexcept {
    auto next = skip(text, at, " ._");
    if (!starts_with_ignoring_case(text.substr(std::min(next, text.size())), "of")) return at;
    const auto number_at = skip(text, next + 2, " ._");
    const auto digits = digits_at(text, number_at);
    next = number_at + digits.size();
    return digits.empty() || digits.size() > 3 || (next < text.size() && is_word(text[next])) ? at : next;
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
        const auto counted = skip_count(text, end);
        if (counted != end) {  // «3 of 12»
            return Found{std::nullopt, number_of(digits), std::nullopt, begin, counted};
        }
        const char next = end < text.size() ? text[end] : ' ';
        const char previous = begin > 0 ? text[begin - 1] : ' ';
        const bool after_dash = begin >= 3 && text.substr(begin - 3, 3) == " - ";
        // «Title - 01-02», and nothing behind it: one file of two or three.
        if (after_dash && next == '-') {
            const auto second = digits_at(text, end + 1);
            const int through = number_of(second) - number_of(digits);
            if (second.size() == digits.size() && through >= 1 && through <= 3 &&
                strip_separators(text.substr(end + 1 + second.size())).empty()) {
                return Found{std::nullopt, number_of(digits), number_of(second), begin, end + 1 + second.size()};
            }
        }
        const bool joined =
            (end + 1 < text.size() && (next == '-' || next == ':' || next == '.') && is_digit(text[end + 1])) ||
            (begin > 1 && (previous == '-' || previous == ':' || previous == '.') && is_digit(text[begin - 2]));
        const int number = number_of(digits);
        const bool year = digits.size() == 4 && number >= 1900 && number <= 2099;
        if (is_word(next) || joined || digits.size() > 4 || year || previous == '(' || previous == '#') continue;
        const Found found{std::nullopt, number, std::nullopt, begin, end};
        if (strip_separators(text.substr(0, begin)).empty()) return found;  // opens the name
        if (after_dash) dashed = dashed ? dashed : found;
        last = found;
    }
    return dashed ? dashed : last;
}

std::string title_after(std::string_view text) {
    auto rest = strip_separators(text);
    if (const auto release = find_release_words(std::string(" ") + std::string(rest));
        release != std::string_view::npos) {
        rest = rest.substr(0, release - 1);
    }
    while (!rest.empty() && (rest.back() == '[' || rest.back() == '(' || rest.back() == ' ')) rest.remove_suffix(1);
    std::string clean = spaced(without_brackets(rest));
    return display_text(clean);
}

void take_title(EpisodeNumbers& numbers, std::string_view after) {
    std::string text(after);
    numbers.version = take_edition(text);
    numbers.part = 0;
    if (const auto part = find_part(text); part && part->certain) {
        numbers.part = part->number;
        text.erase(part->begin, part->end - part->begin);
    }
    numbers.title = title_after(text);
}

}  // namespace

EpisodeNumbers parse_episode(std::string_view stem, std::string_view series) {
    EpisodeNumbers result;
    const auto take = [&](const Found& found, bool explicit_form, std::string_view text) {
        result.season = found.season;
        result.episode = found.episode;
        result.episode_end = found.end;
        result.explicit_form = explicit_form;
        auto after = text.substr(found.end_at);
        // «S01E02a»: half of what was broadcast together.
        if (explicit_form && !after.empty() && lower(after[0]) >= 'a' && lower(after[0]) <= 'c' &&
            (after.size() == 1 || !is_word(after[1]))) {
            result.part = lower(after[0]) - 'a' + 1;
            after.remove_prefix(1);
        }
        const int half = result.part;
        take_title(result, after);
        // With a title of its own a half is an episode that shares a number, not a piece of a file.
        if (result.part == 0 && result.title.empty()) result.part = half;
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
        take_title(result, stem.substr(found->end));
        result.before = stem.substr(0, found->begin);
        return result;
    }
    if (const auto found = find_episode_word(stem)) {
        take(*found, false, stem);
        return result;
    }
    if (const auto found = find_han_episode(stem)) {
        take(*found, false, stem);
        return result;
    }
    if (const auto found = find_special(stem)) {
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
        result.episode_end = found->end;
        take_title(result, text.substr(found->end_at));
        auto before = strip_separators(text.substr(0, found->begin_at));
        // «Title S2 - 03», «Title 2nd Season - 03»: an absolute number with its season in the name.
        auto season = find_season_token(before);
        if (!season) season = find_season_words(before);
        if (season && strip_separators(before.substr(season->end)).empty()) {
            result.season = season->season;
            before = strip_separators(before.substr(0, season->begin));
        }
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
        } else if (const auto words = find_season_words(name)) {
            cut = words->begin;
            season = words->season;
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
