// http/problem.h: how an expected failure is answered: one table from Errc to status, two forms of body. Used by
// handlers.
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"
#include "http/message.h"

namespace understudy::http {

/// The one table. `cancelled` and `fenced` are conflicts: the caller may try again.
[[nodiscard]] int status_of(core::Errc code) noexcept;

/// Invalid: `field` holds `text`, which is no id.
[[nodiscard]] core::Error wrong_id(std::string_view field, std::string_view text);

/// text/plain with the reason; `unavailable` and `timed_out` get a Retry-After.
[[nodiscard]] Response problem(const core::Error& error);
/// RFC 7807 JSON for a request that cannot be bound: `field` (query key or JSON path) and what is wrong with it.
[[nodiscard]] Response binding_problem(std::string_view field, std::string_view reason);
/// As binding_problem for `invalid`, whose context starts with the field's name and a colon; problem() for the rest.
[[nodiscard]] Response binding_problem(const core::Error& error);

}  // namespace understudy::http
