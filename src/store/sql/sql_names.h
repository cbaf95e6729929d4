// store/sql/sql_names.h: what items share by name, in SQL. Made by app.
#pragma once

#include "core/case_folder.h"
#include "store/names.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

class SqlNames final : public Names {
public:
    /// `database` must be migrated and outlive this.
    explicit SqlNames(Database& database) : database_(database) {}
    [[nodiscard]] core::Result<NamePage> list(const NameQuery& query) override;
    [[nodiscard]] core::Result<std::vector<YearCount>> years(const ItemQuery& items) override;
    [[nodiscard]] core::Result<Facets> facets(const ItemQuery& items) override;
    [[nodiscard]] core::Result<std::vector<std::string>> official_ratings() override;

private:
    Database& database_;
    core::CaseFolder folder_;
};

}  // namespace understudy::store::sql
