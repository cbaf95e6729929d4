// store/sql/sql_scan_store.h: where a scan reads the last one and puts what it found, in SQL. Made by app.
#pragma once

#include "core/case_folder.h"
#include "store/scan_store.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

/// Streams are read in pages, each with a session of its own that is given back before the rows are handed on: memory
/// stays bounded, no transaction stays open while the caller works, and the caller may ask the store meanwhile. A row
/// that is written between two pages is seen or not; the one writer of a library's files is the scan itself.
class SqlScanStore final : public ScanStore {
public:
    /// `database` must be migrated and outlive the store.
    explicit SqlScanStore(Database& database) : database_(database) {}
    [[nodiscard]] core::Result<void> files(core::LibraryId library,
                                           const std::function<void(StoredFile&&)>& each) override;
    [[nodiscard]] core::Result<void> directories(core::LibraryId library,
                                                 const std::function<void(StoredDirectory&&)>& each) override;
    [[nodiscard]] core::Result<void> problems(core::LibraryId library,
                                              const std::function<void(StoredProblem&&)>& each) override;
    [[nodiscard]] core::Result<void> items(core::LibraryId library,
                                           const std::function<void(StoredItem&&)>& each) override;
    [[nodiscard]] core::Result<std::map<std::string, core::ItemId>> items_at(
        const std::vector<std::string>& paths) override;
    [[nodiscard]] core::Result<std::vector<model::Item>> load(const std::vector<core::ItemId>& ids) override;
    /// Also not_found: the library was removed meanwhile.
    [[nodiscard]] core::Result<void> apply(const ScanBatch& batch, const core::Fence& fence) override;
    [[nodiscard]] core::Result<std::int64_t> remove_missing(core::LibraryId library) override;

private:
    Database& database_;
    core::CaseFolder folder_;
};

}  // namespace understudy::store::sql
