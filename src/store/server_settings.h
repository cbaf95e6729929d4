// store/server_settings.h: what the start wizard asks, the same for all pods. Used by http. Contract for all adapters:
// tests/contract/accounts/sessions_contract.h
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/result.h"

namespace understudy::store {

namespace setting {
inline constexpr const char* wizard_completed = "wizard_completed";  ///< `true`, or not there
inline constexpr const char* server_name = "server_name";
inline constexpr const char* ui_culture = "ui_culture";
inline constexpr const char* metadata_country = "metadata_country";
inline constexpr const char* metadata_language = "metadata_language";
}  // namespace setting

/// Blocks. Errors: unavailable, timed_out.
class ServerSettings {
public:
    virtual ~ServerSettings() = default;
    [[nodiscard]] virtual core::Result<std::map<std::string, std::string>> all() = 0;
    /// As all() said less than a second ago; nullopt: ask it. Does not block.
    [[nodiscard]] virtual std::optional<std::map<std::string, std::string>> recent() const { return std::nullopt; }
    /// All of them or none.
    [[nodiscard]] virtual core::Result<void> set(const std::map<std::string, std::string>& values) = 0;
};

}  // namespace understudy::store
