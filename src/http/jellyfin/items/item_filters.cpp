#include "http/jellyfin/items/item_filters.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <limits>
#include <utility>

#include "http/jellyfin/dto/description_dto.h"
#include "http/official_ratings.h"
#include "http/text.h"

namespace understudy::http {
namespace {

using store::ItemFilters;

template <class Id>
std::vector<Id> ids_of(const Query& query, std::string_view key) {
    std::vector<Id> ids;
    for (const auto& text : piped_list(query, key, true)) {
        if (const auto id = Id::parse(text)) ids.push_back(*id);
    }
    return ids;
}

core::Error wrong(std::string_view key, std::string_view value, std::string_view way_out) {
    return {core::Errc::invalid,
            std::string(key) + ": '" + printable(value) + "' is not valid; " + std::string(way_out)};
}

core::Result<std::optional<core::UtcTime>> time_of(const Query& query, std::string_view key) {
    std::string text(trim(query.text(key)));
    if (text.empty()) return std::optional<core::UtcTime>();
    if (text.size() == 10) text += "T00:00:00Z";  // a date alone
    if (const auto last = text.back(); last != 'Z' && last != 'z' && text.find('+', 10) == std::string::npos)
        text += 'Z';
    const auto time = core::from_iso8601(text);
    if (!time) return tl::unexpected(wrong(key, text, "use a time as 2026-11-30T10:00:00Z"));
    return time;
}

core::Result<std::optional<double>> real_of(const Query& query, std::string_view key) {
    const std::string text(trim(query.text(key)));
    if (text.empty()) return std::optional<double>();
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size())
        return tl::unexpected(wrong(key, text, "use a number"));
    return std::optional<double>(value);
}

/// Reads one parameter after the other; the first that is wrong is told at the end.
class Reader {
public:
    explicit Reader(const Query& query) : query_(query) {}

    std::optional<bool> flag(std::string_view key) { return take(query_.boolean(key)); }
    std::optional<int> number(std::string_view key) {
        const auto value = take(query_.number(key));
        constexpr std::int64_t most = std::numeric_limits<int>::max();
        return value ? std::optional<int>(static_cast<int>(std::clamp(*value, -most, most))) : std::nullopt;
    }
    std::optional<core::UtcTime> time(std::string_view key) { return take(time_of(query_, key)); }
    std::optional<double> real(std::string_view key) { return take(real_of(query_, key)); }
    bool any_true(std::initializer_list<std::string_view> keys) {
        return std::ranges::any_of(keys, [&](std::string_view key) { return flag(key) == true; });
    }
    [[nodiscard]] const std::optional<core::Error>& error() const { return error_; }

private:
    template <class T>
    std::optional<T> take(const core::Result<std::optional<T>>& result) {
        if (result) return *result;
        if (!error_) error_ = result.error();
        return std::nullopt;
    }

