// library/nfo/description.h: what an NFO file says of an item, as plain values; text is valid UTF-8. Made by parse.h,
// used by the describing phase of a scan and by RefreshPeople.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/time.h"

namespace understudy::library::nfo {

/// By the outermost element; `unknown` where there is none (a file with a URL alone).
enum class Subject : unsigned char { unknown, movie, series, season, episode, album, artist, music_video, collection };

enum class PersonKind : unsigned char { actor, guest_star, director, writer, producer, composer, artist };

struct Person {
    std::string name, role;
    PersonKind kind = PersonKind::actor;
    int order = 0;      ///< as written, or the place in the file
    std::string thumb;  ///< a URL or a path, not checked
    std::map<std::string, std::string> provider_ids;
    friend bool operator==(const Person&, const Person&) = default;
};

struct Rating {
    std::string source;  ///< `imdb`, `themoviedb`, …; empty: the file's own
    double value = 0;    ///< 0 to `maximum`
    double maximum = 10;
    int votes = 0;
    bool is_default = false;
};

struct Artwork {
    std::string kind;  ///< `poster`, `fanart`, `clearlogo`, `banner`, …: the aspect as written, else `poster`
    std::string url;   ///< not checked
    std::optional<int> season;  ///< of a season's art in a series' file
};

struct Collection {
    std::string name, overview, tmdb_id;
};

struct Track {
    int position = 0;
    std::string title, musicbrainz_id;
    core::Millis duration{};
};

/// As the file's user had it; taken only where somebody asks for an import.
struct UserState {
    std::optional<bool> watched;
    std::optional<int> play_count;
    std::string last_played;  ///< `2024-03-01`
    core::Millis resume_position{};
    std::optional<double> user_rating;  ///< 0 to 10
    std::optional<bool> favourite;
};

struct Description {
    Subject subject = Subject::unknown;
    std::string title, original_title, sort_title, show_title;
    std::string plot, outline, tagline;
    std::string certification;  ///< `mpaa`: as written
    std::string status;         ///< `status` of a series: `Ended`, `Continuing`
    std::optional<int> year;
    std::string premiered, ended,
        date_added;  ///< `2024-03-01`; premiered is `aired` of an episode, `releasedate` of an album
    core::Millis runtime{};
    std::vector<Rating> ratings;
    std::vector<std::string> genres, studios, tags, countries, styles, moods;
    std::vector<std::string> artists, album_artists;
    std::vector<Person> people;
    std::vector<Collection> collections;
    std::vector<Artwork> artwork;
    std::vector<std::string> trailers;
    std::vector<Track> tracks;
    std::map<std::string, std::string> provider_ids;  ///< `Imdb`, `Tmdb`, `Tvdb`, `MusicBrainzAlbum`, …
    std::optional<int> season_number, episode_number, episode_number_end;
    std::optional<int> display_season, display_episode;  ///< where a special is shown among the others
    std::optional<int> after_season;                     ///< or after which season
    std::optional<bool> compilation;
    bool locked = false;
    std::vector<std::string> locked_fields;
    std::map<int, std::string> season_names;  ///< `<namedseason number="1">` of a series
    UserState user;
};

}  // namespace understudy::library::nfo
