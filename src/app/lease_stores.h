// app/lease_stores.h: lease stores from settings, for the server's election and for `understudy exec`.
#pragma once

#include <memory>
#include <string>

#include "app/config/settings.h"
#include "core/log.h"
#include "lease/database/database_lease_store.h"
#include "lease/lease_store.h"

namespace understudy::app {

/// Only where settings.redis is set. `log` outlives it.
[[nodiscard]] std::unique_ptr<lease::LeaseStore> make_redis_lease_store(const Settings& settings, std::string key,
                                                                        std::string label, core::Millis call_timeout,
                                                                        core::Log& log);
/// Without on_released.
[[nodiscard]] lease::DatabaseLeaseStore::Settings database_lease_settings(const Settings& settings, std::string key,
                                                                          std::string label, core::Millis call_timeout);

}  // namespace understudy::app
