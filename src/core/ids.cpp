#include "core/ids.h"

namespace understudy::core {
namespace {

int hex_value(char c) noexcept {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace

std::string id_to_hex(const IdBytes& bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    text.reserve(32);
    for (const auto byte : bytes) {
        text += digits[byte >> 4U];
        text += digits[byte & 15U];
    }
    return text;
}

std::optional<IdBytes> id_from_hex(std::string_view text) {
    const bool dashed = text.size() == 36;
    if (!dashed && text.size() != 32) return std::nullopt;
    IdBytes bytes{};
    std::size_t digit = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (dashed && (i == 8 || i == 13 || i == 18 || i == 23)) {
            if (text[i] != '-') return std::nullopt;
            continue;
        }
        const int value = hex_value(text[i]);
        if (value < 0) return std::nullopt;
        bytes[digit / 2] = static_cast<std::uint8_t>((bytes[digit / 2] << 4U) | value);
        ++digit;
    }
    return bytes;
}

}  // namespace understudy::core
