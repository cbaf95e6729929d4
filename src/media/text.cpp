#include "media/text.h"

#include <algorithm>
#include <cstdint>

namespace understudy::media {

namespace {

/// Bytes of the well-formed UTF-8 sequence at the start of `text` (Unicode 15, table 3-7); 0: there is none.
std::size_t sequence_length(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<std::uint8_t>(text[i]) : std::uint8_t{0};
    };
    const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
    const std::uint8_t lead = byte(0), second = byte(1);
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        const std::uint8_t low = lead == 0xE0 ? 0xA0 : 0x80, high = lead == 0xED ? 0x9F : 0xBF;
        return second >= low && second <= high && follows(2) ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        const std::uint8_t low = lead == 0xF0 ? 0x90 : 0x80, high = lead == 0xF4 ? 0x8F : 0xBF;
        return second >= low && second <= high && follows(2) && follows(3) ? 4 : 0;
    }
    return 0;
}

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

}  // namespace

std::string clean_text(std::string_view raw) {
    raw = raw.substr(0, raw.find('\0'));
    while (!raw.empty() && is_blank(raw.back())) raw.remove_suffix(1);
    while (!raw.empty() && is_blank(raw.front())) raw.remove_prefix(1);
    const bool plain = raw.size() <= max_text_bytes &&
                       std::all_of(raw.begin(), raw.end(), [](char c) { return static_cast<std::uint8_t>(c) < 0x80; });
    if (plain) return std::string(raw);

    std::string clean;
    clean.reserve(std::min(raw.size(), max_text_bytes) + 4);
    while (!raw.empty()) {
        const std::size_t length = sequence_length(raw);
        const std::string_view piece = length == 0 ? std::string_view("\xEF\xBF\xBD") : raw.substr(0, length);
        if (clean.size() + piece.size() > max_text_bytes) break;
        clean += piece;
        raw.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return clean;
}

std::string upper_ascii(std::string_view text) {
    std::string upper(text);
    for (char& c : upper)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return upper;
}

}  // namespace understudy::media
