#include "http/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace understudy::http {
namespace {

int hex_value(char c) noexcept {
    if (c >= '0' && c <= '9') return c - '0';
    const char small = lower(c);
    if (small >= 'a' && small <= 'f') return small - 'a' + 10;
    return -1;
}

// Length of the valid UTF-8 sequence at the front of `text` (RFC 3629: no surrogates, no overlong forms), 0: none.
std::size_t utf8_length(std::string_view text) noexcept {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto tail = [&](std::size_t i) { return i < text.size() && (byte(i) & 0xC0U) == 0x80U; };
    const unsigned lead = byte(0);
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead <= 0xDF) return tail(1) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        if (!tail(1) || !tail(2)) return 0;
        if (lead == 0xE0 && byte(1) < 0xA0) return 0;
        if (lead == 0xED && byte(1) > 0x9F) return 0;
        return 3;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        if (!tail(1) || !tail(2) || !tail(3)) return 0;
        if (lead == 0xF0 && byte(1) < 0x90) return 0;
        if (lead == 0xF4 && byte(1) > 0x8F) return 0;
        return 4;
    }
    return 0;
}

}  // namespace

bool icontains(std::string_view text, std::string_view part) noexcept {
    return std::search(text.begin(), text.end(), part.begin(), part.end(),
                       [](char a, char b) { return lower(a) == lower(b); }) != text.end();
}

std::string to_lower(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), lower);
    return out;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const auto end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::string percent_decode(std::string_view text, bool plus_is_blank) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0) {
            out += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
            i += 2;
        } else {
            out += c == '+' && plus_is_blank ? ' ' : c;
        }
    }
    return out;
}

void append_json_escaped(std::string& out, std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    while (!text.empty()) {
        const auto c = static_cast<unsigned char>(text.front());
        if (c >= 0x80) {
            const auto length = utf8_length(text);
            if (length == 0) {
                out += "\xEF\xBF\xBD";
                text.remove_prefix(1);
            } else {
                out += text.substr(0, length);
                text.remove_prefix(length);
            }
            continue;
        }
        switch (c) {
            case '"':
                out += "\\\"";
                break;
            case '\\':
                out += "\\\\";
                break;
            case '\n':
                out += "\\n";
                break;
            case '\r':
                out += "\\r";
                break;
            case '\t':
                out += "\\t";
                break;
            default:
                if (c < 0x20 || c == 0x7F) {
                    out += "\\u00";
                    out += digits[c >> 4U];
                    out += digits[c & 0xFU];
                } else {
                    out += static_cast<char>(c);
                }
        }
        text.remove_prefix(1);
    }
}

std::optional<std::int64_t> parse_int(std::string_view text) noexcept {
    text = trim(text);
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    std::int64_t value = 0;
    const auto* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (text.empty() || result.ec != std::errc{} || result.ptr != end) return std::nullopt;
    return value;
}

std::optional<bool> parse_bool(std::string_view text) noexcept {
    text = trim(text);
    if (iequals(text, "true")) return true;
    if (iequals(text, "false")) return false;
    return std::nullopt;
}

std::string to_jellyfin_time(core::UtcTime at) {
    auto text = core::to_iso8601(at);
    text.insert(text.size() - 1, "0000");  // milliseconds to ticks; the last character is Z
    return text;
}

std::string to_http_date(core::UtcTime at) {
    // Written out, as strftime's names follow the locale.
    constexpr std::array days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const auto date = std::chrono::floor<std::chrono::days>(at);
    const std::chrono::year_month_day ymd(date);
    const std::chrono::hh_mm_ss time(std::chrono::floor<std::chrono::seconds>(at - date));
    return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT", days[std::chrono::weekday(date).c_encoding()],
                       static_cast<unsigned>(ymd.day()), months[static_cast<unsigned>(ymd.month()) - 1],
                       static_cast<int>(ymd.year()), time.hours().count(), time.minutes().count(),
                       time.seconds().count());
}

std::string printable(std::string_view text) {
    constexpr std::size_t longest = 200;
    std::string out;
    while (!text.empty() && out.size() < longest) {
        const auto length = utf8_length(text);
        const auto c = static_cast<unsigned char>(text.front());
        // U+0080 to U+009F are controls too: a terminal takes U+009B for the start of a command.
        const bool c1 = length == 2 && c == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0;
        if (length == 0 || c < 0x20 || c == 0x7F || c1) {
            out += '?';
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    if (!text.empty()) out += "…";
    return out;
}

}  // namespace understudy::http
