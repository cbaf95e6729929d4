// app/server_facts.h: facts of the cluster that are made once and kept in the database.
#pragma once

#include <string>

#include "core/random.h"
#include "core/result.h"
#include "store/sql/session.h"

namespace understudy::app {

/// The server's id that clients remember: 32 hex digits, the same on all pods, made by whichever comes first. Blocks.
[[nodiscard]] core::Result<std::string> server_id(store::sql::Database& database, core::Random& random);

}  // namespace understudy::app
