#include "store/sql/sql_collections.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "core/search_fold.h"
#include "store/sql/blob_value.h"
#include "store/sql/catalog_filters.h"
#include "store/sql/given_content.h"
#include "store/sql/item_rows.h"
#include "store/sql/member_rows.h"
#include "store/sql/statement.h"
#include "store/sql/table_walk.h"

namespace understudy::store::sql {
namespace {

model::Item item_of(const Collection& collection) {
    model::Item item;
    item.id = collection.id;
    item.kind = collection.kind;
    item.library = collections_library;
    item.name = collection.name;
    item.sort_name = collection.sort_name.empty() ? collection.name : collection.sort_name;
    item.original_key = collection.origin;
    item.created_at = collection.created_at;
    return item;
}

Value bytes_or_null(const std::string& bytes) {
    if (bytes.empty()) return Null{};
    return Bytes{bytes};
}

// Those not in `there` yet, each once: for box sets.
std::vector<core::ItemId> each_once(const std::vector<core::ItemId>& items, const std::vector<MemberRow>& there) {
    std::unordered_set<core::ItemId> seen;
    for (const auto& member : there) seen.insert(member.item);
    std::vector<core::ItemId> once;
    for (const auto& item : items) {
        if (seen.insert(item).second) once.push_back(item);
    }
    return once;
}

core::Result<void> insert_collection(Session& session, const Collection& collection, const core::CaseFolder& folder) {
    auto added = session.execute(
        "INSERT INTO collections (item_id, owner_id, is_public, origin, origin_library_id) VALUES (?, ?, ?, ?, ?)",
        {id_value(collection.id), id_value(collection.owner), std::int64_t{collection.is_public ? 1 : 0},
         bytes_or_null(collection.origin), id_value(collection.origin_library)});
    if (!added && added.error().code == core::Errc::conflict) {
        return core::fail(core::Errc::conflict, "the collection " + collection.id.str() + " is there already");
    }
    if (!added) return uncounted(added);
    return write_items(session, {item_of(collection)}, folder);
}

core::Result<void> remove_collections(Session& session, const std::vector<core::ItemId>& ids) {
    if (ids.empty()) return {};
    for (const auto& [table, column] :
         {std::pair{"collection_members", "collection_id"}, std::pair{"collections", "item_id"}}) {
        auto rows = bulk_ids(session.dialect(), ids);
        auto gone = Statement{}.add_in("DELETE FROM " + std::string(table) + " WHERE ", column, rows).execute(session);
        if (!gone) return uncounted(gone);
    }
    return uncounted(delete_items(session, ids));
}

core::Result<std::map<std::string, core::ItemId>> origins_of(Session& session, core::LibraryId library, bool lock) {
    std::map<std::string, core::ItemId> origins;
    auto read = session.query(
        std::string("SELECT origin, item_id FROM collections WHERE origin IS NOT NULL AND origin_library_id = ?") +
            (lock ? " {for_update}" : ""),
        {id_value(library)},
        [&](const Row& row) { origins[row.bytes(0)] = id_from_bytes<core::ItemId>(row.bytes(1)); });
    if (!read) return tl::unexpected(read.error());
    return origins;
}

bool same_items(const std::vector<MemberRow>& a, const std::vector<MemberRow>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto& x, const auto& y) { return x.item == y.item; });
}

struct FoundState {
    core::LibraryId library;
    std::map<std::string, core::ItemId> origins;
    std::int64_t now_ms = 0;
};

// True: something changed.
core::Result<bool> put_one(Session& session, const FoundCollection& found, FoundState& state, core::Random& random,
                           const core::CaseFolder& folder) {
    const auto at = state.origins.find(found.origin);
    const bool is_new = at == state.origins.end();
    const auto id = is_new ? found.new_id : at->second;
    std::vector<MemberRow> stored;
    if (is_new) {
        Collection made;
        made.id = id;
        made.kind = found.kind;
        made.name = found.name;
        made.origin = found.origin;
        made.origin_library = state.library;
        made.created_at = core::from_unix_ms(state.now_ms);
        if (auto inserted = insert_collection(session, made, folder); !inserted) {
            return tl::unexpected(inserted.error());
        }
        state.origins[found.origin] = id;
    } else {
        auto members = read_members(session, id);
        if (!members) return tl::unexpected(members.error());
        stored = std::move(*members);
    }
    const auto wanted = found.kind == model::ItemKind::box_set ? each_once(found.items, {}) : found.items;
    const auto entries = make_entries(session, wanted, random);
    if (!entries) return tl::unexpected(entries.error());
    if (same_items(stored, *entries)) return is_new;
    if (auto done = replace_members(session, id, *entries); !done) return tl::unexpected(done.error());
    return true;
}

}  // namespace

