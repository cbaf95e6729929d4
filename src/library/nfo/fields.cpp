#include "library/nfo/fields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/text.h"
#include "library/naming/dates.h"
#include "library/naming/text.h"

namespace understudy::library::nfo {
namespace {

struct Provider {
    std::string_view type;
    std::string_view name;
};
// What the `type` of a uniqueid, or an element's name without `id`, is called here.
constexpr std::array providers = std::to_array<Provider>({
    {"imdb", "Imdb"},
    {"tmdb", "Tmdb"},
    {"themoviedb", "Tmdb"},
    {"moviedb", "Tmdb"},
    {"tvdb", "Tvdb"},
    {"thetvdb", "Tvdb"},
    {"tvmaze", "TvMaze"},
    {"tvrage", "TvRage"},
    {"anidb", "AniDb"},
    {"anilist", "AniList"},
    {"zap2it", "Zap2It"},
    {"tmdbcol", "TmdbCollection"},
    {"tmdbset", "TmdbCollection"},
    {"musicbrainzalbum", "MusicBrainzAlbum"},
    {"musicbrainzalbumartist", "MusicBrainzAlbumArtist"},
    {"musicbrainzartist", "MusicBrainzArtist"},
    {"musicbrainzreleasegroup", "MusicBrainzReleaseGroup"},
    {"musicbrainztrack", "MusicBrainzTrack"},
    {"audiodbartist", "AudioDbArtist"},
    {"audiodbalbum", "AudioDbAlbum"},
});

bool all_of_digits(std::string_view text) noexcept {
    return !text.empty() && std::ranges::all_of(text, naming::is_digit);
}

std::string_view digits_of(std::string_view text) noexcept {
    const auto end = std::ranges::find_if_not(text, naming::is_digit);
    return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

bool fits(std::string_view provider, std::string_view value) noexcept {
    if (value.empty() || value.size() > 128) return false;
    if (provider == "Imdb") {
        return value.size() > 2 && (value.starts_with("tt") || value.starts_with("nm") || value.starts_with("co")) &&
               all_of_digits(value.substr(2));
    }
    if (provider == "Tmdb" || provider == "Tvdb" || provider == "TmdbCollection")
        return all_of_digits(value) && value.find_first_not_of('0') != std::string_view::npos;
    return std::ranges::none_of(value, [](char c) { return c == ' ' || c == '\n'; });
}

}  // namespace

std::optional<int> read_number(std::string_view text, int least, int most) {
    text = core::trim(text);
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    const int value = naming::number_of(text);
    if (value < 0) return std::nullopt;
    const int result = negative ? -value : value;
    return result >= least && result <= most ? std::optional<int>(result) : std::nullopt;
}

std::optional<double> read_decimal(std::string_view text) {
    std::string plain(core::trim(text));
    std::ranges::replace(plain, ',', '.');
    double value = 0;
    const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
    if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
    const auto rest = std::string_view(plain).substr(static_cast<std::size_t>(end - plain.data()));
    return rest.empty() || rest.front() == '/' || rest.front() == ' ' || rest.front() == '%' ? std::optional(value)
                                                                                             : std::nullopt;
}

std::optional<bool> read_flag(std::string_view text) {
    const auto word = core::to_lower_ascii(core::trim(text));
    if (word == "true" || word == "1" || word == "yes") return true;
    if (word == "false" || word == "0" || word == "no") return false;
    return std::nullopt;
}

std::string read_date(std::string_view text) {
    const auto found = naming::find_date(text.substr(0, 64));
    if (found) return found->date;
    // Dates before 1900 and ISO times: 1895-12-28T00:00:00.
    text = core::trim(text);
    if (text.size() < 10 || text[4] != '-' || text[7] != '-') return {};
    return naming::make_date(naming::number_of(text.substr(0, 4)), naming::number_of(text.substr(5, 2)),
                             naming::number_of(text.substr(8, 2)))
        .value_or("");
}

core::Millis read_minutes(std::string_view text) {
    text = core::trim(text);
    constexpr int most = 100'000;
    if (text.find(':') != std::string_view::npos) {  // hh:mm:ss, mm:ss
        long seconds = 0;
        for (const auto& part : core::split_trimmed(text, ':')) {
            const int value = naming::number_of(part);
            if (value < 0 || value > most) return {};
            seconds = seconds * 60 + value;
            if (seconds > 60L * most) return {};
        }
        return core::Millis{seconds * 1000};
    }
    const auto first = digits_of(text);
    int minutes = naming::number_of(first);
    if (minutes < 0 || minutes > most) return {};
    const auto unit = core::trim(text.substr(first.size()));
    if (unit.starts_with('h') || unit.starts_with('H')) {
        const auto at = std::ranges::find_if(unit, naming::is_digit) - unit.begin();
        minutes =
            minutes * 60 + std::clamp(naming::number_of(digits_of(unit.substr(static_cast<std::size_t>(at)))), 0, 59);
    }
    return core::Millis{minutes * 60'000LL};
}

void put_id(std::map<std::string, std::string>& ids, std::string_view type, std::string_view value, bool wins) {
    value = core::trim(value);
    const auto word = core::to_lower_ascii(core::trim(type));
    const auto found = std::ranges::find(providers, std::string_view(word), &Provider::type);
    std::string name(found == providers.end() ? core::trim(type) : found->name);
    if (name.empty() || name.size() > 64 || !fits(name, value) || ids.size() >= most_values) return;
    if (wins) {
        ids.insert_or_assign(std::move(name), std::string(value));
    } else {
        ids.try_emplace(std::move(name), value);
    }
}

bool take_id_element(std::string_view name, const Element& element, std::map<std::string, std::string>& ids) {
    auto type = name;
    if (type == "imdb_id") type = "imdbid";
    if (type == "collectionnumber" || type == "tmdbcollectionid") type = "tmdbcolid";
    if (type.size() <= 2 || !type.ends_with("id")) return false;
    type.remove_suffix(2);
    if (std::ranges::find(providers, type, &Provider::type) == providers.end()) return false;
    put_id(ids, type, element.line());
    return true;
}

Person read_person(const Element& element, PersonKind kind, int place) {
    Person person;
    person.kind = kind;
    person.order = place;
    for (auto part = element.first_child(); part; part = part.next()) {
        const auto name = core::to_lower_ascii(part.name());
        if (name == "name") person.name = part.line();
        if (name == "role") person.role = part.line();
        if (name == "thumb" && person.thumb.empty()) person.thumb = part.line();
        if (name == "order" || name == "sortorder") person.order = read_number(part.line(), 0, 100'000).value_or(place);
        if (name == "type" && core::equals_ignoring_case(part.line(), "GuestStar"))
            person.kind = PersonKind::guest_star;
        (void)take_id_element(name, part, person.provider_ids);
    }
    if (person.name.empty() && !element.first_child()) person.name = element.line();
    for (const auto* type : {"tmdbid", "imdbid", "tvdbid"}) {  // attributes, as of <director tmdbid="…">
        if (element.has_attribute(type))
            put_id(person.provider_ids, std::string_view(type).substr(0, 4), element.attribute(type));
    }
    return person;
}

}  // namespace understudy::library::nfo
