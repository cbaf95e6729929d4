#include "store/sql/sql_scan_store.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "store/sql/description_rows.h"
#include "store/sql/item_rows.h"

namespace understudy::store::sql {
namespace {

using Type = ColumnType;

// About a megabyte of files a page.
constexpr std::int64_t page = 4'000;
constexpr std::size_t load_at_once = 1'000;

core::Result<void> done(const core::Result<std::int64_t>& result) {
    if (!result) return tl::unexpected(result.error());
    return {};
}

// Reads `columns` of a table keyed by (library_id, path), in the order of paths; `read` makes a value of a row and
// `path_of` says where it stands.
template <class Stored>
core::Result<void> stream_by_path(Database& database, core::LibraryId library, const std::string& columns,
                                  const std::string& table, const std::function<Stored(const Row&)>& read,
                                  const std::function<const std::string&(const Stored&)>& path_of,
                                  const std::function<void(Stored&&)>& each) {
    const auto sql =
        "SELECT " + columns + " FROM " + table + " WHERE library_id = ? AND path > ? ORDER BY path LIMIT ?";
    std::string last;  // no path is empty
    for (;;) {
        std::vector<Stored> rows;
        rows.reserve(64);
        auto got = database.with(Access::read, [&](Session& session) {
            return session.query(sql, {id_value(library), Bytes{last}, page},
                                 [&](const Row& row) { rows.push_back(read(row)); });
        });
        if (!got) return got;
        if (rows.empty()) return {};
        const bool more = static_cast<std::int64_t>(rows.size()) == page;
        last = path_of(rows.back());
        for (auto& row : rows) each(std::move(row));
        if (!more) return {};
    }
}

core::Result<void> write_files(Session& session, core::LibraryId library, const std::vector<StoredFile>& files) {
    if (files.empty()) return {};
    BulkRows rows(session.dialect(), {{"path", Type::bytes},
                                      {"size_bytes", Type::integer},
                                      {"mtime_ns", Type::integer},
                                      {"inode", Type::integer},
                                      {"device", Type::integer},
                                      {"item_id", Type::bytes},
                                      {"content_sample", Type::text},
                                      {"available", Type::integer},
                                      {"failure", Type::text},
                                      {"failed_since_ms", Type::integer}});
    std::unordered_map<std::string_view, std::size_t> last;
    for (std::size_t i = 0; i < files.size(); ++i) last[files[i].file.path] = i;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const auto& file = files[i];
        if (last[file.file.path] != i) continue;
        rows.bytes(file.file.path).integer(file.file.size_bytes).integer(file.file.mtime_ns);
        rows.integer(as_signed(file.file.inode)).integer(as_signed(file.file.device)).id(file.item);
        rows.text(file.content_sample).flag(file.available).text(file.failure);
        rows.integer(core::to_unix_ms(file.failed_since));
    }
    const std::string names =
        "path, size_bytes, mtime_ns, inode, device, item_id, content_sample, available, failure, "
        "failed_since_ms";
    std::vector<Value> values{id_value(library)};
    auto more = rows.take();
    std::move(more.begin(), more.end(), std::back_inserter(values));
    return done(session.execute(
        "INSERT INTO files (library_id, " + names + ") SELECT CAST(? AS {bytes}), " + names + " FROM " + rows.from() +
            " WHERE true ON CONFLICT (library_id, path) DO UPDATE SET size_bytes = excluded.size_bytes, mtime_ns = "
            "excluded.mtime_ns, inode = excluded.inode, device = excluded.device, item_id = excluded.item_id, "
            "content_sample = excluded.content_sample, available = excluded.available, failure = excluded.failure, "
            "failed_since_ms = excluded.failed_since_ms",
        values));
}

core::Result<void> write_directories(Session& session, core::LibraryId library,
                                     const std::vector<StoredDirectory>& directories) {
    if (directories.empty()) return {};
    BulkRows rows(session.dialect(), {{"path", Type::bytes}, {"device", Type::integer}, {"entries", Type::integer}});
    std::unordered_map<std::string_view, std::size_t> last;
    for (std::size_t i = 0; i < directories.size(); ++i) last[directories[i].path] = i;
    for (std::size_t i = 0; i < directories.size(); ++i) {
        const auto& directory = directories[i];
        if (last[directory.path] != i) continue;
        rows.bytes(directory.path).integer(as_signed(directory.device)).integer(directory.entries);
    }
    std::vector<Value> values{id_value(library)};
    auto more = rows.take();
    std::move(more.begin(), more.end(), std::back_inserter(values));
    return done(
        session.execute("INSERT INTO directories (library_id, path, device, entries) SELECT CAST(? AS {bytes}), "
                        "path, device, entries FROM " +
                            rows.from() +
                            " WHERE true ON CONFLICT (library_id, path) DO UPDATE SET device = excluded.device, "
                            "entries = excluded.entries",
                        values));
}

core::Result<void> write_problems(Session& session, core::LibraryId library,
                                  const std::vector<StoredProblem>& problems) {
    if (problems.empty()) return {};
    BulkRows rows(session.dialect(), {{"path", Type::bytes}, {"reason", Type::text}, {"since_ms", Type::integer}});
    std::unordered_map<std::string_view, std::size_t> last;
    for (std::size_t i = 0; i < problems.size(); ++i) last[problems[i].path] = i;
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const auto& problem = problems[i];
        if (last[problem.path] != i) continue;
        rows.bytes(problem.path).text(problem.reason).integer(core::to_unix_ms(problem.since));
    }
    std::vector<Value> values{id_value(library)};
    auto more = rows.take();
    std::move(more.begin(), more.end(), std::back_inserter(values));
    return done(session.execute(
        "INSERT INTO scan_problems (library_id, path, reason, since_ms) SELECT CAST(? AS {bytes}), path, reason, "
        "since_ms FROM " +
            rows.from() +
            " WHERE true ON CONFLICT (library_id, path) DO UPDATE SET reason = excluded.reason, since_ms = "
            "excluded.since_ms",
        values));
}

