// store/sql/sql_analyses.h: analyses in SQL (0009_analyses.sql). Made by app.
#pragma once

#include "store/analyses.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

class SqlAnalyses final : public Analyses {
public:
    /// `database` must be migrated and outlive the store.
    explicit SqlAnalyses(Database& database) : database_(database) {}
    /// One query finds which sources (28 bytes each are kept), then they are read in pages.
    [[nodiscard]] core::Result<void> sources(const std::string& kind, AnalysisState state, const SourceFilter& filter,
                                             const std::function<bool(AnalysableSource&&)>& each) override;
    [[nodiscard]] core::Result<SourceTotals> totals(const std::string& kind, AnalysisState state,
                                                    const SourceFilter& filter) override;
    [[nodiscard]] core::Result<void> put(const std::vector<Analysis>& rows, const core::Fence& fence) override;
    [[nodiscard]] core::Result<std::vector<Analysis>> get(const std::string& kind,
                                                          const std::vector<ContentKey>& contents) override;
    [[nodiscard]] core::Result<CleanStep> purge_unreferenced(const std::string& cursor,
                                                             const core::Fence& fence) override;
    [[nodiscard]] core::Result<std::int64_t> purge_kinds(const std::string& prefix, const std::string& keep,
                                                         std::int64_t limit, const core::Fence& fence) override;

private:
    Database& database_;
};

}  // namespace understudy::store::sql
