// store/sql/remove_missing.cpp: SqlScanStore::remove_missing: what a person confirmed to be gone for good.
#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "store/sql/item_rows.h"
#include "store/sql/sql_scan_store.h"

namespace understudy::store::sql {
namespace {

constexpr std::int64_t portion = 2'000;

// Everything below `path` lies in [low, high): '0' comes after '/'.
struct Span {
    std::string low, high;
};

std::vector<Value> joined(std::vector<Value> first, std::vector<Value> second) {
    std::move(second.begin(), second.end(), std::back_inserter(first));
    return first;
}

BulkRows span_rows(Dialect dialect, const std::vector<Span>& spans) {
    BulkRows rows(dialect, {{"low", ColumnType::bytes}, {"high", ColumnType::bytes}});
    for (const auto& span : spans) rows.bytes(span.low).bytes(span.high);
    return rows;
}

// Only what was looked at: a root that is away proves nothing about the files on it.
core::Result<std::vector<Span>> proven_roots(Session& session, core::LibraryId library) {
    std::vector<Span> spans;
    auto read =
        session.query("SELECT path FROM library_roots WHERE library_id = ? AND (online = 1 OR reason IN ('empty', ?))",
                      {id_value(library), Value(std::string(model::root_on_another_device))}, [&](const Row& row) {
                          auto path = row.bytes(0);
                          while (!path.empty() && path.back() == '/') path.pop_back();
                          spans.push_back({path + "/", path + "0"});
                      });
    if (!read) return tl::unexpected(read.error());
    return spans;
}

struct Found {
    std::vector<core::ItemId> ids;
    std::set<core::ItemId> parents;
};

core::Result<Found> read_ids(Session& session, const std::string& sql, const std::vector<Value>& values) {
    Found found;
    auto read = session.query(sql, values, [&](const Row& row) {
        found.ids.push_back(id_from_bytes<core::ItemId>(row.bytes(0)));
        if (!row.is_null(1)) found.parents.insert(id_from_bytes<core::ItemId>(row.bytes(1)));
    });
    if (!read) return tl::unexpected(read.error());
    return found;
}

core::Result<Found> missing_items(Session& session, core::LibraryId library, const std::vector<Span>& spans) {
    auto rows = span_rows(session.dialect(), spans);
    return read_ids(session,
                    // A film does not go because its trailer did.
                    "SELECT i.id, CASE WHEN i.kind = 'extra' THEN NULL ELSE i.parent_id END FROM items i "
                    "WHERE i.library_id = ? AND i.available = 0 "
                    "AND EXISTS (SELECT 1 FROM media_sources s WHERE s.item_id = i.id) "
                    "AND NOT EXISTS (SELECT 1 FROM media_sources s WHERE s.item_id = i.id AND NOT EXISTS "
                    "(SELECT 1 FROM " +
                        rows.from() + " WHERE s.path >= r.low AND s.path < r.high)) LIMIT ?",
                    joined(joined({id_value(library)}, rows.take()), {portion}));
}

// Of `ids`, those that have nothing below them any more but extras.
core::Result<Found> childless(Session& session, const std::set<core::ItemId>& ids) {
    auto rows = bulk_ids(session.dialect(), ids);
    return read_ids(session,
                    "SELECT i.id, i.parent_id FROM items i WHERE " + rows.in("i.id") +
                        " AND NOT EXISTS (SELECT 1 FROM items c WHERE c.parent_id = i.id AND c.kind <> 'extra')",
                    rows.take());
}

// Extras go with what they belong to, though their files may be there still: without its row the next scan takes such a
// file for new and says what becomes of it.
core::Result<std::int64_t> remove_with_extras(Session& session, core::LibraryId library,
                                              const std::vector<core::ItemId>& ids) {
    auto owners = bulk_ids(session.dialect(), ids);
    auto extras = read_ids(
        session, "SELECT i.id, i.parent_id FROM items i WHERE i.kind = 'extra' AND " + owners.in("i.parent_id"),
        owners.take());
    if (!extras) return tl::unexpected(extras.error());
    if (!extras->ids.empty()) {
        auto rows = bulk_ids(session.dialect(), extras->ids);
        auto files = session.execute(
            "DELETE FROM files WHERE library_id = ? AND path IN (SELECT s.path FROM media_sources s WHERE " +
                rows.in("s.item_id") + ")",
            joined({id_value(library)}, rows.take()));
        if (!files) return files;
    }
    auto all = ids;
    const std::set<core::ItemId> named(ids.begin(), ids.end());
    std::ranges::copy_if(extras->ids, std::back_inserter(all), [&](const auto& id) { return !named.contains(id); });
    return delete_items(session, all);
}

core::Result<std::int64_t> remove_portion(Session& session, core::LibraryId library, bool& more) {
    const auto spans = proven_roots(session, library);
    if (!spans) return tl::unexpected(spans.error());
    more = false;
    if (spans->empty()) return 0;
    auto found = missing_items(session, library, *spans);
    if (!found) return tl::unexpected(found.error());
    std::int64_t count = 0;
    more = static_cast<std::int64_t>(found->ids.size()) == portion;
    // Seasons and albums that are now empty go too, and then series and artists.
    while (!found->ids.empty()) {
        const auto gone = remove_with_extras(session, library, found->ids);
        if (!gone) return gone;
        count += *gone;
        found = childless(session, found->parents);
        if (!found) return tl::unexpected(found.error());
    }
    auto rows = span_rows(session.dialect(), *spans);
    const auto files = session.execute(
        "DELETE FROM files WHERE library_id = ? AND available = 0 AND (item_id IS NULL OR NOT EXISTS "
        "(SELECT 1 FROM items i WHERE i.id = files.item_id)) AND EXISTS (SELECT 1 FROM " +
            rows.from() + " WHERE files.path >= r.low AND files.path < r.high)",
        joined({id_value(library)}, rows.take()));
    if (!files) return files;
    return count;
}

}  // namespace

core::Result<std::int64_t> SqlScanStore::remove_missing(core::LibraryId library) {
    std::int64_t removed = 0;
    for (bool more = true; more;) {
        std::int64_t count = 0;
        auto step = database_.with(Access::write, [&](Session& session) {
            session.set_limit(batch_limit);
            return session.transaction([&]() -> core::Result<void> {
                // The library's row orders this after a scan's batch in progress.
                auto locked = session.query("SELECT 1 FROM libraries WHERE id = ? {for_no_key_update}",
                                            {id_value(library)}, [](const Row&) {});
                if (!locked) return locked;
                auto portion_removed = remove_portion(session, library, more);
                if (!portion_removed) return tl::unexpected(portion_removed.error());
                count = *portion_removed;
                return {};
            });
        });
        if (!step) return tl::unexpected(step.error());
        removed += count;
    }
    return removed;
}

}  // namespace understudy::store::sql
