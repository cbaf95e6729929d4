// app/server_facts.h: what a pod says of itself, and facts of the cluster that are made once and kept in the database.
#pragma once

#include <string>

#include "app/config/settings.h"
#include "cluster/pods.h"
#include "core/ids.h"
#include "core/random.h"
#include "core/result.h"
#include "store/sql/session.h"
#include "tasks/zones/zone.h"

namespace understudy::app {

/// The server's id that clients remember: 32 hex digits, the same on all pods, made by whichever comes first. Blocks.
[[nodiscard]] core::Result<std::string> server_id(store::sql::Database& database, core::Random& random);

/// With the facts that must be alike on all pods.
[[nodiscard]] cluster::PodInfo pod_info(const Settings& settings, core::BootId boot, const tasks::Zone& zone);

}  // namespace understudy::app
