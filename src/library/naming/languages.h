// library/naming/languages.h: ISO 639 codes and names as people put them into file names. Pure; used for sidecar files.
#pragma once

#include <string_view>

namespace understudy::library::naming {

/// `de`, `ger`, `deu`, `German`, `Deutsch` -> `ger`: the ISO 639-2/B code, as Matroska writes it. Any case; empty:
/// none.
[[nodiscard]] std::string_view language_code(std::string_view text) noexcept;

}  // namespace understudy::library::naming
