#include "store/sql/people_rows.h"

#include <algorithm>
#include <set>
#include <utility>

#include "store/sql/blob_value.h"
#include "store/sql/item_rows.h"
#include "store/sql/search_keys.h"
#include "store/sql/statement.h"
#include "store/sql/tags_json.h"
#include "store/sql/vanished_people.h"

namespace understudy::store::sql {
namespace {

struct NewPerson {
    core::PersonId id;
    std::string name, key;
    ProviderIds provider_ids;
};

core::Result<void> insert_people(Session& session, const std::vector<NewPerson>& people) {
    if (people.empty()) return {};
    BulkRows rows(session.dialect(), {{"id", ColumnType::bytes},
                                      {"name", ColumnType::text},
                                      {"name_key", ColumnType::text},
                                      {"search_key", ColumnType::text},
                                      {"provider_ids", ColumnType::text}});
    for (const auto& person : people) {
        rows.id(person.id).text(person.name).text(person.key);
        add_search_key(rows, person.key);
        rows.text(map_to_json(person.provider_ids));
    }
    Statement insert;
    insert.add_from(
        "INSERT INTO people (id, name, name_key, search_key, sort_name, provider_ids, overview, created_at_ms, "
        "refreshed_at_ms) SELECT id, name, name_key, search_key, name, provider_ids, '', {now_ms}, 0 FROM ",
        rows);
    return uncounted(insert.execute(session));
}

int shared_ids(const ProviderIds& a, const ProviderIds& b) {
    return static_cast<int>(std::count_if(a.begin(), a.end(), [&](const auto& id) {
        const auto other = b.find(id.first);
        return other != b.end() && other->second == id.second;
    }));
}

// The one with most ids in common, else the oldest that may be the same.
KnownPerson* same_person(std::vector<KnownPerson>& known, const ProviderIds& ids) {
    KnownPerson* best = nullptr;
    for (auto& person : known) {
        if (!may_be_one(person.provider_ids, ids)) continue;
        if (best == nullptr || shared_ids(person.provider_ids, ids) > shared_ids(best->provider_ids, ids)) {
            best = &person;
        }
    }
    return best;
}

}  // namespace

std::string name_key(const core::CaseFolder& folder, std::string_view name) {
    return folder.name_key(name);
}

bool may_be_one(const ProviderIds& a, const ProviderIds& b) {
    return std::none_of(a.begin(), a.end(), [&](const auto& id) {
        const auto other = b.find(id.first);
        return other != b.end() && other->second != id.second;
    });
}

std::string_view person_columns() noexcept {
    return "p.id, p.name, p.sort_name, p.provider_ids, p.overview, p.image, p.created_at_ms, p.refreshed_at_ms";
}

Person read_person(const Row& row, std::size_t column) {
    Person person;
    person.id = id_from_bytes<core::PersonId>(row.bytes(column++));
    person.name = row.text(column++);
    person.sort_name = row.text(column++);
    person.provider_ids = map_from_json(row.text(column++));
    person.overview = row.text(column++);
    person.image = hash_from_bytes(row.bytes(column++));
    person.created_at = core::from_unix_ms(row.integer(column++));
    if (const auto at = row.integer(column); at != 0) person.refreshed_at = core::from_unix_ms(at);
    return person;
}

core::Result<KnownPeople> people_named(Session& session, const std::vector<std::string>& keys, bool lock) {
    KnownPeople known;
    BulkRows rows(session.dialect(), {{"key", ColumnType::text}});
    for (const auto& key : keys) rows.text(key);
    Statement select;
    select.add_in(
        "SELECT name_key, id, provider_ids, CASE WHEN image IS NULL THEN 0 ELSE 1 END, created_at_ms FROM people "
        "WHERE ",
        "name_key", rows);
    select.add(" ORDER BY name_key, created_at_ms, id");
    select.add(lock ? " {for_update}" : " {for_key_share}");
    auto read = select.query(session, [&](const Row& row) {
        known[row.text(0)].push_back({id_from_bytes<core::PersonId>(row.bytes(1)), map_from_json(row.text(2)),
                                      row.integer(3) != 0, row.integer(4)});
    });
    if (!read) return tl::unexpected(read.error());
    return known;
}

core::Result<void> write_provider_ids(Session& session, const std::map<core::PersonId, ProviderIds>& grown) {
    if (grown.empty()) return {};
    BulkRows rows(session.dialect(), {{"id", ColumnType::bytes}, {"ids", ColumnType::text}});
    for (const auto& [id, ids] : grown) rows.id(id).text(map_to_json(ids));
    Statement update;
    update.add_from("UPDATE people SET provider_ids = r.ids FROM ", rows).add(" WHERE people.id = r.id");
    return uncounted(update.execute(session));
}

core::Result<std::vector<core::PersonId>> people_of(Session& session, const std::vector<const NamedCredit*>& credits,
                                                    const core::CaseFolder& folder, core::Random& random) {
    std::vector<std::string> keys;
    keys.reserve(credits.size());
    for (const auto* credit : credits) keys.push_back(name_key(folder, credit->name));
    std::vector<std::string> wanted(keys);
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    auto known = people_named(session, wanted, false);
    if (!known) return tl::unexpected(known.error());
    std::vector<core::PersonId> ids;
    std::map<core::PersonId, NewPerson> made;
    std::vector<core::PersonId> order;
    std::map<core::PersonId, ProviderIds> grown;
    for (std::size_t i = 0; i < credits.size(); ++i) {
        const auto& credit = *credits[i];
        if (keys[i].empty()) {
            ids.emplace_back();
            continue;
        }
        auto& named = (*known)[keys[i]];
        auto* person = same_person(named, credit.provider_ids);
        if (person == nullptr) {
            const auto id = core::PersonId::make(random);
            made[id] = {id, repaired(credit.name), keys[i], credit.provider_ids};
            order.push_back(id);
            named.push_back({id, credit.provider_ids});
            person = &named.back();
        }
        const auto before = person->provider_ids.size();
        person->provider_ids.insert(credit.provider_ids.begin(), credit.provider_ids.end());
        if (person->provider_ids.size() != before) {
            const auto fresh = made.find(person->id);
            if (fresh != made.end()) {
                fresh->second.provider_ids = person->provider_ids;
            } else {
                grown[person->id] = person->provider_ids;
            }
        }
        ids.push_back(person->id);
    }
    std::vector<NewPerson> people;
    people.reserve(order.size());
    for (const auto& id : order) people.push_back(std::move(made[id]));
    if (auto inserted = insert_people(session, people); !inserted) return tl::unexpected(inserted.error());
    std::vector<NewcomerPerson> newcomers;
    newcomers.reserve(people.size());
    for (const auto& person : people) newcomers.push_back({person.id, person.key, person.provider_ids});
    if (auto welcomed = welcome_people_back(session, newcomers); !welcomed) return tl::unexpected(welcomed.error());
    if (auto written = write_provider_ids(session, grown); !written) return tl::unexpected(written.error());
    return ids;
}

}  // namespace understudy::store::sql
