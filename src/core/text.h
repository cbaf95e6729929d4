// core/text.h: small questions about text that several rooms ask.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::core {

/// ASCII only: setting names and protocol words, never people's text.
[[nodiscard]] std::string to_lower_ascii(std::string_view text);
[[nodiscard]] bool equals_ignoring_case(std::string_view a, std::string_view b) noexcept;
[[nodiscard]] std::string_view trim(std::string_view text) noexcept;
/// Length of the valid UTF-8 character at `at`; 0 where there is none (overlong, surrogate, above U+10FFFF or cut).
[[nodiscard]] std::size_t utf8_length(std::string_view text, std::size_t at) noexcept;
/// Pieces between `separator`s, trimmed; empty pieces are dropped.
[[nodiscard]] std::vector<std::string> split_trimmed(std::string_view text, char separator);
/// The candidate with the smallest edit distance (any case; two letters that changed places count once), where it is
/// near enough to be a slip: at most a third of the text's length, at least 1, at most 4. For «did you mean».
[[nodiscard]] std::optional<std::string> nearest(std::string_view text, std::span<const std::string> candidates);
/// How an error that names an unknown `text` ends: `; did you mean Films? There are: Films, Music`, or `. There are: …`
/// where none is near. At most 20 candidates are told. None at all: empty.
[[nodiscard]] std::string choices(std::string_view text, std::span<const std::string> candidates);

}  // namespace understudy::core
