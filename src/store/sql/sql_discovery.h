// store/sql/sql_discovery.h: what is new and what is like it, in SQL. Made by app.
#pragma once

#include "core/case_folder.h"
#include "store/discovery.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

class SqlDiscovery final : public Discovery {
public:
    /// `database` must be migrated and outlive the store.
    explicit SqlDiscovery(Database& database) : database_(database) {}
    [[nodiscard]] core::Result<std::vector<LatestItem>> latest(const LatestQuery& query) override;
    [[nodiscard]] core::Result<std::vector<core::ItemId>> similar(const SimilarQuery& query) override;
    [[nodiscard]] core::Result<std::vector<core::ItemId>> mix(const MixQuery& query) override;
    [[nodiscard]] core::Result<Hints> hints(const HintQuery& query) override;

private:
    Database& database_;
    core::CaseFolder folder_;
};

}  // namespace understudy::store::sql