core::Result<void> SqlCollections::edit(core::ItemId id,
                                        const std::function<core::Result<void>(Session&, model::ItemKind)>& work) {
    return database_.with(Access::write, [&](Session& session) {
        session.set_limit(batch_limit);
        return session.transaction([&]() -> core::Result<void> {
            std::optional<model::ItemKind> kind;
            auto locked = session.query("SELECT item_id FROM collections WHERE item_id = ? {for_update}",
                                        {id_value(id)}, [&](const Row&) { kind = model::ItemKind::playlist; });
            if (!locked) return locked;
            if (!kind) return core::fail(core::Errc::not_found, "there is no collection " + id.str());
            auto read = session.query("SELECT kind FROM items WHERE id = ?", {id_value(id)}, [&](const Row& row) {
                kind = model::parse_item_kind(row.text(0)).value_or(model::ItemKind::playlist);
            });
            if (!read) return read;
            return work(session, *kind);
        });
    });
}

core::Result<void> SqlCollections::set_picture(core::ItemId id, const std::optional<Cover>& picture) {
    return edit(id, [&](Session& session, model::ItemKind) -> core::Result<void> {
        if (!picture) return uncounted(session.execute("DELETE FROM item_covers WHERE item_id = ?", {id_value(id)}));
        // Among the pictures of files, as one of a content that no file has (see sql_analyses.cpp).
        const auto content = std::string(given_content) + picture->blob.str();
        auto kept = session.execute(
            "INSERT INTO covers (content_sample, mtime_ns, blob, size_bytes, width, height) VALUES (?, 0, ?, ?, ?, ?) "
            "ON "
            "CONFLICT (content_sample, mtime_ns) DO NOTHING",
            {content, blob_value(picture->blob), picture->size_bytes, std::int64_t{picture->width},
             std::int64_t{picture->height}});
        if (!kept) return uncounted(kept);
        return uncounted(
            session.execute("INSERT INTO item_covers (item_id, content_sample, mtime_ns) VALUES (?, ?, 0) ON CONFLICT "
                            "(item_id) DO UPDATE "
                            "SET content_sample = excluded.content_sample, mtime_ns = excluded.mtime_ns",
                            {id_value(id), content}));
    });
}

core::Result<void> SqlCollections::create(const Collection& collection, const std::vector<core::ItemId>& items) {
    return database_.with(Access::write, [&](Session& session) {
        session.set_limit(batch_limit);
        return session.transaction([&]() -> core::Result<void> {
            if (auto inserted = insert_collection(session, collection, folder_); !inserted) return inserted;
            const bool once = collection.kind == model::ItemKind::box_set;
            const auto entries = make_entries(session, once ? each_once(items, {}) : items, random_);
            if (!entries) return tl::unexpected(entries.error());
            if (auto free = refuse_loops(session, collection.id, *entries); !free) return free;
            return replace_members(session, collection.id, *entries);
        });
    });
}

core::Result<void> SqlCollections::update(const Collection& collection) {
    return edit(collection.id, [&](Session& session, model::ItemKind) -> core::Result<void> {
        auto updated = session.execute(
            "UPDATE collections SET owner_id = ?, is_public = ? WHERE item_id = ?",
            {id_value(collection.owner), std::int64_t{collection.is_public ? 1 : 0}, id_value(collection.id)});
        if (!updated) return uncounted(updated);
        const auto item = item_of(collection);
        return uncounted(
            session.execute("UPDATE items SET name = ?, sort_name = ?, name_key = ?, sort_key = ? WHERE id = ?",
                            {repaired(item.name), repaired(item.sort_name), core::search_fold(item.name),
                             core::search_fold(item.sort_name), id_value(item.id)}));
    });
}

core::Result<void> SqlCollections::remove(core::ItemId id) {
    return edit(id, [&](Session& session, model::ItemKind) { return remove_collections(session, {id}); });
}

