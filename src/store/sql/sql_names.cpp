#include "store/sql/sql_names.h"

#include <algorithm>
#include <string>
#include <utility>

#include "store/sql/catalog_filters.h"
#include "store/sql/filter_conditions.h"
#include "store/sql/item_rows.h"
#include "store/sql/item_selection.h"
#include "store/sql/name_rows.h"
#include "store/sql/search_keys.h"

namespace understudy::store::sql {
namespace {

std::string kinds_of(const NameQuery& query) {
    std::string numbers;
    for (const auto kind : query.kinds) {
        numbers += (numbers.empty() ? "" : ", ") + std::to_string(static_cast<int>(kind));
    }
    return numbers.empty() ? "0, 1, 2, 3, 4" : numbers;
}

// FROM item_names l and its items `i`, of the names that `which` says. SQLite keeps the order of a CROSS JOIN: from the
// name to its items, which ends with the first that fits.
void add_items_of_names(Statement& statement, const Selection& selection, Dialect dialect, const std::string& which) {
    statement.add(std::string(" FROM item_names l ") + (dialect == Dialect::sqlite ? "CROSS " : "") +
                      "JOIN items i ON i.id = l.item_id" + selection.joins.text,
                  selection.joins.values);
    statement.add(selection.where.text, selection.where.values);
    statement.add(which);
}

std::string roles_of(const NameQuery& query) {
    return query.album_artists ? " AND l.role IN (4, 5)" : "";
}

// ` WHERE …` of names `n`.
void add_where(Statement& to, const NameQuery& query, const Selection& selection, Dialect dialect) {
    to.add(" WHERE n.kind IN (" + kinds_of(query) + ")");
    if (!query.ids.empty()) {
        auto rows = bulk_ids(dialect, query.ids);
        to.add_in(" AND ", "n.id", rows);
    }
    add_search(to, dialect, search_key_of("n"), query.search);
    add_name_range(to, search_key_of("n"), query.prefix, query.from, query.before);
    if (query.favourite) {
        const std::string liked = "(SELECT u.item_id FROM user_data u WHERE u.user_id = decode('" +
                                  query.items.user.str() + "', 'hex') AND u.favourite = 1)";
        to.add(*query.favourite ? " AND (" : " AND NOT (");
        // Of an artist whom the viewer sees as an item, it is the item's data that counts.
        const std::string seen =
            "SELECT s.name_id FROM item_names s JOIN items o ON o.id = s.item_id WHERE s.role = 5" +
            library_conditions(query.items.viewer, "o");
        to.add("n.id IN (" + seen + " AND s.item_id IN " + liked + ") OR (n.id IN " + liked + " AND NOT EXISTS (" +
               seen + " AND s.name_id = n.id)))");
    }
    to.add(" AND EXISTS (SELECT 1");
    add_items_of_names(to, selection, dialect, " AND l.name_id = n.id" + roles_of(query));
    to.add(")");
}

NameKind kind_of(std::int64_t number) {
    return number >= 0 && number <= 5 ? static_cast<NameKind>(number) : NameKind::genre;
}

core::Result<void> count_items(Session& session, const NameQuery& query, const core::CaseFolder& folder,
                               std::vector<ListedName>& names) {
    if (names.empty()) return {};
    std::map<core::ItemId, std::map<model::ItemKind, std::int64_t>> counts;
    std::vector<core::ItemId> ids;
    ids.reserve(names.size());
    for (const auto& name : names) ids.push_back(name.id);
    auto items = query.items;
    items.kinds.clear();  // all of them are counted, whichever were asked for
    const auto selection = select_items(items, session.dialect(), folder);
    auto count = selection.begin("SELECT l.name_id, i.kind, count(DISTINCT i.id)");
    add_items_of_names(count, selection, session.dialect(), roles_of(query));
    auto rows = bulk_ids(session.dialect(), ids);
    count.add_in(" AND ", "l.name_id", rows).add(" GROUP BY l.name_id, i.kind");
    auto read = count.query(session, [&](const Row& row) {
        const auto kind = model::parse_item_kind(row.text(1));
        if (kind) counts[id_from_bytes<core::ItemId>(row.bytes(0))][*kind] = row.integer(2);
    });
    if (!read) return read;
    for (auto& name : names) name.counts = std::move(counts[name.id]);
    return {};
}

core::Result<void> note_items(Session& session, const std::optional<Viewer>& viewer, std::vector<ListedName>& names) {
    std::vector<core::ItemId> artists;
    for (const auto& name : names) {
        if (name.kind == NameKind::artist) artists.push_back(name.id);
    }
    const auto items = artists_of(session, viewer, artists);
    if (!items) return tl::unexpected(items.error());
    for (auto& name : names) {
        if (const auto at = items->find(name.id); at != items->end()) name.item = at->second;
    }
    return {};
}

core::Result<void> read_names(Session& session, const NameQuery& query, const core::CaseFolder& folder,
                              NamePage& page) {
    page = {};
    const auto dialect = session.dialect();
    const auto selection = select_items(query.items, dialect, folder);
    if (query.limit > 0) {
        // What WITH says belongs to the outermost statement.
        auto select = selection.begin("SELECT n.id, n.kind, n.name FROM names n");
        add_where(select, query, selection, dialect);
        const std::string direction = query.descending ? " DESC" : "";
        select.add(query.random ? " ORDER BY random()"
                                : " ORDER BY " + search_key_of("n") + direction + ", n.id" + direction);
        select.add(" LIMIT ? OFFSET ?",
                   {static_cast<std::int64_t>(query.limit), static_cast<std::int64_t>(query.start_index)});
        auto read = select.query(session, [&](const Row& row) {
            ListedName name;
            name.id = id_from_bytes<core::ItemId>(row.bytes(0));
            name.kind = kind_of(row.integer(1));
            name.name = row.text(2);
            page.names.push_back(std::move(name));
        });
        if (!read) return read;
        if (auto noted = note_items(session, query.items.viewer, page.names); !noted) return noted;
        if (query.with_counts) {
            if (auto counted = count_items(session, query, folder, page.names); !counted) return counted;
        }
    }
    if (!query.with_total) return {};
    const bool shows_the_end = query.limit > 0 && page.names.size() < query.limit;
    if (shows_the_end && (!page.names.empty() || query.start_index == 0)) {
        page.total = query.start_index + page.names.size();
        return {};
    }
    auto count = selection.begin("SELECT count(*) FROM names n");
    add_where(count, query, selection, dialect);
    return count.query(session, [&](const Row& row) { page.total = static_cast<std::size_t>(row.integer(0)); });
}

core::Result<std::vector<YearCount>> read_years(Session& session, const ItemQuery& items,
                                                const core::CaseFolder& folder) {
    std::vector<YearCount> years;
    const auto selection = select_items(items, session.dialect(), folder);
    auto select = selection.begin("SELECT i.year, i.kind, count(*)");
    selection.add_to(select).add(" AND i.year IS NOT NULL GROUP BY i.year, i.kind ORDER BY i.year, i.kind");
    auto read = select.query(session, [&](const Row& row) {
        const auto year = static_cast<int>(row.integer(0));
        if (years.empty() || years.back().year != year) years.push_back({year, {}});
        const auto kind = model::parse_item_kind(row.text(1));
        if (kind) years.back().counts[*kind] = row.integer(2);
    });
    if (!read) return tl::unexpected(read.error());
    return years;
}

core::Result<void> read_facets(Session& session, const ItemQuery& items, const core::CaseFolder& folder,
                               Facets& facets) {
    facets = {};
    constexpr std::size_t most = 10'000;
    NameQuery query;
    query.items = items;
    query.limit = most;
    query.with_total = false;
    NamePage page;
    query.kinds = {NameKind::genre, NameKind::music_genre};
    if (auto read = read_names(session, query, folder, page); !read) return read;
    facets.genres = std::move(page.names);
    query.kinds = {NameKind::tag};
    if (auto read = read_names(session, query, folder, page); !read) return read;
    facets.tags = std::move(page.names);
    const auto selection = select_items(items, session.dialect(), folder);
    auto ratings = selection.begin(
        "SELECT DISTINCT d.official_rating FROM item_descriptions d JOIN items i ON i.id = "
        "d.item_id" +
        selection.joins.text);
    ratings.add("", selection.joins.values).add(selection.where.text, selection.where.values);
    ratings.add(" AND d.official_rating <> ''");
    auto read = ratings.query(session, [&](const Row& row) { facets.official_ratings.push_back(row.text(0)); });
    if (!read) return read;
    std::sort(facets.official_ratings.begin(), facets.official_ratings.end());
    const auto years = read_years(session, items, folder);
    if (!years) return tl::unexpected(years.error());
    facets.years.reserve(years->size());
    for (const auto& year : *years) facets.years.push_back(year.year);
    return {};
}

}  // namespace

core::Result<NamePage> SqlNames::list(const NameQuery& query) {
    NamePage page;
    auto read = database_.with(Access::read, [&](Session& session) {
        return session.snapshot([&] { return read_names(session, query, folder_, page); });
    });
    if (!read) return tl::unexpected(read.error());
    return page;
}

core::Result<std::vector<YearCount>> SqlNames::years(const ItemQuery& items) {
    std::vector<YearCount> years;
    auto got = database_.with(Access::read, [&](Session& session) -> core::Result<void> {
        auto read = read_years(session, items, folder_);
        if (!read) return tl::unexpected(read.error());
        years = std::move(*read);
        return {};
    });
    if (!got) return tl::unexpected(got.error());
    return years;
}

core::Result<Facets> SqlNames::facets(const ItemQuery& items) {
    Facets facets;
    auto read = database_.with(Access::read, [&](Session& session) {
        return session.snapshot([&] { return read_facets(session, items, folder_, facets); });
    });
    if (!read) return tl::unexpected(read.error());
    return facets;
}

core::Result<std::vector<std::string>> SqlNames::official_ratings() {
    std::vector<std::string> ratings;
    auto read = database_.with(Access::read, [&](Session& session) {
        ratings.clear();
        return session.query("SELECT DISTINCT official_rating FROM item_descriptions WHERE official_rating <> ''", {},
                             [&](const Row& row) { ratings.push_back(row.text(0)); });
    });
    if (!read) return tl::unexpected(read.error());
    return ratings;
}

}  // namespace understudy::store::sql
