// store/sql/item_selection.h: which items a query means and in which order, as parts of SQL. Used by SqlCatalog and
// SqlNames.
#pragma once

#include <string>
#include <vector>

#include "core/case_folder.h"
#include "store/catalog.h"
#include "store/sql/statement.h"

namespace understudy::store::sql {

/// `with` + SELECT … FROM items i + `joins` + `where`; the parameters are theirs in this order.
struct Selection {
    Statement with, joins, where;

    [[nodiscard]] Statement begin(const std::string& select) const {
        Statement all = with;
        return all.add(select);
    }
    /// FROM items i …
    Statement& add_to(Statement& statement) const {
        statement.add(" FROM items i" + joins.text, joins.values);
        return statement.add(where.text, where.values);
    }
};

/// `filters.adjacent_to` is not looked at.
[[nodiscard]] Selection select_items(const ItemQuery& query, Dialect dialect, const core::CaseFolder& folder);

struct SortKey {
    std::string expression;  ///< without NULL: the databases do not agree on where NULL goes
    bool descending = false;
};
/// Ends with the id, so that pages never overlap.
[[nodiscard]] std::vector<SortKey> sort_keys(const ItemQuery& query);

}  // namespace understudy::store::sql
