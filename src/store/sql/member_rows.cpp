#include "store/sql/member_rows.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "store/collections.h"
#include "store/sql/item_rows.h"
#include "store/sql/statement.h"

namespace understudy::store::sql {
namespace {

// Between two members: 20 inserts at the same place, or a million at once, until the rows are numbered anew.
constexpr std::int64_t gap = std::int64_t{1} << 20U;

// Of PostgreSQL's advisory locks, held by who puts collections into collections ("nesting" in ASCII).
constexpr std::int64_t nesting_lock = 0x6e6573'74696e67;

core::Result<void> write(Session& session, core::ItemId collection, const std::vector<MemberRow>& members,
                         std::int64_t first, std::int64_t step) {
    if (members.empty()) return {};
    BulkRows rows(session.dialect(), {{"position", ColumnType::integer},
                                      {"entry_id", ColumnType::bytes},
                                      {"item_id", ColumnType::bytes},
                                      {"library_id", ColumnType::bytes}});
    auto position = first;
    for (const auto& member : members) {
        rows.integer(position).id(member.entry).id(member.item).id(member.library);
        position += step;
    }
    Statement insert;
    insert.add(
        "INSERT INTO collection_members (collection_id, position, entry_id, item_id, library_id) SELECT CAST(? AS "
        "{bytes}), position, entry_id, item_id, library_id FROM ",
        {id_value(collection)});
    return uncounted(insert.add_from("", rows).execute(session));
}

// Where `count` rows fit before the `index`th, leaving out `without`: the first position and the step; nullopt: no
// room.
struct Room {
    std::int64_t first = 0, step = gap;
};
core::Result<std::optional<Room>> room_before(Session& session, core::ItemId collection,
                                              std::optional<std::size_t> index, std::size_t count,
                                              core::EntryId without) {
    std::optional<std::int64_t> before, after;
    const auto id = id_value(collection);
    const auto other = Bytes{std::string(reinterpret_cast<const char*>(without.bytes().data()), 16)};
    if (index) {
        const std::int64_t skipped = *index == 0 ? 0 : static_cast<std::int64_t>(*index) - 1;
        std::vector<std::int64_t> near;
        auto read = session.query(
            "SELECT position FROM collection_members WHERE collection_id = ? AND entry_id <> ? ORDER BY position LIMIT "
            "2 "
            "OFFSET ?",
            {id, other, skipped}, [&](const Row& row) { near.push_back(row.integer(0)); });
        if (!read) return tl::unexpected(read.error());
        if (*index == 0) {
            if (!near.empty()) after = near[0];
        } else {
            if (!near.empty()) before = near[0];
            if (near.size() > 1) after = near[1];
        }
    }
    if (!before && !after) {  // at the end, or into an empty one
        auto read =
            session.query("SELECT max(position) FROM collection_members WHERE collection_id = ? AND entry_id <> ?",
                          {id, other}, [&](const Row& row) {
                              if (!row.is_null(0)) before = row.integer(0);
                          });
        if (!read) return tl::unexpected(read.error());
    }
    if (!after) return Room{before ? *before + gap : 0, gap};
    const auto places = static_cast<std::int64_t>(count);
    if (!before) return Room{*after - gap * places, gap};
    const auto step = (*after - *before) / (places + 1);
    if (step == 0) return std::optional<Room>{};
    return Room{*before + step, step};
}

}  // namespace

core::Result<std::vector<MemberRow>> make_entries(Session& session, const std::vector<core::ItemId>& items,
                                                  core::Random& random) {
    std::vector<MemberRow> members;
    if (items.empty()) return members;
    std::unordered_map<core::ItemId, core::LibraryId> libraries;
    auto ids = bulk_ids(session.dialect(), items);
    auto read = Statement{}
                    .add_in("SELECT id, library_id FROM items WHERE ", "id", ids)
                    .add(" {for_key_share}")
                    .query(session, [&](const Row& row) {
                        libraries[id_from_bytes<core::ItemId>(row.bytes(0))] =
                            id_from_bytes<core::LibraryId>(row.bytes(1));
                    });
    if (!read) return tl::unexpected(read.error());
    for (const auto& item : items) {
        const auto at = libraries.find(item);
        if (at != libraries.end()) members.push_back({core::EntryId::make(random), item, at->second});
    }
    return members;
}

core::Result<void> refuse_loops(Session& session, core::ItemId collection, const std::vector<MemberRow>& wanted) {
    std::unordered_set<core::ItemId> nested;
    for (const auto& member : wanted) {
        if (member.library == collections_library) nested.insert(member.item);
    }
    if (nested.empty()) return {};
    // Two pods that put two collections into each other lock a row each: neither would see what the other adds.
    if (session.dialect() == Dialect::postgresql) {
        auto locked = session.query("SELECT pg_advisory_xact_lock(?)", {nesting_lock}, [](const Row&) {});
        if (!locked) return locked;
    }
    // Up from the collection: few hold it, while those below it may be many. UNION ends loops of earlier versions.
    std::string own_name;
    std::optional<std::string> holder;
    auto read = session.query(
        "WITH RECURSIVE holders(id) AS (SELECT CAST(? AS {bytes}) UNION SELECT m.collection_id FROM holders h JOIN "
        "collection_members m ON m.item_id = h.id) SELECT i.id, i.name FROM holders h JOIN items i ON i.id = h.id "
        "ORDER BY i.id",
        {id_value(collection)}, [&](const Row& row) {
            const auto id = id_from_bytes<core::ItemId>(row.bytes(0));
            if (id == collection) own_name = row.text(1);
            if (nested.contains(id) && (!holder || id == collection)) holder = row.text(1);
        });
    if (!read || !holder) return read;
    if (nested.contains(collection)) return core::fail(core::Errc::invalid, "'" + own_name + "' cannot hold itself");
    return core::fail(core::Errc::invalid,
                      "'" + *holder + "' cannot be put into '" + own_name + "', as it holds that one already");
}

core::Result<std::vector<MemberRow>> read_members(Session& session, core::ItemId collection) {
    std::vector<MemberRow> members;
    auto read = session.query(
        "SELECT entry_id, item_id, library_id FROM collection_members WHERE collection_id = ? ORDER BY position",
        {id_value(collection)}, [&](const Row& row) {
            members.push_back({id_from_bytes<core::EntryId>(row.bytes(0)), id_from_bytes<core::ItemId>(row.bytes(1)),
                               id_from_bytes<core::LibraryId>(row.bytes(2))});
        });
    if (!read) return tl::unexpected(read.error());
    return members;
}

core::Result<void> replace_members(Session& session, core::ItemId collection, const std::vector<MemberRow>& members) {
    auto gone = session.execute("DELETE FROM collection_members WHERE collection_id = ?", {id_value(collection)});
    if (!gone) return uncounted(gone);
    return write(session, collection, members, 0, gap);
}

core::Result<void> insert_members(Session& session, core::ItemId collection, const std::vector<MemberRow>& members,
                                  std::optional<std::size_t> index) {
    if (members.empty()) return {};
    const auto room = room_before(session, collection, index, members.size(), {});
    if (!room) return tl::unexpected(room.error());
    if (*room) return write(session, collection, members, (*room)->first, (*room)->step);
    auto all = read_members(session, collection);
    if (!all) return tl::unexpected(all.error());
    const auto at = std::min(index.value_or(all->size()), all->size());
    all->insert(all->begin() + static_cast<std::ptrdiff_t>(at), members.begin(), members.end());
    return replace_members(session, collection, *all);
}

core::Result<void> move_member(Session& session, core::ItemId collection, core::EntryId entry, std::size_t index) {
    const auto room = room_before(session, collection, index, 1, entry);
    if (!room) return tl::unexpected(room.error());
    const core::Error missing{core::Errc::not_found, "there is no entry " + entry.str() + " in " + collection.str()};
    if (*room) {
        // Its own position may be the one that was found: then it stays.
        auto moved =
            session.execute("UPDATE collection_members SET position = ? WHERE entry_id = ? AND collection_id = ?",
                            {(*room)->first, id_value(entry), id_value(collection)});
        if (moved && *moved == 0) return tl::unexpected(missing);
        return uncounted(moved);
    }
    auto all = read_members(session, collection);
    if (!all) return tl::unexpected(all.error());
    const auto found = std::find_if(all->begin(), all->end(), [&](const auto& row) { return row.entry == entry; });
    if (found == all->end()) return tl::unexpected(missing);
    const auto row = *found;
    all->erase(found);
    all->insert(all->begin() + static_cast<std::ptrdiff_t>(std::min(index, all->size())), row);
    return replace_members(session, collection, *all);
}

}  // namespace understudy::store::sql
