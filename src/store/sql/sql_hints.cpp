// store/sql/sql_hints.cpp: SqlDiscovery on what a search begins to find.
#include <string>

#include "store/sql/catalog_filters.h"
#include "store/sql/item_rows.h"
#include "store/sql/sql_discovery.h"
#include "store/sql/statement.h"

namespace understudy::store::sql {
namespace {

// How well a name_key fits: 0 it begins with the term, 1 a word of it does, 2 it holds it. Two parameters.
std::string rank_of(const std::string& key, bool sqlite) {
    const std::string position = sqlite ? "instr" : "strpos";
    return "CASE WHEN " + position + "(" + key + ", ?) = 1 THEN 0 WHEN " + position + "(' ' || " + key +
           ", ?) > 0 THEN 1 ELSE 2 END";
}

void add_items(Statement& all, const HintQuery& query, const std::string& term, bool sqlite) {
    std::string kinds;
    for (const auto kind : query.kinds)
        kinds += std::string(kinds.empty() ? "'" : ", '") + std::string(model::to_string(kind)) + "'";
    all.add("SELECT 0 AS person, i.id AS id, " + rank_of("i.name_key", sqlite) +
                " AS rank, i.sort_key AS sort_key FROM items i WHERE i.kind IN (" + kinds + ") AND " +
                (sqlite ? "instr" : "strpos") + "(i.name_key, ?) > 0",
            {term, " " + term, term});
    if (query.library) all.add(" AND i.library_id = ?", {id_value(*query.library)});
    if (query.parent) {
        all.add(
            " AND i.id IN (WITH RECURSIVE below(id) AS (SELECT x.id FROM items x WHERE x.parent_id = ? UNION SELECT "
            "c.id FROM items c JOIN below b ON c.parent_id = b.id) SELECT id FROM below)",
            {id_value(*query.parent)});
    }
    all.add(" AND i.library_id NOT IN (SELECT id FROM libraries WHERE removing = 1)" +
            viewer_conditions(query.viewer, "i"));
}

void add_people(Statement& all, const HintQuery& query, const std::string& term, bool sqlite) {
    all.add((all.text.empty() ? "" : " UNION ALL ") + std::string("SELECT 1 AS person, p.id AS id, ") +
                rank_of("p.name_key", sqlite) + " AS rank, p.name_key AS sort_key FROM people p WHERE " +
                (sqlite ? "instr" : "strpos") + "(p.name_key, ?) > 0",
            {term, " " + term, term});
    const auto open = library_conditions(query.viewer, "i");
    if (open.empty()) return;
    all.add(" AND EXISTS (SELECT 1 FROM credits c JOIN items i ON i.id = c.item_id WHERE c.person_id = p.id" + open +
            ")");
}

}  // namespace

core::Result<Hints> SqlDiscovery::hints(const HintQuery& query) {
    Hints hints;
    const auto term = folder_.fold(query.term);
    const bool people = query.people && !query.library && !query.parent;
    if (term.empty() || (query.kinds.empty() && !people)) return hints;
    auto read = database_.with(Access::read, [&](Session& session) {
        const bool sqlite = session.dialect() == Dialect::sqlite;
        Statement all;
        if (!query.kinds.empty()) add_items(all, query, term, sqlite);
        if (people) add_people(all, query, term, sqlite);
        Statement count, page;
        count.add("SELECT count(*) FROM (").add(all.text, all.values).add(") found");
        page.add("SELECT found.person, found.id FROM (").add(all.text, all.values);
        page.add(") found ORDER BY found.rank, found.sort_key, found.id LIMIT ? OFFSET ?",
                 {static_cast<std::int64_t>(query.limit), static_cast<std::int64_t>(query.start_index)});
        return session.snapshot([&]() -> core::Result<void> {
            hints = {};
            auto counted =
                count.query(session, [&](const Row& row) { hints.total = static_cast<std::size_t>(row.integer(0)); });
            if (!counted) return counted;
            return page.query(session, [&](const Row& row) {
                Hint hint;
                if (row.integer(0) == 0)
                    hint.item = id_from_bytes<core::ItemId>(row.bytes(1));
                else
                    hint.person = id_from_bytes<core::PersonId>(row.bytes(1));
                hints.found.push_back(hint);
            });
        });
    });
    if (!read) return tl::unexpected(read.error());
    return hints;
}

}  // namespace understudy::store::sql