core::Result<std::vector<Collection>> SqlCollections::read(const std::string& where, const std::vector<Value>& values) {
    std::vector<Collection> collections;
    auto got = database_.with(Access::read, [&](Session& session) {
        collections.clear();
        return session.query(
            "SELECT c.item_id, i.kind, i.name, i.sort_name, c.owner_id, c.is_public, c.origin, c.origin_library_id, "
            "i.created_at_ms, (SELECT count(*) FROM collection_members m WHERE m.collection_id = c.item_id) FROM "
            "collections c JOIN items i ON i.id = c.item_id" +
                where + " ORDER BY i.sort_key, c.item_id",
            values, [&](const Row& row) {
                Collection one;
                one.id = id_from_bytes<core::ItemId>(row.bytes(0));
                one.kind = model::parse_item_kind(row.text(1)).value_or(model::ItemKind::playlist);
                one.name = row.text(2);
                one.sort_name = row.text(3);
                one.owner = id_from_bytes<core::UserId>(row.bytes(4));
                one.is_public = row.integer(5) != 0;
                one.origin = row.bytes(6);
                one.origin_library = id_from_bytes<core::LibraryId>(row.bytes(7));
                one.created_at = core::from_unix_ms(row.integer(8));
                one.members = row.integer(9);
                collections.push_back(std::move(one));
            });
    });
    if (!got) return tl::unexpected(got.error());
    return collections;
}

core::Result<std::optional<Collection>> SqlCollections::find(core::ItemId id) {
    auto found = read(" WHERE c.item_id = ?", {id_value(id)});
    if (!found) return tl::unexpected(found.error());
    return found->empty() ? std::optional<Collection>{} : std::optional<Collection>(std::move(found->front()));
}

core::Result<std::vector<Collection>> SqlCollections::all(std::optional<model::ItemKind> kind) {
    if (!kind) return read("", {});
    return read(" WHERE i.kind = ?", {std::string(model::to_string(*kind))});
}

core::Result<std::vector<Member>> SqlCollections::members(core::ItemId id, std::size_t start_index, std::size_t limit,
                                                          const std::optional<Viewer>& viewer) {
    std::vector<Member> members;
    auto got = database_.with(Access::read, [&](Session& session) -> core::Result<void> {
        members.clear();
        bool there = false;
        auto looked = session.query("SELECT 1 FROM collections WHERE item_id = ?", {id_value(id)},
                                    [&](const Row&) { there = true; });
        if (!looked) return looked;
        if (!there) return core::fail(core::Errc::not_found, "there is no collection " + id.str());
        constexpr std::int64_t all_of_them = std::int64_t{1} << 62U;
        return session.query(
            "SELECT m.entry_id, m.item_id, m.library_id, CASE WHEN i.id IS NULL THEN 0 ELSE 1 END FROM "
            "collection_members m LEFT JOIN items i ON "
            "i.id = m.item_id WHERE m.collection_id = ?" +
                viewer_conditions(viewer, "i") + " ORDER BY m.position LIMIT ? OFFSET ?",
            {id_value(id), limit == 0 ? all_of_them : static_cast<std::int64_t>(limit),
             static_cast<std::int64_t>(start_index)},
            [&](const Row& row) {
                members.push_back({id_from_bytes<core::EntryId>(row.bytes(0)),
                                   id_from_bytes<core::ItemId>(row.bytes(1)),
                                   id_from_bytes<core::LibraryId>(row.bytes(2)), row.integer(3) != 0});
            });
    });
    if (!got) return tl::unexpected(got.error());
    return members;
}

core::Result<std::int64_t> SqlCollections::add(core::ItemId id, const std::vector<core::ItemId>& items,
                                               std::optional<std::size_t> index) {
    std::int64_t count = 0;
    auto done = edit(id, [&](Session& session, model::ItemKind kind) -> core::Result<void> {
        auto wanted = items;
        if (kind == model::ItemKind::box_set) {
            const auto stored = read_members(session, id);
            if (!stored) return tl::unexpected(stored.error());
            wanted = each_once(items, *stored);
        }
        const auto entries = make_entries(session, wanted, random_);
        if (!entries) return tl::unexpected(entries.error());
        if (auto free = refuse_loops(session, id, *entries); !free) return free;
        count = static_cast<std::int64_t>(entries->size());
        return insert_members(session, id, *entries, index);
    });
    if (!done) return tl::unexpected(done.error());
    return count;
}

core::Result<void> SqlCollections::replace(core::ItemId id, const std::vector<core::ItemId>& items) {
    return edit(id, [&](Session& session, model::ItemKind kind) -> core::Result<void> {
        const auto wanted = kind == model::ItemKind::box_set ? each_once(items, {}) : items;
        const auto entries = make_entries(session, wanted, random_);
        if (!entries) return tl::unexpected(entries.error());
        if (auto free = refuse_loops(session, id, *entries); !free) return free;
        return replace_members(session, id, *entries);
    });
}

