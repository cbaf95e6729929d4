// store/sql/sql_user_data.h: what users did with items, in SQL (0012_users.sql). Made by app.
#pragma once

#include "store/sql/session.h"
#include "store/user_data.h"

namespace understudy::store::sql {

class SqlUserData final : public UserData {
public:
    /// `database` must be migrated and outlive the store.
    explicit SqlUserData(Database& database) : database_(database) {}
    [[nodiscard]] core::Result<std::map<core::ItemId, UserItemData>> get(
        core::UserId user, const std::vector<core::ItemId>& items) override;
    [[nodiscard]] core::Result<std::int64_t> change(core::UserId user, const std::vector<core::ItemId>& items,
                                                    const UserItemChange& change) override;
    [[nodiscard]] core::Result<std::int64_t> put(const std::vector<UserItemRow>& rows) override;
    [[nodiscard]] core::Result<std::vector<core::ItemId>> find(core::UserId user, const UserItemFilter& filter,
                                                               std::size_t limit) override;
    [[nodiscard]] core::Result<std::map<core::ItemId, Below>> below(core::UserId user,
                                                                    const std::vector<core::ItemId>& folders,
                                                                    const std::optional<Viewer>& viewer) override;
    [[nodiscard]] core::Result<std::vector<core::ItemId>> playable_below(core::ItemId folder,
                                                                         const std::optional<Viewer>& viewer,
                                                                         std::optional<std::size_t> most) override;
    [[nodiscard]] core::Result<std::int64_t> detached(core::UtcTime before) override;
    [[nodiscard]] core::Result<CleanStep> remove_detached(core::UtcTime before, const std::string& cursor,
                                                          const core::Fence& fence) override;

private:
    Database& database_;
};

}  // namespace understudy::store::sql
