// store/sql/sql_similar.cpp: SqlDiscovery on what is like something else, and on mixes.
#include <algorithm>
#include <string>

#include "store/sql/catalog_filters.h"
#include "store/sql/item_rows.h"
#include "store/sql/sql_discovery.h"
#include "store/sql/statement.h"
#include "store/sql/tags_json.h"

namespace understudy::store::sql {
namespace {

constexpr const char* none_removing = " AND i.library_id NOT IN (SELECT id FROM libraries WHERE removing = 1)";
// As many of each as are looked at: what is said first weighs most with people.
constexpr std::size_t most_genres = 12, most_tags = 20, most_studios = 5, most_people = 30;

// What is known of the item that others are compared with.
struct Likeness {
    std::string kind;
    std::optional<std::int64_t> year;
    std::vector<std::string> genres, tags, studios;
};

core::Result<std::optional<Likeness>> likeness_of(Session& session, const SimilarQuery& query) {
    std::optional<Likeness> found;
    Statement select;
    select.add(
        "SELECT i.kind, i.year, i.genres, COALESCE(d.tags, '[]'), COALESCE(d.studios, '[]') FROM items i LEFT JOIN "
        "item_descriptions d ON d.item_id = i.id WHERE i.id = ? AND i.kind IN ('movie', 'series', 'album', 'artist')",
        {id_value(query.to)});
    select.add(viewer_conditions(query.viewer, "i"));
    auto read = select.query(session, [&](const Row& row) {
        found.emplace();
        found->kind = row.text(0);
        if (!row.is_null(1)) found->year = row.integer(1);
        found->genres = list_from_json(row.text(2));
        found->tags = list_from_json(row.text(3));
        found->studios = list_from_json(row.text(4));
    });
    if (!read) return tl::unexpected(read.error());
    return found;
}

// A list in a column is JSON: a name in quotes, escaped as it was when it was written, is a whole member of it.
std::string member_of(const std::string& name) {
    const auto list = list_to_json({name});
    return list.substr(1, list.size() - 2);
}

const char* position_of(Session& session) {
    return session.dialect() == Dialect::sqlite ? "instr" : "strpos";
}

// ` + CASE …` for each of the first `most` names.
void add_shared(Statement& score, Session& session, const std::string& column, const std::vector<std::string>& names,
                std::size_t most, int points) {
    for (std::size_t n = 0; n < std::min(most, names.size()); ++n) {
        score.add(std::string(" + CASE WHEN ") + position_of(session) + "(" + column + ", ?) > 0 THEN " +
                      std::to_string(points) + " ELSE 0 END",
                  {member_of(names[n])});
    }
}

Statement similar_to(Session& session, const Likeness& like, const SimilarQuery& query) {
    Statement select;
    select.add("SELECT s.id FROM (SELECT i.id, i.sort_key, COALESCE(w.points, 0)");
    add_shared(select, session, "i.genres", like.genres, most_genres, 10);
    add_shared(select, session, "COALESCE(d.tags, '')", like.tags, most_tags, 10);
    add_shared(select, session, "COALESCE(d.studios, '')", like.studios, most_studios, 3);
    select.add(" AS shared, ");
    if (like.year) {
        select.add(
            "CASE WHEN i.year IS NULL THEN 0 WHEN abs(i.year - CAST(? AS INTEGER)) < 5 THEN 4 WHEN abs(i.year - CAST(? "
            "AS INTEGER)) < 10 THEN 2 ELSE 0 END",
            {*like.year, *like.year});
    } else {
        select.add("0");
    }
    select.add(
        " AS near FROM items i LEFT JOIN item_descriptions d ON d.item_id = i.id LEFT JOIN (SELECT c.item_id, "
        "sum(c.points) AS points FROM (SELECT x.item_id, x.person_id, max(CASE x.kind WHEN 'director' THEN 5 WHEN "
        "'writer' THEN 2 ELSE 3 END) AS points FROM credits x WHERE x.person_id IN (SELECT DISTINCT y.person_id FROM "
        "credits y WHERE y.item_id = ? AND y.position < ?) GROUP BY x.item_id, x.person_id) c GROUP BY c.item_id) w ON "
        "w.item_id = i.id WHERE i.kind = '" +
            like.kind + "' AND i.id <> ?",
        {id_value(query.to), static_cast<std::int64_t>(most_people), id_value(query.to)});
    if (!query.not_by.empty()) {
        auto artists = bulk_ids(session.dialect(), query.not_by);
        auto parents = bulk_ids(session.dialect(), query.not_by);
        select.add_in(" AND NOT ", "i.id", artists);
        select.add_in(" AND (i.parent_id IS NULL OR NOT ", "i.parent_id", parents).add(")");
    }
    select.add(none_removing + viewer_conditions(query.viewer, "i"));
    select.add(") s WHERE s.shared > 0 ORDER BY s.shared + s.near DESC, s.sort_key, s.id LIMIT ?",
               {static_cast<std::int64_t>(query.limit)});
    return select;
}

}  // namespace

core::Result<std::vector<core::ItemId>> SqlDiscovery::similar(const SimilarQuery& query) {
    std::vector<core::ItemId> found;
    auto read = database_.with(Access::read, [&](Session& session) {
        return session.snapshot([&]() -> core::Result<void> {
            found.clear();
            const auto like = likeness_of(session, query);
            if (!like) return tl::unexpected(like.error());
            if (!*like) return {};
            return similar_to(session, **like, query).query(session, [&](const Row& row) {
                found.push_back(id_from_bytes<core::ItemId>(row.bytes(0)));
            });
        });
    });
    if (!read) return tl::unexpected(read.error());
    return found;
}

core::Result<std::vector<core::ItemId>> SqlDiscovery::mix(const MixQuery& query) {
    std::vector<core::ItemId> found;
    if (query.genres.empty()) return found;
    auto read = database_.with(Access::read, [&](Session& session) {
        found.clear();
        Statement select;
        select.add("SELECT i.id FROM items i WHERE i.kind = 'track' AND (");
        for (std::size_t n = 0; n < std::min(most_genres, query.genres.size()); ++n) {
            select.add(std::string(n == 0 ? "" : " OR ") + position_of(session) + "(i.genres, ?) > 0",
                       {member_of(query.genres[n])});
        }
        select.add(std::string(")") + none_removing + library_conditions(query.viewer, "i"));
        // Ids are chance already: another of their sixteen bytes to begin with is another order.
        const auto from = 1 + query.seed % core::IdBytes{}.size();
        select.add(" ORDER BY substr(i.id, " + std::to_string(from) + "), i.id LIMIT ?",
                   {static_cast<std::int64_t>(query.limit)});
        return select.query(session,
                            [&](const Row& row) { found.push_back(id_from_bytes<core::ItemId>(row.bytes(0))); });
    });
    if (!read) return tl::unexpected(read.error());
    return found;
}

}  // namespace understudy::store::sql
