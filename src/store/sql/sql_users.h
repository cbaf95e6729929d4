// store/sql/sql_users.h: users in SQL (0012_users.sql, 0016_logins.sql, 0022_given_pictures.sql). Made by app.
#pragma once

#include "core/case_folder.h"
#include "store/sql/session.h"
#include "store/users.h"

namespace understudy::store::sql {

class SqlUsers final : public Users {
public:
    /// `database` must be migrated and outlive the store.
    explicit SqlUsers(Database& database) : database_(database) {}
    [[nodiscard]] core::Result<void> add(const User& user) override;
    [[nodiscard]] core::Result<void> rename(core::UserId id, const std::string& name) override;
    [[nodiscard]] core::Result<void> remove(core::UserId id) override;
    [[nodiscard]] core::Result<void> set_policy(core::UserId id, const UserPolicy& policy) override;
    [[nodiscard]] core::Result<void> set_configuration(core::UserId id, const std::string& json) override;
    [[nodiscard]] core::Result<void> set_password(core::UserId id, const std::string& hash, SessionId kept) override;
    [[nodiscard]] core::Result<void> set_image(core::UserId id, const BlobHash& image) override;
    [[nodiscard]] core::Result<std::vector<User>> all() override;
    [[nodiscard]] core::Result<std::optional<User>> find(core::UserId id) override;
    [[nodiscard]] core::Result<std::optional<User>> find_by_name(const std::string& name) override;

private:
    [[nodiscard]] core::Result<std::vector<User>> read(const std::string& where, const std::vector<Value>& values);
    [[nodiscard]] core::Result<void> write(const std::function<core::Result<void>(Session&)>& work);

    Database& database_;
    core::CaseFolder folder_;
};

}  // namespace understudy::store::sql
