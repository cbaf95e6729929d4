// store/sql/sql_played_below.cpp: SqlUserData on what is below folders.
#include "store/sql/catalog_filters.h"
#include "store/sql/item_rows.h"
#include "store/sql/sql_user_data.h"
#include "store/sql/statement.h"

namespace understudy::store::sql {
namespace {

// `below(root, id, place)`: the folders' children and members, and all below those. UNION (not ALL) ends every loop.
Statement below_these(Dialect dialect, const std::vector<core::ItemId>& folders) {
    Statement with;
    auto parents = bulk_ids(dialect, folders);
    auto collections = bulk_ids(dialect, folders);
    with.add_in(
        "WITH RECURSIVE below(root, id, place) AS (SELECT x.parent_id, x.id, CAST(0 AS BIGINT) FROM items x WHERE ",
        "x.parent_id", parents);
    with.add_in(" UNION SELECT m.collection_id, m.item_id, m.position FROM collection_members m WHERE ",
                "m.collection_id", collections);
    with.add(" UNION SELECT b.root, c.id, b.place FROM below b JOIN items c ON c.parent_id = b.id) ");
    return with;
}

const std::string playable = " p.kind IN (" + std::string(playable_kinds) +
                             ") AND p.library_id NOT IN (SELECT id FROM libraries WHERE removing = 1)";

}  // namespace

core::Result<std::map<core::ItemId, Below>> SqlUserData::below(core::UserId user,
                                                               const std::vector<core::ItemId>& folders,
                                                               const std::optional<Viewer>& viewer) {
    std::map<core::ItemId, Below> found;
    if (folders.empty()) return found;
    auto read = database_.with(Access::read, [&](Session& session) {
        found.clear();
        auto select = below_these(session.dialect(), folders);
        select.add(
            "SELECT d.root, count(*), count(*) - COALESCE(sum(u.played), 0) FROM (SELECT DISTINCT root, id FROM below) "
            "d JOIN items p ON p.id = d.id LEFT JOIN user_data u ON u.item_id = d.id AND u.user_id = ? WHERE" +
                playable + library_conditions(viewer, "p") + " GROUP BY d.root",
            {id_value(user)});
        return select.query(session, [&](const Row& row) {
            found[id_from_bytes<core::ItemId>(row.bytes(0))] = {row.integer(1), row.integer(2)};
        });
    });
    if (!read) return tl::unexpected(read.error());
    return found;
}

core::Result<std::vector<core::ItemId>> SqlUserData::playable_below(core::ItemId folder,
                                                                    const std::optional<Viewer>& viewer,
                                                                    std::optional<std::size_t> most) {
    std::vector<core::ItemId> found;
    auto read = database_.with(Access::read, [&](Session& session) {
        found.clear();
        auto select = below_these(session.dialect(), {folder});
        constexpr const char* unknown = ", 2147483647)";  // the unknown goes last
        std::string order = "b.place";
        for (const char* number : {"season_number", "episode_number"})
            order += std::string(", COALESCE(p.") + number + unknown;
        order += ", p.album_key";
        for (const char* number : {"disc_number", "track_number"})
            order += std::string(", COALESCE(p.") + number + unknown;
        select.add("SELECT b.id FROM below b JOIN items p ON p.id = b.id WHERE" + playable +
                   library_conditions(viewer, "p") + " ORDER BY " + order + ", p.sort_key, p.id");
        if (most) select.add(" LIMIT ?", {static_cast<std::int64_t>(*most)});
        return select.query(session,
                            [&](const Row& row) { found.push_back(id_from_bytes<core::ItemId>(row.bytes(0))); });
    });
    if (!read) return tl::unexpected(read.error());
    return found;
}

}  // namespace understudy::store::sql
