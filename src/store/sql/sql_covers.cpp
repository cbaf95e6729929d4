#include "store/sql/sql_covers.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "store/sql/blob_value.h"
#include "store/sql/item_rows.h"
#include "store/sql/source_rows.h"
#include "store/sql/statement.h"

namespace understudy::store::sql {
namespace {

// CROSS JOIN: SQLite has no statistics and takes the order as written, from few items to their files.

// A file of item t is what row c says: nothing is to be done for t, whatever else it has. An album's files are its
// tracks'. OFFSET keeps PostgreSQL from making a join of it, for which it would read all sources: three looks an item
// by their keys are less.
const std::string shows_its_own =
    "EXISTS (SELECT 1 FROM item_covers c CROSS JOIN media_sources x CROSS JOIN items o WHERE c.item_id = t.id AND "
    "x.content_sample = c.content_sample AND x.mtime_ns = c.mtime_ns AND o.id = x.item_id AND (o.id = t.id OR "
    "o.parent_id = t.id) LIMIT 1 OFFSET 0)";
const std::string has_local_primary =
    "((t.beside & 2) <> 0 AND EXISTS (SELECT 1 FROM item_images m WHERE m.item_id = t.id AND m.kind = 0))";

// Items that show nothing of a file of theirs and have nothing beside it.
struct OpenItems {
    std::vector<core::ItemId> albums, others;
    std::set<core::ItemId> with_row;  // they show what is gone
};

core::Result<OpenItems> open_items(Session& session, const std::vector<core::LibraryId>& libraries) {
    Statement select;
    select.add(
        "SELECT t.id, t.kind, (SELECT count(*) FROM item_covers r WHERE r.item_id = t.id) FROM items t WHERE t.kind IN "
        "('movie', 'episode', 'album')");
    auto ids = bulk_ids(session.dialect(), libraries);
    select.add_in(" AND ", "t.library_id", ids);
    select.add(" AND t.library_id NOT IN (SELECT id FROM libraries WHERE removing = 1) AND NOT " + shows_its_own +
               " AND NOT " + has_local_primary);
    OpenItems open;
    auto read = select.query(session, [&](const Row& row) {
        const auto id = id_from_bytes<core::ItemId>(row.bytes(0));
        const bool album = model::parse_item_kind(row.text(1)) == model::ItemKind::album;
        (album ? open.albums : open.others).push_back(id);
        if (row.integer(2) != 0) open.with_row.insert(id);
    });
    if (!read) return tl::unexpected(read.error());
    return open;
}

// Files of these with a picture that has not failed, each with its place in the order in which they are asked. `owner`:
// whose picture it would be. Without a sample a failure could not be remembered.
void add_files(Statement& select, Session& session, const std::vector<core::ItemId>& items, const std::string& owner,
               const std::string& which) {
    select.add("SELECT " + owner +
               " AS owner, s.item_id AS source_item, s.number AS number, s.content_sample AS sample, s.mtime_ns AS "
               "mtime, s.path AS path, i.available AS available, row_number() OVER (PARTITION BY " +
               owner +
               " ORDER BY i.available DESC, COALESCE(i.disc_number, 1), COALESCE(i.track_number, 2147483647), "
               "s.number, s.path) AS place FROM items i CROSS JOIN media_sources s WHERE ");
    auto ids = bulk_ids(session.dialect(), items);
    select.add_in("", owner, ids);
    select.add(which +
                   " AND s.item_id = i.id AND s.has_embedded_picture = 1 AND s.content_sample <> '' AND NOT EXISTS "
                   "(SELECT 1 FROM analyses a WHERE a.kind = ? AND a.content_sample = s.content_sample AND a.mtime_ns "
                   "= s.mtime_ns AND a.failure <> '')",
               {std::string(cover_kind)});
}

core::Result<std::vector<DueCover>> due_covers(Session& session, OpenItems open) {
    Statement select;
    select.add(
        "SELECT f.owner, f.source_item, f.number, f.sample, f.mtime, f.available, CASE WHEN EXISTS (SELECT 1 FROM "
        "covers v WHERE v.content_sample = f.sample AND v.mtime_ns = f.mtime) THEN 1 ELSE 0 END FROM (");
    add_files(select, session, open.others, "i.id", "");
    select.add(" UNION ALL ");
    add_files(select, session, open.albums, "i.parent_id", " AND i.kind = 'track'");
    select.add(") f WHERE f.place = 1 ORDER BY f.path, f.owner");
    std::vector<DueCover> due;
    auto read = select.query(session, [&](const Row& row) {
        const auto item = id_from_bytes<core::ItemId>(row.bytes(0));
        open.with_row.erase(item);
        if (row.integer(5) == 0) return;  // away
        due.push_back({item,
                       id_from_bytes<core::ItemId>(row.bytes(1)),
                       static_cast<int>(row.integer(2)),
                       {row.text(3), row.integer(4)},
                       row.integer(6) != 0});
    });
    if (!read) return tl::unexpected(read.error());
    for (const auto& item : open.with_row) due.push_back({item, {}, 0, {}, false});
    return due;
}

BulkRows shown_rows(Dialect dialect) {
    return {dialect,
            {{"item_id", ColumnType::bytes}, {"content_sample", ColumnType::text}, {"mtime_ns", ColumnType::integer}}};
}

core::Result<void> insert_shown(Session& session, BulkRows& rows) {
    if (rows.empty()) return {};
    Statement insert;
    insert.add_from(
        "INSERT INTO item_covers (item_id, content_sample, mtime_ns) SELECT item_id, content_sample, mtime_ns FROM ",
        rows);
    insert.add(
        " WHERE true ON CONFLICT (item_id) DO UPDATE SET content_sample = excluded.content_sample, mtime_ns = "
        "excluded.mtime_ns");
    return uncounted(insert.execute(session));
}

core::Result<void> insert_covers(Session& session, const std::vector<FoundCover>& found) {
    // PostgreSQL refuses to touch a row twice in one statement.
    std::map<ContentKey, const Cover*> last;
    for (const auto& one : found) last[one.content] = &one.cover;
    BulkRows rows(session.dialect(), {{"content_sample", ColumnType::text},
                                      {"mtime_ns", ColumnType::integer},
                                      {"blob", ColumnType::bytes},
                                      {"size_bytes", ColumnType::integer},
                                      {"width", ColumnType::integer},
                                      {"height", ColumnType::integer}});
    for (const auto& [content, cover] : last) {
        rows.text(content.sample).integer(content.mtime_ns).bytes(bytes_of(cover->blob)).integer(cover->size_bytes);
        rows.integer(std::int64_t{cover->width}).integer(std::int64_t{cover->height});
    }
    const std::string names = "content_sample, mtime_ns, blob, size_bytes, width, height";
    Statement insert;
    insert.add_from("INSERT INTO covers (" + names + ") SELECT " + names + " FROM ", rows);
    insert.add(
        " WHERE true ON CONFLICT (content_sample, mtime_ns) DO UPDATE SET blob = excluded.blob, size_bytes = "
        "excluded.size_bytes, width = excluded.width, height = excluded.height");
    return uncounted(insert.execute(session));
}

// `contents`: by item, the last one counts. Held, so that no row is left under an item that goes meanwhile.
core::Result<void> show_under(Session& session, const std::map<core::ItemId, ContentKey>& contents) {
    std::vector<core::ItemId> ids, gone;
    for (const auto& [item, content] : contents) ids.push_back(item);
    const auto there = hold_items(session, ids);
    if (!there) return tl::unexpected(there.error());
    auto rows = shown_rows(session.dialect());
    for (const auto& [item, content] : contents) {
        if (!there->contains(item)) continue;
        if (content.sample.empty()) {
            gone.push_back(item);
        } else {
            rows.id(item).text(content.sample).integer(content.mtime_ns);
        }
    }
    if (!gone.empty()) {
        auto items = bulk_ids(session.dialect(), gone);
        auto removed = Statement{}.add_in("DELETE FROM item_covers WHERE ", "item_id", items).execute(session);
        if (!removed) return uncounted(removed);
    }
    return insert_shown(session, rows);
}

}  // namespace

core::Result<std::vector<DueCover>> SqlCovers::due(const std::vector<core::LibraryId>& libraries) {
    std::vector<DueCover> due;
    if (libraries.empty()) return due;
    auto read = database_.with(Access::read, [&](Session& session) -> core::Result<void> {
        session.set_limit(batch_limit);
        auto open = open_items(session, libraries);
        if (!open) return tl::unexpected(open.error());
        if (open->albums.empty() && open->others.empty()) return {};
        auto found = due_covers(session, std::move(*open));
        if (!found) return tl::unexpected(found.error());
        due = std::move(*found);
        return {};
    });
    if (!read) return tl::unexpected(read.error());
    return due;
}

core::Result<std::vector<AnalysableSource>> SqlCovers::sources(std::span<const DueCover> covers) {
    std::vector<AnalysableSource> found;
    std::vector<SourceKey> keys;
    for (std::size_t at = 0; at < covers.size(); at += sources_at_once) {
        const auto part = covers.subspan(at, std::min(sources_at_once, covers.size() - at));
        keys.clear();
        std::map<std::pair<core::ItemId, int>, const ContentKey*> contents;
        for (const auto& cover : part) {
            keys.push_back({cover.source_item, cover.source_number});
            contents[{cover.source_item, cover.source_number}] = &cover.content;
        }
        std::vector<AnalysableSource> page;
        auto read = database_.with(Access::read, [&](Session& session) -> core::Result<void> {
            auto got = read_sources(session, keys);
            if (!got) return tl::unexpected(got.error());
            page = std::move(*got);
            return {};
        });
        if (!read) return tl::unexpected(read.error());
        for (auto& source : page) {
            if (source.content == *contents[{source.item, source.number}]) found.push_back(std::move(source));
        }
    }
    return found;
}

core::Result<void> SqlCovers::put(const std::vector<FoundCover>& found, const core::Fence& fence) {
    return write_under(database_, fence, [&](Session& session) -> core::Result<void> {
        if (found.empty()) return {};
        if (auto done = insert_covers(session, found); !done) return done;
        std::map<core::ItemId, ContentKey> contents;
        for (const auto& one : found) contents[one.item] = one.content;
        return show_under(session, contents);
    });
}

core::Result<void> SqlCovers::show(const std::vector<DueCover>& covers, const core::Fence& fence) {
    return write_under(database_, fence, [&](Session& session) -> core::Result<void> {
        std::map<core::ItemId, ContentKey> contents;
        for (const auto& cover : covers) contents[cover.item] = cover.content;
        return contents.empty() ? core::Result<void>{} : show_under(session, contents);
    });
}

core::Result<std::vector<core::ItemId>> SqlCovers::shown_in(const std::vector<core::LibraryId>& libraries) {
    std::vector<core::ItemId> items;
    if (libraries.empty()) return items;
    auto read = database_.with(Access::read, [&](Session& session) {
        session.set_limit(batch_limit);
        items.clear();
        auto ids = bulk_ids(session.dialect(), libraries);
        return Statement{}
            .add_in("SELECT c.item_id FROM item_covers c JOIN items i ON i.id = c.item_id WHERE ", "i.library_id", ids)
            .query(session, [&](const Row& row) { items.push_back(id_from_bytes<core::ItemId>(row.bytes(0))); });
    });
    if (!read) return tl::unexpected(read.error());
    return items;
}

core::Result<std::map<core::ItemId, Cover>> SqlCovers::covers(const std::vector<core::ItemId>& items) {
    std::map<core::ItemId, Cover> found;
    auto read = database_.with(Access::read, [&](Session& session) -> core::Result<void> {
        auto covers = read_covers(session, items);
        if (!covers) return tl::unexpected(covers.error());
        found = std::move(*covers);
        return {};
    });
    if (!read) return tl::unexpected(read.error());
    return found;
}

core::Result<std::map<core::ItemId, Cover>> read_covers(Session& session, const std::vector<core::ItemId>& items) {
    std::map<core::ItemId, Cover> found;
    if (items.empty()) return found;
    auto ids = bulk_ids(session.dialect(), items);
    Statement select;
    select.add_in(
        "SELECT c.item_id, v.blob, v.size_bytes, v.width, v.height FROM item_covers c JOIN covers v ON "
        "v.content_sample = c.content_sample AND v.mtime_ns = c.mtime_ns WHERE ",
        "c.item_id", ids);
    auto read = select.query(session, [&](const Row& row) {
        found[id_from_bytes<core::ItemId>(row.bytes(0))] = {hash_from_bytes(row.bytes(1)), row.integer(2),
                                                            static_cast<int>(row.integer(3)),
                                                            static_cast<int>(row.integer(4))};
    });
    if (!read) return tl::unexpected(read.error());
    return found;
}

}  // namespace understudy::store::sql
