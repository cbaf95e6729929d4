// http/library_lookup.h: which library a request means, by name or id. Used by library, item and media handlers.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "model/library.h"

namespace understudy::http {

/// By name (any case) or id (dashed or not); nullptr: none of `all`.
[[nodiscard]] const model::Library* find_library(const std::vector<model::Library>& all, std::string_view name_or_id);
[[nodiscard]] const model::Library* find_library(const std::vector<model::Library>& all, core::LibraryId id);
/// not_found, with the nearest name and those there are.
[[nodiscard]] core::Error no_library(const std::vector<model::Library>& all, std::string_view name_or_id);

}  // namespace understudy::http
