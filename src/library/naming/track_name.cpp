#include "library/naming/track_name.h"

#include <array>

#include "library/naming/movie_name.h"
#include "library/naming/release.h"
#include "library/naming/text.h"

namespace understudy::library::naming {
namespace {

struct Album {
    std::string artist, name;
    std::optional<int> year;
};

// `Album (2001)`, `2001 - Album`, `[2001] Album`, `Artist - Album`.
Album parse_album_folder(std::string_view folder, bool may_name_artist) {
    Album album;
    std::string text(folder);
    (void)take_provider_ids(text);
    auto rest = std::string_view(text);
    if (rest.size() > 7 && number_of(rest.substr(0, 4)) >= 1900 && number_of(rest.substr(0, 4)) <= 2099 &&
        rest.substr(4, 3) == " - ") {
        album.year = number_of(rest.substr(0, 4));
        rest.remove_prefix(7);
    } else if (const auto year = find_year(rest); year && (rest[year->begin] == '(' || rest[year->begin] == '[')) {
        album.year = year->year;
        const auto before = strip_separators(rest.substr(0, year->begin));
        rest = before.empty() ? strip_separators(rest.substr(year->end)) : before;
    }
    if (const auto dash = rest.find(" - "); may_name_artist && dash != std::string_view::npos && dash > 0) {
        album.artist = display_text(spaced(rest.substr(0, dash)));
        rest.remove_prefix(dash + 3);
    }
    album.name = display_text(spaced(without_brackets(rest)));
    if (album.name.empty()) album.name = display_text(folder);
    return album;
}

}  // namespace

std::optional<int> parse_disc_folder(std::string_view name) {
    for (const std::string_view word : {"disc", "disk", "cd", "dvd"}) {
        if (!starts_with_ignoring_case(name, word)) continue;
        auto rest = name.substr(word.size());
        while (!rest.empty() &&
               (rest.front() == ' ' || rest.front() == '_' || rest.front() == '-' || rest.front() == '.')) {
            rest.remove_prefix(1);
        }
        std::size_t end = 0;
        while (end < rest.size() && is_digit(rest[end])) ++end;
        if (end == 0 || end > 2 || (end < rest.size() && is_word(rest[end]))) return std::nullopt;
        return number_of(rest.substr(0, end));
    }
    return std::nullopt;
}

TrackFile parse_track_path(const std::vector<std::string_view>& parts) {
    TrackFile file;
    auto folders = parts.size() - 1;
    if (folders > 1) {
        if ((file.disc = parse_disc_folder(parts[folders - 1]))) --folders;
    }
    if (folders >= 1) {
        auto album = parse_album_folder(parts[folders - 1], folders == 1);
        file.album = std::move(album.name);
        file.year = album.year;
        file.artist = folders >= 2 ? parse_title(parts[folders - 2]).name : std::move(album.artist);
    }

    auto stem = stem_of(parts.back());
    std::size_t digits = 0;
    while (digits < stem.size() && is_digit(stem[digits])) ++digits;
    if (digits > 0 && digits <= 3) {
        auto rest = stem.substr(digits);
        int number = number_of(stem.substr(0, digits));
        // «1-03 Title»: disc and track.
        if (digits == 1 && rest.size() >= 3 && rest[0] == '-' && is_digit(rest[1]) && is_digit(rest[2])) {
            file.disc = number;
            number = number_of(rest.substr(1, 2));
            rest.remove_prefix(3);
        }
        const auto title = strip_separators(rest);
        const bool separated = rest.empty() || rest[0] == ' ' || rest[0] == '.' || rest[0] == '-' || rest[0] == '_';
        if (separated && number > 0) {
            file.track = number;
            stem = title.empty() ? stem : title;
        }
    }
    if (const auto dash = stem.find(" - "); dash != std::string_view::npos && dash > 0) {
        const auto before = display_text(spaced(stem.substr(0, dash)));
        if (file.artist.empty() || fold(before) == fold(file.artist)) {
            if (file.artist.empty()) file.artist = before;
            stem = stem.substr(dash + 3);
            // «Artist - Album - 03 - Title»
            std::size_t end = 0;
            if (const auto last = stem.rfind(" - "); last != std::string_view::npos) {
                const auto middle = stem.substr(0, last);
                const auto number_at = middle.rfind(' ');
                const auto number = middle.substr(number_at == std::string_view::npos ? 0 : number_at + 1);
                if (!file.track && number_of(number) > 0 && number.size() <= 3) {
                    file.track = number_of(number);
                    end = last + 3;
                }
            }
            stem = stem.substr(end);
        }
    }
    file.title = display_text(spaced(stem));
    if (file.title.empty()) file.title = display_text(stem_of(parts.back()));
    return file;
}

}  // namespace understudy::library::naming
