// store/memory/memory_library_store.h: LibraryStore without a database. Same contract as SqlLibraryStore.
#pragma once

#include <memory>

#include "store/libraries.h"
#include "store/memory/memory_tables.h"

namespace understudy::store {

class MemoryLibraryStore final : public LibraryStore {
public:
    explicit MemoryLibraryStore(std::shared_ptr<MemoryTables> tables) : tables_(std::move(tables)) {}
    [[nodiscard]] core::Result<std::vector<model::Library>> all() override;
    [[nodiscard]] core::Result<void> add(const model::Library& library) override;
    [[nodiscard]] core::Result<void> remove(core::LibraryId id) override;
    [[nodiscard]] core::Result<void> update(const model::Library& library) override;
    [[nodiscard]] core::Result<std::map<core::LibraryId, std::vector<model::RootState>>> roots() override;

private:
    [[nodiscard]] core::Result<void> check_free(const model::Library& library) const;  // with the lock held

    std::shared_ptr<MemoryTables> tables_;
};

}  // namespace understudy::store