// `sql` ends before the condition on the path: "… WHERE library_id = ? AND ".
core::Result<void> for_paths(Session& session, const std::string& sql, std::vector<Value> values,
                             const std::vector<std::string>& paths) {
    if (paths.empty()) return {};
    auto rows = bulk_paths(session.dialect(), paths);
    auto more = rows.take();
    std::move(more.begin(), more.end(), std::back_inserter(values));
    return done(session.execute(sql + rows.in("path"), values));
}

core::Result<void> mark_items(Session& session, const std::vector<core::ItemId>& ids, bool available) {
    if (ids.empty()) return {};
    auto rows = bulk_ids(session.dialect(), ids);
    std::vector<Value> values{std::int64_t{available ? 1 : 0}, std::int64_t{available ? 1 : 0}};
    auto more = rows.take();
    std::move(more.begin(), more.end(), std::back_inserter(values));
    return done(session.execute("UPDATE items SET available = ? WHERE available <> ? AND " + rows.in("id"), values));
}

core::Result<void> write_roots(Session& session, core::LibraryId library, const std::vector<model::RootState>& roots) {
    auto gone = session.execute("DELETE FROM library_roots WHERE library_id = ?", {id_value(library)});
    if (!gone) return done(gone);
    for (const auto& root : roots) {  // a handful
        auto added = session.execute(
            "INSERT INTO library_roots (library_id, path, online, reason, since_ms, device) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            {id_value(library), Bytes{root.path}, std::int64_t{root.online ? 1 : 0}, repaired(root.reason),
             core::to_unix_ms(root.since), as_signed(root.device)});
        if (!added) return done(added);
    }
    return {};
}

// Locks the library's row against its removal for the rest of the transaction.
core::Result<void> hold_library(Session& session, core::LibraryId library) {
    bool there = false;
    auto looked = session.query("SELECT removing FROM libraries WHERE id = ? {for_no_key_update}", {id_value(library)},
                                [&](const Row& row) { there = row.integer(0) == 0; });
    if (!looked) return looked;
    if (!there) return core::fail(core::Errc::not_found, "library " + library.str() + " was removed");
    return {};
}

// All statements of a batch look rows up by their keys. Before the first ANALYZE of a table that grows PostgreSQL takes
// it for small and reads the whole of it to delete what 500 items had: a fifth to a quarter of the server's time at
// 20,000 items, more with each batch.
core::Result<void> go_by_keys(Session& session) {
    if (session.dialect() != Dialect::postgresql) return {};
    return done(session.execute("SET LOCAL enable_seqscan = off"));
}

