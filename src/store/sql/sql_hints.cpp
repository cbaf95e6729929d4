// store/sql/sql_hints.cpp: SqlDiscovery on what a search begins to find.
#include <string>

#include "core/search_fold.h"
#include "store/sql/catalog_filters.h"
#include "store/sql/item_rows.h"
#include "store/sql/search_keys.h"
#include "store/sql/sql_discovery.h"
#include "store/sql/statement.h"

namespace understudy::store::sql {
namespace {

// What a row of the union stands for.
constexpr std::int64_t an_item = 0, a_person = 1, a_name = 2;

// How well a key fits: 0 it begins with the term, 1 a word of it does, 2 it holds it. Two parameters.
std::string rank_of(const std::string& key, Dialect dialect) {
    const std::string position = dialect == Dialect::sqlite ? "instr" : "strpos";
    return "CASE WHEN " + position + "(" + key + ", ?) = 1 THEN 0 WHEN " + position + "(' ' || " + key +
           ", ?) > 0 THEN 1 ELSE 2 END";
}

void add_items(Statement& all, const HintQuery& query, const std::string& term, Dialect dialect) {
    std::string kinds;
    for (const auto kind : query.kinds)
        kinds += std::string(kinds.empty() ? "'" : ", '") + std::string(model::to_string(kind)) + "'";
    all.add("SELECT " + std::to_string(an_item) + " AS what, i.id AS id, " + rank_of("i.name_key", dialect) +
                " AS rank, i.sort_key AS sort_key FROM items i WHERE i.kind IN (" + kinds + ") AND " +
                key_holds(dialect, "i.name_key"),
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

// SELECT of a table of names or people `t` that fit, behind what was selected before.
void add_keyed(Statement& all, std::int64_t what, const std::string& table, const std::string& term, Dialect dialect) {
    const auto key = search_key_of("t");
    all.add((all.text.empty() ? "" : " UNION ALL ") + std::string("SELECT ") + std::to_string(what) +
                " AS what, t.id AS id, " + rank_of(key, dialect) + " AS rank, " + key + " AS sort_key FROM " + table +
                " t WHERE " + key_holds(dialect, key),
            {term, " " + term, term});
}

void add_people(Statement& all, const HintQuery& query, const std::string& term, Dialect dialect) {
    add_keyed(all, a_person, "people", term, dialect);
    const auto open = library_conditions(query.viewer, "i");
    if (open.empty()) return;
    all.add(" AND EXISTS (SELECT 1 FROM credits c JOIN items i ON i.id = c.item_id WHERE c.person_id = t.id" + open +
            ")");
}

void add_names(Statement& all, const HintQuery& query, const std::string& term, Dialect dialect) {
    add_keyed(all, a_name, "names", term, dialect);
    std::string kinds;
    for (const auto kind : query.names) kinds += (kinds.empty() ? "" : ", ") + std::to_string(static_cast<int>(kind));
    const auto seen =
        "(SELECT 1 FROM item_names l JOIN items i ON i.id = l.item_id WHERE l.name_id = t.id AND "
        "i.library_id NOT IN (SELECT id FROM libraries WHERE removing = 1)" +
        library_conditions(query.viewer, "i");
    all.add(" AND t.kind IN (" + kinds + ") AND EXISTS " + seen + ") AND NOT EXISTS " + seen + " AND l.role = 5)");
}

}  // namespace

core::Result<Hints> SqlDiscovery::hints(const HintQuery& query) {
    Hints hints;
    const auto term = core::search_fold(query.term);
    const bool anywhere = !query.library && !query.parent;
    const bool people = query.people && anywhere, names = !query.names.empty() && anywhere;
    if (term.empty() || (query.kinds.empty() && !people && !names)) return hints;
    auto read = database_.with(Access::read, [&](Session& session) {
        const auto dialect = session.dialect();
        Statement all;
        if (!query.kinds.empty()) add_items(all, query, term, dialect);
        if (people) add_people(all, query, term, dialect);
        if (names) add_names(all, query, term, dialect);
        Statement count, page;
        count.add("SELECT count(*) FROM (").add(all.text, all.values).add(") found");
        page.add("SELECT found.what, found.id FROM (").add(all.text, all.values);
        page.add(") found ORDER BY found.rank, found.sort_key, found.id LIMIT ? OFFSET ?",
                 {static_cast<std::int64_t>(query.limit), static_cast<std::int64_t>(query.start_index)});
        return session.snapshot([&]() -> core::Result<void> {
            hints = {};
            auto counted =
                count.query(session, [&](const Row& row) { hints.total = static_cast<std::size_t>(row.integer(0)); });
            if (!counted) return counted;
            return page.query(session, [&](const Row& row) {
                Hint hint;
                if (row.integer(0) == an_item) hint.item = id_from_bytes<core::ItemId>(row.bytes(1));
                if (row.integer(0) == a_person) hint.person = id_from_bytes<core::PersonId>(row.bytes(1));
                if (row.integer(0) == a_name) hint.name = id_from_bytes<core::ItemId>(row.bytes(1));
                hints.found.push_back(hint);
            });
        });
    });
    if (!read) return tl::unexpected(read.error());
    return hints;
}

}  // namespace understudy::store::sql
