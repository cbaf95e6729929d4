#include "http/jellyfin/item_query.h"

#include <algorithm>
#include <array>

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
        Name{"seriessortname", ItemSort::name},
        Name{"datecreated", ItemSort::date_created},
        Name{"datelastcontentadded", ItemSort::date_created},
        Name{"productionyear", ItemSort::production_year},
        Name{"premieredate", ItemSort::production_year},
        Name{"indexnumber", ItemSort::index_number},
        Name{"parentindexnumber", ItemSort::index_number},
        Name{"airedepisodeorder", ItemSort::index_number},
        Name{"album", ItemSort::album},
        Name{"runtime", ItemSort::runtime},
        Name{"random", ItemSort::random},
        Name{"dateplayed", ItemSort::date_played},
        Name{"playcount", ItemSort::play_count},
    };
    for (const auto& each : names) {
        if (iequals(each.text, name)) return each.sort;
    }
    return std::nullopt;
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
    // A search without a place means everywhere, as clients send it.
    request.query.recursive = recursive->value_or(!request.query.search.empty() && !request.parent);
    request.libraries_wanted =
        !request.parent && !request.query.recursive && ids.empty() && request.query.search.empty();
    const bool nothing = request.nothing;
    read_kinds(query, request);
    request.nothing = request.nothing || nothing;

    if (const auto read = read_user_filters(query, request); !read) return tl::unexpected(read.error());

    std::vector<store::ItemSort> sorts;
    for (const auto& name : query.list("sortBy")) {
        const auto sort = sort_of(name);
        if (sort && std::ranges::find(sorts, *sort) == sorts.end()) sorts.push_back(*sort);
    }
    request.sorted = !sorts.empty();
    if (!sorts.empty()) request.query.sort_by = std::move(sorts);
    const auto orders = query.list("sortOrder");
    request.query.descending = !orders.empty() && iequals(orders.front(), "Descending");

    request.query.start_index = start->value_or(0);
    request.query.limit = std::min(limit->value_or(largest_page), largest_page);
    for (const auto& field : query.list("fields")) request.fields.names.insert(to_lower(field));
    request.query.with_sources = request.fields.needs_sources() || request.fields.wants("path");
    request.query.with_extra_counts = request.fields.needs_extra_counts();
    return request;
}

}  // namespace understudy::http
