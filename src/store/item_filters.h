// store/item_filters.h: what a list of items may ask of them beside kind, place and name. Part of ItemQuery.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/ids.h"
#include "core/time.h"
#include "model/description.h"
#include "model/person.h"

namespace understudy::store {

/// All that is said must hold; of a list at least one member, an empty list says nothing. Names in any case. What an
/// item does not say (no year, no rating) fits no condition on it.
struct ItemFilters {
    std::vector<std::string> genres, tags, studios, artists, albums;
    std::vector<core::ItemId> genre_ids, studio_ids;  ///< by-name ids (names.h)
    /// Of an artist that is an item, or by-name; both roles, or only one: an album artist is no contributing one.
    std::vector<core::ItemId> artist_ids, album_artist_ids, contributing_artist_ids, excluded_artist_ids;
    std::vector<core::ItemId> album_ids;
    std::vector<core::ItemId> excluded_ids;
    std::vector<std::string> official_ratings;  ///< as written
    /// None of these, as written; of a season or episode that says none its series' or season's counts.
    std::vector<std::string> unfit_ratings;
    std::vector<std::string> statuses;  ///< of series: `Ended`, `Continuing`
    std::vector<int> years;
    std::vector<core::PersonId> people;
    std::string person;                               ///< a name
    std::vector<model::CreditKind> credit_kinds;      ///< as what one of `people` or `person` is credited
    std::string name_prefix, name_from, name_before;  ///< of the name by which it is sorted; `from` and behind
    std::optional<core::UtcTime> saved_since, premiered_since, premiered_until;
    std::optional<double> least_rating;  ///< of the community
    std::optional<bool> has_overview, has_official_rating, has_subtitles, unaired, available;
    std::optional<int> least_width, most_width, least_height, most_height;  ///< of a video stream
    std::optional<bool> hd, uhd;                                            ///< as the reference judges, by the width
    std::optional<int> index_number, parent_index_number;
    std::vector<model::ImageKind> images;                    ///< one of each
    std::vector<std::pair<std::string, bool>> extras;        ///< extra_type (`*`: a special feature), is there one?
    std::vector<std::pair<std::string, bool>> id_providers;  ///< `Tmdb`, is there an id?
    std::vector<std::pair<std::string, std::string>> provider_ids;  ///< one of them: provider and id
    std::optional<core::ItemId> adjacent_to;  ///< it, and those before and behind it in the order asked for

    friend bool operator==(const ItemFilters&, const ItemFilters&) = default;
};

}  // namespace understudy::store
