#include "tasks/database/sql_activity_log.h"

#include <utility>

#include "store/sql/item_rows.h"
#include "store/sql/statement.h"

namespace understudy::tasks::database {

using store::sql::Access;
using store::sql::Null;
using store::sql::Row;
using store::sql::Session;
using store::sql::Statement;
using store::sql::Value;

core::Result<std::int64_t> SqlActivityLog::add(const ActivityEntry& entry) {
    std::int64_t id = 0;
    const auto done = database_.with(Access::write, [&](Session& session) {
        const Value user = entry.user.empty() ? Value(Null{}) : store::sql::id_value(entry.user);
        return session.query(
            "INSERT INTO activity_log (at_ms, kind, severity, title, overview, user_id) VALUES ({now_ms}, ?, ?, ?, ?, "
            "?) RETURNING id",
            {entry.kind, entry.severity, store::sql::repaired(entry.title), store::sql::repaired(entry.overview), user},
            [&](const Row& row) { id = row.integer(0); });
    });
    if (!done) return tl::unexpected(done.error());
    return id;
}

core::Result<std::int64_t> SqlActivityLog::remove_older_than(core::Millis age, std::int64_t limit,
                                                             const core::Fence& fence) {
    std::int64_t removed = 0;
    const auto done = database_.with(Access::write, [&](Session& session) {
        return session.transaction([&]() -> core::Result<void> {
            removed = 0;
            if (const auto passed = store::sql::pass_fence(session, fence); !passed) return passed;
            const auto gone = session.execute(
                "DELETE FROM activity_log WHERE id IN "
                "(SELECT id FROM activity_log WHERE at_ms < {now_ms} - ? ORDER BY at_ms LIMIT ?)",
                {age.count(), limit});
            if (!gone) return tl::unexpected(gone.error());
            removed = *gone;
            return {};
        });
    });
    if (!done) return tl::unexpected(done.error());
    return removed;
}

core::Result<ActivityPage> SqlActivityLog::list(const ActivityQuery& query) {
    Statement where;
    where.add(" FROM activity_log WHERE 1 = 1");
    if (query.from) where.add(" AND at_ms >= ?", {core::to_unix_ms(*query.from)});
    if (query.until) where.add(" AND at_ms <= ?", {core::to_unix_ms(*query.until)});
    if (query.has_user) where.add(*query.has_user ? " AND user_id IS NOT NULL" : " AND user_id IS NULL");
    Statement count, rows;
    count.add("SELECT COUNT(*)" + where.text, where.values);
    rows.add("SELECT id, at_ms, kind, severity, title, overview, user_id" + where.text, where.values);
    rows.add(" ORDER BY at_ms DESC, id DESC LIMIT ? OFFSET ?",
             {static_cast<std::int64_t>(query.limit), static_cast<std::int64_t>(query.start)});
    ActivityPage page;
    const auto done = database_.with(Access::read, [&](Session& session) {
        return session.snapshot([&]() -> core::Result<void> {
            page = {};
            auto counted = count.query(session, [&](const Row& row) { page.total = row.integer(0); });
            if (!counted || query.limit == 0) return counted;
            return rows.query(session, [&](const Row& row) {
                KeptActivity kept;
                kept.id = row.integer(0);
                kept.at = core::from_unix_ms(row.integer(1));
                kept.entry = {row.text(2), row.text(3), row.text(4), row.text(5), {}};
                if (!row.is_null(6)) kept.entry.user = store::sql::id_from_bytes<core::UserId>(row.bytes(6));
                page.entries.push_back(std::move(kept));
            });
        });
    });
    if (!done) return tl::unexpected(done.error());
    return page;
}

}  // namespace understudy::tasks::database