core::Result<void> write_batch(Session& session, const ScanBatch& batch, const core::CaseFolder& folder) {
    const auto library = id_value(batch.library);
    if (auto step = write_items(session, batch.upsert_items, folder); !step) return step;
    if (auto step = write_files(session, batch.library, batch.upsert_files); !step) return step;
    if (auto step = write_directories(session, batch.library, batch.upsert_directories); !step) return step;
    if (auto step = for_paths(session, "DELETE FROM files WHERE library_id = ? AND ", {library}, batch.remove_files);
        !step) {
        return step;
    }
    if (auto step = for_paths(session, "DELETE FROM directories WHERE library_id = ? AND ", {library},
                              batch.remove_directories);
        !step) {
        return step;
    }
    if (auto step = write_problems(session, batch.library, batch.upsert_problems); !step) return step;
    if (auto step =
            for_paths(session, "DELETE FROM scan_problems WHERE library_id = ? AND ", {library}, batch.remove_problems);
        !step) {
        return step;
    }
    if (auto step = delete_items(session, batch.remove_items); !step) return done(step);
    if (auto step = mark_items(session, batch.mark_available, true); !step) return step;
    if (auto step = mark_items(session, batch.mark_unavailable, false); !step) return step;
    for (const bool available : {true, false}) {
        const auto flag = std::int64_t{available ? 1 : 0};
        auto step = for_paths(session, "UPDATE files SET available = ? WHERE library_id = ? AND ", {flag, library},
                              available ? batch.files_available : batch.files_unavailable);
        if (!step) return step;
    }
    if (batch.roots) {
        if (auto step = write_roots(session, batch.library, *batch.roots); !step) return step;
    }
    if (batch.scanned_at) {
        return done(session.execute("UPDATE libraries SET scanned_at_ms = ? WHERE id = ?",
                                    {core::to_unix_ms(*batch.scanned_at), library}));
    }
    return {};
}

}  // namespace

core::Result<void> SqlScanStore::files(core::LibraryId library, const std::function<void(StoredFile&&)>& each) {
    return stream_by_path<StoredFile>(
        database_, library,
        "path, size_bytes, mtime_ns, inode, device, item_id, content_sample, available, failure, failed_since_ms",
        "files",
        [](const Row& row) {
            StoredFile file;
            file.file.path = row.bytes(0);
            file.file.size_bytes = row.integer(1);
            file.file.mtime_ns = row.integer(2);
            file.file.inode = as_unsigned(row.integer(3));
            file.file.device = as_unsigned(row.integer(4));
            file.item = id_from_bytes<core::ItemId>(row.bytes(5));
            file.content_sample = row.text(6);
            file.available = row.integer(7) != 0;
            file.failure = row.text(8);
            file.failed_since = core::from_unix_ms(row.integer(9));
            return file;
        },
        [](const StoredFile& file) -> const std::string& { return file.file.path; }, each);
}

core::Result<void> SqlScanStore::directories(core::LibraryId library,
                                             const std::function<void(StoredDirectory&&)>& each) {
    return stream_by_path<StoredDirectory>(
        database_, library, "path, device, entries", "directories",
        [](const Row& row) {
            return StoredDirectory{row.bytes(0), as_unsigned(row.integer(1)), row.integer(2)};
        },
        [](const StoredDirectory& directory) -> const std::string& { return directory.path; }, each);
}

core::Result<void> SqlScanStore::problems(core::LibraryId library, const std::function<void(StoredProblem&&)>& each) {
    return stream_by_path<StoredProblem>(
        database_, library, "path, reason, since_ms", "scan_problems",
        [](const Row& row) {
            return StoredProblem{row.bytes(0), row.text(1), core::from_unix_ms(row.integer(2))};
        },
        [](const StoredProblem& problem) -> const std::string& { return problem.path; }, each);
}

