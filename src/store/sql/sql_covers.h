// store/sql/sql_covers.h: covers in SQL (0015_covers.sql). Made by app.
#pragma once

#include "store/covers.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

class SqlCovers final : public Covers {
public:
    /// `database` must be migrated and outlive the store.
    explicit SqlCovers(Database& database) : database_(database) {}
    /// Two queries, the second only over the files of items that show none.
    [[nodiscard]] core::Result<std::vector<DueCover>> due(const std::vector<core::LibraryId>& libraries) override;
    [[nodiscard]] core::Result<std::vector<AnalysableSource>> sources(std::span<const DueCover> covers) override;
    [[nodiscard]] core::Result<void> put(const std::vector<FoundCover>& found, const core::Fence& fence) override;
    [[nodiscard]] core::Result<void> show(const std::vector<DueCover>& covers, const core::Fence& fence) override;
    [[nodiscard]] core::Result<std::vector<core::ItemId>> shown_in(
        const std::vector<core::LibraryId>& libraries) override;
    [[nodiscard]] core::Result<std::map<core::ItemId, Cover>> covers(const std::vector<core::ItemId>& items) override;

private:
    Database& database_;
};

/// What these items show, within the caller's transaction: for SqlCatalog. One query.
[[nodiscard]] core::Result<std::map<core::ItemId, Cover>> read_covers(Session& session,
                                                                      const std::vector<core::ItemId>& items);

}  // namespace understudy::store::sql
