// store/sql/sql_catalog.h: what clients read, in SQL. Made by app.
#pragma once

#include "core/case_folder.h"
#include "store/catalog.h"
#include "store/sql/kept_totals.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

/// A page costs a query for its items with their ancestors' names, one for the total (none where the page shows all, or
/// a large one was counted within the last second),
/// and three for sources, streams and chapters where they are asked for, all in one consistent look.
class SqlCatalog final : public Catalog {
public:
    /// `database` must be migrated and outlive the catalogue.
    explicit SqlCatalog(Database& database) : database_(database) {}
    [[nodiscard]] core::Result<ItemPage> list(const ItemQuery& query) override;
    [[nodiscard]] core::Result<std::optional<ListedItem>> find(core::ItemId id) override;
    [[nodiscard]] core::Result<std::vector<Problem>> problems(std::optional<core::LibraryId> library) override;
    [[nodiscard]] core::Result<LibraryCounts> counts(core::LibraryId library) override;

private:
    Database& database_;
    core::CaseFolder folder_;
    KeptTotals totals_;
};

}  // namespace understudy::store::sql
