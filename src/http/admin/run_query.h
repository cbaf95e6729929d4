// http/admin/run_query.h: what the requests about runs and schedules have in common in their queries.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/result.h"
#include "http/message.h"

namespace understudy::http {

inline constexpr std::size_t default_limit = 100, largest_limit = 1000;

/// `key` = 1 to 1000, larger is clamped. Errors: invalid, naming the key.
[[nodiscard]] core::Result<std::size_t> limit_of(const Request& request, std::string_view key, std::size_t standard);

/// The key of the task that the query names by key or id; empty where it names none. Errors: not_found.
[[nodiscard]] core::Result<std::string> task_of(const Request& request);

}  // namespace understudy::http
