#include "store/sql/sql_library_store.h"

#include <string>
#include <utility>

#include "store/sql/item_rows.h"

namespace understudy::store::sql {
namespace {

// About 15 ms a portion on SQLite: as long as a scan's batch.
constexpr std::int64_t portion = 1'000;

core::Result<void> done(const core::Result<std::int64_t>& result) {
    if (!result) return tl::unexpected(result.error());
    return {};
}

Value optional_ms(const std::optional<core::Millis>& value) {
    if (!value) return Null{};
    return std::int64_t{value->count()};
}

core::Result<void> write_paths(Session& session, const model::Library& library) {
    auto gone = session.execute("DELETE FROM library_paths WHERE library_id = ?", {id_value(library.id)});
    if (!gone) return done(gone);
    std::int64_t position = 0;
    for (const auto& path : library.paths) {  // a handful
        auto added = session.execute("INSERT INTO library_paths (path, library_id, position) VALUES (?, ?, ?)",
                                     {Bytes{path}, id_value(library.id), position++});
        if (!added && added.error().code == core::Errc::conflict) {
            return core::fail(core::Errc::conflict, "library " + library.name + ": the path " + repaired(path) +
                                                        " is in use by a library already");
        }
        if (!added) return done(added);
    }
    return {};
}

core::Error name_taken(const model::Library& library) {
    return {core::Errc::conflict, "library name " + library.name + " is in use already (case does not count)"};
}

}  // namespace

core::Result<std::vector<model::Library>> SqlLibraryStore::all() {
    std::vector<model::Library> libraries;
    auto read = database_.with(Access::read, [&](Session& session) {
        libraries.clear();
        return session.snapshot([&]() -> core::Result<void> {
            libraries.clear();
            std::map<core::LibraryId, std::size_t> at;
            auto rows = session.query(
                "SELECT id, name, kind, options, remove_missing_after_ms, created_at_ms, scanned_at_ms FROM libraries "
                "WHERE removing = 0 ORDER BY name_key, id",
                {}, [&](const Row& row) {
                    model::Library library;
                    library.id = id_from_bytes<core::LibraryId>(row.bytes(0));
                    library.name = row.text(1);
                    library.kind = model::parse_library_kind(row.text(2)).value_or(model::LibraryKind::movies);
                    library.options = row.text(3);
                    if (!row.is_null(4)) library.remove_missing_after = core::Millis{row.integer(4)};
                    library.created_at = core::from_unix_ms(row.integer(5));
                    if (!row.is_null(6)) library.scanned_at = core::from_unix_ms(row.integer(6));
                    at[library.id] = libraries.size();
                    libraries.push_back(std::move(library));
                });
            if (!rows) return rows;
            return session.query("SELECT library_id, path FROM library_paths ORDER BY library_id, position", {},
                                 [&](const Row& row) {
                                     const auto found = at.find(id_from_bytes<core::LibraryId>(row.bytes(0)));
                                     if (found != at.end()) libraries[found->second].paths.push_back(row.bytes(1));
                                 });
        });
    });
    if (!read) return tl::unexpected(read.error());
    return libraries;
}

core::Result<void> SqlLibraryStore::add(const model::Library& library) {
    return database_.with(Access::write, [&](Session& session) {
        return session.transaction([&]() -> core::Result<void> {
            const auto scanned = library.scanned_at ? Value{core::to_unix_ms(*library.scanned_at)} : Value{Null{}};
            auto added = session.execute(
                "INSERT INTO libraries (id, name, name_key, kind, options, remove_missing_after_ms, created_at_ms, "
                "scanned_at_ms, removing) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)",
                {id_value(library.id), library.name, folder_.fold(library.name),
                 std::string(model::to_string(library.kind)), library.options,
                 optional_ms(library.remove_missing_after), core::to_unix_ms(library.created_at), scanned});
            if (!added && added.error().code == core::Errc::conflict) return tl::unexpected(name_taken(library));
            if (!added) return done(added);
            return write_paths(session, library);
        });
    });
}

core::Result<void> SqlLibraryStore::update(const model::Library& library) {
    return database_.with(Access::write, [&](Session& session) {
        return session.transaction([&]() -> core::Result<void> {
            auto updated = session.execute(
                "UPDATE libraries SET name = ?, name_key = ?, options = ?, "
                "remove_missing_after_ms = ? WHERE id = ? AND removing = 0",
                {library.name, folder_.fold(library.name), library.options, optional_ms(library.remove_missing_after),
                 id_value(library.id)});
            if (!updated && updated.error().code == core::Errc::conflict) return tl::unexpected(name_taken(library));
            if (!updated) return done(updated);
            if (*updated == 0) return core::fail(core::Errc::not_found, "there is no library " + library.id.str());
            return write_paths(session, library);
        });
    });
}

core::Result<void> SqlLibraryStore::remove(core::LibraryId id) {
    auto marked = database_.with(Access::write, [&](Session& session) {
        return session.transaction([&]() -> core::Result<void> {
            // The id in the place of the name: '/' is in no id, so the name is free and this key nobody else's.
            auto updated =
                session.execute("UPDATE libraries SET removing = 1, name_key = ? WHERE id = ? AND removing = 0",
                                {"/" + id.str(), id_value(id)});
            if (!updated) return done(updated);
            if (*updated == 0) return core::fail(core::Errc::not_found, "there is no library " + id.str());
            for (const char* table : {"library_paths", "library_roots"}) {
                auto gone =
                    session.execute("DELETE FROM " + std::string(table) + " WHERE library_id = ?", {id_value(id)});
                if (!gone) return done(gone);
            }
            return {};
        });
    });
    if (!marked) return marked;
    return empty_out(id);
}

core::Result<void> SqlLibraryStore::finish_removals() {
    std::vector<core::LibraryId> left;
    auto read = database_.with(Access::read, [&](Session& session) {
        return session.query("SELECT id FROM libraries WHERE removing = 1", {},
                             [&](const Row& row) { left.push_back(id_from_bytes<core::LibraryId>(row.bytes(0))); });
    });
    if (!read) return read;
    for (const auto& id : left) {
        if (auto emptied = empty_out(id); !emptied) return emptied;
    }
    return {};
}

// A scan cannot fill it again meanwhile: SqlScanStore looks at `removing` in its own transactions.
core::Result<void> SqlLibraryStore::empty_out(core::LibraryId id) {
    for (bool more = true; more;) {
        auto step = database_.with(Access::write, [&](Session& session) {
            session.set_limit(batch_limit);
            return session.transaction([&]() -> core::Result<void> {
                more = false;
                std::vector<core::ItemId> items;
                auto found =
                    session.query("SELECT id FROM items WHERE library_id = ? LIMIT ?", {id_value(id), portion},
                                  [&](const Row& row) { items.push_back(id_from_bytes<core::ItemId>(row.bytes(0))); });
                if (!found) return found;
                const auto gone = delete_items(session, items);
                if (!gone) return tl::unexpected(gone.error());
                more = static_cast<std::int64_t>(items.size()) == portion;
                for (const char* table : {"files", "directories", "scan_problems"}) {
                    auto rows = session.execute("DELETE FROM " + std::string(table) +
                                                    " WHERE library_id = ? AND path IN (SELECT path FROM " + table +
                                                    " WHERE library_id = ? LIMIT ?)",
                                                {id_value(id), id_value(id), portion});
                    if (!rows) return done(rows);
                    more = more || *rows == portion;
                }
                if (more) return {};
                return done(session.execute("DELETE FROM libraries WHERE id = ? AND removing = 1", {id_value(id)}));
            });
        });
        if (!step) return step;
    }
    return {};
}

core::Result<std::map<core::LibraryId, std::vector<model::RootState>>> SqlLibraryStore::roots() {
    std::map<core::LibraryId, std::vector<model::RootState>> roots;
    auto read = database_.with(Access::read, [&](Session& session) {
        return session.query(
            "SELECT library_id, path, online, reason, since_ms, device FROM library_roots "
            "ORDER BY library_id, path",
            {}, [&](const Row& row) {
                model::RootState root;
                root.path = row.bytes(1);
                root.online = row.integer(2) != 0;
                root.reason = row.text(3);
                root.since = core::from_unix_ms(row.integer(4));
                root.device = as_unsigned(row.integer(5));
                roots[id_from_bytes<core::LibraryId>(row.bytes(0))].push_back(std::move(root));
            });
    });
    if (!read) return tl::unexpected(read.error());
    return roots;
}

}  // namespace understudy::store::sql
