#include "store/sql/sql_shows.h"

#include <string>

#include "store/sql/catalog_filters.h"
#include "store/sql/item_rows.h"
#include "store/sql/statement.h"

namespace understudy::store::sql {
namespace {

constexpr const char* none_removing = " AND i.library_id NOT IN (SELECT id FROM libraries WHERE removing = 1)";
// An episode's parent `p` is a season, or the series itself where it has no season.
constexpr const char* series_of_parent = "CASE WHEN p.kind = 'series' THEN p.id ELSE p.parent_id END";

std::optional<int> number_at(const Row& row, std::size_t column) {
    if (row.is_null(column)) return std::nullopt;
    return static_cast<int>(row.integer(column));
}

ShowEpisode read_episode(const Row& row) {
    ShowEpisode episode;
    episode.id = id_from_bytes<core::ItemId>(row.bytes(0));
    episode.series = id_from_bytes<core::ItemId>(row.bytes(1));
    episode.season = id_from_bytes<core::ItemId>(row.bytes(2));
    episode.season_number = number_at(row, 3);
    episode.number = number_at(row, 4);
    episode.number_end = number_at(row, 5);
    episode.airs_before_season = number_at(row, 6);
    episode.airs_before_episode = number_at(row, 7);
    episode.airs_after_season = number_at(row, 8);
    episode.played = row.integer(9) != 0;
    episode.position = core::Millis{row.integer(10)};
    if (!row.is_null(11)) episode.last_played_at = core::from_unix_ms(row.integer(11));
    return episode;
}

// Of episodes `i` whose parent is `p`.
Statement conditions(const ShowsFilter& filter) {
    Statement where;
    where.add(std::string(none_removing) + library_conditions(filter.viewer, "i"));
    if (filter.library) where.add(" AND i.library_id = ?", {id_value(*filter.library)});
    if (filter.series) where.add(std::string(" AND ") + series_of_parent + " = ?", {id_value(*filter.series)});
    return where;
}

}  // namespace

core::Result<std::vector<BegunSeries>> SqlShows::begun(core::UserId user, const ShowsFilter& filter) {
    std::vector<BegunSeries> found;
    auto where = conditions(filter);
    Statement select;
    select.add(std::string("SELECT s.series_id, max(s.at_ms) FROM (SELECT ") + series_of_parent +
                   " AS series_id, COALESCE(u.last_played_at_ms, 0) AS at_ms FROM user_data u JOIN items i ON i.id = "
                   "u.item_id JOIN items p ON p.id = i.parent_id WHERE u.user_id = ? AND u.played = 1 AND i.kind = "
                   "'episode'",
               {id_value(user)});
    select.add(where.text, std::move(where.values));
    select.add(") s WHERE s.series_id IS NOT NULL GROUP BY s.series_id");
    if (filter.since) select.add(" HAVING max(s.at_ms) >= ?", {core::to_unix_ms(*filter.since)});
    select.add(" ORDER BY 2 DESC, 1");
    auto read = database_.with(Access::read, [&](Session& session) {
        found.clear();
        return select.query(session, [&](const Row& row) {
            found.push_back({id_from_bytes<core::ItemId>(row.bytes(0)), core::from_unix_ms(row.integer(1))});
        });
    });
    if (!read) return tl::unexpected(read.error());
    return found;
}

core::Result<std::vector<ShowEpisode>> SqlShows::episodes(core::UserId user, const std::vector<core::ItemId>& series,
                                                          const std::optional<Viewer>& viewer) {
    std::vector<ShowEpisode> found;
    if (series.empty()) return found;
    auto read = database_.with(Access::read, [&](Session& session) {
        found.clear();
        auto seasons = bulk_ids(session.dialect(), series);
        auto themselves = bulk_ids(session.dialect(), series);
        constexpr const char* last = ", 2147483647)";
        Statement select;
        select.add(
            "SELECT i.id, p.series_id, i.parent_id, i.season_number, i.episode_number, i.episode_number_end, "
            "d.airs_before_season, d.airs_before_episode, d.airs_after_season, COALESCE(u.played, 0), "
            "COALESCE(u.position_ms, 0), u.last_played_at_ms FROM (");
        select.add_in("SELECT x.id, x.parent_id AS series_id FROM items x WHERE x.kind = 'season' AND ", "x.parent_id",
                      seasons);
        select.add_in(" UNION ALL SELECT y.id, y.id AS series_id FROM items y WHERE y.kind = 'series' AND ", "y.id",
                      themselves);
        select.add(
            ") p JOIN items i ON i.parent_id = p.id LEFT JOIN item_descriptions d ON d.item_id = i.id AND "
            "i.season_number = 0 LEFT JOIN user_data u ON u.user_id = CAST(? AS {bytes}) AND u.item_id = i.id WHERE "
            "i.kind = 'episode'",
            {id_value(user)});
        select.add(none_removing + library_conditions(viewer, "i"));
        select.add(std::string(" ORDER BY p.series_id, COALESCE(i.season_number") + last +
                   ", COALESCE(i.episode_number" + last + ", i.sort_key, i.id");
        return select.query(session, [&](const Row& row) { found.push_back(read_episode(row)); });
    });
    if (!read) return tl::unexpected(read.error());
    return found;
}

core::Result<UpcomingEpisodes> SqlShows::upcoming(const ShowsFilter& filter, std::size_t start_index,
                                                  std::size_t limit) {
    UpcomingEpisodes found;
    auto where = conditions(filter);
    Statement from;
    from.add(
        " FROM item_descriptions d JOIN items i ON i.id = d.item_id JOIN items p ON p.id = i.parent_id WHERE "
        "i.kind = 'episode' AND d.premiered_ms IS NOT NULL");
    if (filter.since) from.add(" AND d.premiered_ms >= ?", {core::to_unix_ms(*filter.since)});
    from.add(where.text, std::move(where.values));
    auto read = database_.with(Access::read, [&](Session& session) {
        return session.snapshot([&]() -> core::Result<void> {
            found = {};
            Statement count, page;
            count.add("SELECT count(*)").add(from.text, from.values);
            page.add("SELECT i.id").add(from.text, from.values);
            page.add(" ORDER BY d.premiered_ms, i.sort_key, i.id LIMIT ? OFFSET ?",
                     {static_cast<std::int64_t>(limit), static_cast<std::int64_t>(start_index)});
            if (auto counted = count.query(
                    session, [&](const Row& row) { found.total = static_cast<std::size_t>(row.integer(0)); });
                !counted)
                return counted;
            return page.query(
                session, [&](const Row& row) { found.episodes.push_back(id_from_bytes<core::ItemId>(row.bytes(0))); });
        });
    });
    if (!read) return tl::unexpected(read.error());
    return found;
}

}  // namespace understudy::store::sql
