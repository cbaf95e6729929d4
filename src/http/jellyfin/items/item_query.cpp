#include "http/jellyfin/items/item_query.h"

#include <algorithm>
#include <array>

#include "http/jellyfin/dto/user_data_dto.h"
#include "http/jellyfin/items/item_filters.h"
#include "http/text.h"

namespace understudy::http {
namespace {

using model::ItemKind;
constexpr std::array all_kinds{ItemKind::movie,   ItemKind::series,  ItemKind::season,
                               ItemKind::episode, ItemKind::artist,  ItemKind::album,
                               ItemKind::track,   ItemKind::box_set, ItemKind::playlist};

/// Kinds that Jellyfin knows and that no item here has: asking for them alone finds nothing.
constexpr std::array<std::string_view, 28> other_types{"aggregatefolder",
                                                       "audiobook",
                                                       "basepluginfolder",
                                                       "book",
                                                       "channel",
                                                       "channelfolderitem",
                                                       "collectionfolder",
                                                       "folder",
                                                       "genre",
                                                       "manualplaylistsfolder",
                                                       "livetvchannel",
                                                       "livetvprogram",
                                                       "musicgenre",
                                                       "musicvideo",
                                                       "person",
                                                       "photo",
                                                       "photoalbum",
                                                       "playlistsfolder",
                                                       "program",
                                                       "recording",
                                                       "studio",
                                                       "trailer",
                                                       "tvchannel",
                                                       "tvprogram",
                                                       "userrootfolder",
                                                       "userview",
                                                       "video",
                                                       "year"};

std::optional<ItemKind> kind_of(std::string_view type) {
    for (const auto kind : all_kinds) {
        if (iequals(item_type(kind), type)) return kind;
    }
    return std::nullopt;
}

bool is_video(ItemKind kind) {
    return kind == ItemKind::movie || kind == ItemKind::episode;
}

std::optional<store::ItemSort> sort_of(std::string_view name) {
    struct Name {
        std::string_view text;
        store::ItemSort sort;
    };
    using store::ItemSort;
    constexpr std::array names{
        Name{"sortname", ItemSort::name},
        Name{"name", ItemSort::name},
        Name{"default", ItemSort::name},
        Name{"seriessortname", ItemSort::series_name},
        Name{"datecreated", ItemSort::date_created},
        Name{"datelastcontentadded", ItemSort::date_content_added},
        Name{"productionyear", ItemSort::production_year},
        Name{"premieredate", ItemSort::premiere_date},
        Name{"startdate", ItemSort::premiere_date},
        Name{"indexnumber", ItemSort::own_index},
        Name{"parentindexnumber", ItemSort::parent_index},
        Name{"airedepisodeorder", ItemSort::index_number},
        Name{"album", ItemSort::album},
        Name{"albumartist", ItemSort::album_artist},
        Name{"artist", ItemSort::artist},
        Name{"studio", ItemSort::studio},
        Name{"communityrating", ItemSort::community_rating},
        Name{"officialrating", ItemSort::official_rating},
        Name{"isfolder", ItemSort::folder},
        Name{"isfavoriteorliked", ItemSort::favourite},
        Name{"isplayed", ItemSort::played},
        Name{"runtime", ItemSort::runtime},
        Name{"random", ItemSort::random},
        Name{"dateplayed", ItemSort::date_played},
        Name{"seriesdateplayed", ItemSort::date_played},
        Name{"playcount", ItemSort::play_count},
    };
    for (const auto& each : names) {
        if (iequals(each.text, name)) return each.sort;
    }
    return std::nullopt;
}

/// Folders alone, or what is played itself alone.
std::optional<bool> wants_folders(const Query& query) {
    std::optional<bool> folders;
    for (const auto& word : query.list("filters")) {
        if (iequals(word, "IsFolder")) folders = true;
        if (iequals(word, "IsNotFolder")) folders = false;
    }
    if (const auto own = query.boolean("isFolder"); own && *own) folders = *own;
    return folders;
}

/// The kinds asked for; `nothing` where the request excludes all there are.
void read_kinds(const Query& query, ItemRequest& request) {
    std::vector<ItemKind> kinds(all_kinds.begin(), all_kinds.end());
    const auto include = query.list("includeItemTypes");
    const bool only_others = std::ranges::any_of(include, [](const std::string& type) {
        return std::ranges::find(other_types, to_lower(type)) != other_types.end();
    });
    std::vector<ItemKind> included;
    for (const auto& type : include) {
        if (const auto kind = kind_of(type)) included.push_back(*kind);
    }
    if (!included.empty() || only_others) kinds = included;
    for (const auto& type : query.list("excludeItemTypes")) {
        if (const auto kind = kind_of(type)) std::erase(kinds, *kind);
    }
    bool video = false, audio = false, other = false;
    for (const auto& type : query.list("mediaTypes")) {
        video = video || iequals(type, "Video");
        audio = audio || iequals(type, "Audio");
        other = other || iequals(type, "Photo") || iequals(type, "Book");
    }
    if (video || audio || other) {
        std::erase_if(kinds,
                      [&](ItemKind kind) { return !(video && is_video(kind)) && !(audio && kind == ItemKind::track); });
    }
    if (const auto folders = wants_folders(query)) {
        std::erase_if(kinds, [&](ItemKind kind) { return has_below(kind) != *folders; });
    }
    request.nothing = kinds.empty();
    if (kinds.size() < all_kinds.size()) request.query.kinds = std::move(kinds);
}

/// `isPlayed`, `isFavorite` and the words of `filters`; a parameter of its own goes before a word.
core::Result<void> read_user_filters(const Query& query, ItemRequest& request) {
    for (const auto& word : query.list("filters")) {
        if (iequals(word, "IsPlayed")) request.query.played = true;
        if (iequals(word, "IsUnplayed")) request.query.played = false;
        if (iequals(word, "IsFavorite")) request.query.favourite = true;
        if (iequals(word, "IsResumable")) request.query.in_progress = true;
    }
    const auto played = query.boolean("isPlayed");
    if (!played) return tl::unexpected(played.error());
    if (*played) request.query.played = *played;
    const auto favourite = query.boolean("isFavorite");
    if (!favourite) return tl::unexpected(favourite.error());
    if (*favourite) request.query.favourite = *favourite;
    const auto shown = query.boolean("enableUserData");
    if (!shown) return tl::unexpected(shown.error());
    request.user_data = shown->value_or(true);
    request.needs_user = request.query.played || request.query.favourite || request.query.in_progress;
    return {};
}

/// `sortOrder` has a word for each of `sortBy`; where they end, the first goes on.
void read_order(const Query& query, ItemRequest& request) {
    const auto orders = query.list("sortOrder");
    const auto descends = [&](std::size_t at) {
        return !orders.empty() && iequals(orders[at < orders.size() ? at : 0], "Descending");
    };
    std::vector<store::ItemSort> sorts;
    std::vector<bool> directions;
    const auto names = query.list("sortBy");
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto sort = sort_of(names[i]);
        if (!sort || std::ranges::find(sorts, *sort) != sorts.end()) continue;
        sorts.push_back(*sort);
        directions.push_back(descends(i));
    }
    request.query.descending = descends(0);
    request.sorted = !sorts.empty();
    if (sorts.empty()) return;
    request.query.sort_by = std::move(sorts);
    const bool differ = std::ranges::find(directions, !request.query.descending) != directions.end();
    if (differ) request.query.directions = std::move(directions);
}

}  // namespace

