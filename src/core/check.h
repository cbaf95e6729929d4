// core/check.h: broken invariants of our own stop the process, in every build: the pod restarts, another takes the
// lease.
#pragma once

namespace understudy::core {

/// Prints where and what to stderr, then aborts.
[[noreturn]] void check_failed(const char* expression, const char* file, int line) noexcept;

}  // namespace understudy::core

#define CHECK(expression) \
    (static_cast<bool>(expression) ? void(0) : ::understudy::core::check_failed(#expression, __FILE__, __LINE__))
