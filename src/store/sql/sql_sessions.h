// store/sql/sql_sessions.h: logins, keys, failed logins and the wizard's settings in SQL (0016_logins.sql). Made by
// app.
#pragma once

#include "store/login_attempts.h"
#include "store/server_settings.h"
#include "store/sessions.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

class SqlSessions final : public Sessions {
public:
    /// `database` must be migrated and outlive the store.
    explicit SqlSessions(Database& database) : database_(database) {}
    [[nodiscard]] core::Result<SessionId> log_in(const LogIn& login) override;
    [[nodiscard]] core::Result<std::optional<TokenOwner>> find(const std::string& token_hash) override;
    [[nodiscard]] core::Result<void> touch(SessionId id, const Client& client) override;
    [[nodiscard]] core::Result<void> touch_key(std::int64_t number) override;
    [[nodiscard]] core::Result<bool> set_capabilities(SessionId id, const std::string& json) override;
    [[nodiscard]] core::Result<void> remove(SessionId id) override;
    [[nodiscard]] core::Result<std::vector<UserSession>> all(const SessionFilter& filter) override;
    [[nodiscard]] core::Result<std::int64_t> remove_device(const std::string& device_id) override;
    [[nodiscard]] core::Result<void> name_device(const std::string& device_id, const std::string& name) override;
    [[nodiscard]] core::Result<void> add_key(const std::string& key, const std::string& key_hash,
                                             const std::string& app) override;
    [[nodiscard]] core::Result<std::vector<ApiKey>> keys() override;
    [[nodiscard]] core::Result<bool> remove_key(const std::string& key_hash) override;

private:
    [[nodiscard]] core::Result<std::int64_t> execute(const std::string& sql, const std::vector<Value>& values);

    Database& database_;
};

class SqlLoginAttempts final : public LoginAttempts {
public:
    /// `database` must be migrated and outlive the store.
    explicit SqlLoginAttempts(Database& database) : database_(database) {}
    [[nodiscard]] core::Result<CountedAttempt> begin(const std::vector<AttemptLimit>& limits) override;
    [[nodiscard]] core::Result<void> succeeded(const CountedAttempt& attempt, const std::string& forgiven,
                                               const std::string& taken_back) override;

private:
    Database& database_;
};

class SqlServerSettings final : public ServerSettings {
public:
    /// `database` must be migrated and outlive the store.
    explicit SqlServerSettings(Database& database) : database_(database) {}
    [[nodiscard]] core::Result<std::map<std::string, std::string>> all() override;
    [[nodiscard]] core::Result<void> set(const std::map<std::string, std::string>& values) override;

private:
    Database& database_;
};

}  // namespace understudy::store::sql
