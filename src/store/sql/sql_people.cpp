#include "store/sql/sql_people.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "store/sql/blob_value.h"
#include "store/sql/catalog_filters.h"
#include "store/sql/item_rows.h"
#include "store/sql/people_rows.h"
#include "store/sql/search_keys.h"
#include "store/sql/statement.h"
#include "store/sql/table_walk.h"
#include "store/sql/tags_json.h"
#include "store/sql/vanished_items.h"
#include "store/sql/vanished_people.h"

namespace understudy::store::sql {
namespace {

// Names that several people share, looked at in one step.
constexpr std::int64_t names_a_step = 500;

struct CreditRow {
    core::PersonId person;
    std::string kind, role;
    friend bool operator==(const CreditRow&, const CreditRow&) = default;
};
using CreditRows = std::map<core::ItemId, std::vector<CreditRow>>;

core::Result<CreditRows> stored_credits(Session& session, const std::vector<core::ItemId>& ids) {
    CreditRows stored;
    auto rows = bulk_ids(session.dialect(), ids);
    Statement select;
    select.add_in("SELECT item_id, person_id, kind, role FROM credits WHERE ", "item_id", rows);
    select.add(" ORDER BY item_id, position");
    auto read = select.query(session, [&](const Row& row) {
        stored[id_from_bytes<core::ItemId>(row.bytes(0))].push_back(
            {id_from_bytes<core::PersonId>(row.bytes(1)), row.text(2), row.text(3)});
    });
    if (!read) return tl::unexpected(read.error());
    return stored;
}

core::Result<void> replace_credits(Session& session, const CreditRows& changed) {
    if (changed.empty()) return {};
    std::vector<core::ItemId> ids;
    BulkRows rows(session.dialect(), {{"item_id", ColumnType::bytes},
                                      {"position", ColumnType::integer},
                                      {"person_id", ColumnType::bytes},
                                      {"kind", ColumnType::text},
                                      {"role", ColumnType::text}});
    for (const auto& [item, credits] : changed) {
        ids.push_back(item);
        std::int64_t position = 0;
        for (const auto& credit : credits) {
            rows.id(item).integer(position++).id(credit.person).text(credit.kind).text(credit.role);
        }
    }
    auto old = bulk_ids(session.dialect(), ids);
    auto gone = Statement{}.add_in("DELETE FROM credits WHERE ", "item_id", old).execute(session);
    if (!gone || rows.empty()) return uncounted(gone);
    Statement insert;
    insert.add_from(
        "INSERT INTO credits (item_id, position, person_id, kind, role) SELECT item_id, position, person_id, kind, "
        "role "
        "FROM ",
        rows);
    return uncounted(insert.execute(session));
}

core::Result<std::int64_t> write_credits(Session& session, const std::vector<ItemCredits>& items,
                                         const core::CaseFolder& folder, core::Random& random) {
    std::vector<core::ItemId> ids;
    ids.reserve(items.size());
    for (const auto& item : items) ids.push_back(item.item);
    const auto there = hold_items(session, ids);
    if (!there) return tl::unexpected(there.error());
    std::vector<const NamedCredit*> named;
    for (const auto& item : items) {
        if (!there->contains(item.item)) continue;
        for (const auto& credit : item.credits) named.push_back(&credit);
    }
    const auto people = people_of(session, named, folder, random);
    if (!people) return tl::unexpected(people.error());
    auto stored = stored_credits(session, ids);
    if (!stored) return tl::unexpected(stored.error());
    CreditRows changed;
    std::size_t next = 0;
    for (const auto& item : items) {
        if (!there->contains(item.item)) continue;
        std::vector<CreditRow> rows;
        for (const auto& credit : item.credits) {
            const auto& person = (*people)[next++];
            if (person.empty()) continue;
            rows.push_back({person, std::string(model::to_string(credit.kind)), repaired(credit.role)});
        }
        if (rows == (*stored)[item.item]) {
            changed.erase(item.item);
        } else {
            changed[item.item] = std::move(rows);
        }
    }
    if (auto done = replace_credits(session, changed); !done) return tl::unexpected(done.error());
    return static_cast<std::int64_t>(changed.size());
}

struct Merge {
    std::map<core::PersonId, core::PersonId> into;  // who is merged, with whom
    std::map<core::PersonId, ProviderIds> grown;
};

// Those of one name: each joins the first before it that it may be one with.
void merge_named(std::vector<KnownPerson> people, Merge& merge) {
    std::stable_sort(people.begin(), people.end(),
                     [](const auto& a, const auto& b) { return a.has_image && !b.has_image; });
    std::vector<KnownPerson*> kept;
    for (auto& person : people) {
        const auto same = std::find_if(kept.begin(), kept.end(), [&](const auto* other) {
            return may_be_one(other->provider_ids, person.provider_ids);
        });
        if (same == kept.end()) {
            kept.push_back(&person);
            continue;
        }
        merge.into[person.id] = (*same)->id;
        const auto before = (*same)->provider_ids.size();
        (*same)->provider_ids.insert(person.provider_ids.begin(), person.provider_ids.end());
        if ((*same)->provider_ids.size() != before) merge.grown[(*same)->id] = (*same)->provider_ids;
    }
}

core::Result<void> write_merge(Session& session, const Merge& merge) {
    if (merge.into.empty()) return {};
    BulkRows pairs(session.dialect(), {{"gone", ColumnType::bytes}, {"kept", ColumnType::bytes}});
    std::vector<core::PersonId> gone;
    for (const auto& [from, into] : merge.into) {
        pairs.id(from).id(into);
        gone.push_back(from);
    }
    Statement update;
    update.add_from("UPDATE credits SET person_id = r.kept FROM ", pairs).add(" WHERE credits.person_id = r.gone");
    if (auto moved = update.execute(session); !moved) return uncounted(moved);
    // Rounds, as several may go into one, which takes over from one at a time.
    for (auto left = merge.into; !left.empty();) {
        std::vector<std::pair<core::ItemId, core::ItemId>> round;
        std::set<core::PersonId> takers;
        for (auto at = left.begin(); at != left.end();) {
            const bool first = takers.insert(at->second).second;
            if (first) round.emplace_back(at->first.bytes(), at->second.bytes());
            at = first ? left.erase(at) : std::next(at);
        }
        if (auto moved = take_over(session, round); !moved) return moved;
    }
    auto rows = bulk_ids(session.dialect(), gone);
    auto removed = Statement{}.add_in("DELETE FROM people WHERE ", "id", rows).execute(session);
    if (!removed) return uncounted(removed);
    return write_provider_ids(session, merge.grown);
}

core::Result<CleanStep> merge_step(Session& session, const std::string& after) {
    std::vector<std::string> keys;
    auto read = session.query(
        "SELECT name_key FROM people WHERE name_key > ? GROUP BY name_key HAVING count(*) > 1 ORDER BY name_key LIMIT "
        "?",
        {after, names_a_step}, [&](const Row& row) { keys.push_back(row.text(0)); });
    if (!read) return tl::unexpected(read.error());
    CleanStep step;
    if (keys.empty()) return step;
    if (static_cast<std::int64_t>(keys.size()) == names_a_step) step.cursor = keys.back();
    auto people = people_named(session, keys, true);
    if (!people) return tl::unexpected(people.error());
    Merge merge;
    for (auto& [key, named] : *people) {
        step.looked_at += static_cast<std::int64_t>(named.size());
        merge_named(std::move(named), merge);
    }
    if (auto done = write_merge(session, merge); !done) return tl::unexpected(done.error());
    step.removed = static_cast<std::int64_t>(merge.into.size());
    return step;
}

core::Result<void> refresh_one(Session& session, const PersonRefresh& person) {
    const auto text = [](const std::optional<std::string>& value) {
        return value ? Value{repaired(*value)} : Value{Null{}};
    };
    Statement update;
    update.add(
        "UPDATE people SET refreshed_at_ms = ?, sort_name = COALESCE(CAST(? AS TEXT), sort_name), overview = "
        "COALESCE(CAST(? AS TEXT), overview)",
        {core::to_unix_ms(person.refreshed_at), text(person.sort_name), text(person.overview)});
    if (person.image) update.add(", image = CAST(? AS {bytes})", {blob_value(*person.image)});
    update.add(" WHERE id = ?", {id_value(person.id)});
    return uncounted(update.execute(session));
}

// ` AND …` of a credit `c`.
std::string credited_as(const PersonFilter& filter) {
    const auto list = [](const std::vector<model::CreditKind>& kinds) {
        std::string words;
        for (const auto kind : kinds) {  // our own words
            words += words.empty() ? "'" : ", '";
            words += model::to_string(kind);
            words += "'";
        }
        return words;
    };
    std::string conditions;
    if (!filter.kinds.empty()) conditions += " AND c.kind IN (" + list(filter.kinds) + ")";
    if (!filter.other_kinds.empty()) conditions += " AND c.kind NOT IN (" + list(filter.other_kinds) + ")";
    return conditions;
}

// ` AND …`: has `p` done anything that fits `credited` and is in the viewer's libraries? Empty where all is and does.
std::string seen_by(const std::optional<Viewer>& viewer, const std::string& credited = {}) {
    const auto open = library_conditions(viewer, "i");
    if (open.empty() && credited.empty()) return {};
    return " AND EXISTS (SELECT 1 FROM credits c JOIN items i ON i.id = c.item_id WHERE c.person_id = p.id" + credited +
           open + ")";
}

}  // namespace

core::Result<std::int64_t> SqlPeople::put_credits(const std::vector<ItemCredits>& items, const core::Fence& fence) {
    std::int64_t count = 0;
    auto written = write_under(database_, fence, [&](Session& session) -> core::Result<void> {
        auto changed = write_credits(session, items, folder_, random_);
        if (!changed) return tl::unexpected(changed.error());
        count = *changed;
        return {};
    });
    if (!written) return tl::unexpected(written.error());
    return count;
}

core::Result<std::map<core::ItemId, std::vector<ListedCredit>>> SqlPeople::credits(
    const std::vector<core::ItemId>& items) {
    std::map<core::ItemId, std::vector<ListedCredit>> found;
    auto got = database_.with(Access::read, [&](Session& session) {
        found.clear();
        auto rows = bulk_ids(session.dialect(), items);
        Statement select;
        select.add_in(
            "SELECT c.item_id, c.person_id, p.name, p.image, c.kind, c.role FROM credits c JOIN people p ON p.id = "
            "c.person_id WHERE ",
            "c.item_id", rows);
        select.add(" ORDER BY c.item_id, c.position");
        return select.query(session, [&](const Row& row) {
            found[id_from_bytes<core::ItemId>(row.bytes(0))].push_back(
                {id_from_bytes<core::PersonId>(row.bytes(1)), row.text(2), hash_from_bytes(row.bytes(3)),
                 model::parse_credit_kind(row.text(4)).value_or(model::CreditKind::actor), row.text(5)});
        });
    });
    if (!got) return tl::unexpected(got.error());
    return found;
}

core::Result<std::vector<core::ItemId>> SqlPeople::items_of(core::PersonId person) {
    std::vector<core::ItemId> items;
    auto got = database_.with(Access::read, [&](Session& session) {
        items.clear();
        return session.query("SELECT DISTINCT item_id FROM credits WHERE person_id = ? ORDER BY item_id",
                             {id_value(person)},
                             [&](const Row& row) { items.push_back(id_from_bytes<core::ItemId>(row.bytes(0))); });
    });
    if (!got) return tl::unexpected(got.error());
    return items;
}

// Whole people; `where` adds what stands behind FROM people p.
core::Result<std::vector<Person>> SqlPeople::read(const std::function<void(Session&, Statement&)>& where) {
    std::vector<Person> people;
    auto got = database_.with(Access::read, [&](Session& session) {
        people.clear();
        Statement select;
        select.add("SELECT " + std::string(person_columns()) + " FROM people p");
        where(session, select);
        return select.query(session, [&](const Row& row) { people.push_back(read_person(row)); });
    });
    if (!got) return tl::unexpected(got.error());
    return people;
}

core::Result<std::vector<Person>> SqlPeople::find(const std::vector<core::PersonId>& ids,
                                                  const std::optional<Viewer>& viewer) {
    return read([&](Session& session, Statement& select) {
        auto rows = bulk_ids(session.dialect(), ids);
        select.add_in(" WHERE ", "p.id", rows).add(seen_by(viewer)).add(" ORDER BY " + search_key_of("p") + ", p.id");
    });
}

core::Result<std::vector<Person>> SqlPeople::list(const PersonFilter& filter, std::size_t start_index,
                                                  std::size_t limit, const std::optional<Viewer>& viewer) {
    return read([&](Session& session, Statement& select) {
        select.add(" WHERE true");
        add_search(select, session.dialect(), search_key_of("p"), name_key(folder_, filter.search));
        if (filter.favourite) {
            select.add(std::string(*filter.favourite ? " AND" : " AND NOT") +
                       " p.id IN (SELECT u.item_id FROM user_data u WHERE u.user_id = decode('" + filter.user.str() +
                       "', 'hex') AND u.favourite = 1)");
        }
        select.add(seen_by(viewer, credited_as(filter)));
        select.add(" ORDER BY " + search_key_of("p") + ", p.id LIMIT ? OFFSET ?",
                   {static_cast<std::int64_t>(limit), static_cast<std::int64_t>(start_index)});
    });
}

core::Result<std::vector<Person>> SqlPeople::due_for_refresh(core::UtcTime before,
                                                             const std::optional<RefreshPlace>& after,
                                                             std::size_t limit) {
    return read([&](Session&, Statement& select) {
        select.add(" WHERE p.refreshed_at_ms < ?", {core::to_unix_ms(before)});
        if (after) {
            select.add(" AND (p.refreshed_at_ms, p.id) > (?, ?)",
                       {core::to_unix_ms(after->refreshed_at), id_value(after->id)});
        }
        select.add(" ORDER BY p.refreshed_at_ms, p.id LIMIT ?", {static_cast<std::int64_t>(limit)});
    });
}

core::Result<std::int64_t> SqlPeople::count_due(core::UtcTime before) {
    std::int64_t count = 0;
    auto got = database_.with(Access::read, [&](Session& session) {
        return session.query("SELECT count(*) FROM people WHERE refreshed_at_ms < ?", {core::to_unix_ms(before)},
                             [&](const Row& row) { count = row.integer(0); });
    });
    if (!got) return tl::unexpected(got.error());
    return count;
}

core::Result<void> SqlPeople::refresh(const std::vector<PersonRefresh>& people, const core::Fence& fence) {
    return write_under(database_, fence, [&](Session& session) -> core::Result<void> {
        std::vector<core::PersonId> ids;
        ids.reserve(people.size());
        for (const auto& person : people) ids.push_back(person.id);
        std::map<core::PersonId, ProviderIds> stored, grown;
        auto rows = bulk_ids(session.dialect(), ids);
        Statement select;
        select.add_in("SELECT id, provider_ids FROM people WHERE ", "id", rows).add(" {for_no_key_update}");
        auto known = select.query(session, [&](const Row& row) {
            stored[id_from_bytes<core::PersonId>(row.bytes(0))] = map_from_json(row.text(1));
        });
        if (!known) return known;
        for (const auto& person : people) {  // each other texts: a statement a person, every 30 days
            const auto at = stored.find(person.id);
            if (at == stored.end()) continue;
            const auto before = at->second.size();
            at->second.insert(person.provider_ids.begin(), person.provider_ids.end());
            if (at->second.size() != before) grown[person.id] = at->second;
            if (auto done = refresh_one(session, person); !done) return done;
        }
        return write_provider_ids(session, grown);
    });
}

core::Result<CleanStep> SqlPeople::merge_duplicates(const std::string& cursor, const core::Fence& fence) {
    CleanStep step;
    auto written = write_under(database_, fence, [&](Session& session) -> core::Result<void> {
        auto one = merge_step(session, cursor);
        if (!one) return tl::unexpected(one.error());
        step = std::move(*one);
        return {};
    });
    if (!written) return tl::unexpected(written.error());
    return step;
}

core::Result<CleanStep> SqlPeople::remove_without_credits(const std::string& cursor, const core::Fence& fence) {
    WalkedTable people;
    people.table = "people";
    people.key = {{"id", ColumnType::bytes}};
    people.gone = "NOT EXISTS (SELECT 1 FROM credits c WHERE c.person_id = t.id)";
    people.lock_first = true;
    people.before = note_vanishing_people;
    return walk_step(database_, {people}, cursor, fence);
}

}  // namespace understudy::store::sql
