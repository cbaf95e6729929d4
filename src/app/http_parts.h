// app/http_parts.h: what the HTTP side of this server starts with: its key and what it says of itself. Used by
// Parts.
#pragma once

#include <string>

#include "app/config/settings.h"
#include "core/log.h"
#include "core/random.h"
#include "http/services.h"

namespace understudy::app {

/// The administrator's key; one that is made now is printed once. Throws std::runtime_error where there can be none.
[[nodiscard]] std::string admin_key(const Settings& settings, core::Random& random, core::Log& log);
/// What settings alone say; stores and the way to end it are added by the caller.
[[nodiscard]] http::SystemParts system_parts(const Settings& settings, const std::vector<EffectiveSetting>& in_force);
/// Without the server's id, which stands in the database.
[[nodiscard]] http::ServerInfo server_info(const Settings& settings, core::BootId boot, const tasks::Zone& zone,
                                           core::Millis pod_report_every);

}  // namespace understudy::app
