// store/sql/search_keys.h: the keys by which names are searched and ordered (0026_search.sql). Used by the SQL adapters
// that write or look for names, and by the migration.
#pragma once

#include <string>
#include <string_view>

#include "store/sql/bulk_rows.h"
#include "store/sql/session.h"
#include "store/sql/statement.h"

namespace understudy::store::sql {

/// The key of a row of names or people, by the table's short name.
[[nodiscard]] std::string search_key_of(const std::string& table);
/// A cell of names.search_key or people.search_key: null where it is `name_key` itself.
void add_search_key(BulkRows& rows, const std::string& name_key);
/// Condition with one parameter, the folded text: `key` holds it. A plain substring, no wildcards that would want
/// escaping.
[[nodiscard]] std::string key_holds(Dialect dialect, const std::string& key);
/// ` AND …` of those whose `key` holds `text`, as people typed it; none where nothing is left of it (a mark alone).
/// Nothing where it is empty.
void add_search(Statement& conditions, Dialect dialect, const std::string& key, std::string_view text);
/// Fold the keys of all rows that are there, some thousands at a time: once, with the migration. Those of items, which
/// are many, before it makes the columns of the others and so locks their tables.
[[nodiscard]] core::Result<void> fold_item_keys(Session& session);
[[nodiscard]] core::Result<void> fill_search_keys(Session& session);

}  // namespace understudy::store::sql
