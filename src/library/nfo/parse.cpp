#include "library/nfo/parse.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "core/text.h"
#include "library/naming/text.h"
#include "library/nfo/fields.h"
#include "library/nfo/xml.h"

namespace understudy::library::nfo {
namespace {

constexpr std::size_t most_items = 1000;

std::optional<Subject> subject_of(std::string_view root) {
    const auto name = core::to_lower_ascii(root);
    if (name == "movie") return Subject::movie;
    if (name == "tvshow") return Subject::series;
    if (name == "season") return Subject::season;
    if (name == "episodedetails") return Subject::episode;
    if (name == "album") return Subject::album;
    if (name == "artist") return Subject::artist;
    if (name == "musicvideo") return Subject::music_video;
    if (name == "collection" || name == "set") return Subject::collection;
    return std::nullopt;
}

void add(std::vector<std::string>& list, std::string value) {
    if (!value.empty() && list.size() < most_values && std::ranges::find(list, value) == list.end())
        list.push_back(std::move(value));
}

// `<genre>Action / Drama</genre>`: one element for many. Other commas and slashes may be a name's own.
void add_split(std::vector<std::string>& list, const std::string& text) {
    std::string_view rest = text;
    for (;;) {
        const auto slash = rest.find(" / ");
        add(list, std::string(core::trim(rest.substr(0, slash))));
        if (slash == std::string_view::npos) return;
        rest.remove_prefix(slash + 3);
    }
}

using Take = void (*)(Description&, const Element&);

template <auto Member>
void take_line(Description& into, const Element& element) {
    if ((into.*Member).empty()) into.*Member = element.line();
}
template <auto Member>
void take_text(Description& into, const Element& element) {
    if ((into.*Member).empty()) into.*Member = element.text();
}
template <auto Member>
void take_date(Description& into, const Element& element) {
    const auto text = element.line();
    if ((into.*Member).empty()) into.*Member = read_date(text);
}
template <auto Member>
void take_list(Description& into, const Element& element) {
    add_split(into.*Member, element.line());
}
template <auto Member>
void take_one(Description& into, const Element& element) {
    add(into.*Member, element.line());
}
template <auto Member, int Least, int Most>
void take_number(Description& into, const Element& element) {
    if (!(into.*Member)) into.*Member = read_number(element.line(), Least, Most);
}
template <PersonKind Kind>
void take_person(Description& into, const Element& element) {
    if (into.people.size() >= most_values) return;
    auto person = read_person(element, Kind, static_cast<int>(into.people.size()));
    const auto same = [&](const Person& known) {
        return known.name == person.name && known.kind == person.kind && known.role == person.role;
    };
    if (!person.name.empty() && std::ranges::none_of(into.people, same)) into.people.push_back(std::move(person));
}

void take_year(Description& into, const Element& element) {
    take_number<&Description::year, 1000, 9999>(into, element);
}
void take_premiered(Description& into, const Element& element) {
    take_date<&Description::premiered>(into, element);
    if (!into.year) into.year = read_number(std::string_view(into.premiered).substr(0, 4), 1000, 9999);
}
void take_runtime(Description& into, const Element& element) {
    if (into.runtime == core::Millis{}) into.runtime = read_minutes(element.line());
}

void add_rating(Description& into, Rating rating, const std::optional<double>& value) {
    if (!value || into.ratings.size() >= most_values) return;
    if (rating.maximum <= 0) rating.maximum = 10;
    if (*value < 0 || *value > rating.maximum) return;
    rating.value = *value;
    into.ratings.push_back(std::move(rating));
}
void take_ratings(Description& into, const Element& element) {
    for (auto one = element.first_child(); one; one = one.next()) {
        Rating rating;
        rating.source = one.attribute("name");
        rating.maximum = read_decimal(one.attribute("max")).value_or(10);
        rating.is_default = read_flag(one.attribute("default")).value_or(false);
        rating.votes = read_number(one.child("votes").line(), 0, 1'000'000'000).value_or(0);
        const auto value = one.child("value");
        add_rating(into, std::move(rating), read_decimal(value ? value.line() : one.line()));
    }
}
void take_rating(Description& into, const Element& element) {
    Rating rating;
    rating.maximum = read_decimal(element.attribute("max")).value_or(10);
    add_rating(into, std::move(rating), read_decimal(element.line()));
}
void take_critic_rating(Description& into, const Element& element) {
    Rating rating;
    rating.source = "critics";
    rating.maximum = 100;
    add_rating(into, std::move(rating), read_decimal(element.line()));
}

// Digits of an IMDb title are `tt…`; anything else depends on who wrote it: a film's was TMDB's, a show's TVDB's.
void take_id(Description& into, const Element& element) {
    if (element.has_attribute("IMDB")) put_id(into.provider_ids, "imdb", element.attribute("IMDB"));
    if (element.has_attribute("TMDB")) put_id(into.provider_ids, "tmdb", element.attribute("TMDB"));
    if (element.has_attribute("TVDB")) put_id(into.provider_ids, "tvdb", element.attribute("TVDB"));
    const auto value = element.line();
    if (element.has_attribute("moviedb")) {
        put_id(into.provider_ids, element.attribute("moviedb"), value);
    } else if (value.starts_with("tt")) {
        put_id(into.provider_ids, "imdb", value);
    } else if (into.subject == Subject::movie) {
        put_id(into.provider_ids, "tmdb", value);
    } else if (into.subject == Subject::series || into.subject == Subject::episode || into.subject == Subject::season) {
        put_id(into.provider_ids, "tvdb", value);
    }
}
void take_unique_id(Description& into, const Element& element) {
    put_id(into.provider_ids, element.attribute("type"), element.line(), true);
}

void take_set(Description& into, const Element& element) {
    Collection set;
    const auto name = element.child("name");
    set.name = name ? name.line() : element.first_child() ? std::string{} : element.line();
    set.overview = element.child("overview").text();
    std::map<std::string, std::string> ids;
    for (const auto* word : {"tmdbcolid", "tmdbid", "id"}) put_id(ids, "tmdbcol", element.attribute(word));
    put_id(ids, "tmdbcol", element.child("tmdbid").line());
    if (!ids.empty()) set.tmdb_id = ids.begin()->second;
    const auto same = [&](const Collection& known) { return known.name == set.name; };
    if (!set.name.empty() && into.collections.size() < most_values && std::ranges::none_of(into.collections, same))
        into.collections.push_back(std::move(set));
}

void add_art(Description& into, std::string_view kind, std::string url, std::optional<int> season = {}) {
    if (url.empty() || into.artwork.size() >= most_values) return;
    into.artwork.push_back({core::to_lower_ascii(kind), std::move(url), season});
}
void take_thumb(Description& into, const Element& element) {
    const auto kind = element.attribute("aspect");
    std::optional<int> season;
    if (element.attribute("type") == "season") season = read_number(element.attribute("season"), -1, 9999);
    add_art(into, kind.empty() ? "poster" : std::string_view(kind), element.line(), season);
}
void take_fanart(Description& into, const Element& element) {
    const auto base = element.attribute("url");
    if (!element.first_child()) add_art(into, "fanart", element.line());
    for (auto one = element.first_child(); one; one = one.next()) {
        auto url = one.line();
        if (!url.empty()) add_art(into, "fanart", base + url);
    }
}
void take_art(Description& into, const Element& element) {
    for (auto one = element.first_child(); one; one = one.next()) {
        if (one.first_child()) {
            for (auto inner = one.first_child(); inner; inner = inner.next()) add_art(into, one.name(), inner.line());
        } else {
            add_art(into, one.name(), one.line());
        }
    }
}

void take_locked_fields(Description& into, const Element& element) {
    for (auto& field : core::split_trimmed(element.line(), '|')) add(into.locked_fields, std::move(field));
}
void take_locked(Description& into, const Element& element) {
    into.locked = read_flag(element.line()).value_or(into.locked);
}
void take_compilation(Description& into, const Element& element) {
    into.compilation = read_flag(element.line());
}
void take_season_name(Description& into, const Element& element) {
    const auto number = read_number(element.attribute("number"), 0, 9999);
    auto name = element.line();
    if (number && !name.empty()) into.season_names.try_emplace(*number, std::move(name));
}

void take_watched(Description& into, const Element& element) {
    into.user.watched = read_flag(element.line());
}
void take_play_count(Description& into, const Element& element) {
    into.user.play_count = read_number(element.line(), 0, 1'000'000);
}
void take_last_played(Description& into, const Element& element) {
    into.user.last_played = read_date(element.line());
}
void take_resume(Description& into, const Element& element) {
    const auto seconds = read_decimal(element.child("position").line());
    constexpr double most = 10'000'000;
    if (seconds && *seconds > 0 && *seconds < most)
        into.user.resume_position = core::Millis{static_cast<std::int64_t>(*seconds * 1000)};
}
void take_user_rating(Description& into, const Element& element) {
    const auto value = read_decimal(element.line());
    if (value && *value > 0 && *value <= 10) into.user.user_rating = value;
}
void take_favourite(Description& into, const Element& element) {
    into.user.favourite = read_flag(element.line());
}

void take_track(Description& into, const Element& element) {
    if (into.tracks.size() >= most_values) return;
    Track track;
    track.title = element.child("title").line();
    track.position = read_number(element.child("position").line(), 0, 9999).value_or(0);
    track.musicbrainz_id = element.child("musicbrainztrackid").line();
    const auto duration = element.child("duration").line();
    track.duration = duration.find(':') == std::string::npos
                         ? core::Millis{read_number(duration, 0, 1'000'000).value_or(0) * 1000LL}
                         : read_minutes(duration);
    if (!track.title.empty()) into.tracks.push_back(std::move(track));
}
// An album's artists with their ids: `<albumArtistCredits><artist>X</artist>…`.
void take_artist_credits(Description& into, const Element& element) {
    const auto artist = element.child("artist");
    add(into.album_artists, artist ? artist.line() : element.line());
    put_id(into.provider_ids, "musicbrainzalbumartist", element.child("musicbrainzartistid").line());
}
// `<album>` inside an artist or a track is a name; `<actor>` holds its own parts.
void take_status(Description& into, const Element& element) {
    into.status = element.line();
}

const std::unordered_map<std::string_view, Take>& elements() {
    static const std::unordered_map<std::string_view, Take> table{
        {"title", take_line<&Description::title>},
        {"name", take_line<&Description::title>},
        {"localtitle", take_line<&Description::title>},
        {"originaltitle", take_line<&Description::original_title>},
        {"sorttitle", take_line<&Description::sort_title>},
        {"sortname", take_line<&Description::sort_title>},
        {"forcedsorttitle", take_line<&Description::sort_title>},
        {"showtitle", take_line<&Description::show_title>},
        {"plot", take_text<&Description::plot>},
        {"review", take_text<&Description::plot>},
        {"biography", take_text<&Description::plot>},
        {"overview", take_text<&Description::plot>},
        {"outline", take_text<&Description::outline>},
        {"tagline", take_line<&Description::tagline>},
        {"mpaa", take_line<&Description::certification>},
        {"certification", take_line<&Description::certification>},
        {"customrating", take_line<&Description::certification>},
        {"status", take_status},
        {"year", take_year},
        {"premiered", take_premiered},
        {"aired", take_premiered},
        {"releasedate", take_premiered},
        {"originalreleasedate", take_premiered},
        {"formed", take_premiered},
        {"born", take_premiered},
        {"enddate", take_date<&Description::ended>},
        {"disbanded", take_date<&Description::ended>},
        {"died", take_date<&Description::ended>},
        {"dateadded", take_date<&Description::date_added>},
        {"runtime", take_runtime},
        {"ratings", take_ratings},
        {"rating", take_rating},
        {"criticrating", take_critic_rating},
        {"genre", take_list<&Description::genres>},
        {"studio", take_list<&Description::studios>},
        {"label", take_list<&Description::studios>},
        {"tag", take_one<&Description::tags>},
        {"keyword", take_one<&Description::tags>},
        {"country", take_list<&Description::countries>},
        {"style", take_list<&Description::styles>},
        {"mood", take_list<&Description::moods>},
        {"artist", take_one<&Description::artists>},
        {"albumartist", take_one<&Description::album_artists>},
        {"albumartistcredits", take_artist_credits},
        {"actor", take_person<PersonKind::actor>},
        {"gueststar", take_person<PersonKind::guest_star>},
        {"director", take_person<PersonKind::director>},
        {"credits", take_person<PersonKind::writer>},
        {"writer", take_person<PersonKind::writer>},
        {"producer", take_person<PersonKind::producer>},
        {"composer", take_person<PersonKind::composer>},
        {"set", take_set},
        {"thumb", take_thumb},
        {"fanart", take_fanart},
        {"art", take_art},
        {"trailer", take_one<&Description::trailers>},
        {"track", take_track},
        {"id", take_id},
        {"uniqueid", take_unique_id},
        {"season", take_number<&Description::season_number, 0, 9999>},
        {"seasonnumber", take_number<&Description::season_number, 0, 9999>},
        {"episode", take_number<&Description::episode_number, 0, 99'999>},
        {"episodenumberend", take_number<&Description::episode_number_end, 0, 99'999>},
        {"displayseason", take_number<&Description::display_season, 0, 9999>},
        {"airsbefore_season", take_number<&Description::display_season, 0, 9999>},
        {"displayepisode", take_number<&Description::display_episode, 0, 99'999>},
        {"airsbefore_episode", take_number<&Description::display_episode, 0, 99'999>},
        {"airsafter_season", take_number<&Description::after_season, 0, 9999>},
        {"compilation", take_compilation},
        {"lockdata", take_locked},
        {"lockedfields", take_locked_fields},
        {"namedseason", take_season_name},
        {"watched", take_watched},
        {"playcount", take_play_count},
        {"lastplayed", take_last_played},
        {"resume", take_resume},
        {"userrating", take_user_rating},
        {"isuserfavorite", take_favourite},
    };
    return table;
}

Description describe(const Element& root, Subject subject) {
    Description description;
    description.subject = subject;
    for (auto element = root.first_child(); element; element = element.next()) {
        const auto name = core::to_lower_ascii(element.name());
        const auto known = elements().find(name);
        if (known != elements().end()) {
            known->second(description, element);
        } else {
            (void)take_id_element(name, element, description.provider_ids);
        }
    }
    // A film's set without an id: the id may stand beside it.
    const auto collection = description.provider_ids.find("TmdbCollection");
    if (collection != description.provider_ids.end() && description.collections.size() == 1 &&
        description.collections.front().tmdb_id.empty()) {
        description.collections.front().tmdb_id = collection->second;
    }
    if (description.episode_number_end && description.episode_number &&
        *description.episode_number_end <= *description.episode_number) {
        description.episode_number_end.reset();
    }
    std::ranges::stable_sort(description.people, {},
                             [](const Person& person) { return std::pair(person.kind, person.order); });
    return description;
}

std::string_view behind(std::string_view text, std::string_view mark) noexcept {
    return text.starts_with(mark) ? text.substr(mark.size()) : std::string_view{};
}

std::string_view digits_of(std::string_view text) noexcept {
    std::size_t end = 0;
    while (end < text.size() && end < 12 && naming::is_digit(text[end])) ++end;
    return text.substr(0, end);
}

}  // namespace

std::map<std::string, std::string> ids_in_urls(std::string_view text) {
    struct Address {
        std::string_view host, path, provider;
    };
    static constexpr std::array addresses = std::to_array<Address>({
        {"themoviedb.org", "/movie/", "Tmdb"},
        {"themoviedb.org", "/tv/", "Tmdb"},
        {"themoviedb.org", "/collection/", "TmdbCollection"},
        {"thetvdb.com", "/series/", "Tvdb"},
        {"thetvdb.com", "/dereferrer/series/", "Tvdb"},
        {"tvmaze.com", "/shows/", "TvMaze"},
        {"anidb.net", "/anime/", "AniDb"},
        {"anidb.net", "/a", "AniDb"},
        {"musicbrainz.org", "/release/", "MusicBrainzAlbum"},
        {"musicbrainz.org", "/release-group/", "MusicBrainzReleaseGroup"},
        {"musicbrainz.org", "/artist/", "MusicBrainzArtist"},
    });
    std::map<std::string, std::string> ids;
    for (std::size_t at = text.find("://"); at != std::string_view::npos; at = text.find("://", at + 3)) {
        auto url = text.substr(at + 3);
        url = url.substr(0, std::min(url.find_first_of(" \t\r\n\"'<>"), std::size_t{500}));
        const auto slash = url.find('/');
        if (slash == std::string_view::npos) continue;
        auto host = url.substr(0, slash);
        for (const std::string_view start : {"www.", "m."}) {
            if (host.starts_with(start)) host.remove_prefix(start.size());
        }
        const auto path = url.substr(slash);
        if (host == "imdb.com") {
            const auto title = path.find("/title/tt");
            if (title != std::string_view::npos)
                put_id(ids, "imdb", "tt" + std::string(digits_of(path.substr(title + 9))));
            continue;
        }
        if (host == "thetvdb.com") {  // ?tab=series&id=77
            for (const std::string_view mark : {"?id=", "&id=", "&seriesid=", "?seriesid="}) {
                if (const auto id = path.find(mark); id != std::string_view::npos)
                    put_id(ids, "tvdb", digits_of(path.substr(id + mark.size())));
            }
        }
        for (const auto& address : addresses) {
            if (host != address.host) continue;
            const auto value = behind(path, address.path);
            const bool uuid = address.host == "musicbrainz.org";
            const auto id = uuid ? value.substr(0, 36) : digits_of(value);
            const bool whole = !uuid || (id.size() == 36 && id[8] == '-' && std::ranges::all_of(id, [](char c) {
                                             return c == '-' || naming::is_digit(c) || (c >= 'a' && c <= 'f');
                                         }));
            if (!id.empty() && whole) put_id(ids, address.provider, id);
        }
    }
    return ids;
}

Parsed parse(std::string_view bytes) {
    Parsed parsed;
    const bool cut = bytes.size() > longest_file;
    const auto text = replace_html_entities(decode_text(bytes.substr(0, longest_file)));
    const auto start = text.find('<');
    const bool has_xml = start != std::string::npos && start + 1 < text.size() &&
                         (naming::is_letter(text[start + 1]) || text[start + 1] == '?' || text[start + 1] == '!');
    if (has_xml) {
        const Document document(text);
        parsed.fault = document.fault();
        for (auto root = document.first(); root && parsed.items.size() < most_items; root = root.next()) {
            if (const auto subject = subject_of(root.name())) parsed.items.push_back(describe(root, *subject));
            // Several in one wrapper: <xbmcmultiepisode>, <episodes>.
            if (subject_of(root.name())) continue;
            for (auto inner = root.first_child(); inner && parsed.items.size() < most_items; inner = inner.next()) {
                const auto subject = subject_of(inner.name());
                if (subject == Subject::episode) parsed.items.push_back(describe(inner, *subject));
            }
        }
    }
    // A line behind the last element, or all there is: addresses.
    const auto last = text.rfind('>');
    const auto tail =
        !has_xml || last == std::string::npos ? std::string_view(text) : std::string_view(text).substr(last);
    const auto ids = ids_in_urls(tail);
    if (!ids.empty()) {
        if (parsed.items.empty()) parsed.items.emplace_back();
        for (const auto& [provider, id] : ids) parsed.items.front().provider_ids.try_emplace(provider, id);
    }
    if (parsed.items.empty() && parsed.fault.empty()) parsed.fault = "line 1: neither a known element nor an address";
    if (cut) {
        if (!parsed.fault.empty()) parsed.fault += "; ";
        parsed.fault += "longer than 4 MiB: the rest was left out";
    }
    return parsed;
}

}  // namespace understudy::library::nfo
