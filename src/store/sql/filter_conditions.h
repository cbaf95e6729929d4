// store/sql/filter_conditions.h: ItemFilters as a part of a query. Used by item_selection.
#pragma once

#include "core/case_folder.h"
#include "store/item_filters.h"
#include "store/sql/statement.h"

namespace understudy::store::sql {

/// ` AND …` of a table of items named `i`; empty where nothing is asked. `adjacent_to` is not here: it needs an order.
[[nodiscard]] Statement filter_conditions(const ItemFilters& filters, Dialect dialect, const core::CaseFolder& folder);
/// ` AND …` of a column of text without case that starts with `prefix`, is `from` or behind, and before `before`, each
/// where it is not empty.
void add_name_range(Statement& conditions, const std::string& column, const std::string& prefix,
                    const std::string& from, const std::string& before);

}  // namespace understudy::store::sql
