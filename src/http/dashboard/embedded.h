// http/dashboard/embedded.h: the dashboard's files inside the program, built from web/ (docs: CONTRIBUTING.md). Used by
// app alone, so that the tests of http need no npm.
#pragma once

#include <span>

#include "http/static_files.h"

namespace understudy::http {

/// Sorted by path; there as long as the program runs.
[[nodiscard]] std::span<const EmbeddedFile> dashboard_files() noexcept;

}  // namespace understudy::http
