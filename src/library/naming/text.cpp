#include "library/naming/text.h"

#include <algorithm>
#include <cstdint>

namespace understudy::library::naming {
namespace {

bool is_control(char c) noexcept {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

int hex_value(char c) noexcept {
    if (is_digit(c)) return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// The base letters of U+00C0 to U+017F; '?' where a sign is none, or stands for two.
constexpr std::string_view base_letters =
    "aaaaaa?ceeeeiiiidnooooo?ouuuuy?\?aaaaaa?ceeeeiiiidnooooo?ouuuuy?y"    // U+00C0 to U+00FF
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii?\?jjkk?llllll?"    // U+0100 to U+013F
    "?llnnnnnn?\??oooooo?\?rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";  // U+0140 to U+017F
static_assert(base_letters.size() == 0x180 - 0xC0);

// The letter that `text` has at `at` in two bytes (U+0080 to U+07FF), or 0.
char32_t two_bytes(std::string_view text, std::size_t at) noexcept {
    if (at + 1 >= text.size()) return 0;
    const auto first = static_cast<unsigned char>(text[at]), second = static_cast<unsigned char>(text[at + 1]);
    if (first < 0xC2 || first > 0xDF || (second & 0xC0) != 0x80) return 0;
    return (static_cast<char32_t>(first & 0x1F) << 6) | (second & 0x3F);
}

}  // namespace

std::string display_text(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size());
    for (std::size_t i = 0; i < bytes.size();) {
        const auto length = utf8_length(bytes, i);
        if (length == 0) {
            text += "\xEF\xBF\xBD";
            ++i;
        } else if (length == 1 && is_control(bytes[i])) {
            text += ' ';
            ++i;
        } else {
            text.append(bytes, i, length);
            i += length;
        }
    }
    return text;
}

std::string key_text(std::string_view bytes) {
    static constexpr char digits[] = "0123456789ABCDEF";
    std::string text;
    text.reserve(bytes.size());
    for (std::size_t i = 0; i < bytes.size();) {
        const auto length = utf8_length(bytes, i);
        if (length == 0 || (length == 1 && (is_control(bytes[i]) || bytes[i] == '%'))) {
            const auto byte = static_cast<unsigned char>(bytes[i]);
            text += '%';
            text += digits[byte >> 4];
            text += digits[byte & 15];
            ++i;
        } else {
            text.append(bytes, i, length);
            i += length;
        }
    }
    return text;
}

std::string key_bytes(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0) {
            bytes += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
            i += 2;
        } else {
            bytes += text[i];
        }
    }
    return bytes;
}

std::string fold(std::string_view text) {
    std::string folded;
    folded.reserve(text.size());
    for (const char c : text) {
        if (c == '\'') continue;  // «Director's» and «Directors» are one word
        if (is_word(c)) {
            folded += lower(c);
        } else if (!folded.empty() && folded.back() != ' ') {
            folded += ' ';
        }
    }
    while (!folded.empty() && folded.back() == ' ') folded.pop_back();
    return folded;
}

std::string loose(std::string_view text) {
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const auto sign = two_bytes(text, i);
        if (sign >= 0x300 && sign <= 0x36F) {  // a mark on the letter before it
            i += 2;
        } else if (sign >= 0xC0 && sign < 0x180 && base_letters[sign - 0xC0] != '?') {
            plain += base_letters[sign - 0xC0];
            i += 2;
        } else {
            plain += text[i++];
        }
    }
    return fold(plain);
}

std::size_t loose_prefix(std::string_view text, std::string_view name) {
    const auto wanted = loose(name);
    if (wanted.empty()) return std::string_view::npos;
    for (std::size_t end = 1; end <= text.size(); ++end) {
        if (end < text.size() && is_word(text[end])) continue;
        const auto start = loose(text.substr(0, end));
        if (start == wanted) {  // «A (2001)»: the bracket that closes belongs to it
            return end < text.size() && !name.empty() && text[end] == name.back() && !is_word(text[end]) ? end + 1
                                                                                                         : end;
        }
        if (start.size() > wanted.size()) break;
    }
    return std::string_view::npos;
}

std::string sort_text(std::string_view name) {
    for (const std::string_view article : {"the ", "a ", "an "}) {
        if (name.size() > article.size() && starts_with_ignoring_case(name, article)) {
            name.remove_prefix(article.size());
            break;
        }
    }
    std::string sorted;
    sorted.reserve(name.size() + 10);
    for (std::size_t i = 0; i < name.size();) {
        if (!is_digit(name[i])) {
            sorted += lower(name[i++]);
            continue;
        }
        std::size_t end = i;
        while (end < name.size() && is_digit(name[end])) ++end;
        if (end - i < 10) sorted.append(10 - (end - i), '0');
        sorted.append(name, i, end - i);
        i = end;
    }
    return sorted;
}

std::string_view strip_separators(std::string_view text) noexcept {
    const auto is_separator = [](char c) { return c == ' ' || c == '.' || c == '_' || c == '-'; };
    while (!text.empty() && is_separator(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_separator(text.back())) text.remove_suffix(1);
    return text;
}

std::string spaced(std::string_view text) {
    const bool has_spaces = strip_separators(text).find(' ') != std::string_view::npos;
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '_' || (c == '.' && !has_spaces)) c = ' ';
        if (c == ' ' && (result.empty() || result.back() == ' ')) continue;
        result += c;
    }
    while (!result.empty() && (result.back() == ' ' || result.back() == '-')) result.pop_back();
    std::size_t start = 0;
    while (start < result.size() && (result[start] == ' ' || result[start] == '-')) ++start;
    return result.substr(start);
}

bool starts_with_ignoring_case(std::string_view text, std::string_view start) noexcept {
    return text.size() >= start.size() && equal_ignoring_case(text.substr(0, start.size()), start);
}

bool ends_with_ignoring_case(std::string_view text, std::string_view end) noexcept {
    return text.size() >= end.size() && equal_ignoring_case(text.substr(text.size() - end.size()), end);
}

bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
    return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

int number_of(std::string_view text) noexcept {
    if (text.empty() || text.size() > 9) return -1;
    int value = 0;
    for (const char c : text) {
        if (!is_digit(c)) return -1;
        value = value * 10 + (c - '0');
    }
    return value;
}

std::vector<std::string_view> parts_below(std::string_view root, std::string_view path) {
    std::vector<std::string_view> parts;
    path.remove_prefix(std::min(root == "/" ? 0 : root.size(), path.size()));
    while (!path.empty()) {
        const auto slash = path.find('/');
        if (slash != 0) parts.push_back(path.substr(0, slash));
        if (slash == std::string_view::npos) break;
        path.remove_prefix(slash + 1);
    }
    return parts;
}

std::string_view parent_of(std::string_view path) noexcept {
    const auto slash = path.rfind('/');
    if (slash == std::string_view::npos) return {};
    return path.substr(0, slash == 0 ? 1 : slash);
}

std::string_view name_of(std::string_view path) noexcept {
    const auto slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view stem_of(std::string_view name) noexcept {
    const auto dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0 || name.size() - dot > 6) return name;
    return name.substr(0, dot);
}

}  // namespace understudy::library::naming
