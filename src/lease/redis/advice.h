// lease/redis/advice.h: a failure of Redis in the lease's words: its class, and a sentence that names cause and
// setting. Used by RedisLeaseStore.
#pragma once

#include <string>
#include <string_view>

#include "lease/lease_store.h"
#include "redis/error_class.h"

namespace understudy::lease {

/// `setting`: where the connection string was written; `key`: the lease key. The detail never holds a secret.
[[nodiscard]] LeaseNoAnswer explain(const redis::Failure& failure, std::string_view setting, std::string_view key);

}  // namespace understudy::lease
