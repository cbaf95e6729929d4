#include "store/sql/item_selection.h"

#include <utility>

#include "store/sql/bulk_rows.h"
#include "store/sql/catalog_filters.h"
#include "store/sql/filter_conditions.h"
#include "store/sql/item_rows.h"
#include "store/sql/search_keys.h"

namespace understudy::store::sql {
namespace {

std::string kinds_list(const std::vector<model::ItemKind>& all) {
    std::string kinds;
    for (const auto kind : all) {  // our own words, no text from outside
        kinds += kinds.empty() ? "'" : ", '";
        kinds += model::to_string(kind);
        kinds += "'";
    }
    return kinds;
}

// What the item's description says, `otherwise` where it has none or does not say.
std::string described(const std::string& column, const std::string& otherwise) {
    return "COALESCE(CASE WHEN (i.beside & 1) = 1 THEN (SELECT d." + column +
           " FROM item_descriptions d WHERE d.item_id = i.id) END, " + otherwise + ")";
}

// The first of the names that an item has in a role.
std::string first_name(int role) {
    return "COALESCE((SELECT min(" + search_key_of("n") +
           ") FROM item_names l JOIN names n ON n.id = l.name_id WHERE l.item_id = i.id "
           "AND l.role = " +
           std::to_string(role) + "), '')";
}

std::vector<std::string> expressions(ItemSort sort, core::UserId user) {
    constexpr const char* unknown = "2147483647";  // goes last
    constexpr const char* before_all = "-9000000000000000";
    const auto known = [&](const std::string& columns) { return "COALESCE(" + columns + ", " + unknown + ")"; };
    switch (sort) {
        case ItemSort::name:
            return {"i.sort_key"};
        case ItemSort::date_created:
            return {"i.created_at_ms"};
        case ItemSort::production_year:
            return {known("i.year")};
        case ItemSort::index_number:
            return {known("i.season_number, i.disc_number"), known("i.episode_number, i.track_number")};
        case ItemSort::album:
            return {"i.album_key", known("i.disc_number"), known("i.track_number")};
        case ItemSort::runtime:
            return {"i.duration_ms"};
        case ItemSort::random:
            return {"random()"};
        case ItemSort::date_played:
            return {user_data_value(user, "last_played_at_ms")};
        case ItemSort::play_count:
            return {user_data_value(user, "play_count")};
        case ItemSort::premiere_date:  // 31556952 s: a year of the calendar in the mean
            return {described("premiered_ms", std::string("(i.year - 1970) * 31556952000, ") + before_all)};
        case ItemSort::community_rating:
            return {described("community_rating", "-1.0")};
        case ItemSort::official_rating:
            return {described("official_rating", "''")};
        case ItemSort::artist:
            return {first_name(3)};
        case ItemSort::album_artist:
            return {first_name(4)};
        case ItemSort::studio:
            return {first_name(1)};
        case ItemSort::series_name:
            return {
                "CASE i.kind WHEN 'season' THEN COALESCE((SELECT s.sort_key FROM items s WHERE s.id = i.parent_id), "
                "'') WHEN 'episode' THEN COALESCE((SELECT s.sort_key FROM items o JOIN items s ON s.id = "
                "o.parent_id WHERE o.id = i.parent_id), '') WHEN 'series' THEN i.sort_key ELSE '' END"};
        case ItemSort::own_index:
            return {
                known("CASE i.kind WHEN 'season' THEN i.season_number ELSE COALESCE(i.episode_number, "
                      "i.track_number) END")};
        case ItemSort::parent_index:
            return {known("CASE WHEN i.kind <> 'season' THEN COALESCE(i.season_number, i.disc_number) END")};
        case ItemSort::folder:
            return {"CASE WHEN i.kind IN (" + std::string(playable_kinds) + ", 'extra') THEN 0 ELSE 1 END"};
        case ItemSort::favourite:
            return {user_data_value(user, "favourite")};
        case ItemSort::played:
            return {user_data_value(user, "played")};
        case ItemSort::date_content_added:
            return {
                "CASE WHEN i.kind IN ('series', 'artist') THEN COALESCE((SELECT max(c.created_at_ms) FROM items b "
                "JOIN items c ON c.parent_id = b.id WHERE b.parent_id = i.id), i.created_at_ms) WHEN i.kind IN "
                "('season', 'album') THEN COALESCE((SELECT max(c.created_at_ms) FROM items c WHERE c.parent_id = "
                "i.id), i.created_at_ms) ELSE i.created_at_ms END"};
    }
    return {};
}

// Items that fit, and for those in box sets the sets.
Selection collapsed(const ItemQuery& query, Dialect dialect, const core::CaseFolder& folder) {
    auto members = query;
    members.collapse_box_sets = false;
    members.filters = {};
    auto inner = select_items(members, dialect, folder);
    Selection selection;
    selection.with = std::move(inner.with);
    selection.where.add(" WHERE i.id IN (SELECT COALESCE(b.id, i.id) FROM items i" + inner.joins.text +
                            " LEFT JOIN (collection_members m JOIN items b ON b.id = m.collection_id AND b.kind = "
                            "'box_set') ON m.item_id = i.id",
                        std::move(inner.joins.values));
    selection.where.add(inner.where.text + ")", std::move(inner.where.values));
    const auto filters = filter_conditions(query.filters, dialect, folder);
    selection.where.add(filters.text, filters.values);
    return selection;
}

}  // namespace

Selection select_items(const ItemQuery& query, Dialect dialect, const core::CaseFolder& folder) {
    if (query.collapse_box_sets) return collapsed(query, dialect, folder);
    Selection selection;
    auto& where = selection.where;
    if (query.parent && query.recursive) {
        // The tree is three deep; UNION (not ALL) ends even a loop that no scan should have written.
        selection.with.add(
            "WITH RECURSIVE below(id) AS (SELECT id FROM items WHERE parent_id = ? UNION "
            "SELECT c.id FROM items c JOIN below b ON c.parent_id = b.id) ",
            {id_value(*query.parent)});
        selection.joins.add(" JOIN below ON below.id = i.id");
    }
    where.add(" WHERE i.library_id NOT IN (SELECT id FROM libraries WHERE removing = 1)");
    if (query.parent && !query.recursive) where.add(" AND i.parent_id = ?", {id_value(*query.parent)});
    if (query.library) {
        where.add(" AND i.library_id = ?", {id_value(*query.library)});
        if (!query.recursive && !query.parent) where.add(" AND i.parent_id IS NULL");
    }
    if (!query.kinds.empty()) where.add(" AND i.kind IN (" + kinds_list(query.kinds) + ")");
    if (query.kinds.empty() && query.ids.empty()) where.add(" AND i.kind <> 'extra'");
    if (!query.ids.empty()) {
        auto rows = bulk_ids(dialect, query.ids);
        where.add_in(" AND ", "i.id", rows);
    }
    add_search(where, dialect, "i.name_key", query.search);
    where.add(viewer_conditions(query.viewer, "i"));
    where.add(user_data_conditions(query));
    const auto filters = filter_conditions(query.filters, dialect, folder);
    where.add(filters.text, filters.values);
    return selection;
}

std::vector<SortKey> sort_keys(const ItemQuery& query) {
    std::vector<SortKey> keys;
    for (std::size_t i = 0; i < query.sort_by.size(); ++i) {
        const bool descending = i < query.directions.size() ? query.directions[i] : query.descending;
        for (auto& expression : expressions(query.sort_by[i], query.user)) {
            keys.push_back({std::move(expression), descending});
        }
    }
    keys.push_back({"i.id", keys.empty() ? query.descending : keys.front().descending});
    return keys;
}

}  // namespace understudy::store::sql
