// store/memory/memory_scan_store.h: ScanStore without a database. Same contract as SqlScanStore.
#pragma once

#include <functional>
#include <memory>

#include "store/memory/memory_tables.h"
#include "store/scan_store.h"

namespace understudy::store {

class MemoryScanStore final : public ScanStore {
public:
    /// `pass_fence`: compares as the database would, and moves the sequence on; an error of it refuses the batch.
    using PassFence = std::function<core::Result<void>(const core::Fence&)>;
    MemoryScanStore(std::shared_ptr<MemoryTables> tables, PassFence pass_fence);

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
    [[nodiscard]] core::Result<void> apply(const ScanBatch& batch, const core::Fence& fence) override;
    [[nodiscard]] core::Result<std::int64_t> remove_missing(core::LibraryId library) override;

private:
    std::shared_ptr<MemoryTables> tables_;
    PassFence pass_fence_;
};

}  // namespace understudy::store
