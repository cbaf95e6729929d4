#include "store/sql/filter_conditions.h"

#include <initializer_list>
#include <utility>

#include "core/search_fold.h"
#include "store/names.h"
#include "store/sql/item_rows.h"
#include "store/sql/name_rows.h"
#include "store/sql/people_rows.h"

namespace understudy::store::sql {
namespace {

// As the reference judges by the width: letterboxed pictures lack lines, not columns.
constexpr int hd_width = 1'200, uhd_width = 3'800;

struct Context {
    Dialect dialect;
    const core::CaseFolder& folder;

    template <class T>
    [[nodiscard]] BulkRows ids(const std::vector<T>& ids) const {
        return bulk_ids(dialect, ids);
    }
    [[nodiscard]] BulkRows texts(const std::vector<std::string>& texts) const {
        BulkRows rows(dialect, {{"text", ColumnType::text}});
        for (const auto& text : texts) rows.text(text);
        return rows;
    }
    [[nodiscard]] std::vector<core::ItemId> named(const std::vector<std::string>& names,
                                                  std::initializer_list<NameKind> kinds) const {
        std::vector<core::ItemId> found;
        for (const auto& name : names) {
            for (const auto kind : kinds) found.push_back(name_id(kind, name_key(folder, name)));
        }
        return found;
    }
    [[nodiscard]] std::string text_holds(const std::string& column) const {
        return dialect == Dialect::sqlite ? "instr(" + column + ", ?) > 0" : "strpos(" + column + ", ?) > 0";
    }
};

void add_all(Statement& to, const Statement& part) {
    to.add(part.text, part.values);
}

void add_named(Statement& to, const Context& context, int role, std::vector<core::ItemId> ids,
               const std::vector<core::ItemId>& more) {
    ids.insert(ids.end(), more.begin(), more.end());
    if (ids.empty()) return;
    auto rows = context.ids(ids);
    to.add_in(" AND i.id IN (SELECT l.item_id FROM item_names l WHERE ", "l.name_id", rows);
    to.add(" AND l.role = " + std::to_string(role) + ")");
}

// `column` names one of the artists `ids`: by name, or an item that is one.
Statement artist_in(const Context& context, const std::string& column, const std::vector<core::ItemId>& ids) {
    auto by_name = context.ids(ids), by_item = context.ids(ids);
    Statement part;
    part.add_in("(", column, by_name);
    part.add_in(" OR " + column + " IN (SELECT s.name_id FROM item_names s WHERE s.role = 5 AND ", "s.item_id",
                by_item);
    part.add("))");
    return part;
}

// ` AND [NOT] i.id IN …` of what one of the artists did in one of `roles`. An album is also its artist's when its own
// description names none.
void add_artists(Statement& to, const Context& context, const std::string& roles, bool albums,
                 const std::vector<core::ItemId>& ids, bool wanted = true) {
    if (ids.empty()) return;
    to.add(wanted ? " AND " : " AND NOT ");
    to.add("i.id IN (SELECT l.item_id FROM item_names l WHERE l.role IN (" + roles + ") AND ");
    add_all(to, artist_in(context, "l.name_id", ids));
    if (albums) {
        to.add(
            " UNION SELECT a.id FROM item_names p JOIN items a ON a.parent_id = p.item_id WHERE p.role = 5 AND "
            "a.kind = 'album' AND ");
        add_all(to, artist_in(context, "p.name_id", ids));
    }
    to.add(")");
}

void add_name_filters(Statement& to, const Context& context, const ItemFilters& filters) {
    add_named(to, context, role::genre, context.named(filters.genres, {NameKind::genre, NameKind::music_genre}),
              filters.genre_ids);
    add_named(to, context, role::studio, context.named(filters.studios, {NameKind::studio}), filters.studio_ids);
    add_named(to, context, role::tag, context.named(filters.tags, {NameKind::tag}), {});
    auto artists = context.named(filters.artists, {NameKind::artist});
    artists.insert(artists.end(), filters.artist_ids.begin(), filters.artist_ids.end());
    add_artists(to, context, "3, 4", true, artists);
    add_artists(to, context, "4", true, filters.album_artist_ids);
    add_artists(to, context, "3", false, filters.contributing_artist_ids);
    add_artists(to, context, "4", true, filters.contributing_artist_ids, false);
    add_artists(to, context, "3, 4", true, filters.excluded_artist_ids, false);
    if (!filters.albums.empty()) {
        std::vector<std::string> keys;
        keys.reserve(filters.albums.size());
        for (const auto& album : filters.albums) keys.push_back(context.folder.fold(album));
        auto rows = context.texts(keys);
        to.add_in(" AND i.kind = 'track' AND ", "i.album_key", rows);
    }
    if (!filters.album_ids.empty()) {
        auto rows = context.ids(filters.album_ids);
        to.add_in(" AND ", "i.parent_id", rows);
    }
}

void add_people(Statement& to, const Context& context, const ItemFilters& filters) {
    if (filters.people.empty() && filters.person.empty()) return;
    to.add(" AND i.id IN (SELECT c.item_id FROM credits c WHERE ");
    if (!filters.people.empty()) {
        auto rows = context.ids(filters.people);
        to.add_in("", "c.person_id", rows);
    }
    if (!filters.person.empty()) {
        if (!filters.people.empty()) to.add(" AND ");
        to.add("c.person_id IN (SELECT p.id FROM people p WHERE p.name_key = ?)",
               {name_key(context.folder, filters.person)});
    }
    if (!filters.credit_kinds.empty()) {
        std::vector<std::string> kinds;
        kinds.reserve(filters.credit_kinds.size());
        for (const auto kind : filters.credit_kinds) kinds.emplace_back(model::to_string(kind));
        auto rows = context.texts(kinds);
        to.add_in(" AND ", "c.kind", rows);
    }
    to.add(")");
}

// Conditions on item_descriptions that fit an item only where it says something: one look for all of them.
void add_described(Statement& to, const Context& context, const ItemFilters& filters) {
    Statement said;
    if (!filters.official_ratings.empty()) {
        auto rows = context.texts(filters.official_ratings);
        said.add_in(" AND d.official_rating <> '' AND ", "d.official_rating", rows);
    }
    if (!filters.statuses.empty()) {
        auto rows = context.texts(filters.statuses);
        said.add_in(" AND ", "d.status", rows);
    }
    if (filters.least_rating) said.add(" AND d.community_rating >= ?", {*filters.least_rating});
    if (filters.premiered_since) said.add(" AND d.premiered_ms >= ?", {core::to_unix_ms(*filters.premiered_since)});
    if (filters.premiered_until) said.add(" AND d.premiered_ms <= ?", {core::to_unix_ms(*filters.premiered_until)});
    if (!said.text.empty()) {
        to.add(" AND i.id IN (SELECT d.item_id FROM item_descriptions d WHERE true" + said.text + ")", said.values);
    }
    const auto add_flag = [&](const std::optional<bool>& wanted, const std::string& condition) {
        if (!wanted) return;
        to.add(*wanted ? " AND " : " AND NOT ");
        to.add("i.id IN (SELECT d.item_id FROM item_descriptions d WHERE " + condition + ")");
    };
    add_flag(filters.has_overview, "d.overview <> ''");
    add_flag(filters.has_official_rating, "d.official_rating <> ''");
    add_flag(filters.unaired, "d.premiered_ms > {now_ms}");
}

void add_fit_ratings(Statement& to, const Context& context, const ItemFilters& filters) {
    if (filters.unfit_ratings.empty()) return;
    const auto unfit = [&](const std::string& before, const std::string& behind) {
        auto rows = context.texts(filters.unfit_ratings);
        to.add_in(before + " (SELECT d.item_id FROM item_descriptions d WHERE d.official_rating <> '' AND ",
                  "d.official_rating", rows)
            .add(")" + behind);
    };
    unfit(" AND NOT i.id IN", "");
    to.add(
        " AND NOT (i.kind IN ('season', 'episode') AND NOT EXISTS (SELECT 1 FROM item_descriptions o WHERE o.item_id = "
        "i.id AND o.official_rating <> '')");
    unfit(" AND (i.parent_id IN", "");
    unfit(" OR EXISTS (SELECT 1 FROM items p WHERE p.id = i.parent_id AND p.parent_id IN", ")))");
}

// EXISTS a stream of the item that fits `condition`.
void add_streams(Statement& to, const std::string& condition, bool wanted = true, std::vector<Value> values = {}) {
    to.add(wanted ? " AND " : " AND NOT ");
    to.add("EXISTS (SELECT 1 FROM media_streams s WHERE s.item_id = i.id AND " + condition + ")", std::move(values));
}

void add_media(Statement& to, const ItemFilters& filters) {
    const std::string video = "s.kind = 0 AND (s.flags & 4) < 1";
    Statement size;
    const auto bound = [&](const std::optional<int>& value, const std::string& condition) {
        if (value) size.add(" AND " + condition + "?", {std::int64_t{*value}});
    };
    bound(filters.least_width, "s.width >= ");
    bound(filters.most_width, "s.width <= ");
    bound(filters.least_height, "s.height >= ");
    bound(filters.most_height, "s.height <= ");
    if (!size.text.empty()) add_streams(to, video + size.text, true, size.values);
    const auto at_least = [&](const std::optional<bool>& wanted, int width) {
        if (wanted) add_streams(to, video + " AND s.width >= " + std::to_string(width), *wanted);
    };
    at_least(filters.hd, hd_width);
    at_least(filters.uhd, uhd_width);
    if (filters.has_subtitles) {
        to.add(*filters.has_subtitles ? " AND " : " AND NOT ");
        to.add(
            "(EXISTS (SELECT 1 FROM media_streams s WHERE s.item_id = i.id AND s.kind = 2) OR EXISTS (SELECT 1 FROM "
            "media_external_streams e WHERE e.item_id = i.id AND e.kind = 2))");
    }
    for (const auto kind : filters.images) {
        const auto number = std::to_string(static_cast<int>(kind));
        const std::string beside =
            "EXISTS (SELECT 1 FROM item_images m WHERE m.item_id = i.id AND m.kind = " + number + ")";
        const bool primary = kind == model::ImageKind::primary;
        to.add(" AND (" + beside +
               (primary ? " OR EXISTS (SELECT 1 FROM item_covers v WHERE v.item_id = i.id))" : ")"));
    }
    for (const auto& [type, wanted] : filters.extras) {
        to.add(wanted ? " AND " : " AND NOT ");
        to.add("EXISTS (SELECT 1 FROM items x WHERE x.parent_id = i.id AND x.kind = 'extra' AND ");
        if (type == "*")
            to.add("x.extra_type NOT IN ('trailer', 'theme_song', 'theme_video'))");
        else
            to.add("x.extra_type = ?)", {type});
    }
}

void add_provider_ids(Statement& to, const Context& context, const ItemFilters& filters) {
    // A JSON object without blanks, whose keys and values stand in quotes.
    for (const auto& [provider, wanted] : filters.id_providers) {
        to.add(wanted ? " AND " : " AND NOT ");
        to.add(context.text_holds("i.provider_ids"), {"\"" + provider + "\":"});
    }
    if (filters.provider_ids.empty()) return;
    std::string either;
    std::vector<Value> values;
    for (const auto& [provider, id] : filters.provider_ids) {
        if (!either.empty()) either += " OR ";
        either += context.text_holds("lower(i.provider_ids)");
        values.emplace_back("\"" + context.folder.fold(provider) + "\":\"" + context.folder.fold(id) + "\"");
    }
    to.add(" AND (" + either + ")", std::move(values));
}

void add_columns(Statement& to, const Context& context, const ItemFilters& filters) {
    if (!filters.excluded_ids.empty()) {
        auto rows = context.ids(filters.excluded_ids);
        to.add_in(" AND NOT ", "i.id", rows);
    }
    if (!filters.years.empty()) {
        std::string marks;
        std::vector<Value> years;
        for (const int year : filters.years) {
            marks += marks.empty() ? "?" : ", ?";
            years.emplace_back(std::int64_t{year});
        }
        to.add(" AND i.year IN (" + marks + ")", std::move(years));
    }
    add_name_range(to, "i.sort_key", filters.name_prefix, filters.name_from, filters.name_before);
    if (filters.saved_since) {
        const auto since = core::to_unix_ms(*filters.saved_since);
        to.add(" AND (i.saved_at_ms >= ? OR i.created_at_ms >= ?)", {since, since});
    }
    if (filters.available) to.add(*filters.available ? " AND i.available = 1" : " AND i.available = 0");
    if (filters.index_number) {
        to.add(
            " AND CASE i.kind WHEN 'season' THEN i.season_number ELSE COALESCE(i.episode_number, i.track_number) END "
            "= ?",
            {std::int64_t{*filters.index_number}});
    }
    if (filters.parent_index_number) {
        to.add(" AND i.kind <> 'season' AND COALESCE(i.season_number, i.disc_number) = ?",
               {std::int64_t{*filters.parent_index_number}});
    }
}

}  // namespace

void add_name_range(Statement& conditions, const std::string& column, const std::string& prefix,
                    const std::string& from, const std::string& before) {
    if (!prefix.empty()) {
        const auto key = core::search_fold(prefix);
        if (key.empty()) conditions.add(" AND 1 = 0");  // a mark alone
        // Behind every character that may follow: the last code point.
        conditions.add(" AND " + column + " >= ? AND " + column + " < ?", {key, key + "\xF4\x8F\xBF\xBF"});
    }
    if (!from.empty()) conditions.add(" AND " + column + " >= ?", {core::search_fold(from)});
    if (!before.empty()) conditions.add(" AND " + column + " < ?", {core::search_fold(before)});
}

Statement filter_conditions(const ItemFilters& filters, Dialect dialect, const core::CaseFolder& folder) {
    Statement to;
    if (filters == ItemFilters{}) return to;
    const Context context{dialect, folder};
    add_columns(to, context, filters);
    add_name_filters(to, context, filters);
    add_people(to, context, filters);
    add_described(to, context, filters);
    add_fit_ratings(to, context, filters);
    add_media(to, filters);
    add_provider_ids(to, context, filters);
    return to;
}

}  // namespace understudy::store::sql
