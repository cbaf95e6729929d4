#include "store/sql/vanished_people.h"

#include <set>
#include <utility>

#include "store/sql/bulk_rows.h"
#include "store/sql/item_rows.h"
#include "store/sql/people_rows.h"
#include "store/sql/tags_json.h"
#include "store/sql/vanished_items.h"

namespace understudy::store::sql {
namespace {

// A row of vanished_identities by which a name is found, and one that says which ids were known.
constexpr std::string_view by_name = "person:", by_ids = "person ids:";

struct Vanished {
    std::string name_key;
    ProviderIds provider_ids;
};

std::string after(std::string_view prefix, const std::string& identity) {
    return identity.starts_with(prefix) ? identity.substr(prefix.size()) : std::string();
}

core::Result<std::map<core::ItemId, Vanished>> vanished_named(Session& session, const std::set<std::string>& keys) {
    std::map<core::ItemId, Vanished> found;
    BulkRows wanted(session.dialect(), {{"identity", ColumnType::text}});
    for (const auto& key : keys) wanted.text(std::string(by_name) + key);
    Statement select;
    select.add_in(
        "SELECT n.item_id, n.identity FROM vanished_identities n WHERE n.item_id IN (SELECT f.item_id FROM "
        "vanished_identities f WHERE ",
        "f.identity", wanted);
    auto read = select.add(") ORDER BY n.item_id").query(session, [&](const Row& row) {
        auto& person = found[id_from_bytes<core::ItemId>(row.bytes(0))];
        if (const auto key = after(by_name, row.text(1)); !key.empty()) person.name_key = key;
        if (const auto ids = after(by_ids, row.text(1)); !ids.empty()) person.provider_ids = map_from_json(ids);
    });
    if (!read) return tl::unexpected(read.error());
    return found;
}

}  // namespace

core::Result<void> note_vanishing_people(Session& session, const Statement& gone) {
    std::set<core::ItemId> people;
    BulkRows identities(session.dialect(), {{"identity", ColumnType::text}, {"item_id", ColumnType::bytes}});
    auto read = Statement{}
                    .add("SELECT t.id, t.name_key, t.provider_ids ")
                    .add(gone.text, gone.values)
                    .add(" AND EXISTS (SELECT 1 FROM user_data u WHERE u.item_id = t.id)")
                    .query(session, [&](const Row& row) {
                        const auto id = id_from_bytes<core::ItemId>(row.bytes(0));
                        people.insert(id);
                        identities.text(std::string(by_name) + row.text(1)).id(id);
                        const auto ids = std::string(by_ids) + row.text(2);
                        if (ids.size() <= longest_identity) identities.text(ids).id(id);
                    });
    if (!read || people.empty()) return read;
    auto rows = bulk_ids(session.dialect(), people);
    Statement insert;
    insert.add_from("INSERT INTO vanished_items (item_id, vanished_at_ms) SELECT id, {now_ms} FROM ", rows);
    if (auto done = insert.add(" WHERE true ON CONFLICT (item_id) DO NOTHING").execute(session); !done)
        return uncounted(done);
    Statement more;
    more.add_from("INSERT INTO vanished_identities (identity, item_id) SELECT identity, item_id FROM ", identities);
    return uncounted(more.add(" WHERE true ON CONFLICT (identity, item_id) DO NOTHING").execute(session));
}

core::Result<void> welcome_people_back(Session& session, const std::vector<NewcomerPerson>& people) {
    if (people.empty()) return {};
    bool any = false;
    auto looked = session.query("SELECT 1 FROM vanished_items LIMIT 1", {}, [&](const Row&) { any = true; });
    if (!looked || !any) return looked;
    std::set<std::string> keys;
    for (const auto& person : people) keys.insert(person.name_key);
    auto vanished = vanished_named(session, keys);
    if (!vanished) return tl::unexpected(vanished.error());
    std::vector<std::pair<core::ItemId, core::ItemId>> pairs;
    for (const auto& person : people) {
        for (auto at = vanished->begin(); at != vanished->end(); ++at) {
            if (at->second.name_key != person.name_key) continue;
            if (!may_be_one(at->second.provider_ids, person.provider_ids)) continue;
            pairs.emplace_back(at->first, person.id.bytes());
            vanished->erase(at);
            break;
        }
    }
    return take_over(session, pairs);
}

}  // namespace understudy::store::sql
