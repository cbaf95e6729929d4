#include "library/naming/season_name.h"

#include <algorithm>
#include <array>

#include "library/naming/text.h"

namespace understudy::library::naming {
namespace {

// Letters above ASCII are compared as bytes, so those that begin a word come in both cases.
constexpr std::array season_words = std::to_array<std::string_view>(
    {"season",  "seasons", "saison", "staffel", "series",   "serie", "temporada", "stagione",
     "seizoen", "sæson",   "säsong", "sesong",  "kausi",    "sezon", "sezona",    "sezóna",
     "série",   "řada",    "Řada",   "évad",    "Évad",     "évad",  "sezonul",   "denboraldia",
     "сезон",   "Сезон",   "СЕЗОН",  "σεζόν",   "シーズン", "시즌",  "mùa",       "musim"});
constexpr std::array specials =
    std::to_array<std::string_view>({"specials",        "special",          "season specials",
                                     "extras specials", "spezial",          "specials season",
                                     "sonderfolgen",    "especiales",       "especiais",
                                     "speciali",        "episodi speciali", "hors serie",
                                     "hors série",      "spéciaux",         "speciale afleveringen",
                                     "спецвыпуски",     "Спецвыпуски",      "特典",
                                     "特别篇",          "スペシャル"});
constexpr std::array counted = std::to_array<std::string_view>(
    {"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"});
constexpr std::array han_digits =
    std::to_array<std::string_view>({"一", "二", "三", "四", "五", "六", "七", "八", "九", "十"});

bool word_starts(std::string_view text, std::size_t at) noexcept {
    return at == 0 || !is_word(text[at - 1]);
}

std::string_view digits_at(std::string_view text, std::size_t at) noexcept {
    std::size_t end = at;
    while (end < text.size() && is_digit(text[end])) ++end;
    return at < text.size() ? text.substr(at, end - at) : std::string_view{};
}

std::optional<SeasonAt> number_after(std::string_view text, std::size_t begin, std::size_t word_end) noexcept {
    auto at = word_end;
    while (at < text.size() &&
           (text[at] == ' ' || text[at] == '.' || text[at] == '_' || text[at] == '-' || text[at] == '#'))
        ++at;
    const auto digits = digits_at(text, at);
    const auto end = at + digits.size();
    if (!digits.empty() && digits.size() <= 4 && (end == text.size() || !is_letter(text[end])))
        return SeasonAt{begin, end, number_of(digits)};
    if (at == word_end) return std::nullopt;
    for (std::size_t number = 0; number < counted.size(); ++number) {
        const auto after = at + counted[number].size();
        if (starts_with_ignoring_case(text.substr(at), counted[number]) &&
            (after == text.size() || !is_word(text[after])))
            return SeasonAt{begin, after, static_cast<int>(number)};
    }
    return std::nullopt;
}

// «1. Staffel», «2nd Season»: the number before the word.
std::optional<SeasonAt> number_before(std::string_view text, std::size_t word_at, std::size_t word_end) noexcept {
    auto before = text.substr(0, word_at);
    while (!before.empty() && (before.back() == ' ' || before.back() == '.' || before.back() == '_'))
        before.remove_suffix(1);
    bool ordinal_form = false;
    for (const std::string_view ordinal : {"st", "nd", "rd", "th"}) {
        if (before.size() > 2 && ends_with_ignoring_case(before, ordinal) && is_digit(before[before.size() - 3])) {
            before.remove_suffix(2);
            ordinal_form = true;
            break;
        }
    }
    std::size_t start = before.size();
    while (start > 0 && is_digit(before[start - 1])) --start;
    const auto digits = before.substr(start);
    if (digits.empty() || digits.size() > 3) return std::nullopt;
    // A bare number only where it opens the name: «The 100 Season» has none.
    if (start != 0 && !(ordinal_form && word_starts(text, start))) return std::nullopt;
    return SeasonAt{start, word_end, number_of(digits)};
}

// 第2季, 第二季, 第1期.
std::optional<int> han_season(std::string_view name) noexcept {
    constexpr std::string_view ordinal = "第";
    const auto at = name.find(ordinal);
    if (at == std::string_view::npos) return std::nullopt;
    auto rest = name.substr(at + ordinal.size());
    int number = -1;
    if (const auto digits = digits_at(rest, 0); !digits.empty() && digits.size() <= 4) {
        number = number_of(digits);
        rest.remove_prefix(digits.size());
    } else {
        for (std::size_t i = 0; i < han_digits.size(); ++i) {
            if (!rest.starts_with(han_digits[i])) continue;
            number = static_cast<int>(i) + 1;
            rest.remove_prefix(han_digits[i].size());
            break;
        }
    }
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    const bool season = rest.starts_with("季") || rest.starts_with("期") || rest.starts_with("シーズン");
    return number >= 0 && season ? std::optional<int>(number) : std::nullopt;
}

}  // namespace

std::optional<SeasonAt> find_season_token(std::string_view text) noexcept {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (lower(text[at]) != 's' || !word_starts(text, at)) continue;
        const auto digits = digits_at(text, at + 1);
        if (digits.empty() || digits.size() > 4) continue;
        const auto end = at + 1 + digits.size();
        if (end == text.size() || !is_word(text[end])) return SeasonAt{at, end, number_of(digits)};
    }
    return std::nullopt;
}

std::optional<SeasonAt> find_season_words(std::string_view text) noexcept {
    for (std::size_t at = text.size(); at-- > 0;) {
        if (!is_letter(text[at]) || !word_starts(text, at)) continue;
        for (const auto word : season_words) {
            if (!starts_with_ignoring_case(text.substr(at), word)) continue;
            const auto end = at + word.size();
            if (const auto found = number_after(text, at, end)) return found;
            if (end < text.size() && is_word(text[end])) continue;
            if (const auto found = number_before(text, at, end)) return found;
        }
    }
    return std::nullopt;
}

std::optional<int> parse_season_folder(std::string_view name) {
    const auto folded = fold(name);
    if (std::ranges::find(specials, std::string_view(folded)) != specials.end()) return 0;
    if (is_digit(name.empty() ? ' ' : name[0]) && name.size() <= 4 && number_of(name) >= 0) return number_of(name);
    if (const auto words = find_season_words(name)) return words->season;
    if (const auto han = han_season(name)) return han;
    if (const auto token = find_season_token(name)) return token->season;
    return std::nullopt;
}

}  // namespace understudy::library::naming
