#include "store/sql/user_data_subjects.h"

#include <map>
#include <string>

#include "store/names.h"
#include "store/sql/item_rows.h"
#include "store/sql/statement.h"

namespace understudy::store::sql {
namespace {

core::Result<void> add_found(Session& session, const std::vector<core::ItemId>& ids, const std::string& table,
                             const std::string& lock, std::unordered_set<core::ItemId>& there) {
    auto rows = bulk_ids(session.dialect(), ids);
    return Statement{}
        .add_in("SELECT id FROM " + table + " WHERE ", "id", rows)
        .add(lock)
        .query(session, [&](const Row& row) { there.insert(id_from_bytes<core::ItemId>(row.bytes(0))); });
}

// Years have no rows of their own: they are there while an item is of them.
core::Result<void> add_years(Session& session, const std::vector<core::ItemId>& ids,
                             std::unordered_set<core::ItemId>& there) {
    std::map<int, core::ItemId> years;
    for (const auto& id : ids) {
        if (const auto year = year_of(id)) years.emplace(*year, id);
    }
    if (years.empty()) return {};
    Statement select;
    for (const auto& [year, id] : years) {
        select.add(select.text.empty() ? "SELECT DISTINCT year FROM items WHERE year IN (?" : ", ?",
                   {std::int64_t{year}});
    }
    return select.add(")").query(session,
                                 [&](const Row& row) { there.insert(years[static_cast<int>(row.integer(0))]); });
}

}  // namespace

core::Result<std::unordered_set<core::ItemId>> hold_subjects(Session& session, const std::vector<core::ItemId>& ids) {
    auto there = hold_items(session, ids);
    if (!there) return there;
    std::vector<core::ItemId> others;
    for (const auto& id : ids) {
        if (!there->contains(id)) others.push_back(id);
    }
    if (others.empty()) return there;
    if (auto done = add_found(session, others, "people", " {for_key_share}", *there); !done)
        return tl::unexpected(done.error());
    if (auto done = add_found(session, others, "names", "", *there); !done) return tl::unexpected(done.error());
    if (auto done = add_years(session, others, *there); !done) return tl::unexpected(done.error());
    return there;
}

}  // namespace understudy::store::sql