    const Query& query_;
    std::optional<core::Error> error_;
};

void read_names(const Query& query, ItemFilters& filters) {
    filters.genres = piped_list(query, "genres", false);
    filters.tags = piped_list(query, "tags", false);
    filters.studios = piped_list(query, "studios", false);
    filters.artists = piped_list(query, "artists", false);
    filters.albums = piped_list(query, "albums", false);
    filters.official_ratings = piped_list(query, "officialRatings", false);
    filters.genre_ids = ids_of<core::ItemId>(query, "genreIds");
    filters.studio_ids = ids_of<core::ItemId>(query, "studioIds");
    filters.artist_ids = ids_of<core::ItemId>(query, "artistIds");
    filters.album_artist_ids = ids_of<core::ItemId>(query, "albumArtistIds");
    filters.contributing_artist_ids = ids_of<core::ItemId>(query, "contributingArtistIds");
    filters.excluded_artist_ids = ids_of<core::ItemId>(query, "excludeArtistIds");
    filters.album_ids = ids_of<core::ItemId>(query, "albumIds");
    filters.excluded_ids = ids_of<core::ItemId>(query, "excludeItemIds");
    filters.people = ids_of<core::PersonId>(query, "personIds");
    filters.person = trim(query.text("person"));
    filters.credit_kinds = read_credit_kinds(query, "personTypes");
    filters.name_prefix = trim(query.text("nameStartsWith"));
    filters.name_from = trim(query.text("nameStartsWithOrGreater"));
    filters.name_before = trim(query.text("nameLessThan"));
    for (const auto& text : piped_list(query, "years", true)) {
        const auto year = parse_int(text);
        const bool fits = year && *year > 0 && *year < 10'000;
        if (fits && std::ranges::find(filters.years, *year) == filters.years.end())
            filters.years.push_back(static_cast<int>(*year));
    }
    for (const auto& text : query.list("seriesStatus")) {
        for (const std::string_view status : {"Continuing", "Ended", "Unreleased"}) {
            if (iequals(status, text)) filters.statuses.emplace_back(status);
        }
    }
    for (const auto& text : query.list("imageTypes")) {
        if (const auto kind = model::parse_image_kind(text)) filters.images.push_back(*kind);
    }
    for (const auto& text : query.list("anyProviderIdEquals")) {  // `imdb.tt0000001`
        const auto point = text.find('.');
        if (point == std::string::npos || point == 0 || point + 1 == text.size()) continue;
        filters.provider_ids.emplace_back(text.substr(0, point), text.substr(point + 1));
    }
}

void read_facts(Reader& read, ItemFilters& filters) {
    // Which of the two dates a client means makes no difference here: what users did is no part of an item.
    filters.saved_since = read.time("minDateLastSaved");
    const auto for_user = read.time("minDateLastSavedForUser");
    if (for_user && (!filters.saved_since || *for_user > *filters.saved_since)) filters.saved_since = for_user;
    filters.premiered_since = read.time("minPremiereDate");
    filters.premiered_until = read.time("maxPremiereDate");
    filters.least_rating = read.real("minCommunityRating");
    filters.has_overview = read.flag("hasOverview");
    filters.has_subtitles = read.flag("hasSubtitles");
    filters.has_official_rating = read.flag("hasOfficialRating");
    if (const auto rated = read.flag("hasParentalRating")) filters.has_official_rating = rated;
    filters.unaired = read.flag("isUnaired");
    filters.hd = read.flag("isHd");
    filters.uhd = read.flag("is4K");
    filters.least_width = read.number("minWidth");
    filters.most_width = read.number("maxWidth");
    filters.least_height = read.number("minHeight");
    filters.most_height = read.number("maxHeight");
    filters.index_number = read.number("indexNumber");
    filters.parent_index_number = read.number("parentIndexNumber");
    using Word = std::pair<std::string_view, std::string_view>;
    for (const auto& [key, type] : {Word{"hasTrailer", "trailer"}, Word{"hasThemeSong", "theme_song"},
                                    Word{"hasThemeVideo", "theme_video"}, Word{"hasSpecialFeature", "*"}}) {
        if (const auto wanted = read.flag(key)) filters.extras.emplace_back(type, *wanted);
    }
    for (const auto& [key, provider] :
         {Word{"hasImdbId", "Imdb"}, Word{"hasTmdbId", "Tmdb"}, Word{"hasTvdbId", "Tvdb"}}) {
        if (const auto wanted = read.flag(key)) filters.id_providers.emplace_back(provider, *wanted);
    }
}

bool holds(const std::vector<std::string>& list, std::string_view word) {
    return std::ranges::any_of(list, [&](const std::string& each) { return iequals(each, word); });
}

core::Result<std::optional<int>> age_of(const Query& query, std::string_view key) {
    const std::string text(trim(query.text(key)));
    if (text.empty()) return std::optional<int>();
    const auto age = rating_age(text);
    if (!age) return tl::unexpected(wrong(key, text, "use a name of /Localization/ParentalRatings or an age"));
    return age;
}

// An item is where its file is, or offline; nothing is virtual or remote here.
void read_locations(const Query& query, ReadFilters& read) {
    const auto wanted = query.list("locationTypes"), unwanted = query.list("excludeLocationTypes");
    const bool here = (wanted.empty() || holds(wanted, "FileSystem")) && !holds(unwanted, "FileSystem");
    const bool away = (wanted.empty() || holds(wanted, "Offline")) && !holds(unwanted, "Offline");
    if (!here && !away) read.nothing = true;
    if (here != away) read.filters.available = here;
}

}  // namespace

std::vector<std::string> piped_list(const Query& query, std::string_view key, bool commas) {
    auto list = query.list(key, '|');
    if (!commas || list.size() != 1 || list.front().find(',') == std::string::npos) return list;
    return query.list(key, ',');
}

std::vector<model::CreditKind> read_credit_kinds(const Query& query, std::string_view key) {
    using model::CreditKind;
    constexpr std::array all{CreditKind::actor,    CreditKind::guest_star, CreditKind::director,
                             CreditKind::writer,   CreditKind::producer,   CreditKind::creator,
                             CreditKind::composer, CreditKind::conductor,  CreditKind::lyricist,
                             CreditKind::arranger, CreditKind::artist,     CreditKind::album_artist};
    std::vector<CreditKind> kinds;
    for (const auto& text : query.list(key)) {
        for (const auto kind : all) {
            if (iequals(person_type(kind), text)) kinds.push_back(kind);
        }
    }
    return kinds;
}

core::Result<ReadFilters> read_item_filters(const Query& query) {
    ReadFilters found;
    Reader read(query);
    read_names(query, found.filters);
    read_facts(read, found.filters);
    read_locations(query, found);
    for (const auto& [key, into] :
         {std::pair{"minOfficialRating", &found.least_age}, {"maxOfficialRating", &found.most_age}}) {
        const auto age = age_of(query, key);
        if (!age) return tl::unexpected(age.error());
        *into = *age;
    }
    const auto videos = query.list("videoTypes");
    found.nothing = found.nothing || (!videos.empty() && !holds(videos, "VideoFile"));
    // No critic is asked here, so no rating of theirs is high enough.
    if (read.real("minCriticRating")) found.nothing = true;
    if (read.any_true({"isMissing", "isLocked", "isPlaceHolder", "is3D", "isNews", "isKids", "isSports"}))
        found.nothing = true;
    if (const std::string text(trim(query.text("adjacentTo"))); !text.empty()) {
        found.filters.adjacent_to = core::ItemId::parse(text);
        if (!found.filters.adjacent_to) return tl::unexpected(wrong("adjacentTo", text, "use the id of an item"));
    }
    if (read.error()) return tl::unexpected(*read.error());
    return found;
}

core::Result<void> read_image_wishes(const Query& query, ItemFields& fields) {
    Reader read(query);
    fields.images = read.flag("enableImages").value_or(true);
    for (const auto& text : query.list("enableImageTypes")) {
        if (const auto kind = model::parse_image_kind(text)) fields.image_kinds.push_back(*kind);
    }
    if (const auto limit = read.number("imageTypeLimit"))
        fields.image_limit = static_cast<std::size_t>(std::max(*limit, 0));
    if (read.error()) return tl::unexpected(*read.error());
    return {};
}

}  // namespace understudy::http