core::Result<std::int64_t> SqlCollections::remove_entries(core::ItemId id, const std::vector<core::EntryId>& entries) {
    std::int64_t count = 0;
    auto done = edit(id, [&](Session& session, model::ItemKind) -> core::Result<void> {
        auto rows = bulk_ids(session.dialect(), entries);
        Statement remove;
        remove.add("DELETE FROM collection_members WHERE collection_id = ?", {id_value(id)});
        const auto gone = remove.add_in(" AND ", "entry_id", rows).execute(session);
        count = gone.value_or(0);
        return uncounted(gone);
    });
    if (!done) return tl::unexpected(done.error());
    return count;
}

core::Result<std::int64_t> SqlCollections::remove_items(core::ItemId id, const std::vector<core::ItemId>& items) {
    std::int64_t count = 0;
    auto done = edit(id, [&](Session& session, model::ItemKind) -> core::Result<void> {
        auto rows = bulk_ids(session.dialect(), items);
        Statement remove;
        remove.add("DELETE FROM collection_members WHERE collection_id = ?", {id_value(id)});
        const auto gone = remove.add_in(" AND ", "item_id", rows).execute(session);
        count = gone.value_or(0);
        return uncounted(gone);
    });
    if (!done) return tl::unexpected(done.error());
    return count;
}

core::Result<void> SqlCollections::move(core::ItemId id, core::EntryId entry, std::size_t index) {
    return edit(id, [&](Session& session, model::ItemKind) { return move_member(session, id, entry, index); });
}

core::Result<std::int64_t> SqlCollections::put_found(core::LibraryId library, const std::vector<FoundCollection>& found,
                                                     const core::Fence& fence) {
    std::int64_t count = 0;
    auto written = write_under(database_, fence, [&](Session& session) -> core::Result<void> {
        count = 0;
        FoundState state{library};
        auto origins = origins_of(session, library, true);
        if (!origins) return tl::unexpected(origins.error());
        state.origins = std::move(*origins);
        auto now = session.query("SELECT {now_ms}", {}, [&](const Row& row) { state.now_ms = row.integer(0); });
        if (!now) return now;
        for (const auto& one : found) {
            const auto changed = put_one(session, one, state, random_, folder_);
            if (!changed) return tl::unexpected(changed.error());
            if (*changed) ++count;
        }
        return {};
    });
    if (!written) return tl::unexpected(written.error());
    return count;
}

core::Result<std::map<std::string, core::ItemId>> SqlCollections::origins(core::LibraryId library) {
    std::map<std::string, core::ItemId> found;
    auto got = database_.with(Access::read, [&](Session& session) -> core::Result<void> {
        auto origins = origins_of(session, library, false);
        if (!origins) return tl::unexpected(origins.error());
        found = std::move(*origins);
        return {};
    });
    if (!got) return tl::unexpected(got.error());
    return found;
}

core::Result<std::int64_t> SqlCollections::remove_found(core::LibraryId library, const std::vector<std::string>& gone,
                                                        const core::Fence& fence) {
    std::int64_t count = 0;
    auto written = write_under(database_, fence, [&](Session& session) -> core::Result<void> {
        const auto origins = origins_of(session, library, true);
        if (!origins) return tl::unexpected(origins.error());
        std::vector<core::ItemId> ids;
        for (const auto& origin : gone) {
            if (const auto at = origins->find(origin); at != origins->end()) ids.push_back(at->second);
        }
        count = static_cast<std::int64_t>(ids.size());
        return remove_collections(session, ids);
    });
    if (!written) return tl::unexpected(written.error());
    return count;
}

core::Result<CleanStep> SqlCollections::drop_gone_members(const std::string& cursor,
                                                          const std::vector<core::LibraryId>& away,
                                                          const core::Fence& fence) {
    // Without a root that was seen online nothing is proven: a library that was never scanned counts as offline.
    std::string gone =
        "NOT EXISTS (SELECT 1 FROM items i WHERE i.id = t.item_id) AND (NOT EXISTS (SELECT 1 FROM libraries l WHERE "
        "l.id = t.library_id AND l.removing = 0) OR (EXISTS (SELECT 1 FROM library_roots r WHERE r.library_id = "
        "t.library_id) AND NOT EXISTS (SELECT 1 FROM library_roots r WHERE r.library_id = t.library_id AND r.online = "
        "0)))";
    for (const auto& library : away) {  // a household has a handful
        gone += " AND t.library_id <> decode('" + core::id_to_hex(library.bytes()) + "', 'hex')";
    }
    const std::vector<WalkedTable> tables{{"collection_members",
                                           {{"collection_id", ColumnType::bytes}, {"position", ColumnType::integer}},
                                           std::move(gone),
                                           false,
                                           25'000}};
    return walk_step(database_, tables, cursor, fence);
}

}  // namespace understudy::store::sql
