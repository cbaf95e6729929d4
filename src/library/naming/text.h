// library/naming/text.h: file names are bytes; what people read is text. Used by the name parsers and the resolver.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/text.h"

namespace understudy::library::naming {

using core::utf8_length;
/// Valid UTF-8 for people: a byte that fits nowhere becomes U+FFFD, a control character (newline, tab) a space.
[[nodiscard]] std::string display_text(std::string_view bytes);
/// Valid UTF-8 that is different for different bytes (what is not UTF-8, control characters and '%' become %XX): for
/// keys and JSON. NFC and NFD stay two names.
[[nodiscard]] std::string key_text(std::string_view bytes);
/// The bytes that key_text was given; what is no %XX stays as it is.
[[nodiscard]] std::string key_bytes(std::string_view text);
/// ASCII letters in lower case, every run of other ASCII characters than letters and digits as one space, ends trimmed:
/// «Stargate_SG-1» and «stargate sg 1» are one. Bytes above 127 stay as they are.
[[nodiscard]] std::string fold(std::string_view text);
/// As fold, and Latin letters lose their marks, composed (NFC) or decomposed (NFD): for comparing what people typed
/// twice, never for keys.
[[nodiscard]] std::string loose(std::string_view text);
/// Where the beginning of `text` that is loosely `name` ends, at a word's end; npos: it does not begin so.
[[nodiscard]] std::size_t loose_prefix(std::string_view text, std::string_view name);
/// Lower case without a leading «The», «A» or «An»; numbers padded to 10 digits, so that part 10 comes after part 9.
[[nodiscard]] std::string sort_text(std::string_view name);
/// Without spaces, dots, underscores and hyphens at either end.
[[nodiscard]] std::string_view strip_separators(std::string_view text) noexcept;
/// Dots and underscores are spaces where the name has none of its own; runs of spaces become one; ends trimmed.
[[nodiscard]] std::string spaced(std::string_view text);

[[nodiscard]] constexpr bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}
[[nodiscard]] constexpr bool is_letter(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 128;
}
[[nodiscard]] constexpr bool is_word(char c) noexcept {
    return is_digit(c) || is_letter(c);
}
[[nodiscard]] constexpr char lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
[[nodiscard]] bool starts_with_ignoring_case(std::string_view text, std::string_view start) noexcept;
[[nodiscard]] bool ends_with_ignoring_case(std::string_view text, std::string_view end) noexcept;
[[nodiscard]] bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept;
/// -1 where `text` is empty, longer than 9 digits or holds anything else.
[[nodiscard]] int number_of(std::string_view text) noexcept;

/// The parts of a path below `root`, which must be a prefix of it; the file's own name last.
[[nodiscard]] std::vector<std::string_view> parts_below(std::string_view root, std::string_view path);
[[nodiscard]] std::string_view parent_of(std::string_view path) noexcept;
[[nodiscard]] std::string_view name_of(std::string_view path) noexcept;
/// The name without its last extension (at most 5 characters, so that «Mr. Robot» stays whole).
[[nodiscard]] std::string_view stem_of(std::string_view name) noexcept;

}  // namespace understudy::library::naming
