// core/result.h: how an expected failure travels. Used by everything; see docs on errors in CONTRIBUTING.md.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace understudy::core {

/// What kind of failure; each maps to one HTTP status in one table (http/problem.h).
enum class Errc {
    not_found,    ///< the thing asked for does not exist
    invalid,      ///< the request or value itself is wrong; context names field, value and way out
    conflict,     ///< the state does not allow it now
    fenced,       ///< a newer epoch owns the task: stop at once, write nothing
    unavailable,  ///< no usable answer from a server we depend on; says nothing about the outcome of a write
    timed_out,    ///< no answer within the deadline; says nothing about the outcome of a write
    cancelled,    ///< somebody asked to stop
    corrupt,      ///< foreign bytes that cannot be understood
    unsupported,  ///< understood, but not done here
};

[[nodiscard]] std::string_view to_string(Errc code) noexcept;

struct Error {
    Errc code;
    std::string context;  ///< what was tried and what came of it, for people; never a secret
};

/// The one line to change for std::expected.
template <class T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(Errc code, std::string context) {
    return tl::unexpected<Error>(Error{code, std::move(context)});
}

}  // namespace understudy::core
