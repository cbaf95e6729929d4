#include "library/naming/release.h"

#include <algorithm>
#include <array>
#include <span>

#include "library/naming/text.h"

namespace understudy::library::naming {
namespace {

constexpr std::array release_words = std::to_array<std::string_view>(
    {"480p",   "480i",  "540p",   "576p",     "576i",     "720p",   "720i",   "1080p",  "1080i",  "1440p",    "2160p",
     "4320p",  "4k",    "8k",     "uhd",      "hdtv",     "pdtv",   "dvdrip", "dvd",    "dvdscr", "dvd5",     "dvd9",
     "bdrip",  "brrip", "bluray", "blu-ray",  "webrip",   "webdl",  "web-dl", "web",    "hdrip",  "remux",    "x264",
     "x265",   "h264",  "h265",   "h.264",    "h.265",    "hevc",   "avc",    "xvid",   "divx",   "av1",      "vp9",
     "aac",    "ac3",   "eac3",   "ddp5",     "dts",      "dts-hd", "truehd", "atmos",  "flac",   "hdr",      "hdr10",
     "hdr10+", "dv",    "dovi",   "sdr",      "10bit",    "8bit",   "10-bit", "proper", "repack", "internal", "limited",
     "multi",  "hdcam", "cam",    "telesync", "screener", "3d",     "hsbs",   "sbs",    "htab",   "imax",     "dsnp",
     "nf",     "amzn",  "ntsc",   "pal"});
constexpr std::array edition_words = std::to_array<std::string_view>({"directors cut",
                                                                      "director s cut",
                                                                      "extended",
                                                                      "extended edition",
                                                                      "extended cut",
                                                                      "unrated",
                                                                      "uncut",
                                                                      "theatrical",
                                                                      "theatrical cut",
                                                                      "final cut",
                                                                      "remastered",
                                                                      "special edition",
                                                                      "criterion",
                                                                      "imax edition",
                                                                      "ultimate edition",
                                                                      "black and white",
                                                                      "redux",
                                                                      "workprint",
                                                                      "fan edit",
                                                                      "open matte",
                                                                      "collectors edition",
                                                                      "anniversary edition",
                                                                      "ultimate cut",
                                                                      "uncensored",
                                                                      "alternate cut",
                                                                      "alternate ending",
                                                                      "producers cut",
                                                                      "international cut",
                                                                      "assembly cut",
                                                                      "rogue cut",
                                                                      "restored"});

bool is_word_end(std::string_view text, std::size_t at) noexcept {
    return at >= text.size() || !is_word(text[at]);
}

bool is_resolution(std::string_view word) noexcept {  // 1920x1080
    const auto x = word.find_first_of("xX");
    return x != std::string_view::npos && x >= 3 && number_of(word.substr(0, x)) >= 320 &&
           number_of(word.substr(x + 1)) >= 240;
}

bool plausible(int year) noexcept {
    return year >= 1888 && year <= 2099;
}

}  // namespace

bool is_release_word(std::string_view word) noexcept {
    return is_resolution(word) ||
           std::ranges::any_of(release_words, [&](std::string_view known) { return equal_ignoring_case(known, word); });
}

bool is_version_label(std::string_view label) {
    const auto folded = fold(label);
    if (folded.empty()) return false;
    if (std::ranges::any_of(edition_words, [&](std::string_view word) { return folded.starts_with(word); }))
        return true;
    for (std::size_t at = 0; at < folded.size();) {
        const auto space = folded.find(' ', at);
        const auto word = std::string_view(folded).substr(at, space == std::string::npos ? space : space - at);
        if (is_release_word(word)) return true;
        if (space == std::string::npos) break;
        at = space + 1;
    }
    return false;
}

std::size_t find_release_words(std::string_view text) noexcept {
    for (std::size_t at = 1; at < text.size(); ++at) {
        if (!is_word(text[at]) || is_word(text[at - 1])) continue;
        std::size_t end = at;
        while (end < text.size() && is_word(text[end])) ++end;
        const auto word = text.substr(at, end - at);
        if (is_release_word(word)) return at;
        if (end < text.size() && (text[end] == '-' || text[end] == '.')) {  // Blu-ray, WEB-DL, H.264
            std::size_t second = end + 1;
            while (second < text.size() && is_word(text[second])) ++second;
            if (is_release_word(text.substr(at, second - at)) && is_word_end(text, second)) return at;
        }
    }
    return std::string_view::npos;
}

bool begins_with_release_word(std::string_view text) noexcept {
    const auto end = static_cast<std::size_t>(std::ranges::find_if_not(text, is_word) - text.begin());
    if (is_release_word(text.substr(0, end))) return true;
    if (end == 0 || end >= text.size() || (text[end] != '-' && text[end] != '.')) return false;
    std::size_t second = end + 1;
    while (second < text.size() && is_word(text[second])) ++second;
    return is_release_word(text.substr(0, second));
}

bool is_edition(std::string_view label) {
    const auto folded = fold(label);
    return std::ranges::any_of(edition_words, [&](std::string_view word) {
        return folded.starts_with(word) && (folded.size() == word.size() || folded[word.size()] == ' ');
    });
}

std::string take_edition(std::string& text) {
    std::string label;
    for (std::size_t at = 0; at < text.size();) {
        const char close = text[at] == '{' ? '}' : text[at] == '[' ? ']' : '\0';
        const auto end = close == '\0' ? std::string::npos : text.find(close, at + 1);
        if (end == std::string::npos) {
            ++at;
            continue;
        }
        auto inside = std::string_view(text).substr(at + 1, end - at - 1);
        constexpr std::string_view word = "edition";
        const bool plex = close == '}' && starts_with_ignoring_case(inside, word) && inside.size() > word.size() + 1 &&
                          (inside[word.size()] == '-' || inside[word.size()] == '=' || inside[word.size()] == ':');
        if (plex) inside.remove_prefix(word.size() + 1);
        if (!plex && !is_edition(inside)) {
            ++at;
            continue;
        }
        if (!label.empty()) label += ' ';
        label += display_text(strip_separators(inside));
        const bool spaces = at > 0 && text[at - 1] == ' ' && end + 1 < text.size() && text[end + 1] == ' ';
        text.erase(at, end - at + (spaces ? 2 : 1));
    }
    return label;
}

namespace {

struct Provider {
    std::string_view start;
    std::string_view name;
};
// The longer word first: `tmdbid` is not `tmdb` with a value that begins with «id».
constexpr std::array providers = std::to_array<Provider>({
    {"tmdbid", "Tmdb"},
    {"tmdb", "Tmdb"},
    {"imdbid", "Imdb"},
    {"imdb", "Imdb"},
    {"tvdbid", "Tvdb"},
    {"tvdb", "Tvdb"},
    {"tvmazeid", "TvMaze"},
    {"tvmaze", "TvMaze"},
    {"anidbid", "AniDb"},
    {"anidb", "AniDb"},
    {"anilistid", "AniList"},
    {"anilist", "AniList"},
});

struct ProviderId {
    std::string_view name, value;
};
std::optional<ProviderId> read_provider_id(std::string_view inside) noexcept {
    const auto plain = [](std::string_view value) {
        return !value.empty() && value.size() <= 32 &&
               std::ranges::all_of(value, [](char c) { return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z'); });
    };
    for (const auto& provider : providers) {
        if (!starts_with_ignoring_case(inside, provider.start)) continue;
        const auto value = inside.substr(provider.start.size());
        if (value.size() < 2 || (value[0] != '-' && value[0] != '=' && value[0] != ':')) continue;
        if (plain(value.substr(1))) return ProviderId{provider.name, value.substr(1)};
    }
    const bool imdb = inside.size() >= 9 && inside.size() <= 12 && inside.starts_with("tt") &&
                      std::ranges::all_of(inside.substr(2), is_digit);
    return imdb ? std::optional<ProviderId>({"Imdb", inside}) : std::nullopt;
}

}  // namespace

std::map<std::string, std::string> take_provider_ids(std::string& text) {
    std::map<std::string, std::string> ids;
    for (std::size_t at = 0; at < text.size();) {
        const char open = text[at];
        const char close = open == '[' ? ']' : open == '{' ? '}' : open == '(' ? ')' : '\0';
        const auto end = close == '\0' ? std::string::npos : text.find(close, at + 1);
        const auto id = end == std::string::npos
                            ? std::nullopt
                            : read_provider_id(std::string_view(text).substr(at + 1, end - at - 1));
        if (!id) {
            ++at;
            continue;
        }
        ids.emplace(id->name, id->value);
        // One of the two spaces around it goes too: «A [tmdbid-1] - 4K» leaves «A - 4K».
        const bool spaces = at > 0 && text[at - 1] == ' ' && end + 1 < text.size() && text[end + 1] == ' ';
        text.erase(at, end - at + (spaces ? 2 : 1));
    }
    return ids;
}

std::optional<YearAt> find_year(std::string_view text) {
    std::optional<YearAt> found;
    for (std::size_t at = 0; at + 6 <= text.size(); ++at) {  // the last one in brackets
        if ((text[at] == '(' && text[at + 5] == ')') || (text[at] == '[' && text[at + 5] == ']')) {
            const int year = number_of(text.substr(at + 1, 4));
            if (plausible(year)) found = YearAt{year, at, at + 6};
        } else if (text[at] == '(' && text[at + 5] == '-') {  // (2010-2015), (2010-)
            const auto close = text.find(')', at + 6);
            const int year = number_of(text.substr(at + 1, 4));
            if (close == std::string_view::npos || !plausible(year)) continue;
            const auto until = strip_separators(text.substr(at + 6, close - at - 6));
            if (until.empty() || number_of(until) >= year) found = YearAt{year, at, close + 1};
        }
    }
    if (found) return found;
    for (std::size_t at = 1; at + 4 <= text.size(); ++at) {
        if (is_word(text[at - 1]) || !is_word_end(text, at + 4)) continue;
        const int year = number_of(text.substr(at, 4));
        if (year < 1900 || year > 2035) continue;  // bare: «Blade Runner 2049» keeps its number
        const auto rest = strip_separators(text.substr(at + 4));
        const auto next_end = std::ranges::find_if_not(rest, is_word) - rest.begin();
        const bool released = is_release_word(rest.substr(0, static_cast<std::size_t>(next_end))) ||
                              (rest.size() > 1 && find_release_words(text.substr(at + 3)) == 2);
        if ((rest.empty() && text[at - 1] != '-') || released || rest.starts_with('[') || is_edition(rest))
            found = YearAt{year, at, at + 4};
    }
    return found;
}

std::string without_brackets(std::string_view text) {
    std::string result;
    int depth = 0;
    for (const char c : text) {
        if (c == '[' || c == '{') {
            ++depth;
        } else if ((c == ']' || c == '}') && depth > 0) {
            --depth;
        } else if (depth == 0) {
            result += c;
        }
    }
    return depth == 0 ? result : std::string(text);
}

}  // namespace understudy::library::naming
