// store/sql/sql_collections.h: collections and playlists in SQL (0012_users.sql). Made by app.
#pragma once

#include "core/case_folder.h"
#include "core/random.h"
#include "store/collections.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

class SqlCollections final : public Collections {
public:
    /// `database` must be migrated; both must outlive the store. `random` makes the ids of entries.
    SqlCollections(Database& database, core::Random& random) : database_(database), random_(random) {}
    [[nodiscard]] core::Result<void> create(const Collection& collection,
                                            const std::vector<core::ItemId>& items) override;
    [[nodiscard]] core::Result<void> update(const Collection& collection) override;
    [[nodiscard]] core::Result<void> remove(core::ItemId id) override;
    [[nodiscard]] core::Result<std::optional<Collection>> find(core::ItemId id) override;
    [[nodiscard]] core::Result<std::vector<Collection>> all(std::optional<model::ItemKind> kind) override;
    using Collections::members;
    [[nodiscard]] core::Result<std::vector<Member>> members(core::ItemId id, std::size_t start_index, std::size_t limit,
                                                            const std::optional<Viewer>& viewer) override;
    [[nodiscard]] core::Result<std::int64_t> add(core::ItemId id, const std::vector<core::ItemId>& items,
                                                 std::optional<std::size_t> index) override;
    [[nodiscard]] core::Result<void> replace(core::ItemId id, const std::vector<core::ItemId>& items) override;
    [[nodiscard]] core::Result<std::int64_t> remove_entries(core::ItemId id,
                                                            const std::vector<core::EntryId>& entries) override;
    [[nodiscard]] core::Result<std::int64_t> remove_items(core::ItemId id,
                                                          const std::vector<core::ItemId>& items) override;
    [[nodiscard]] core::Result<void> move(core::ItemId id, core::EntryId entry, std::size_t index) override;
    [[nodiscard]] core::Result<std::int64_t> put_found(core::LibraryId library,
                                                       const std::vector<FoundCollection>& found,
                                                       const core::Fence& fence) override;
    [[nodiscard]] core::Result<std::map<std::string, core::ItemId>> origins(core::LibraryId library) override;
    [[nodiscard]] core::Result<std::int64_t> remove_found(core::LibraryId library,
                                                          const std::vector<std::string>& origins,
                                                          const core::Fence& fence) override;
    [[nodiscard]] core::Result<CleanStep> drop_gone_members(const std::string& cursor,
                                                            const std::vector<core::LibraryId>& away,
                                                            const core::Fence& fence) override;
    [[nodiscard]] core::Result<void> set_picture(core::ItemId id, const std::optional<Cover>& picture) override;

private:
    [[nodiscard]] core::Result<std::vector<Collection>> read(const std::string& where,
                                                             const std::vector<Value>& values);
    /// `work` on a collection whose row is locked; it is told the kind.
    [[nodiscard]] core::Result<void> edit(core::ItemId id,
                                          const std::function<core::Result<void>(Session&, model::ItemKind)>& work);

    Database& database_;
    core::Random& random_;
    core::CaseFolder folder_;
};

}  // namespace understudy::store::sql
