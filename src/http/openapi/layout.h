// http/openapi/layout.h: JSON that people read and compare line by line. Used by document.cpp and by the program that
// writes docs/openapi.json.
#pragma once

#include <boost/json/fwd.hpp>
#include <string>

namespace understudy::http::openapi {

/// What fits into a line stands on one; the rest is indented by two. Order is kept; ends in a line break.
[[nodiscard]] std::string laid_out(const boost::json::value& value);

}  // namespace understudy::http::openapi
