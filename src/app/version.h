// app/version.h: what this binary is called, from the build.
#pragma once

#include <string_view>

namespace understudy::app {

[[nodiscard]] std::string_view version_text() noexcept;

}  // namespace understudy::app
