// media/text.h: makes foreign text fit for people and databases. Used wherever a string comes out of a media file.
#pragma once

#include <string>
#include <string_view>

namespace understudy::media {

/// Longest text taken from a file, in bytes; what is longer is cut at a character.
inline constexpr std::size_t max_text_bytes = 16 * 1024;

/// Valid UTF-8 without NUL or surrounding blanks: each wrong byte becomes U+FFFD, a NUL ends the text.
[[nodiscard]] std::string clean_text(std::string_view raw);

/// Capital ASCII letters.
[[nodiscard]] std::string upper_ascii(std::string_view text);

}  // namespace understudy::media