core::Result<ItemRequest> read_item_request(const Query& query) {
    ItemRequest request;
    const auto recursive = query.boolean("recursive");
    if (!recursive) return tl::unexpected(recursive.error());
    const auto start = query.count("startIndex");
    if (!start) return tl::unexpected(start.error());
    const auto limit = query.count("limit");
    if (!limit) return tl::unexpected(limit.error());

    if (const auto parent = std::string(trim(query.text("parentId"))); !parent.empty()) request.parent = parent;
    request.query.search = trim(query.text("searchTerm"));
    const auto ids = query.list("ids");
    for (const auto& text : ids) {
        if (const auto id = core::ItemId::parse(text)) request.query.ids.push_back(*id);
    }
    if (!ids.empty() && request.query.ids.empty()) request.nothing = true;
    auto filters = read_item_filters(query);
    if (!filters) return tl::unexpected(filters.error());
    const bool aged = filters->least_age || filters->most_age;
    const bool filtered = filters->nothing || aged || filters->filters != store::ItemFilters{};
    request.nothing = request.nothing || filters->nothing;
    auto unnamed = filters->filters;
    unnamed.name_prefix = unnamed.name_from = unnamed.name_before = {};
    const bool only_named = unnamed == store::ItemFilters{} && !aged;
    request.query.filters = std::move(filters->filters);
    request.least_age = filters->least_age;
    request.most_age = filters->most_age;
    // A search or a filter without a place means everywhere, as clients send it.
    const bool looks_for = !request.query.search.empty() || filtered;
    request.query.recursive = recursive->value_or(looks_for && !request.parent);
    request.libraries_wanted = !request.parent && !request.query.recursive && ids.empty() && !looks_for;
    const bool nothing = request.nothing;
    read_kinds(query, request);
    request.nothing = request.nothing || nothing;

    if (const auto read = read_user_filters(query, request); !read) return tl::unexpected(read.error());

    // As the reference: a list that is narrowed by more than kinds and names shows the members themselves.
    const auto collapse = query.boolean("collapseBoxSetItems");
    if (!collapse) return tl::unexpected(collapse.error());
    request.query.collapse_box_sets =
        collapse->value_or(false) && only_named && !request.needs_user && ids.empty() && request.query.search.empty();

    read_order(query, request);
    const auto counted = query.boolean("enableTotalRecordCount");
    if (!counted) return tl::unexpected(counted.error());
    request.query.with_total = counted->value_or(true);
    if (const auto wishes = read_image_wishes(query, request.fields); !wishes) return tl::unexpected(wishes.error());

    request.query.start_index = start->value_or(0);
    request.query.limit = std::min(limit->value_or(largest_page), largest_page);
    for (const auto& field : query.list("fields")) request.fields.names.insert(to_lower(field));
    request.query.with_sources = request.fields.needs_sources() || request.fields.wants("path");
    request.query.with_extra_counts = request.fields.needs_extra_counts();
    return request;
}

}  // namespace understudy::http
