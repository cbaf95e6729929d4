#include "media/tag_fields.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "media/text.h"

namespace understudy::media {

namespace {

struct IdField {
    std::string_view squeezed;  ///< capital letters and digits only
    std::string_view id;        ///< as Jellyfin 10.11 names the provider
};

// In tags "track id" is the recording and "release track id" the track (Picard's tag mapping).
constexpr std::array<IdField, 10> id_fields{{
    {"MUSICBRAINZTRACKID", "MusicBrainzRecording"},
    {"MUSICBRAINZRELEASETRACKID", "MusicBrainzTrack"},
    {"MUSICBRAINZALBUMID", "MusicBrainzAlbum"},
    {"MUSICBRAINZARTISTID", "MusicBrainzArtist"},
    {"MUSICBRAINZALBUMARTISTID", "MusicBrainzAlbumArtist"},
    {"MUSICBRAINZRELEASEGROUPID", "MusicBrainzReleaseGroup"},
    {"IMDB", "Imdb"},
    {"TMDB", "Tmdb"},
    {"TVDB", "Tvdb"},
    {"TVDB2", "Tvdb"},
}};

std::string squeezed(std::string_view key) {
    std::string result;
    for (const char c : upper_ascii(key))
        if ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) result += c;
    return result;
}

int leading_number(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && number > 0 ? number : 0;
}

/// `3/12`: number and total; a total said elsewhere stays where this one is silent.
void set_number(std::string_view text, int& number, int& total) {
    if (const int n = leading_number(text)) number = n;
    const auto slash = text.find('/');
    if (slash == std::string_view::npos) return;
    if (const int n = leading_number(text.substr(slash + 1))) total = n;
}

void add_once(std::vector<std::string>& list, std::string value) {
    constexpr std::size_t most = 256;  // bounds what a hostile file makes us keep
    if (!value.empty() && list.size() < most && std::find(list.begin(), list.end(), value) == list.end())
        list.push_back(std::move(value));
}

std::vector<std::string> split_genres(const std::vector<std::string>& values) {
    std::vector<std::string> genres;
    for (std::string_view value : values) {
        while (!value.empty()) {
            const auto end = value.find(';');
            add_once(genres, clean_text(value.substr(0, end)));
            value = end == std::string_view::npos ? std::string_view{} : value.substr(end + 1);
        }
    }
    return genres;
}

void set_list(std::vector<std::string>& list, const std::vector<std::string>& values, bool exact) {
    if (!list.empty() && !exact) return;
    list.clear();
    for (const auto& value : values) add_once(list, value);
}

void set_date(model::Tags& tags, const std::string& value) {
    if (value.size() > tags.date.size()) tags.date = value;  // a full date says more than a year
    for (std::size_t i = 0; i + 4 <= value.size(); ++i) {
        const auto digits = std::string_view(value).substr(i, 4);
        if (!std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; })) continue;
        const int year = leading_number(digits);
        if (year >= 1000 && tags.year == 0) tags.year = year;
        return;
    }
}

}  // namespace

void set_tag_field(model::Tags& tags, std::string_view key, const std::vector<std::string>& values) {
    if (values.empty() || key.size() > 128) return;
    const std::string upper = upper_ascii(key);
    const std::string& first = values.front();
    if (first.empty()) return;

    if (upper.starts_with("REPLAYGAIN_") || upper.starts_with("R128_")) {
        if (tags.gains.size() < 32) tags.gains[upper] = first;
        return;
    }
    const std::string name = squeezed(upper);
    if (name == "TITLE")
        tags.title = first;
    else if (name == "ALBUM")
        tags.album = first;
    else if (name == "COMMENT")
        tags.comment = first;
    else if (name == "DESCRIPTION" && tags.comment.empty())
        tags.comment = first;
    else if (name == "ARTIST")
        set_list(tags.artists, values, false);
    else if (name == "ARTISTS")
        set_list(tags.artists, values, true);
    else if (name == "ALBUMARTIST")
        set_list(tags.album_artists, values, false);
    else if (name == "ALBUMARTISTS")
        set_list(tags.album_artists, values, true);
    else if (name == "COMPOSER")
        set_list(tags.composers, values, true);
    else if (name == "GENRE")
        tags.genres = split_genres(values);
    else if (name == "DATE" || name == "YEAR" || name == "DATERELEASED")
        set_date(tags, first);
    else if (name == "TRACKNUMBER" || name == "TRACK")
        set_number(first, tags.track, tags.track_total);
    else if (name == "TRACKTOTAL" || name == "TOTALTRACKS")
        tags.track_total = leading_number(first);
    else if (name == "DISCNUMBER" || name == "DISC")
        set_number(first, tags.disc, tags.disc_total);
    else if (name == "DISCTOTAL" || name == "TOTALDISCS")
        tags.disc_total = leading_number(first);
    else if (name == "COMPILATION")
        tags.compilation = first == "1" || upper_ascii(first) == "TRUE";
    else
        for (const auto& field : id_fields)
            if (field.squeezed == name) tags.ids.emplace(field.id, first);
}

bool is_empty(const model::Tags& t) {
    return t.title.empty() && t.album.empty() && t.date.empty() && t.comment.empty() && t.artists.empty() &&
           t.album_artists.empty() && t.composers.empty() && t.genres.empty() && t.track == 0 && t.disc == 0 &&
           t.ids.empty() && t.gains.empty();
}

}  // namespace understudy::media
