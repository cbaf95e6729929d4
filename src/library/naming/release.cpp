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
constexpr std::array edition_words = std::to_array<std::string_view>(
    {"directors cut",   "director s cut",  "extended",   "extended edition", "extended cut",
     "unrated",         "uncut",           "theatrical", "theatrical cut",   "final cut",
     "remastered",      "special edition", "criterion",  "imax edition",     "ultimate edition",
     "black and white", "redux",           "workprint",  "fan edit",         "open matte"});

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

std::map<std::string, std::string> take_provider_ids(std::string& text) {
    struct Provider {
        std::string_view start;
        std::string_view name;
    };
    static constexpr std::array providers{
        Provider{"tmdbid", "Tmdb"}, Provider{"tmdb", "Tmdb"},   Provider{"imdbid", "Imdb"},
        Provider{"imdb", "Imdb"},   Provider{"tvdbid", "Tvdb"}, Provider{"tvdb", "Tvdb"},
    };
    std::map<std::string, std::string> ids;
    for (std::size_t at = 0; at < text.size();) {
        const char open = text[at];
        const char close = open == '[' ? ']' : open == '{' ? '}' : open == '(' ? ')' : '\0';
        const auto end = close == '\0' ? std::string::npos : text.find(close, at + 1);
        bool taken = false;
        if (end != std::string::npos) {
            const auto inside = std::string_view(text).substr(at + 1, end - at - 1);
            for (const auto& provider : providers) {
                if (!starts_with_ignoring_case(inside, provider.start)) continue;
                auto value = inside.substr(provider.start.size());
                if (value.size() < 2 || (value[0] != '-' && value[0] != '=')) continue;
                value.remove_prefix(1);
                if (!std::ranges::all_of(value, [](char c) { return is_digit(c) || is_letter(c); })) continue;
                ids.emplace(provider.name, value);
                // One of the two spaces around it goes too: «A [tmdbid-1] - 4K» leaves «A - 4K».
                const bool spaces = at > 0 && text[at - 1] == ' ' && end + 1 < text.size() && text[end + 1] == ' ';
                text.erase(at, end - at + (spaces ? 2 : 1));
                taken = true;
                break;
            }
        }
        if (!taken) ++at;
    }
    return ids;
}

std::optional<YearAt> find_year(std::string_view text) noexcept {
    std::optional<YearAt> found;
    for (std::size_t at = 0; at + 6 <= text.size(); ++at) {  // the last one in brackets
        if ((text[at] == '(' && text[at + 5] == ')') || (text[at] == '[' && text[at + 5] == ']')) {
            const int year = number_of(text.substr(at + 1, 4));
            if (plausible(year)) found = YearAt{year, at, at + 6};
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
        if ((rest.empty() && text[at - 1] != '-') || released || rest.starts_with('['))
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
