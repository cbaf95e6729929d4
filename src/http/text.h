// http/text.h: small pieces of text work that HTTP needs everywhere: case, blanks, percent-escapes, UTF-8 repair,
// ticks.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/time.h"

namespace understudy::http {

[[nodiscard]] constexpr char lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
/// ASCII case only: header names, query keys and path literals are ASCII.
[[nodiscard]] constexpr bool iequals(std::string_view a, std::string_view b) noexcept {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (lower(a[i]) != lower(b[i])) return false;
    }
    return true;
}
[[nodiscard]] bool icontains(std::string_view text, std::string_view part) noexcept;
[[nodiscard]] std::string to_lower(std::string_view text);
[[nodiscard]] constexpr std::string_view trim(std::string_view text) noexcept {
    constexpr std::string_view blanks = " \t\r\n";
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

/// `%41` becomes `A`; a `%` that starts no escape stays as it is. `plus_is_blank`: as in query strings.
[[nodiscard]] std::string percent_decode(std::string_view text, bool plus_is_blank = false);

/// Appends `text` as the inside of a JSON string; bytes that are no UTF-8 become U+FFFD, one for each.
void append_json_escaped(std::string& out, std::string_view text);

/// Whole numbers, with sign, nothing around them but blanks.
[[nodiscard]] std::optional<std::int64_t> parse_int(std::string_view text) noexcept;
/// `true` and `false` in any case.
[[nodiscard]] std::optional<bool> parse_bool(std::string_view text) noexcept;

/// The API's unit of time: 100 ns.
[[nodiscard]] constexpr std::int64_t to_ticks(core::Millis time) noexcept {
    return time.count() * 10'000;
}
/// `2026-11-30T10:19:20.1230000Z`: the form of Jellyfin's JSON, seven fractional digits.
[[nodiscard]] std::string to_jellyfin_time(core::UtcTime at);
/// `Mon, 30 Nov 2026 10:19:20 GMT`: the Date header.
[[nodiscard]] std::string to_http_date(core::UtcTime at);

/// For the inside of a message: not valid UTF-8, line breaks and control characters replaced by `?`, cut to 200 bytes.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace understudy::http
