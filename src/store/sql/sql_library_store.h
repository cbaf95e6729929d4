// store/sql/sql_library_store.h: the libraries in SQL. Made by app.
#pragma once

#include "core/case_folder.h"
#include "store/libraries.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

class SqlLibraryStore final : public LibraryStore {
public:
    /// `database` must be migrated and outlive the store.
    explicit SqlLibraryStore(Database& database) : database_(database) {}
    [[nodiscard]] core::Result<std::vector<model::Library>> all() override;
    [[nodiscard]] core::Result<void> add(const model::Library& library) override;
    /// Gone for everyone with the first transaction; what was in it goes in portions, so that nobody waits long for the
    /// one writer of SQLite. Blocks until all is gone.
    [[nodiscard]] core::Result<void> remove(core::LibraryId id) override;
    [[nodiscard]] core::Result<void> update(const model::Library& library) override;
    [[nodiscard]] core::Result<std::map<core::LibraryId, std::vector<model::RootState>>> roots() override;
    /// Goes on with removals that a crash cut short. For the start of a server; harmless on several pods at once.
    [[nodiscard]] core::Result<void> finish_removals();

private:
    [[nodiscard]] core::Result<void> empty_out(core::LibraryId id);

    Database& database_;
    core::CaseFolder folder_;
};

}  // namespace understudy::store::sql
