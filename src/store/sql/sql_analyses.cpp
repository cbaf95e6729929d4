#include "store/sql/sql_analyses.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "store/sql/given_content.h"
#include "store/sql/item_rows.h"
#include "store/sql/source_rows.h"
#include "store/sql/statement.h"
#include "store/sql/table_walk.h"

namespace understudy::store::sql {
namespace {

constexpr std::size_t contents_at_once = 1'000;

std::string kinds_list(const std::vector<model::ItemKind>& kinds) {
    std::string list;
    for (const auto kind : kinds) {  // our own words, no text from outside
        list += list.empty() ? "'" : ", '";
        list += model::to_string(kind);
        list += "'";
    }
    return list;
}

// SQLite plans without statistics, so it is told where to begin. From the sources: both sides of the anti-join are
// index entries in one order, 0.15 s for 200,000 that are done; but each pending one then costs a look at its item (7
// us), which is dear where most are of another kind. From the items of a kind: 8 us for each of them, done or not.
core::Result<bool> begins_with_items(Session& session, const SourceFilter& filter) {
    if (session.dialect() != Dialect::sqlite || filter.kinds.empty()) return false;
    std::int64_t items = 0, sources = 0;
    auto counted = session.query("SELECT (SELECT count(*) FROM items WHERE kind IN (" + kinds_list(filter.kinds) +
                                     ")), (SELECT count(*) FROM media_sources)",
                                 {}, [&](const Row& row) {
                                     items = row.integer(0);
                                     sources = row.integer(1);
                                 });
    if (!counted) return tl::unexpected(counted.error());
    return items * 4 < sources;
}

// `FROM … WHERE …` of sources s and their items i.
core::Result<Statement> selection(Session& session, const std::string& kind, AnalysisState state,
                                  const SourceFilter& filter) {
    const auto items_first = begins_with_items(session, filter);
    if (!items_first) return tl::unexpected(items_first.error());
    // Without a sample nothing could be remembered: such a file would be pending for ever.
    const std::string right_state =
        std::string(" s.content_sample <> '' AND") + (state == AnalysisState::pending ? " NOT EXISTS" : " EXISTS") +
        " (SELECT 1 FROM analyses a WHERE a.kind = ? AND a.content_sample = s.content_sample AND a.mtime_ns = "
        "s.mtime_ns" +
        (state == AnalysisState::failed ? " AND a.failure <> '')" : ")");
    Statement from;
    if (session.dialect() == Dialect::postgresql) {
        // OFFSET 0: this first, as a whole, by hashes. What the filters below leave is guessed at a hundredth of what
        // it is, and then each source that is done costs a look into an index: 1.1 s instead of 0.3 s for 200,000.
        from.add(" FROM (SELECT * FROM media_sources s WHERE" + right_state +
                     " OFFSET 0) s JOIN items i ON i.id = s.item_id WHERE true",
                 {kind});
    } else if (*items_first) {
        from.add(" FROM items i CROSS JOIN media_sources s WHERE s.item_id = i.id AND" + right_state, {kind});
    } else {
        from.add(
            " FROM media_sources s INDEXED BY media_sources_by_content CROSS JOIN items i WHERE i.id = s.item_id AND" +
                right_state,
            {kind});
    }
    from.add(" AND i.available = 1 AND i.library_id NOT IN (SELECT id FROM libraries WHERE removing = 1)");
    if (!filter.kinds.empty()) from.add(" AND i.kind IN (" + kinds_list(filter.kinds) + ")");
    if (!filter.libraries.empty()) {
        auto ids = bulk_ids(session.dialect(), filter.libraries);
        from.add_in(" AND ", "i.library_id", ids);
    }
    if (filter.streams) {
        from.add(
            " AND EXISTS (SELECT 1 FROM media_streams t WHERE t.item_id = s.item_id AND t.source = s.number AND "
            "t.kind = ? AND (t.flags & 4) < 1)",  // "= 0" PostgreSQL takes for one row of 200
            {static_cast<std::int64_t>(*filter.streams)});
    }
    return from;
}

const std::string no_source =
    "NOT EXISTS (SELECT 1 FROM media_sources s WHERE s.content_sample = t.content_sample AND s.mtime_ns = t.mtime_ns)";
// What a person gave is of no file: it stays for as long as an item shows it.
const std::string not_given =
    "NOT (t.content_sample LIKE '" + std::string(given_content) +
    "%' AND EXISTS (SELECT 1 FROM item_covers c WHERE c.content_sample = t.content_sample AND c.mtime_ns = "
    "t.mtime_ns))";
const std::string no_item = "NOT EXISTS (SELECT 1 FROM items i WHERE i.id = t.item_id)";

// Rows under items go with them; what a task wrote at the very moment its item went is found here.
const std::vector<WalkedTable>& purged_tables() {
    static const std::vector<WalkedTable> tables{
        {"analyses",
         {{"kind", ColumnType::text}, {"content_sample", ColumnType::text}, {"mtime_ns", ColumnType::integer}},
         no_source},
        {"chapter_pictures",
         {{"content_sample", ColumnType::text}, {"mtime_ns", ColumnType::integer}, {"number", ColumnType::integer}},
         no_source},
        {"segment_searches", {{"item_id", ColumnType::bytes}, {"provider", ColumnType::text}}, no_item},
        {"media_segments",
         {{"item_id", ColumnType::bytes}, {"provider", ColumnType::text}, {"number", ColumnType::integer}},
         no_item},
        {"item_loudness", {{"item_id", ColumnType::bytes}}, no_item},
        // Left by a pod of a version that did not know them.
        {"item_descriptions", {{"item_id", ColumnType::bytes}}, no_item},
        {"item_images", {{"item_id", ColumnType::bytes}, {"number", ColumnType::integer}}, no_item},
        {"media_external_streams",
         {{"item_id", ColumnType::bytes}, {"source", ColumnType::integer}, {"number", ColumnType::integer}},
         no_item},
        // At the end: a cursor has the number of its table.
        {"covers",
         {{"content_sample", ColumnType::text}, {"mtime_ns", ColumnType::integer}},
         no_source + " AND " + not_given},
        {"item_covers", {{"item_id", ColumnType::bytes}}, no_item},
        {"item_names",
         {{"item_id", ColumnType::bytes}, {"role", ColumnType::integer}, {"name_id", ColumnType::bytes}},
         no_item},
        {"names", {{"id", ColumnType::bytes}}, "NOT EXISTS (SELECT 1 FROM item_names l WHERE l.name_id = t.id)"}};
    return tables;
}

}  // namespace

core::Result<void> SqlAnalyses::sources(const std::string& kind, AnalysisState state, const SourceFilter& filter,
                                        const std::function<bool(AnalysableSource&&)>& each) {
    std::vector<SourceKey> keys;
    auto listed = database_.with(Access::read, [&](Session& session) -> core::Result<void> {
        session.set_limit(batch_limit);
        keys.clear();
        auto from = selection(session, kind, state, filter);
        if (!from) return tl::unexpected(from.error());
        return session.query(
            "SELECT s.item_id, s.number" + from->text + " ORDER BY i.library_id, s.path, s.item_id, s.number",
            from->values, [&](const Row& row) {
                keys.push_back({id_from_bytes<core::ItemId>(row.bytes(0)), static_cast<int>(row.integer(1))});
            });
    });
    if (!listed) return listed;
    for (std::size_t at = 0; at < keys.size(); at += sources_at_once) {
        const auto part = std::span<const SourceKey>(keys).subspan(at, std::min(sources_at_once, keys.size() - at));
        std::vector<AnalysableSource> page;
        auto read = database_.with(Access::read, [&](Session& session) -> core::Result<void> {
            auto got = read_sources(session, part);
            if (!got) return tl::unexpected(got.error());
            page = std::move(*got);
            return {};
        });
        if (!read) return read;
        for (auto& source : page) {
            if (!each(std::move(source))) return {};
        }
    }
    return {};
}

core::Result<SourceTotals> SqlAnalyses::totals(const std::string& kind, AnalysisState state,
                                               const SourceFilter& filter) {
    SourceTotals totals;
    auto read = database_.with(Access::read, [&](Session& session) -> core::Result<void> {
        session.set_limit(batch_limit);
        auto from = selection(session, kind, state, filter);
        if (!from) return tl::unexpected(from.error());
        return session.query(
            "SELECT count(*), CAST(COALESCE(sum(s.size_bytes), 0) AS BIGINT), CAST(COALESCE(sum(s.duration_ms), 0) AS "
            "BIGINT)" +
                from->text,
            from->values, [&](const Row& row) {
                totals = {row.integer(0), row.integer(1), core::Millis{row.integer(2)}};
            });
    });
    if (!read) return tl::unexpected(read.error());
    return totals;
}

core::Result<void> SqlAnalyses::put(const std::vector<Analysis>& rows, const core::Fence& fence) {
    return write_under(database_, fence, [&](Session& session) -> core::Result<void> {
        if (rows.empty()) return {};
        BulkRows bulk(session.dialect(), {{"kind", ColumnType::text},
                                          {"content_sample", ColumnType::text},
                                          {"mtime_ns", ColumnType::integer},
                                          {"size_bytes", ColumnType::integer},
                                          {"task", ColumnType::text},
                                          {"payload", ColumnType::bytes},
                                          {"failure", ColumnType::text},
                                          {"at_ms", ColumnType::integer}});
        // PostgreSQL refuses to touch a row twice in one statement: of two copies of a file the later counts.
        std::map<std::pair<std::string, ContentKey>, const Analysis*> last;
        for (const auto& row : rows) last[{row.kind, row.content}] = &row;
        for (const auto& [key, row] : last) {
            bulk.text(row->kind).text(row->content.sample).integer(row->content.mtime_ns).integer(row->size_bytes);
            bulk.text(row->task).bytes(row->payload).text(row->failure).integer(core::to_unix_ms(row->at));
        }
        const std::string names = "kind, content_sample, mtime_ns, size_bytes, task, payload, failure, at_ms";
        Statement insert;
        insert.add_from("INSERT INTO analyses (" + names + ") SELECT " + names + " FROM ", bulk);
        insert.add(
            " WHERE true ON CONFLICT (kind, content_sample, mtime_ns) DO UPDATE SET size_bytes = excluded.size_bytes, "
            "task = excluded.task, payload = excluded.payload, failure = excluded.failure, at_ms = excluded.at_ms");
        return uncounted(insert.execute(session));
    });
}

core::Result<std::vector<Analysis>> SqlAnalyses::get(const std::string& kind, const std::vector<ContentKey>& contents) {
    std::vector<Analysis> rows;
    for (std::size_t at = 0; at < contents.size(); at += contents_at_once) {
        const auto part =
            std::span<const ContentKey>(contents).subspan(at, std::min(contents_at_once, contents.size() - at));
        std::map<ContentKey, Analysis> found;
        auto read = database_.with(Access::read, [&](Session& session) {
            found.clear();
            BulkRows samples(session.dialect(), {{"sample", ColumnType::text}});
            for (const auto& content : part) samples.text(content.sample);
            Statement select;
            select.add(
                "SELECT content_sample, mtime_ns, size_bytes, task, payload, failure, at_ms FROM analyses WHERE kind = "
                "?",
                {kind});
            select.add_in(" AND ", "content_sample", samples);
            return select.query(session, [&](const Row& row) {
                Analysis analysis{kind, {row.text(0), row.integer(1)}, row.integer(2), row.text(3), row.bytes(4)};
                analysis.failure = row.text(5);
                analysis.at = core::from_unix_ms(row.integer(6));
                const auto content = analysis.content;
                found.emplace(content, std::move(analysis));
            });
        });
        if (!read) return tl::unexpected(read.error());
        for (const auto& content : part) {
            if (const auto one = found.find(content); one != found.end()) rows.push_back(one->second);
        }
    }
    return rows;
}

core::Result<CleanStep> SqlAnalyses::purge_unreferenced(const std::string& cursor, const core::Fence& fence) {
    return walk_step(database_, purged_tables(), cursor, fence);
}

core::Result<std::int64_t> SqlAnalyses::purge_kinds(const std::string& prefix, const std::string& keep,
                                                    std::int64_t limit, const core::Fence& fence) {
    std::int64_t removed = 0;
    auto written = write_under(database_, fence, [&](Session& session) -> core::Result<void> {
        // Everything that begins with `prefix` lies in [prefix, prefix + the last code point).
        auto gone = session.execute(
            "DELETE FROM analyses WHERE (kind, content_sample, mtime_ns) IN (SELECT kind, content_sample, mtime_ns "
            "FROM analyses WHERE kind >= ? AND kind < ? AND kind <> ? LIMIT ?)",
            {prefix, prefix + "\xf4\x8f\xbf\xbf", keep, limit});
        if (!gone) return tl::unexpected(gone.error());
        removed = *gone;
        return {};
    });
    if (!written) return tl::unexpected(written.error());
    return removed;
}

}  // namespace understudy::store::sql
