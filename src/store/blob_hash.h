// store/blob_hash.h: the name of a blob: BLAKE2b-256 of its bytes. Used by the ports of store that refer to blobs.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace understudy::store {

struct BlobHash {
    std::array<std::uint8_t, 32> bytes{};  ///< all zero: none

    [[nodiscard]] bool empty() const noexcept { return bytes == decltype(bytes){}; }
    /// 64 lower-case hex digits.
    [[nodiscard]] std::string str() const {
        constexpr std::string_view digits = "0123456789abcdef";
        std::string text;
        text.reserve(2 * bytes.size());
        for (const auto byte : bytes) {
            text += digits[byte >> 4U];
            text += digits[byte & 15U];
        }
        return text;
    }
    /// 64 hex digits in lower case, as str() writes them: a name has one form. Anything else: nullopt.
    [[nodiscard]] static std::optional<BlobHash> parse(std::string_view text) {
        BlobHash hash;
        if (text.size() != 2 * hash.bytes.size()) return std::nullopt;
        const auto digit = [](char c) -> int {
            if (c >= '0' && c <= '9') return c - '0';
            return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        };
        for (std::size_t i = 0; i < hash.bytes.size(); ++i) {
            const int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
            if (high < 0 || low < 0) return std::nullopt;
            hash.bytes[i] = static_cast<std::uint8_t>(high * 16 + low);
        }
        return hash;
    }

    friend auto operator<=>(const BlobHash&, const BlobHash&) = default;
    friend bool operator==(const BlobHash&, const BlobHash&) = default;
};

}  // namespace understudy::store

template <>
struct std::hash<understudy::store::BlobHash> {
    std::size_t operator()(const understudy::store::BlobHash& blob) const noexcept {
        std::size_t value = 0;
        std::memcpy(&value, blob.bytes.data(), sizeof value);
        return value;
    }
};
