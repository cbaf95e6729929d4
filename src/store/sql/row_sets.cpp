#include "store/sql/row_sets.h"

namespace understudy::store::sql {

std::string names_of(const std::vector<BulkColumn>& columns) {
    std::string names;
    for (const auto& column : columns) {
        if (!names.empty()) names += ", ";
        names += column.name;
    }
    return names;
}

core::Result<void> insert_rows(Session& session, const std::string& table, const std::vector<BulkColumn>& columns,
                               BulkRows& rows) {
    if (rows.empty()) return {};
    const auto names = names_of(columns);
    auto added = session.execute("INSERT INTO " + table + " (" + names + ") SELECT " + names + " FROM " + rows.from(),
                                 rows.take());
    if (!added) return tl::unexpected(added.error());
    return {};
}

core::Result<std::int64_t> delete_where_in(Session& session, const std::string& table, const std::string& column,
                                           const std::vector<core::ItemId>& ids) {
    auto rows = bulk_ids(session.dialect(), ids);
    return session.execute("DELETE FROM " + table + " WHERE " + rows.in(column), rows.take());
}

}  // namespace understudy::store::sql