core::Result<void> SqlScanStore::items(core::LibraryId library, const std::function<void(StoredItem&&)>& each) {
    // In the order of the index items_by_library.
    std::string kind, sort_key, id;
    for (;;) {
        std::vector<StoredItem> rows;
        auto got = database_.with(Access::read, [&](Session& session) {
            return session.query(
                "SELECT id, kind, parent_id, original_key, name, available, sort_key, folder FROM items "
                "WHERE library_id = ? AND (kind, sort_key, id) > (?, ?, ?) "
                "ORDER BY kind, sort_key, id LIMIT ?",
                {id_value(library), kind, sort_key, Bytes{id}, page}, [&](const Row& row) {
                    StoredItem item;
                    id = row.bytes(0);
                    kind = row.text(1);
                    item.id = id_from_bytes<core::ItemId>(id);
                    item.kind = model::parse_item_kind(kind).value_or(model::ItemKind::movie);
                    item.parent = id_from_bytes<core::ItemId>(row.bytes(2));
                    item.original_key = row.bytes(3);
                    item.name = row.text(4);
                    item.available = row.integer(5) != 0;
                    sort_key = row.text(6);
                    item.folder = row.bytes(7);
                    rows.push_back(std::move(item));
                });
        });
        if (!got) return got;
        const bool more = static_cast<std::int64_t>(rows.size()) == page;
        for (auto& row : rows) each(std::move(row));
        if (!more) return {};
    }
}

core::Result<std::map<std::string, core::ItemId>> SqlScanStore::items_at(const std::vector<std::string>& paths) {
    std::map<std::string, core::ItemId> found;
    if (paths.empty()) return found;
    auto got = database_.with(Access::read, [&](Session& session) {
        found.clear();
        auto rows = bulk_paths(session.dialect(), paths);
        return session.query(
            "SELECT path, item_id FROM files WHERE library_id IN (SELECT id FROM libraries WHERE "
            "removing = 0) AND item_id IS NOT NULL AND " +
                rows.in("path") + " ORDER BY library_id",
            rows.take(),
            [&](const Row& row) { found.emplace(row.bytes(0), id_from_bytes<core::ItemId>(row.bytes(1))); });
    });
    if (!got) return tl::unexpected(got.error());
    return found;
}

core::Result<std::vector<model::Item>> SqlScanStore::load(const std::vector<core::ItemId>& ids) {
    std::vector<model::Item> items;
    for (std::size_t from = 0; from < ids.size(); from += load_at_once) {
        const std::vector<core::ItemId> part(
            ids.begin() + static_cast<std::ptrdiff_t>(from),
            ids.begin() + static_cast<std::ptrdiff_t>(std::min(ids.size(), from + load_at_once)));
        std::unordered_map<core::ItemId, model::Item> found;
        std::unordered_map<core::ItemId, std::int64_t> bits;
        auto got = database_.with(Access::read, [&](Session& session) {
            return session.snapshot([&]() -> core::Result<void> {
                found.clear();
                auto rows = bulk_ids(session.dialect(), part);
                auto read =
                    session.query("SELECT " + std::string(item_columns()) + " FROM items i WHERE " + rows.in("i.id"),
                                  rows.take(), [&](const Row& row) {
                                      auto item = read_item(row);
                                      bits[item.id] = read_beside(row);
                                      found.emplace(item.id, std::move(item));
                                  });
                if (!read) return read;
                std::vector<model::Item*> all;
                std::vector<ReadItem> read_items;
                all.reserve(found.size());
                for (auto& [id, item] : found) {
                    all.push_back(&item);
                    read_items.push_back({&item, bits[id]});
                }
                if (auto step = load_sources(session, all); !step) return step;
                if (auto step = load_external(session, read_items); !step) return step;
                if (auto step = load_descriptions(session, read_items); !step) return step;
                return load_images(session, read_items);
            });
        });
        if (!got) return tl::unexpected(got.error());
        for (const auto& id : part) {  // as they were asked for
            const auto at = found.find(id);
            if (at == found.end()) continue;
            items.push_back(std::move(at->second));
            found.erase(at);
        }
    }
    return items;
}

core::Result<void> SqlScanStore::apply(const ScanBatch& batch, const core::Fence& fence) {
    return database_.with(Access::write, [&](Session& session) {
        session.set_limit(batch_limit);
        return session.transaction([&]() -> core::Result<void> {
            if (auto passed = pass_fence(session, fence); !passed) return passed;
            if (auto held = hold_library(session, batch.library); !held) return held;
            if (auto set = go_by_keys(session); !set) return set;
            return write_batch(session, batch, folder_);
        });
    });
}

}  // namespace understudy::store::sql
