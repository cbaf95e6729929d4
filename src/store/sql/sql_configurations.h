// store/sql/sql_configurations.h: sections of configuration and display preferences in SQL (0019_system.sql). Made by
// app.
#pragma once

#include "store/configurations.h"
#include "store/display_preferences.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

class SqlConfigurations final : public Configurations {
public:
    /// `database` must be migrated and outlive the store.
    explicit SqlConfigurations(Database& database) : database_(database) {}
    [[nodiscard]] core::Result<std::optional<std::string>> find(const std::string& name) override;
    [[nodiscard]] core::Result<void> put(const std::string& name, const std::string& json) override;

private:
    Database& database_;
};

class SqlDisplayPreferences final : public DisplayPreferences {
public:
    /// `database` must be migrated and outlive the store.
    explicit SqlDisplayPreferences(Database& database) : database_(database) {}
    [[nodiscard]] core::Result<std::optional<std::string>> find(const DisplayKey& key) override;
    [[nodiscard]] core::Result<void> put(const DisplayKey& key, const std::string& json) override;

private:
    Database& database_;
};

}  // namespace understudy::store::sql
